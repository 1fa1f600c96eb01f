// A vector of words, and what moves words between memory and vectors; included once for each algorithm.

typedef WORD NAME(word);
typedef WORD NAME(vector) __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t NAME(counters) __attribute__((vector_size(VECTOR_LANES * 8)));
typedef uint32_t NAME(results) __attribute__((vector_size(VECTOR_LANES * 4)));

#define word NAME(word)
#define vector NAME(vector)

// For words and for vectors.
#define ROTATE_LEFT(x, n) ((x) << (n) | (x) >> (WORD_BITS - (n)))
#define ROTATE_RIGHT(x, n) ((x) >> (n) | (x) << (WORD_BITS - (n)))

// Bits of b where a is set, of c elsewhere.
INLINE vector NAME(choose)(vector a, vector b, vector c) {
#if defined(TERNARY_LOGIC)
  return (vector)TERNARY_LOGIC(a, b, c, 0xca);
#else
  return c ^ (a & (b ^ c));
#endif
}

INLINE vector NAME(majority)(vector a, vector b, vector c) {
#if defined(TERNARY_LOGIC)
  return (vector)TERNARY_LOGIC(a, b, c, 0xe8);
#else
  return (a & b) | (c & (a | b));
#endif
}

// Indices for two vectors' 16-byte pieces.
#define PIECE_WORDS (16 / (int)sizeof(WORD))
#if VECTOR_BYTES == 16
  #define ALL_PIECES(f) f(0)
#elif VECTOR_BYTES == 32
  #define ALL_PIECES(f) f(0), f(PIECE_WORDS)
#elif VECTOR_BYTES == 64
  #define ALL_PIECES(f) f(0), f(PIECE_WORDS), f(2 * PIECE_WORDS), f(3 * PIECE_WORDS)
#endif
#define INTERLEAVE(x, y, f) __builtin_shufflevector(x, y, ALL_PIECES(f))

// The words `first` and following, 16 bytes in all, of each lane's row, as one vector for each word.
INLINE void NAME(load_columns)(const uint8_t *const rows[VECTOR_LANES], int first, vector columns[16 / sizeof(WORD)]) {
  vector x[PIECE_WORDS];
  UNROLLED for (int i = 0; i < PIECE_WORDS; i++) {
    UNROLLED for (int lane = i; lane < VECTOR_LANES; lane += PIECE_WORDS) {
      memcpy((uint8_t *)&x[i] + (lane - i) * (int)sizeof(word), rows[lane] + first * (int)sizeof(word), 16);
    }
  }
#if WORD_BITS == 32
  #define LOW(i) (i), VECTOR_LANES + (i), (i) + 1, VECTOR_LANES + (i) + 1
  #define HIGH(i) (i) + 2, VECTOR_LANES + (i) + 2, (i) + 3, VECTOR_LANES + (i) + 3
  #define LOW_PAIR(i) (i), (i) + 1, VECTOR_LANES + (i), VECTOR_LANES + (i) + 1
  #define HIGH_PAIR(i) (i) + 2, (i) + 3, VECTOR_LANES + (i) + 2, VECTOR_LANES + (i) + 3
  const vector low01 = INTERLEAVE(x[0], x[1], LOW), high01 = INTERLEAVE(x[0], x[1], HIGH);
  const vector low23 = INTERLEAVE(x[2], x[3], LOW), high23 = INTERLEAVE(x[2], x[3], HIGH);
  columns[0] = INTERLEAVE(low01, low23, LOW_PAIR);
  columns[1] = INTERLEAVE(low01, low23, HIGH_PAIR);
  columns[2] = INTERLEAVE(high01, high23, LOW_PAIR);
  columns[3] = INTERLEAVE(high01, high23, HIGH_PAIR);
  #undef LOW_PAIR
  #undef HIGH_PAIR
#else
  #define LOW(i) (i), VECTOR_LANES + (i)
  #define HIGH(i) (i) + 1, VECTOR_LANES + (i) + 1
  columns[0] = INTERLEAVE(x[0], x[1], LOW);
  columns[1] = INTERLEAVE(x[0], x[1], HIGH);
#endif
#undef LOW
#undef HIGH
}

#undef INTERLEAVE
#undef ALL_PIECES
