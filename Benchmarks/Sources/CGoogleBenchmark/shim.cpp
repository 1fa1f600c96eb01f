#include "shim.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

void *callback_context = nullptr;
void (*on_start)(void *, const char *) = nullptr;

class Reporter : public benchmark::BenchmarkReporter {
 public:
  Reporter(void *context, void (*finished)(void *, cbench_repetition))
      : context_(context), finished_(finished) {}

  bool ReportContext(const Context &) override { return true; }

  void ReportRuns(const std::vector<Run> &runs) override {
    for (const Run &run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      auto rate = run.counters.find("items_per_second");
      const std::string name = run.run_name.function_name;
      finished_(context_, {name.c_str(), run.error_occurred,
                           rate == run.counters.end() ? 0.0 : rate->second.value});
    }
  }

 private:
  void *context_;
  void (*finished_)(void *, cbench_repetition);
};

/// Writes JSON with names as they were given: the library appends how time is taken.
class PlainNames : public benchmark::JSONReporter {
 public:
  void ReportRuns(const std::vector<Run> &runs) override {
    std::vector<Run> plain = runs;
    for (Run &run : plain) run.run_name.time_type.clear();
    benchmark::JSONReporter::ReportRuns(plain);
  }

  /// The end of the file. The library itself does not look whether the disk took it.
  void Finalize() override {
    benchmark::JSONReporter::Finalize();
    is_written = GetOutputStream().flush().good();
  }

  bool is_written = true;
};

}  // namespace

void cbench_set_counter(cbench_state *state, const char *name, double value) {
  reinterpret_cast<benchmark::State *>(state)->counters[name] = value;
}

void cbench_register(const char *name, int64_t items, int keeps_time, cbench_body body,
                     cbench_counters counters, void *context) {
  const std::string label = name;
  auto *benchmark = benchmark::RegisterBenchmark(name, [=](benchmark::State &state) {
    if (on_start) on_start(callback_context, label.c_str());
    for (auto _ : state) {
      double seconds = 0;
      if (body(context, &seconds) != 0) {
        state.SkipWithError("the body failed");
        break;
      }
      if (keeps_time) state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations() * items);
    counters(context, reinterpret_cast<cbench_state *>(&state));
  });
  if (keeps_time) benchmark->UseManualTime();
}

void cbench_add_context(const char *key, const char *value) {
  benchmark::AddCustomContext(key, value);
}

int64_t cbench_run(int argc, char **argv, int writes_json, void *context,
                   void (*started)(void *, const char *),
                   void (*finished)(void *, cbench_repetition)) {
  callback_context = context;
  on_start = started;
  benchmark::Initialize(&argc, argv);
  if (argc > 1) return -1;
  Reporter reporter(context, finished);
  PlainNames json;
  const size_t count =
      benchmark::RunSpecifiedBenchmarks(&reporter, writes_json ? &json : nullptr);
  return json.is_written ? static_cast<int64_t>(count) : -2;
}

const char *cbench_compiler(void) { return __VERSION__; }

int cbench_is_optimized(void) {
#ifdef __OPTIMIZE__
  return 1;
#else
  return 0;
#endif
}

#ifndef CBENCH_SLOWDOWN_PERCENT
#define CBENCH_SLOWDOWN_PERCENT 0
#endif
double cbench_slowdown_percent(void) { return CBENCH_SLOWDOWN_PERCENT; }

void cbench_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
#endif
}

void cbench_release_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#ifdef __GLIBC__
// The size in the first element of this kind; 0 where there is none.
static size_t size_in(const char *report, const char *element) {
  const char *const place = strstr(report, element);
  const char *const size = place ? strstr(place, "size=\"") : nullptr;
  return size ? strtoull(size + strlen("size=\""), nullptr, 10) : 0;
}
#endif

size_t cbench_heap_bytes(void) {
  size_t bytes = 0;
#ifdef __GLIBC__
  // mallinfo2 knows one arena; each thread may have another.
  char *report = nullptr;
  size_t length = 0;
  FILE *const stream = open_memstream(&report, &length);
  if (stream == nullptr) return 0;
  malloc_info(0, stream);
  fclose(stream);
  // The sums of all arenas come behind the last one.
  const char *sums = nullptr;
  for (const char *end = report; (end = strstr(end, "</heap>")) != nullptr; end++) sums = end;
  if (sums != nullptr) {
    bytes = size_in(sums, "<system type=\"current\"") + size_in(sums, "<total type=\"mmap\"") -
            size_in(sums, "<total type=\"fast\"") - size_in(sums, "<total type=\"rest\"");
  }
  free(report);
#endif
  return bytes;
}
