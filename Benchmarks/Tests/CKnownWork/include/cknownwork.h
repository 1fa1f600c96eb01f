#ifndef CKNOWNWORK_H
#define CKNOWNWORK_H

#include <stddef.h>

// Work whose cost is known by construction.

/// Two instructions for each of `count` rounds (from 1 on), and some around them.
void cknownwork_loop(size_t count);

/// Three instructions for each of `count` rounds, and the same around them.
void cknownwork_loop_with_one_more(size_t count);

/// `count` calls each of malloc, calloc, realloc, posix_memalign and aligned_alloc; all is freed.
void cknownwork_allocate(size_t count);

#endif
