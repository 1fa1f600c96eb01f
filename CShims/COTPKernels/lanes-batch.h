// What a kernel does with LANES pairs or keys, over one algorithm's rounds on vectors.

// The memory that the caller lends and wipes.
typedef union {
  struct {
    word schedule[ROUNDS];
    // Of the vectors whose first rounds are done side by side.
    vector states[VECTORS][STATE_WORDS], rounds[VECTORS][STATE_WORDS], words[VECTORS][STATE_WORDS];
  };
  struct {
    vector columns[STATE_WORDS];
    word states[LANES][STATE_WORDS];
    word blocks[LANES][16];
  } keys;
} NAME(scratch);

// Of words (`zero` is 0) and of vectors: what follows a message of `words` words behind one absorbed block.
#define PAD_MESSAGE(w, words, zero)                                                                                    \
  do {                                                                                                                 \
    UNROLLED for (int i = (words); i < 16; i++) w[i] = (zero);                                                         \
    w[words] = (zero) + ((word)1 << (WORD_BITS - 1));                                                                  \
    w[15] = (zero) + (word)(8 * sizeof(word) * (16 + (words)));                                          \
  } while (0)

#define COUNTER_WORDS (8 / (int)sizeof(word))

// The words of a counter's block, expanded and with the constants added.
static void NAME(fill_schedule)(word schedule[ROUNDS], uint64_t counter) {
  word w[16];
#if WORD_BITS == 32
  w[0] = (uint32_t)(counter >> 32);
  w[1] = (uint32_t)counter;
#else
  w[0] = counter;
#endif
  PAD_MESSAGE(w, COUNTER_WORDS, 0);
  UNROLLED for (int t = 0; t < ROUNDS; t++) {
    if (t >= 16) EXPAND(w, t);
    schedule[t] = w[t % 16] + ROUND_CONSTANT(t);
  }
}

INLINE void NAME(add)(vector state[STATE_WORDS], const vector s[STATE_WORDS]) {
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) state[i] += s[i];
}

// The rounds of `vectors` vectors over a block whose words, with the constants, are the same in all lanes.
INLINE void NAME(compress_expanded)(int vectors, vector state[][STATE_WORDS], const word schedule[ROUNDS]) {
  vector s[VECTORS][STATE_WORDS];
  UNROLLED for (int k = 0; k < vectors; k++) memcpy(s[k], state[k], sizeof s[k]);
  ROLLED for (int first = 0; first < ROUNDS; first += LOOP_ROUNDS) {
    UNROLLED for (int t = 0; t < LOOP_ROUNDS; t++) {
      UNROLLED for (int k = 0; k < vectors; k++) NAME(round)(s[k], t, (vector){0} + schedule[first + t]);
    }
  }
  UNROLLED for (int k = 0; k < vectors; k++) NAME(add)(state[k], s[k]);
}

// The rounds that expand the message. Some are unrolled, so that what is constant in a message falls out.
INLINE void NAME(expanding_rounds)(vector s[STATE_WORDS], vector w[16]) {
  UNROLLED for (int t = 16; t < FIRST_ROUNDS; t++) {
    EXPAND(w, t);
    NAME(round)(s, t, w[t % 16] + ROUND_CONSTANT(t));
  }
  ROLLED for (int first = FIRST_ROUNDS; first < ROUNDS; first += LOOP_ROUNDS) {
    UNROLLED for (int t = 0; t < LOOP_ROUNDS; t++) {
      EXPAND(w, t);
      NAME(round)(s, t, w[t % 16] + ROUND_CONSTANT(first + t));
    }
  }
}

INLINE void NAME(compress)(vector state[STATE_WORDS], vector w[16]) {
  vector s[STATE_WORDS];
  memcpy(s, state, sizeof s);
  UNROLLED for (int t = 0; t < 16; t++) NAME(round)(s, t, w[t] + ROUND_CONSTANT(t));
  NAME(expanding_rounds)(s, w);
  NAME(add)(state, s);
}

