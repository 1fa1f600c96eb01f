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
	@echo "make bench-peers     measure the SIMD kernels against other libraries, and verification in bulk"
	@echo "make compare BASE=main   say what became slower or faster since a commit"
	@echo "make bench-ledgers   measure the ledgers, against references, with servers of its own"
	@echo "make report     make a page of results (BENCH_FLAGS=\"result.json --output report.html\")"
	@echo "make check-instructions  compare the benchmarks' instructions and allocations with those recorded"
	@echo "make test       run all tests"
	@echo "make install    build the otp tool and copy it to PREFIX/bin (default /usr/local)"
	@echo "make sanitize   run all tests under the address and thread sanitizers"
	@echo "make check-kernels  check the SIMD kernels for every instruction set that can run or be emulated here"
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

.PHONY: report-dependencies
report-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library benchmarks report
endif

.PHONY: benchmark-test-dependencies
benchmark-test-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library benchmarks report browser
endif

.PHONY: ledger-benchmark-dependencies
ledger-benchmark-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library benchmarks servers
endif

# What is tested is the optimized code, which is what runs in production. The tests of timeouts run by themselves,
# so that no other test takes the processor from them while they measure.
define run-tests
$(SWIFT) test -c release --disable-testable-imports $(1) --skip FaultTests
$(SWIFT) test -c release --disable-testable-imports $(1) --skip-build --filter FaultTests
endef

.PHONY: test
test: test-dependencies
	$(call run-tests,$(SWIFT_FLAGS))

.PHONY: bench
bench: benchmark-dependencies
	$(SWIFT) run -c release --package-path Benchmarks $(SWIFT_FLAGS) otp-bench run $(BENCH_FLAGS)

.PHONY: bench-peers
bench-peers: benchmark-dependencies
	$(SWIFT) run -c release --package-path Benchmarks $(SWIFT_FLAGS) otp-bench run --peers $(BENCH_FLAGS)

# The files as they are against a commit: BASE=main.
.PHONY: compare
compare: benchmark-dependencies
	$(SWIFT) build -c release --package-path Benchmarks $(SWIFT_FLAGS) --product otp-bench
	Benchmarks/.build/release/otp-bench compare-revisions $(BENCH_FLAGS) $(BASE)

# The servers are started for it, unless OTP_BENCH_REDIS and OTP_BENCH_POSTGRESQL name others.
.PHONY: bench-ledgers
bench-ledgers: ledger-benchmark-dependencies
	$(SWIFT) build -c release --package-path Benchmarks $(SWIFT_FLAGS) --product otp-bench
	Benchmarks/Scripts/with-servers Benchmarks/.build/release/otp-bench run --ledgers $(BENCH_FLAGS)

# BENCH_FLAGS="result.json --history FOLDER --output report.html"
.PHONY: report
report: report-dependencies
	$(SWIFT) run -c release --package-path Benchmarks $(SWIFT_FLAGS) otp-bench report $(BENCH_FLAGS)

# Counts do not depend on the load. Other compilers and libraries give other counts: then there is nothing to compare
# with, which is no failure, and said.
.PHONY: check-instructions
check-instructions: benchmark-dependencies
	$(SWIFT) build -c release --package-path Benchmarks $(SWIFT_FLAGS) --product otp-bench
	$(SWIFT) build -c release --package-path Benchmarks $(SWIFT_FLAGS) --product otp-bench-count
	Benchmarks/.build/release/otp-bench instructions check || [ $$? -eq 5 ]

.PHONY: test-benchmarks
test-benchmarks: benchmark-test-dependencies
	$(SWIFT) test -c release --disable-testable-imports --package-path Benchmarks $(SWIFT_FLAGS)

# Only to see that it builds.
.PHONY: debug
debug: dependencies
	$(SWIFT) build $(SWIFT_FLAGS)

PREFIX ?= /usr/local
# The tool needs no Swift where it runs; symbols are bound at the start, since the resolver would save registers,
# parts of keys among them, on the stack.
STANDALONE = --static-swift-stdlib -Xlinker -z -Xlinker now
.PHONY: install
install: dependencies
	$(SWIFT) build -c release --product otp --scratch-path .build/install $(STANDALONE) $(SWIFT_FLAGS)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s .build/install/release/otp "$(DESTDIR)$(PREFIX)/bin/otp"

# Each sanitizer builds into a folder of its own.
.PHONY: sanitize
sanitize: sanitize-address sanitize-thread

.PHONY: sanitize-address
sanitize-address: export LSAN_OPTIONS = suppressions=Scripts/leaks.supp:print_suppressions=0
# Without stacks on the heap, which nobody wipes.
sanitize-address: export ASAN_OPTIONS = detect_stack_use_after_return=0
sanitize-address: test-dependencies
	$(call run-tests,--sanitize=address --scratch-path .build/address)

.PHONY: sanitize-thread
# Without two tests: the instrumented kernels leave more on the stack than is wiped, and the sanitizer writes a file of
# its own, which a tool that may write none does not survive.
sanitize-thread: test-dependencies
	$(call run-tests,--sanitize=thread --scratch-path .build/thread --skip 'noStateOfAKernelIsLeft|summariesOfRunsThatFail')

.PHONY: kernel-dependencies
kernel-dependencies:
ifndef NO_INSTALL
	@Scripts/install-dependencies library kernels
endif

.PHONY: check-kernels
check-kernels: kernel-dependencies
	Scripts/check-kernels

SOURCES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Plugins Benchmarks/Sources Benchmarks/Tests

.PHONY: lint
lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

.PHONY: clean
clean:
	rm -rf .build Benchmarks/.build
