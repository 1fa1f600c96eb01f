// SHA-256 and SHA-512 (FIPS 180-4 sections 6.2.2 and 6.4.2) on vectors.

#define STATE_WORDS 8
// A loop of 16 rounds, so that the code stays in the cache of decoded instructions.
#define FIRST_ROUNDS 32
#define LOOP_ROUNDS 16
#if WORD_BITS == 32
  #define ROUNDS 64
  #define INITIAL sha256_initial
  #define ROUND_CONSTANT(t) sha256_constants[t]
  // The functions with capital and with small sigmas of FIPS 180-4 section 4.1.2.
  #define SIGMA_A(x) (ROTATE_RIGHT(x, 2) ^ ROTATE_RIGHT(x, 13) ^ ROTATE_RIGHT(x, 22))
  #define SIGMA_E(x) (ROTATE_RIGHT(x, 6) ^ ROTATE_RIGHT(x, 11) ^ ROTATE_RIGHT(x, 25))
  #define SIGMA_0(x) (ROTATE_RIGHT(x, 7) ^ ROTATE_RIGHT(x, 18) ^ (x) >> 3)
  #define SIGMA_1(x) (ROTATE_RIGHT(x, 17) ^ ROTATE_RIGHT(x, 19) ^ (x) >> 10)
#else
  #define ROUNDS 80
  #define INITIAL sha512_initial
  #define ROUND_CONSTANT(t) sha512_constants[t]
  // Section 4.1.3.
  #define SIGMA_A(x) (ROTATE_RIGHT(x, 28) ^ ROTATE_RIGHT(x, 34) ^ ROTATE_RIGHT(x, 39))
  #define SIGMA_E(x) (ROTATE_RIGHT(x, 14) ^ ROTATE_RIGHT(x, 18) ^ ROTATE_RIGHT(x, 41))
  #define SIGMA_0(x) (ROTATE_RIGHT(x, 1) ^ ROTATE_RIGHT(x, 8) ^ (x) >> 7)
  #define SIGMA_1(x) (ROTATE_RIGHT(x, 19) ^ ROTATE_RIGHT(x, 61) ^ (x) >> 6)
#endif

// Of words and of vectors: puts the message's word of round `t`, from 16 on, in the place of that of round `t - 16`.
#define EXPAND(w, t)                                                                                                   \
  (w[(t) % 16] += SIGMA_0(w[((t) + 1) % 16]) + w[((t) + 9) % 16] + SIGMA_1(w[((t) + 14) % 16]))

// One round; the message's word has the round's constant added. Instead of moving the eight variables by one place,
// as the standard does, the places move.
INLINE void NAME(round)(vector s[STATE_WORDS], int t, vector message) {
  const int shift = 80 - t;
  const vector a = s[shift % 8], b = s[(shift + 1) % 8], c = s[(shift + 2) % 8];
  const vector e = s[(shift + 4) % 8], f = s[(shift + 5) % 8], g = s[(shift + 6) % 8];
  const vector first = s[(shift + 7) % 8] + message + NAME(choose)(e, f, g) + SIGMA_E(e);
  s[(shift + 3) % 8] += first;
  s[(shift + 7) % 8] = first + (NAME(majority)(a, b, c) + SIGMA_A(a));
}
