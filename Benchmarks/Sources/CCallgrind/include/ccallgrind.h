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

#ifdef __cplusplus
}
#endif

#endif
