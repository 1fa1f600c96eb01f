// AVX2: 8 lanes of 32 bits, 4 of 64. With two vectors in a group, what the compiler moves out of the loop over them
// would take too much of the stack.
#if defined(__x86_64__)
  #pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
  #define KERNEL_NAME avx2
  #define KERNEL_FEATURES COTP_FEATURE_AVX2
  #define VECTOR_BYTES 32
  #define VECTORS 1
  #include "lanes.h"
  #pragma clang attribute pop
#endif
