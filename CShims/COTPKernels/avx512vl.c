// AVX-512's rotations, ternary logic and registers on 256 bits: 8 lanes of 32 bits, 4 of 64.
#if defined(__x86_64__)
  #include <immintrin.h>
  #pragma clang attribute push(__attribute__((target("avx512f,avx512vl"))), apply_to = function)
  #define KERNEL_NAME avx512vl
  #define KERNEL_FEATURES COTP_FEATURE_AVX512
  #define VECTOR_BYTES 32
  #define VECTORS 1
  #define TERNARY_LOGIC(a, b, c, table) _mm256_ternarylogic_epi32((__m256i)(a), (__m256i)(b), (__m256i)(c), table)
  #define STEP(x, value) STEP_IN_ORDER(x, value)
  #include "lanes.h"
  #pragma clang attribute pop
#endif
