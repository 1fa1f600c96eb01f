// AVX2: 8 lanes of 32 bits, 4 of 64.
#if defined(__x86_64__)
  #pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
  #define KERNEL_NAME avx2
  #define KERNEL_FEATURES COTP_FEATURE_AVX2
  #define VECTOR_BYTES 32
  #include "lanes.h"
  #pragma clang attribute pop
#endif
