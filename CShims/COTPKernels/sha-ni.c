// The SHA extensions of x86-64, for SHA-1 and SHA-256. Their instructions have no VEX form: no wider vectors here.
#if defined(__x86_64__)
  #include <immintrin.h>

  #include "kernel.h"

  #pragma clang attribute push(__attribute__((target("sha,sse4.1,ssse3"))), apply_to = function)

  #define KERNEL_NAME sha
  #define KERNEL_FEATURES COTP_FEATURE_SHA_NI
  #define NAME(x) JOIN(x, ALGORITHM_NAME)
  #define LANES 4
  #define GROUP INLINE
  #define WORD_BITS 32
  #define LOAD_BIG_ENDIAN load_big_endian_32
typedef uint32_t word;

INLINE __m128i load(const void *bytes) {
  return _mm_loadu_si128(bytes);
}

INLINE void store(void *bytes, __m128i x) {
  _mm_storeu_si128(bytes, x);
}

INLINE __m128i reversed(__m128i x) {
  return _mm_shuffle_epi32(x, 0x1b);
}

// SHA-1. The instructions want the first word at the top, and add the constants.

  #define ALGORITHM COTP_SHA1
  #define ALGORITHM_NAME sha1
  #define STATE_WORDS 5
  #define ROUNDS 80
  #define STEP_ROUNDS 4
  #define INITIAL sha1_initial

typedef __m128i words_sha1;

typedef struct {
  __m128i abcd;
  // Before the first step the fifth variable, at the top; later the `abcd` that it comes from by a rotation.
  __m128i e;
} state_sha1;

typedef struct {
  __m128i words[4];
} message_sha1;

INLINE state_sha1 load_state_sha1(const uint8_t *words) {
  uint32_t e;
  memcpy(&e, words + 16, sizeof e);
  return (state_sha1){reversed(load(words)), _mm_set_epi32((int)e, 0, 0, 0)};
}

INLINE void store_state_sha1(uint32_t words[STATE_WORDS], state_sha1 state) {
  store(words, reversed(state.abcd));
  words[4] = (uint32_t)_mm_extract_epi32(state.e, 3);
}

INLINE message_sha1 load_message_sha1(const uint32_t block[16]) {
  message_sha1 message;
  for (int i = 0; i < 4; i++) message.words[i] = reversed(load(block + 4 * i));
  return message;
}

INLINE message_sha1 digest_message_sha1(state_sha1 digest) {
  const __m128i end = _mm_set_epi32(0, (int)(1u << 31), 0, 0);
  const __m128i length = _mm_set_epi32(0, 0, 0, 8 * (64 + 20));
  return (message_sha1){{digest.abcd, _mm_blend_epi16(end, digest.e, 0xc0), _mm_setzero_si128(), length}};
}

INLINE __m128i expand_sha1(message_sha1 *message, int t) {
  const int i = t / 4;
  __m128i *const w = message->words, *const x = &w[i % 4];
  if (t >= 16) {
    const __m128i sum = _mm_xor_si128(_mm_sha1msg1_epu32(*x, w[(i + 1) % 4]), w[(i + 2) % 4]);
    *x = _mm_sha1msg2_epu32(sum, w[(i + 3) % 4]);
  }
  return *x;
}

INLINE void step_sha1(state_sha1 *s, __m128i words, int t) {
  const __m128i abcd = s->abcd, e = t == 0 ? _mm_add_epi32(s->e, words) : _mm_sha1nexte_epu32(s->e, words);
  s->e = abcd;
  s->abcd = t < 20   ? _mm_sha1rnds4_epu32(abcd, e, 0)
            : t < 40 ? _mm_sha1rnds4_epu32(abcd, e, 1)
            : t < 60 ? _mm_sha1rnds4_epu32(abcd, e, 2)
                     : _mm_sha1rnds4_epu32(abcd, e, 3);
}

INLINE state_sha1 add_sha1(state_sha1 before, state_sha1 s) {
  return (state_sha1){_mm_add_epi32(before.abcd, s.abcd), _mm_sha1nexte_epu32(s.e, before.e)};
}

  #include "streams.h"

// SHA-256. The instructions want a, b, e and f in one vector, c, d, g and h in another, each from the top.

  #undef ALGORITHM
  #undef ALGORITHM_NAME
  #define ALGORITHM COTP_SHA256
  #define ALGORITHM_NAME sha256
  #define STATE_WORDS 8
  #define ROUNDS 64
  #define STEP_ROUNDS 4
  #define INITIAL sha256_initial

typedef __m128i words_sha256;

typedef struct {
  __m128i abef, cdgh;
} state_sha256;

typedef struct {
  __m128i words[4];
} message_sha256;

INLINE state_sha256 load_state_sha256(const uint8_t *words) {
  const __m128i badc = _mm_shuffle_epi32(load(words), 0xb1), efgh = reversed(load(words + 16));
  return (state_sha256){_mm_alignr_epi8(badc, efgh, 8), _mm_blend_epi16(efgh, badc, 0xf0)};
}

INLINE message_sha256 digest_message_sha256(state_sha256 digest) {
  const __m128i abef = reversed(digest.abef), ghcd = _mm_shuffle_epi32(digest.cdgh, 0xb1);
  const __m128i end = _mm_set_epi32(0, 0, 0, (int)(1u << 31)), length = _mm_set_epi32(8 * (64 + 32), 0, 0, 0);
  return (message_sha256){{_mm_blend_epi16(abef, ghcd, 0xf0), _mm_alignr_epi8(ghcd, abef, 8), end, length}};
}

INLINE void store_state_sha256(uint32_t words[STATE_WORDS], state_sha256 state) {
  const message_sha256 message = digest_message_sha256(state);
  store(words, message.words[0]);
  store(words + 4, message.words[1]);
}

INLINE message_sha256 load_message_sha256(const uint32_t block[16]) {
  message_sha256 message;
  for (int i = 0; i < 4; i++) message.words[i] = load(block + 4 * i);
  return message;
}

INLINE __m128i expand_sha256(message_sha256 *message, int t) {
  const int i = t / 4;
  __m128i *const w = message->words, *const x = &w[i % 4];
  if (t >= 16) {
    const __m128i before = w[(i + 3) % 4], seventh = _mm_alignr_epi8(before, w[(i + 2) % 4], 4);
    *x = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*x, w[(i + 1) % 4]), seventh), before);
  }
  return _mm_add_epi32(*x, load(sha256_constants + t));
}

INLINE void step_sha256(state_sha256 *s, __m128i words, int t) {
  (void)t;
  // The variables of one vector are those of the other two rounds before.
  const __m128i abef = _mm_sha256rnds2_epu32(s->cdgh, s->abef, words);
  *s = (state_sha256){_mm_sha256rnds2_epu32(s->abef, abef, _mm_shuffle_epi32(words, 0x0e)), abef};
}

INLINE state_sha256 add_sha256(state_sha256 before, state_sha256 s) {
  return (state_sha256){_mm_add_epi32(before.abef, s.abef), _mm_add_epi32(before.cdgh, s.cdgh)};
}

  #include "streams.h"

  #pragma clang attribute pop
#endif
