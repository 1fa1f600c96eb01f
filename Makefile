# The two commands are `make bench` and `make test`; both install what is missing first.

SWIFT ?= swift
# More flags for every build, such as those that make warnings errors.
SWIFT_FLAGS ?=
# Arguments of the benchmark, such as BENCH_FLAGS="--quick --json result.json".
BENCH_FLAGS ?=

.DEFAULT_GOAL := help

.PHONY: help
help:
	@echo "make bench      compare the backends on this machine (BENCH_FLAGS=... for more)"
	@echo "make test       run all tests"
	@echo "make install    build the otp tool and copy it to PREFIX/bin (default /usr/local)"
	@echo "make sanitize   run all tests under the address and thread sanitizers"
	@echo "make lint       check the format of all sources; make format mends it"
	@echo "make clean      remove what was built"

.PHONY: dependencies
dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library
endif

.PHONY: test-dependencies
test-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library servers
endif

.PHONY: benchmark-dependencies
benchmark-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library benchmarks
endif

# What is tested is the optimized code, which is what runs in production.
.PHONY: test
test: test-dependencies
	$(SWIFT) test -c release --disable-testable-imports $(SWIFT_FLAGS)

.PHONY: bench
bench: benchmark-dependencies
	$(SWIFT) run -c release --package-path Benchmarks $(SWIFT_FLAGS) otp-bench run $(BENCH_FLAGS)

PREFIX ?= /usr/local
.PHONY: install
install: dependencies
	$(SWIFT) build -c release --product otp $(SWIFT_FLAGS)
	install -d $(DESTDIR)$(PREFIX)/bin
	install "$$($(SWIFT) build -c release --show-bin-path)/otp" $(DESTDIR)$(PREFIX)/bin/otp

# Each sanitizer builds into a folder of its own.
.PHONY: sanitize
sanitize: test-dependencies
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks.supp:print_suppressions=0 \
	$(SWIFT) test -c release --disable-testable-imports --sanitize=address --scratch-path .build/address
	$(SWIFT) test -c release --disable-testable-imports --sanitize=thread --scratch-path .build/thread

SOURCES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources

.PHONY: lint
lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

.PHONY: clean
clean:
	rm -rf .build Benchmarks/.build
