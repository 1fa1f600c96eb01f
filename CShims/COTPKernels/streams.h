// A kernel of instructions that do several rounds of one key's block: LANES keys take turns, so that each does
// something while the others wait for results. Included once for each algorithm, behind
//   word, WORD_BITS, LANES, STEP_ROUNDS
//   NAME(words)                              a vector of the message's words of STEP_ROUNDS rounds
//   NAME(state), NAME(message)               in vectors, as the instructions want them
//   NAME(load_state), NAME(store_state)      from and to words
//   NAME(load_message)                       from words
//   NAME(digest_message)                     the block of the outer hash, from the inner hash's state
//   NAME(expand)                             the words of the rounds from `t` on, in the place of those 16 before
//   NAME(step)                               STEP_ROUNDS rounds
//   NAME(add)                                adds the state before the rounds

typedef struct {
  word schedule[ROUNDS];
  word digests[LANES][STATE_WORDS];
  struct {
    word states[LANES][STATE_WORDS];
    word blocks[LANES][16];
  } keys;
} NAME(scratch);

INLINE void NAME(rounds)(NAME(state) states[LANES], NAME(message) messages[LANES]) {
  NAME(state) s[LANES];
  memcpy(s, states, sizeof s);
  UNROLLED for (int t = 0; t < ROUNDS; t += STEP_ROUNDS) {
    UNROLLED for (int k = 0; k < LANES; k++) NAME(step)(&s[k], NAME(expand)(&messages[k], t), t);
  }
  UNROLLED for (int k = 0; k < LANES; k++) states[k] = NAME(add)(states[k], s[k]);
}

// The same for a block that all lanes share.
INLINE void NAME(scheduled_rounds)(NAME(state) states[LANES], const word schedule[ROUNDS]) {
  NAME(state) s[LANES];
  memcpy(s, states, sizeof s);
  UNROLLED for (int t = 0; t < ROUNDS; t += STEP_ROUNDS) {
    NAME(words) words;
    memcpy(&words, schedule + t, sizeof words);
    UNROLLED for (int k = 0; k < LANES; k++) NAME(step)(&s[k], words, t);
  }
  UNROLLED for (int k = 0; k < LANES; k++) states[k] = NAME(add)(states[k], s[k]);
}

INLINE void NAME(fill_counter_block)(word block[16], uint64_t counter) {
  memset(block, 0, 16 * sizeof *block);
#if WORD_BITS == 32
  block[0] = (uint32_t)(counter >> 32);
  block[1] = (uint32_t)counter;
  block[2] = 1u << 31;
#else
  block[0] = counter;
  block[1] = 1ull << 63;
#endif
  block[15] = 8 * (16 * sizeof *block + 8);
}

static void NAME(fill_schedule)(word schedule[ROUNDS], uint64_t counter) {
  word block[16];
  NAME(fill_counter_block)(block, counter);
  NAME(message) message = NAME(load_message)(block);
  UNROLLED for (int t = 0; t < ROUNDS; t += STEP_ROUNDS) {
    const NAME(words) words = NAME(expand)(&message, t);
    memcpy(schedule + t, &words, sizeof words);
  }
}

// Where the last byte's low four bits point, 31 bits.
INLINE uint32_t NAME(truncate)(const word digest[STATE_WORDS]) {
  const unsigned offset = digest[STATE_WORDS - 1] & 15;
  const word *const at = digest + offset / sizeof(word);
  const unsigned shift = offset % sizeof(word) * 8;
  // In two steps, since no shift may be as wide as the word.
  return (uint32_t)((at[0] << shift | at[1] >> 1 >> (WORD_BITS - 1 - shift)) >> (WORD_BITS - 32)) & 0x7fffffff;
}

// Results for LANES pairs: keys' states, and counters, or null when all have the one whose schedule is in `memory`.
INLINE void NAME(values)(
  const uint8_t *const rows[LANES], const unaligned_counter *counters, NAME(scratch) *memory, unaligned_value *output,
  size_t count
) {
  (void)count;
  NAME(state) states[LANES];
  NAME(message) messages[LANES];
  UNROLLED for (int k = 0; k < LANES; k++) states[k] = NAME(load_state)(rows[k]);
  if (counters == NULL) {
    NAME(scheduled_rounds)(states, memory->schedule);
  } else {
    UNROLLED for (int k = 0; k < LANES; k++) {
      word block[16];
      NAME(fill_counter_block)(block, counters[k]);
      messages[k] = NAME(load_message)(block);
    }
    NAME(rounds)(states, messages);
  }
  UNROLLED for (int k = 0; k < LANES; k++) {
    messages[k] = NAME(digest_message)(states[k]);
    states[k] = NAME(load_state)(rows[k] + STATE_WORDS * sizeof(word));
  }
  NAME(rounds)(states, messages);
  UNROLLED for (int k = 0; k < LANES; k++) NAME(store_state)(memory->digests[k], states[k]);
  UNROLLED for (int k = 0; k < LANES; k++) output[k] = NAME(truncate)(memory->digests[k]);
}

// Absorbs each lane's block, XORed with `pad`.
INLINE void NAME(absorb_blocks)(NAME(scratch) *memory, word pad) {
  NAME(state) states[LANES];
  NAME(message) messages[LANES];
  for (int k = 0; k < LANES; k++) {
    word block[16];
    for (int i = 0; i < 16; i++) block[i] = memory->keys.blocks[k][i] ^ pad;
    messages[k] = NAME(load_message)(block);
    states[k] = NAME(load_state)((const uint8_t *)INITIAL);
  }
  NAME(rounds)(states, messages);
  for (int k = 0; k < LANES; k++) NAME(store_state)(memory->keys.states[k], states[k]);
}

#include "batch.h"

#undef STEP_ROUNDS
#undef STATE_WORDS
#undef ROUNDS
#undef INITIAL
