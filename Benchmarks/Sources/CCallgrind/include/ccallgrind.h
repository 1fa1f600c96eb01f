#ifndef CCALLGRIND_H
#define CCALLGRIND_H

#include <stdbool.h>

// valgrind's requests to callgrind, which are macros. They are a few instructions without effect where no valgrind is.

#ifdef __cplusplus
extern "C" {
#endif

/// Whether this process runs under valgrind.
bool ccallgrind_is_running(void);

/// From here on instructions are counted, of all threads.
void ccallgrind_start(void);

/// From here on they are not.
void ccallgrind_stop(void);

typedef enum {
  CCALLGRIND_COUNTED,
  CCALLGRIND_FAILED,
  CCALLGRIND_NOTHING_LEFT,
} ccallgrind_outcome;

/// Calls `body` again and again, each time in a new process that begins as this one is now, until it returns something
/// else than CCALLGRIND_COUNTED. Callgrind writes a file for each process, whose id is then written to standard
/// output: `counted 4711`. Why one ended otherwise is written to standard error.
///
/// This process must have one thread. It does nothing here that would change its heap from one call to the next.
/// - Parameter seconds: what a call may take.
/// - Returns: whether the last call found nothing left.
bool ccallgrind_run_each(ccallgrind_outcome (*body)(void *context), void *context, unsigned seconds);

#ifdef __cplusplus
}
#endif

#endif
