// The SHA extensions of x86-64, for SHA-1 and SHA-256. Its instructions have no VEX form: no wider vectors here.
#if defined(__x86_64__)
  #include <immintrin.h>

  #include "kernel.h"

  #pragma clang attribute push(__attribute__((target("sha,sse4.1,ssse3"))), apply_to = function)

  #define KERNEL_NAME sha
  #define KERNEL_FEATURES COTP_FEATURE_SHA_NI
  #define NAME(x) JOIN(x, ALGORITHM_NAME)
  #define LANES 4
  #define WORD_BITS 32
  #define LOAD_BIG_ENDIAN load_big_endian_32
typedef uint32_t word;

INLINE __m128i load(const void *bytes) {
  return _mm_loadu_si128(bytes);
}

INLINE void store(void *bytes, __m128i x) {
  _mm_storeu_si128(bytes, x);
}

// SHA-1. The instructions want a vector's first word at the top.

  #define ALGORITHM COTP_SHA1
  #define ALGORITHM_NAME sha1
  #define STATE_WORDS 5
  #define ROUNDS 80
  #define INITIAL sha1_initial

typedef struct {
  __m128i abcd, e;
} state_sha1;

typedef struct {
  __m128i words[4];
} message_sha1;

INLINE __m128i reversed(__m128i x) {
  return _mm_shuffle_epi32(x, 0x1b);
}

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

INLINE message_sha1 digest_message_sha1(state_sha1 state) {
  const __m128i end = _mm_set_epi32(0, (int)(1u << 31), 0, 0);
  return (message_sha1){{state.abcd, _mm_blend_epi16(end, state.e, 0xc0), _mm_setzero_si128(),
                         _mm_set_epi32(0, 0, 0, 8 * (64 + 20))}};
}

// Four rounds. `e` is the fifth variable with the four words added.
INLINE __m128i four_rounds_sha1(__m128i abcd, __m128i e, int t) {
  return t < 20   ? _mm_sha1rnds4_epu32(abcd, e, 0)
         : t < 40 ? _mm_sha1rnds4_epu32(abcd, e, 1)
         : t < 60 ? _mm_sha1rnds4_epu32(abcd, e, 2)
                  : _mm_sha1rnds4_epu32(abcd, e, 3);
}

// The words of rounds `t` to `t + 3`, in the place of those of 16 rounds before.
INLINE __m128i expand_sha1(__m128i w[4], int t) {
  __m128i *const x = &w[t / 4 % 4];
  if (t >= 16) {
    const __m128i before = w[(t / 4 + 3) % 4];
    *x = _mm_sha1msg2_epu32(
      _mm_xor_si128(_mm_sha1msg1_epu32(*x, w[(t / 4 + 1) % 4]), w[(t / 4 + 2) % 4]), before);
  }
  return *x;
}

// The rounds of all lanes; `words(k)` is lane k's four words of rounds t to t + 3.
  #define ALL_ROUNDS_SHA1(states, words)                                                                              \
    do {                                                                                                              \
      state_sha1 s[LANES];                                                                                            \
      memcpy(s, states, sizeof s);                                                                                    \
      UNROLLED for (int t = 0; t < ROUNDS; t += 4) {                                                                  \
        UNROLLED for (int k = 0; k < LANES; k++) {                                                                    \
          const __m128i w = words;                                                                                    \
          const __m128i e = t == 0 ? _mm_add_epi32(s[k].e, w) : _mm_sha1nexte_epu32(s[k].e, w);                       \
          /* What is `a` now is rotated to the next `e`. */                                                           \
          s[k].e = s[k].abcd;                                                                                         \
          s[k].abcd = four_rounds_sha1(s[k].abcd, e, t);                                                              \
        }                                                                                                             \
      }                                                                                                               \
      UNROLLED for (int k = 0; k < LANES; k++) {                                                                      \
        states[k].abcd = _mm_add_epi32(states[k].abcd, s[k].abcd);                                                    \
        states[k].e = _mm_sha1nexte_epu32(s[k].e, states[k].e);                                                       \
      }                                                                                                               \
    } while (0)

INLINE void rounds_sha1(state_sha1 states[LANES], message_sha1 messages[LANES]) {
  ALL_ROUNDS_SHA1(states, expand_sha1(messages[k].words, t));
}

INLINE void scheduled_rounds_sha1(state_sha1 states[LANES], const uint32_t schedule[ROUNDS]) {
  ALL_ROUNDS_SHA1(states, load(schedule + t));
}

