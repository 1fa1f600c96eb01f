// SHA-256 and SHA-512 (FIPS 180-4 sections 6.2.2 and 6.4.2) on vectors.

#define STATE_WORDS 8
// A loop of 16 rounds, so that the code stays in the cache of decoded instructions.
#define FIRST_ROUNDS 32
#define LOOP_ROUNDS 16
// Whether vectors of different counters go through the first rounds together.
#define SIDE_BY_SIDE true
#if WORD_BITS == 32
  #define ROUNDS 64
  #define INITIAL sha256_initial
  #define ROUND_CONSTANT(t) sha256_constants[t]
  // The functions with capital (of a and of e) and with small sigmas of FIPS 180-4 section 4.1.2.
  #define ROTATIONS_A {2, 13, 22}
  #define ROTATIONS_E {6, 11, 25}
  #define SIGMA_0(x) (ROTATE_RIGHT(x, 7) ^ ROTATE_RIGHT(x, 18) ^ (x) >> 3)
  #define SIGMA_1(x) (ROTATE_RIGHT(x, 17) ^ ROTATE_RIGHT(x, 19) ^ (x) >> 10)
#else
  #define ROUNDS 80
  #define INITIAL sha512_initial
  #define ROUND_CONSTANT(t) sha512_constants[t]
  // Section 4.1.3.
  #define ROTATIONS_A {28, 34, 39}
  #define ROTATIONS_E {14, 18, 41}
  #define SIGMA_0(x) (ROTATE_RIGHT(x, 1) ^ ROTATE_RIGHT(x, 8) ^ (x) >> 7)
  #define SIGMA_1(x) (ROTATE_RIGHT(x, 19) ^ ROTATE_RIGHT(x, 61) ^ (x) >> 6)
#endif

#define SIGMA(x, by) (ROTATE_RIGHT(x, (by)[0]) ^ ROTATE_RIGHT(x, (by)[1]) ^ ROTATE_RIGHT(x, (by)[2]))

// Of words and of vectors: puts the message's word of round `t`, from 16 on, in the place of that of round `t - 16`.
#define EXPAND(w, t)                                                                                                   \
  (w[(t) % 16] += SIGMA_0(w[((t) + 1) % 16]) + w[((t) + 9) % 16] + SIGMA_1(w[((t) + 14) % 16]))

// One round; the message's word has the round's constant added. Instead of moving the eight variables by one place,
// as the standard does, the places move.
INLINE void NAME(round)(vector s[STATE_WORDS], int t, vector message) {
  const int shift = 80 - t;
  const vector a = s[shift % 8], b = s[(shift + 1) % 8], c = s[(shift + 2) % 8];
  const vector e = s[(shift + 4) % 8], f = s[(shift + 5) % 8], g = s[(shift + 6) % 8];
  const int by_a[] = ROTATIONS_A, by_e[] = ROTATIONS_E;
  vector *const d = &s[(shift + 3) % 8], *const h = &s[(shift + 7) % 8];
#if defined(STEP)
  // First the rotations, which not all pipes can do and all else waits for: a pipe takes the oldest of what is ready.
  vector rotated_e[3], rotated_a[3], choice, majority, sigma_e, sigma_a;
  UNROLLED for (int i = 0; i < 3; i++) STEP(rotated_e[i], ROTATE_RIGHT(e, by_e[i]));
  UNROLLED for (int i = 0; i < 3; i++) STEP(rotated_a[i], ROTATE_RIGHT(a, by_a[i]));
  STEP(*h, *h + message);
  STEP(choice, NAME(choose)(e, f, g));
  STEP(*h, *h + choice);
  STEP(sigma_e, rotated_e[0] ^ rotated_e[1] ^ rotated_e[2]);
  STEP(majority, NAME(majority)(a, b, c));
  STEP(*h, *h + sigma_e);
  STEP(sigma_a, rotated_a[0] ^ rotated_a[1] ^ rotated_a[2]);
  STEP(*d, *d + *h);
  STEP(majority, majority + sigma_a);
  STEP(*h, *h + majority);
#else
  *h = *h + message + NAME(choose)(e, f, g) + SIGMA(e, by_e);
  *d += *h;
  *h += NAME(majority)(a, b, c) + SIGMA(a, by_a);
#endif
}
