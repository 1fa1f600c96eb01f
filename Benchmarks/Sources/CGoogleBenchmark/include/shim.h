#ifndef CGOOGLEBENCHMARK_SHIM_H
#define CGOOGLEBENCHMARK_SHIM_H

#include <stddef.h>
#include <stdint.h>

// Google Benchmark behind plain C. No C++ exception and no Swift error crosses this border.

#ifdef __cplusplus
extern "C" {
#endif

/// One repetition of one benchmark.
typedef struct {
  const char *name;
  int failed;
  double items_per_second;
} cbench_repetition;

/// Runs the body of a benchmark once; returns 0, or anything else when it failed. A benchmark that keeps its
/// own time writes to `seconds` what the body took.
typedef int (*cbench_body)(void *context, double *seconds);

/// A repetition that is under way.
typedef struct cbench_state cbench_state;

/// Called at the end of a repetition, for its counters.
typedef void (*cbench_counters)(void *context, cbench_state *state);

/// Adds a counter to a repetition, beside those of the library.
void cbench_set_counter(cbench_state *state, const char *name, double value);

/// Adds a benchmark whose body handles `items` items at a time. `context` must live until the run ends.
void cbench_register(const char *name, int64_t items, int keeps_time, cbench_body body,
                     cbench_counters counters, void *context);

/// Adds a line to the context in the JSON output.
void cbench_add_context(const char *key, const char *value);

/// Runs what is registered, with Google Benchmark's own flags (`argv` ends with a null pointer). Names in the JSON are
/// those that were registered, without the library's additions. `writes_json` says whether a flag names a file for it.
/// `started` is called before each measurement and `finished` with each repetition. Returns the number of
/// benchmarks that ran, -1 for flags that the library does not know, or -2 when it could not write all of the JSON.
int64_t cbench_run(int argc, char **argv, int writes_json, void *context,
                   void (*started)(void *context, const char *name),
                   void (*finished)(void *context, cbench_repetition repetition));

/// Whether C and C++ were compiled with optimization.
int cbench_is_optimized(void);

/// The C++ compiler's version, in its words.
const char *cbench_compiler(void);

/// By how many percent bulk verification was made slower when this was built; mostly 0.
double cbench_slowdown_percent(void);

/// Keeps freed memory in the process: else a benchmark that frees much measures the kernel.
void cbench_keep_freed_memory(void);

/// Gives freed memory back to the system, where the C library does that.
void cbench_release_freed_memory(void);

/// Bytes that the C allocator has handed out to all threads; 0 where it does not tell.
size_t cbench_heap_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
