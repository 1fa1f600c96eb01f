#include "cknownwork.h"

#include <stdlib.h>

#if defined(__x86_64__)
  #define ROUND(extra) __asm__ volatile("1:" extra " decq %0\n jnz 1b" : "+r"(count) : : "cc")
#elif defined(__aarch64__)
  #define ROUND(extra) __asm__ volatile("1:" extra " subs %0, %0, #1\n b.ne 1b" : "+r"(count) : : "cc")
#endif

__attribute__((noinline)) void cknownwork_loop(size_t count) {
  ROUND("");
}

__attribute__((noinline)) void cknownwork_loop_with_one_more(size_t count) {
  ROUND(" nop\n");
}

// Else the compiler knows that what is not used need not be allocated.
static void *volatile place;

static void take(void *memory) {
  place = memory;
  free(place);
}

void cknownwork_allocate(size_t count) {
  for (size_t i = 0; i < count; i++) {
    take(malloc(100));
    take(calloc(3, 40));
    place = NULL;
    take(realloc(place, 200));
    void *aligned = NULL;
    if (posix_memalign(&aligned, 64, 128) != 0) abort();
    take(aligned);
    take(aligned_alloc(64, 64));
  }
}