// The same for messages of `words` words and padding in several vectors, in memory: the rounds that do not expand, and
// so have too little to do, are done side by side.
INLINE void NAME(compress_all)(NAME(scratch) *memory, int words) {
  vector s[VECTORS][STATE_WORDS], w[VECTORS][16];
  UNROLLED for (int k = 0; k < VECTORS; k++) {
    memcpy(s[k], memory->states[k], sizeof s[k]);
    memcpy(w[k], memory->words[k], (size_t)words * sizeof(vector));
    PAD_MESSAGE(w[k], words, (vector){0});
  }
  UNROLLED for (int t = 0; t < 16; t++) {
    UNROLLED for (int k = 0; k < VECTORS; k++) NAME(round)(s[k], t, w[k][t] + ROUND_CONSTANT(t));
  }
  memcpy(memory->rounds, s, sizeof s);
  ROLLED for (int k = 0; k < VECTORS; k++) {
    memcpy(s[0], memory->rounds[k], sizeof s[0]);
    memcpy(w[0], memory->words[k], (size_t)words * sizeof(vector));
    PAD_MESSAGE(w[0], words, (vector){0});
    NAME(expanding_rounds)(s[0], w[0]);
    NAME(add)(memory->states[k], s[0]);
  }
}

// Where the last byte's low four bits point, 31 bits. Offsets are at most 15, so that the bytes are in the digest's
// first 19.
INLINE NAME(results) NAME(truncate)(const vector digest[STATE_WORDS]) {
  const vector offset = digest[STATE_WORDS - 1] & 15;
  const vector shift = (offset & (sizeof(word) - 1)) * 8;
#if WORD_BITS == 32
  const vector odd = -(offset >> 2 & 1), upper = -(offset >> 3);
  #define PICK(i) (upper & (odd & digest[(i) + 3] | ~odd & digest[(i) + 2]) | \
                   ~upper & (odd & digest[(i) + 1] | ~odd & digest[i]))
#else
  const vector odd = -(offset >> 3);
  #define PICK(i) (odd & digest[(i) + 1] | ~odd & digest[i])
#endif
  // In two steps, since no shift may be as wide as the word.
  const vector value = PICK(0) << shift | PICK(1) >> 1 >> (WORD_BITS - 1 - shift);
#undef PICK
  return __builtin_convertvector(value >> (WORD_BITS - 32) & 0x7fffffff, NAME(results));
}

// One of the two states of each lane, from the word `begin` of its row on.
INLINE void NAME(load_states)(const uint8_t *const rows[VECTOR_LANES], int begin, vector states[STATE_WORDS]) {
  // The last columns may be read twice: a state is no multiple of 16 bytes.
  UNROLLED for (int i = 0; i < STATE_WORDS; i += PIECE_WORDS) {
    const int first = i + PIECE_WORDS <= STATE_WORDS ? i : STATE_WORDS - PIECE_WORDS;
    NAME(load_columns)(rows, begin + first, states + first);
  }
}

INLINE void NAME(load_counters)(const unaligned_counter counters[VECTOR_LANES], vector w[COUNTER_WORDS]) {
  NAME(counters) counter;
  memcpy(&counter, counters, sizeof counter);
#if WORD_BITS == 32
  w[0] = __builtin_convertvector(counter >> 32, vector);
  w[1] = __builtin_convertvector(counter, vector);
#else
  w[0] = counter;
#endif
}

INLINE void NAME(store_results)(const vector digest[STATE_WORDS], unaligned_value output[VECTOR_LANES]) {
  const NAME(results) results = NAME(truncate)(digest);
  memcpy(output, &results, sizeof results);
}

// Results for LANES pairs: keys' states, and counters, or null when all have the one whose schedule is in `memory`.
INLINE void NAME(side_by_side)(
  const uint8_t *const rows[LANES], const unaligned_counter *counters, NAME(scratch) *memory, unaligned_value *output
) {
  vector inner[VECTORS][STATE_WORDS];
  UNROLLED for (int k = 0; k < VECTORS; k++) NAME(load_states)(rows + k * VECTOR_LANES, 0, inner[k]);
  if (counters != NULL) {
    memcpy(memory->states, inner, sizeof inner);
    UNROLLED for (int k = 0; k < VECTORS; k++) {
      NAME(load_counters)(counters + k * VECTOR_LANES, memory->words[k]);
    }
    NAME(compress_all)(memory, COUNTER_WORDS);
    memcpy(inner, memory->states, sizeof inner);
  } else {
    NAME(compress_expanded)(VECTORS, inner, memory->schedule);
  }
  memcpy(memory->words, inner, sizeof inner);
  UNROLLED for (int k = 0; k < VECTORS; k++) {
    NAME(load_states)(rows + k * VECTOR_LANES, STATE_WORDS, memory->states[k]);
  }
  NAME(compress_all)(memory, STATE_WORDS);
  UNROLLED for (int k = 0; k < VECTORS; k++) NAME(store_results)(memory->states[k], output + k * VECTOR_LANES);
}

