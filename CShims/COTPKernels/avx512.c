// AVX-512: 32 lanes of 32 bits, 16 of 64. The last few pairs take half the time on 256 bits.
#if defined(__x86_64__)
  #include <immintrin.h>
  #pragma clang attribute push(__attribute__((target("avx512f,avx512vl"))), apply_to = function)
  #define KERNEL_NAME avx512
  #define KERNEL_FEATURES COTP_FEATURE_AVX512
  #define NARROWER_KERNEL avx512vl
  #define VECTOR_BYTES 64
  #define VECTORS 2
  #define TERNARY_LOGIC(a, b, c, table) _mm512_ternarylogic_epi32((__m512i)(a), (__m512i)(b), (__m512i)(c), table)
  #define STEP(x, value) STEP_IN_ORDER(x, value)
  #include "lanes.h"
  #pragma clang attribute pop
#endif
