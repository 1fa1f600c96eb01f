// The SHA extensions of aarch64, for all three algorithms.
#if defined(__aarch64__)
  #include <arm_neon.h>

  #include "kernel.h"

  #define KERNEL_NAME sha
  #define NAME(x) JOIN(x, ALGORITHM_NAME)
  #define LANES 4
  #define GROUP INLINE

  #pragma clang attribute push(__attribute__((target("sha2"))), apply_to = function)

  #define word uint32_t
  #define WORD_BITS 32
  #define LOAD_BIG_ENDIAN load_big_endian_32

typedef struct {
  uint32x4_t words[4];
} message_sha1;

INLINE message_sha1 load_message_sha1(const uint32_t block[16]) {
  message_sha1 message;
  for (int i = 0; i < 4; i++) message.words[i] = vld1q_u32(block + 4 * i);
  return message;
}

INLINE uint32x4_t load_words_32(const uint8_t *bytes) {
  return vreinterpretq_u32_u8(vld1q_u8(bytes));
}

// SHA-1.

  #define KERNEL_FEATURES COTP_FEATURE_ARM_SHA1
  #define ALGORITHM COTP_SHA1
  #define ALGORITHM_NAME sha1
  #define STATE_WORDS 5
  #define ROUNDS 80
  #define STEP_ROUNDS 4
  #define INITIAL sha1_initial

typedef uint32x4_t words_sha1;

typedef struct {
  uint32x4_t abcd;
  uint32_t e;
} state_sha1;

INLINE state_sha1 load_state_sha1(const uint8_t *words) {
  state_sha1 state = {.abcd = load_words_32(words)};
  memcpy(&state.e, words + 16, sizeof state.e);
  return state;
}

INLINE void store_state_sha1(uint32_t words[STATE_WORDS], state_sha1 state) {
  vst1q_u32(words, state.abcd);
  words[4] = state.e;
}

INLINE message_sha1 digest_message_sha1(state_sha1 digest) {
  const uint32x4_t end = {digest.e, 1u << 31, 0, 0}, length = {0, 0, 0, 8 * (64 + 20)};
  return (message_sha1){{digest.abcd, end, vdupq_n_u32(0), length}};
}

INLINE uint32x4_t expand_sha1(message_sha1 *message, int t) {
  const int i = t / 4;
  uint32x4_t *const w = message->words, *const x = &w[i % 4];
  if (t >= 16) *x = vsha1su1q_u32(vsha1su0q_u32(*x, w[(i + 1) % 4], w[(i + 2) % 4]), w[(i + 3) % 4]);
  return vaddq_u32(*x, vdupq_n_u32(sha1_constants[t / 20]));
}

INLINE void step_sha1(state_sha1 *s, uint32x4_t words, int t) {
  const uint32_t e = vsha1h_u32(vgetq_lane_u32(s->abcd, 0));
  s->abcd = t < 20                ? vsha1cq_u32(s->abcd, s->e, words)
            : t >= 40 && t < 60 ? vsha1mq_u32(s->abcd, s->e, words)
                                : vsha1pq_u32(s->abcd, s->e, words);
  s->e = e;
}

INLINE state_sha1 add_sha1(state_sha1 before, state_sha1 s) {
  return (state_sha1){vaddq_u32(before.abcd, s.abcd), before.e + s.e};
}

  #include "streams.h"

// SHA-256.

  #undef KERNEL_FEATURES
  #undef ALGORITHM
  #undef ALGORITHM_NAME
  #define KERNEL_FEATURES COTP_FEATURE_ARM_SHA256
  #define ALGORITHM COTP_SHA256
  #define ALGORITHM_NAME sha256
  #define STATE_WORDS 8
  #define ROUNDS 64
  #define STEP_ROUNDS 4
  #define INITIAL sha256_initial

typedef uint32x4_t words_sha256;

typedef struct {
  uint32x4_t abcd, efgh;
} state_sha256;

typedef message_sha1 message_sha256;

INLINE message_sha256 load_message_sha256(const uint32_t block[16]) {
  return load_message_sha1(block);
}

INLINE state_sha256 load_state_sha256(const uint8_t *words) {
  return (state_sha256){load_words_32(words), load_words_32(words + 16)};
}

INLINE void store_state_sha256(uint32_t words[STATE_WORDS], state_sha256 state) {
  vst1q_u32(words, state.abcd);
  vst1q_u32(words + 4, state.efgh);
}

INLINE message_sha256 digest_message_sha256(state_sha256 digest) {
  const uint32x4_t end = {1u << 31, 0, 0, 0}, length = {0, 0, 0, 8 * (64 + 32)};
  return (message_sha256){{digest.abcd, digest.efgh, end, length}};
}