// The same for the first `count` pairs, at least.
INLINE void NAME(values)(
  const uint8_t *const rows[LANES], const unaligned_counter *counters, NAME(scratch) *memory, unaligned_value *output,
  size_t count
) {
  if (VECTORS > 1 && count > VECTOR_LANES && (counters == NULL || SIDE_BY_SIDE)) {
    NAME(side_by_side)(rows, counters, memory, output);
    return;
  }
  const int vectors = (int)((count + VECTOR_LANES - 1) / VECTOR_LANES);
  ROLLED for (int k = 0; k < vectors; k++) {
    vector inner[1][STATE_WORDS], outer[STATE_WORDS], w[16];
    if (counters != NULL) {
      NAME(load_states)(rows + k * VECTOR_LANES, 0, inner[0]);
      NAME(load_counters)(counters + k * VECTOR_LANES, w);
      PAD_MESSAGE(w, COUNTER_WORDS, (vector){0});
      NAME(compress)(inner[0], w);
    } else {
      // Here there is one vector alone. By way of memory, so that the compiler does not keep so much for the loop.
      if (k == 0) {
        NAME(load_states)(rows, 0, inner[0]);
        NAME(compress_expanded)(1, inner, memory->schedule);
        memcpy(memory->words, inner, sizeof inner);
      }
      memcpy(inner, memory->words[k], sizeof inner);
    }
    NAME(load_states)(rows + k * VECTOR_LANES, STATE_WORDS, outer);
    UNROLLED for (int i = 0; i < STATE_WORDS; i++) w[i] = inner[0][i];
    PAD_MESSAGE(w, STATE_WORDS, (vector){0});
    NAME(compress)(outer, w);
    NAME(store_results)(outer, output + k * VECTOR_LANES);
  }
}

// Absorbs each lane's block, XORed with `pad`.
GROUP void NAME(absorb_blocks)(NAME(scratch) *memory, word pad) {
  ROLLED for (int k = 0; k < VECTORS; k++) {
    word(*const blocks)[16] = memory->keys.blocks + k * VECTOR_LANES;
    const uint8_t *rows[VECTOR_LANES];
    for (int lane = 0; lane < VECTOR_LANES; lane++) rows[lane] = (const uint8_t *)blocks[lane];
    vector w[16], s[STATE_WORDS];
    UNROLLED for (int i = 0; i < 16; i += PIECE_WORDS) NAME(load_columns)(rows, i, w + i);
    UNROLLED for (int i = 0; i < 16; i++) w[i] ^= pad;
    UNROLLED for (int i = 0; i < STATE_WORDS; i++) s[i] = (vector){0} + INITIAL[i];
    NAME(compress)(s, w);
    memcpy(memory->keys.columns, s, sizeof s);
    for (int lane = 0; lane < VECTOR_LANES; lane++) {
      word *const state = memory->keys.states[k * VECTOR_LANES + lane];
      for (int i = 0; i < STATE_WORDS; i++) state[i] = memory->keys.columns[i][lane];
    }
  }
}

#include "batch.h"

#undef PAD_MESSAGE
#undef COUNTER_WORDS
#undef STATE_WORDS
#undef ROUNDS
#undef FIRST_ROUNDS
#undef LOOP_ROUNDS
#undef SIDE_BY_SIDE
#undef INITIAL
#undef ROUND_CONSTANT
#undef EXPAND
#undef ROTATIONS_A
#undef ROTATIONS_E
#undef SIGMA
#undef SIGMA_0
#undef SIGMA_1
#undef ROTATE_LEFT
#undef ROTATE_RIGHT
#undef PIECE_WORDS
#undef word
#undef vector
