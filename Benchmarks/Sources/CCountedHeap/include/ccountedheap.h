#ifndef CCOUNTEDHEAP_H
#define CCOUNTEDHEAP_H

#include <stddef.h>

// The C allocator of a program that is linked with this: for counting, not for speed.
//
// What a call takes, and how much memory it hands out, depend on the size that is asked for and on nothing else. In the C
// library they depend on all that was allocated before. Since Swift's arrays grow by what they got, even the number of
// allocations would change with code that has nothing to do with what is counted.

#ifdef __cplusplus
extern "C" {
#endif

/// Calls that handed out memory until now, in this process: of `malloc`, `calloc`, `realloc`, `aligned_alloc`,
/// `posix_memalign` and their kind.
size_t ccountedheap_allocations(void);

#ifdef __cplusplus
}
#endif

#endif