INLINE void fill_counter_block_sha1(uint32_t block[16], uint64_t counter);

// Without the constants, which the instructions add; each four words reversed.
static void fill_schedule_sha1(uint32_t schedule[ROUNDS], uint64_t counter) {
  uint32_t block[16];
  fill_counter_block_sha1(block, counter);
  message_sha1 message = load_message_sha1(block);
  UNROLLED for (int t = 0; t < ROUNDS; t += 4) store(schedule + t, expand_sha1(message.words, t));
}

  #include "streams.h"

// SHA-256. The instructions want a, b, e and f in one vector, c, d, g and h in another, each from the top.

  #undef ALGORITHM
  #undef ALGORITHM_NAME
  #define ALGORITHM COTP_SHA256
  #define ALGORITHM_NAME sha256
  #define STATE_WORDS 8
  #define ROUNDS 64
  #define INITIAL sha256_initial

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

INLINE message_sha256 digest_message_sha256(state_sha256 state) {
  const __m128i abef = reversed(state.abef), ghcd = _mm_shuffle_epi32(state.cdgh, 0xb1);
  return (message_sha256){{_mm_blend_epi16(abef, ghcd, 0xf0), _mm_alignr_epi8(ghcd, abef, 8),
                           _mm_set_epi32(0, 0, 0, (int)(1u << 31)), _mm_set_epi32(8 * (64 + 32), 0, 0, 0)}};
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

// The words of rounds `t` to `t + 3`, in the place of those of 16 rounds before, with the constants added.
INLINE __m128i expand_sha256(__m128i w[4], int t) {
  __m128i *const x = &w[t / 4 % 4];
  if (t >= 16) {
    const __m128i before = w[(t / 4 + 3) % 4];
    const __m128i sum = _mm_add_epi32(
      _mm_sha256msg1_epu32(*x, w[(t / 4 + 1) % 4]), _mm_alignr_epi8(before, w[(t / 4 + 2) % 4], 4));
    *x = _mm_sha256msg2_epu32(sum, before);
  }
  return _mm_add_epi32(*x, load(sha256_constants + t));
}

INLINE void two_rounds_sha256(state_sha256 *s, __m128i words) {
  const __m128i abef = _mm_sha256rnds2_epu32(s->cdgh, s->abef, words);
  s->cdgh = s->abef;
  s->abef = abef;
}

INLINE void add_sha256(state_sha256 states[LANES], const state_sha256 s[LANES]) {
  UNROLLED for (int k = 0; k < LANES; k++) {
    states[k].abef = _mm_add_epi32(states[k].abef, s[k].abef);
    states[k].cdgh = _mm_add_epi32(states[k].cdgh, s[k].cdgh);
  }
}

INLINE void rounds_sha256(state_sha256 states[LANES], message_sha256 messages[LANES]) {
  state_sha256 s[LANES];
  memcpy(s, states, sizeof s);
  UNROLLED for (int t = 0; t < ROUNDS; t += 4) {
    UNROLLED for (int k = 0; k < LANES; k++) {
      const __m128i words = expand_sha256(messages[k].words, t);
      two_rounds_sha256(&s[k], words);
      two_rounds_sha256(&s[k], _mm_shuffle_epi32(words, 0x0e));
    }
  }
  add_sha256(states, s);
}

INLINE void scheduled_rounds_sha256(state_sha256 states[LANES], const uint32_t schedule[ROUNDS]) {
  state_sha256 s[LANES];
  memcpy(s, states, sizeof s);
  UNROLLED for (int t = 0; t < ROUNDS; t += 2) {
    const __m128i words = _mm_loadl_epi64((const __m128i *)(schedule + t));
    UNROLLED for (int k = 0; k < LANES; k++) two_rounds_sha256(&s[k], words);
  }
  add_sha256(states, s);
}

INLINE void fill_counter_block_sha256(uint32_t block[16], uint64_t counter);

static void fill_schedule_sha256(uint32_t schedule[ROUNDS], uint64_t counter) {
  uint32_t block[16];
  fill_counter_block_sha256(block, counter);
  message_sha256 message = load_message_sha256(block);
  UNROLLED for (int t = 0; t < ROUNDS; t += 4) store(schedule + t, expand_sha256(message.words, t));
}

  #include "streams.h"

  #pragma clang attribute pop
#endif
