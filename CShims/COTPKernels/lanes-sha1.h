// SHA-1 (FIPS 180-4 section 6.1.2) on vectors.

#define STATE_WORDS 5
#define ROUNDS 80
// All rounds are unrolled: their functions change after 20, the variables' places after 5 and the message's after 16.
#define FIRST_ROUNDS ROUNDS
#define LOOP_ROUNDS ROUNDS
// Vectors of different counters go through the first rounds one by one: for so short rounds the memory costs more.
#define SIDE_BY_SIDE false
#define INITIAL sha1_initial
#define ROUND_CONSTANT(t) sha1_constants[(t) / 20]

// Of words and of vectors: puts the message's word of round `t`, from 16 on, in the place of that of round `t - 16`.
#define EXPAND(w, t)                                                                                                   \
  do {                                                                                                                 \
    w[(t) % 16] ^= w[((t) + 2) % 16] ^ w[((t) + 8) % 16] ^ w[((t) + 13) % 16];                                         \
    w[(t) % 16] = ROTATE_LEFT(w[(t) % 16], 1);                                                                         \
  } while (0)

// One round; the message's word has the round's constant added. Instead of moving the five variables by one place,
// as the standard does, the places move.
INLINE void NAME(round)(vector s[STATE_WORDS], int t, vector message) {
  const int shift = 80 - t;
  const vector a = s[shift % 5], b = s[(shift + 1) % 5], c = s[(shift + 2) % 5], d = s[(shift + 3) % 5];
  const vector f = t < 20               ? NAME(choose)(b, c, d)
                   : t >= 40 && t < 60 ? NAME(majority)(b, c, d)
                                       : b ^ c ^ d;
  vector sum = s[(shift + 4) % 5] + message + f;
  IN_ORDER(sum);
  s[(shift + 4) % 5] = sum + ROTATE_LEFT(a, 5);
  s[(shift + 1) % 5] = ROTATE_LEFT(b, 30);
}