INLINE uint32x4_t expand_sha256(message_sha256 *message, int t) {
  const int i = t / 4;
  uint32x4_t *const w = message->words, *const x = &w[i % 4];
  if (t >= 16) *x = vsha256su1q_u32(vsha256su0q_u32(*x, w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
  return vaddq_u32(*x, vld1q_u32(sha256_constants + t));
}

INLINE void step_sha256(state_sha256 *s, uint32x4_t words, int t) {
  (void)t;
  *s = (state_sha256){vsha256hq_u32(s->abcd, s->efgh, words), vsha256h2q_u32(s->efgh, s->abcd, words)};
}

INLINE state_sha256 add_sha256(state_sha256 before, state_sha256 s) {
  return (state_sha256){vaddq_u32(before.abcd, s.abcd), vaddq_u32(before.efgh, s.efgh)};
}

  #include "streams.h"

  #pragma clang attribute pop

// SHA-512.

  #pragma clang attribute push(__attribute__((target("sha3"))), apply_to = function)

  #undef word
  #undef WORD_BITS
  #undef LOAD_BIG_ENDIAN
  #define word uint64_t
  #define WORD_BITS 64
  #define LOAD_BIG_ENDIAN load_big_endian_64

  #undef KERNEL_FEATURES
  #undef ALGORITHM
  #undef ALGORITHM_NAME
  #define KERNEL_FEATURES COTP_FEATURE_ARM_SHA512
  #define ALGORITHM COTP_SHA512
  #define ALGORITHM_NAME sha512
  #define STATE_WORDS 8
  #define ROUNDS 80
  #define STEP_ROUNDS 2
  #define INITIAL sha512_initial

typedef uint64x2_t words_sha512;

typedef struct {
  uint64x2_t ab, cd, ef, gh;
} state_sha512;

typedef struct {
  uint64x2_t words[8];
} message_sha512;

INLINE uint64x2_t load_words_64(const uint8_t *bytes) {
  return vreinterpretq_u64_u8(vld1q_u8(bytes));
}

INLINE state_sha512 load_state_sha512(const uint8_t *words) {
  return (state_sha512){load_words_64(words), load_words_64(words + 16), load_words_64(words + 32),
                        load_words_64(words + 48)};
}

INLINE void store_state_sha512(uint64_t words[STATE_WORDS], state_sha512 state) {
  vst1q_u64(words, state.ab);
  vst1q_u64(words + 2, state.cd);
  vst1q_u64(words + 4, state.ef);
  vst1q_u64(words + 6, state.gh);
}

INLINE message_sha512 load_message_sha512(const uint64_t block[16]) {
  message_sha512 message;
  for (int i = 0; i < 8; i++) message.words[i] = vld1q_u64(block + 2 * i);
  return message;
}

INLINE message_sha512 digest_message_sha512(state_sha512 digest) {
  const uint64x2_t zero = {0, 0}, end = {1ull << 63, 0}, length = {0, 8 * (128 + 64)};
  return (message_sha512){{digest.ab, digest.cd, digest.ef, digest.gh, end, zero, zero, length}};
}

INLINE uint64x2_t expand_sha512(message_sha512 *message, int t) {
  const int i = t / 2;
  uint64x2_t *const w = message->words, *const x = &w[i % 8];
  if (t >= 16) {
    const uint64x2_t seventh = vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1);
    *x = vsha512su1q_u64(vsha512su0q_u64(*x, w[(i + 1) % 8]), w[(i + 7) % 8], seventh);
  }
  return vaddq_u64(*x, vld1q_u64(sha512_constants + t));
}

INLINE void step_sha512(state_sha512 *s, uint64x2_t words, int t) {
  (void)t;
  const uint64x2_t sum = vaddq_u64(s->gh, vextq_u64(words, words, 1));
  const uint64x2_t first = vsha512hq_u64(sum, vextq_u64(s->ef, s->gh, 1), vextq_u64(s->cd, s->ef, 1));
  *s = (state_sha512){vsha512h2q_u64(first, s->cd, s->ab), s->ab, vaddq_u64(s->cd, first), s->ef};
}

INLINE state_sha512 add_sha512(state_sha512 before, state_sha512 s) {
  return (state_sha512){vaddq_u64(before.ab, s.ab), vaddq_u64(before.cd, s.cd), vaddq_u64(before.ef, s.ef),
                        vaddq_u64(before.gh, s.gh)};
}

  #include "streams.h"

  #pragma clang attribute pop
#endif
