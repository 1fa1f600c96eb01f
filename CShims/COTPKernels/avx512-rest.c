// AVX-512 on one vector of 256 bits: for the last few pairs of the other two, since it takes them half the time.
#if defined(__x86_64__)
  #include <immintrin.h>
  #pragma clang attribute push(__attribute__((target("avx512f,avx512vl"))), apply_to = function)
  #define KERNEL_NAME avx512rest
  #define KERNEL_FEATURES COTP_FEATURE_AVX512
  #define VECTOR_BYTES 32
  #define STREAMS 1
  #define TERNARY_LOGIC(a, b, c, table) _mm256_ternarylogic_epi32((__m256i)(a), (__m256i)(b), (__m256i)(c), table)
  #include "lanes.h"
  #pragma clang attribute pop
#endif
