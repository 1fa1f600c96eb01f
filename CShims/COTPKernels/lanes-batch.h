// The two calls of a kernel, over one algorithm's rounds.

#define KEY_BYTES (2 * STATE_WORDS * (int)sizeof(word))
#define BLOCK_BYTES (16 * (int)sizeof(word))

// The memory that the caller lends and wipes.
typedef union {
  word schedule[ROUNDS];
  struct {
    vector columns[2 * STATE_WORDS];
    word blocks[LANES][16];
  } keys;
} NAME(scratch);

// Of words (`zero` is 0) and of vectors: what follows a message of `words` words behind one absorbed block.
#define PAD_MESSAGE(w, words, zero)                                                                                    \
  do {                                                                                                                 \
    UNROLLED for (int i = (words); i < 16; i++) w[i] = (zero);                                                         \
    w[words] = (zero) + ((word)1 << (WORD_BITS - 1));                                                                  \
    w[15] = (zero) + (word)(8 * (BLOCK_BYTES + (words) * (int)sizeof(word)));                                          \
  } while (0)

#define COUNTER_WORDS (8 / (int)sizeof(word))

// The words of the counter's block, expanded and with the constants added.
static void NAME(expand_counter)(word schedule[ROUNDS], uint64_t counter) {
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

INLINE void NAME(compress_expanded)(vector state[STATE_WORDS], const word schedule[ROUNDS]) {
  vector s[STATE_WORDS];
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) s[i] = state[i];
  UNROLLED for (int t = 0; t < ROUNDS; t++) NAME(round)(s, t, (vector){0} + schedule[t]);
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) state[i] += s[i];
}

INLINE void NAME(compress)(vector state[STATE_WORDS], vector w[16]) {
  vector s[STATE_WORDS];
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) s[i] = state[i];
  UNROLLED for (int t = 0; t < ROUNDS; t++) {
    if (t >= 16) EXPAND(w, t);
    NAME(round)(s, t, w[t % 16] + ROUND_CONSTANT(t));
  }
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) state[i] += s[i];
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

INLINE const uint8_t *NAME(key)(const void *const *chunks, intptr_t key) {
  return (const uint8_t *)chunks[key / COTP_KERNELS_CHUNK_KEYS] + key % COTP_KERNELS_CHUNK_KEYS * KEY_BYTES;
}

// Results for LANES pairs. `schedule` belongs to `*scheduled`.
INLINE NAME(results) NAME(values)(
  const void *const *chunks, const unaligned_index *keys, const unaligned_counter *counters, word schedule[ROUNDS],
  uint64_t *scheduled
) {
  const uint8_t *rows[LANES];
  UNROLLED for (int lane = 0; lane < LANES; lane++) rows[lane] = NAME(key)(chunks, keys[lane]);
  uint64_t differences = 0;
  UNROLLED for (int lane = 1; lane < LANES; lane++) differences |= counters[lane] ^ counters[0];

  // The last columns may be read twice: rows are no multiple of 16 bytes.
  vector states[2 * STATE_WORDS];
  UNROLLED for (int i = 0; i < 2 * STATE_WORDS; i += PIECE_WORDS) {
    const int first = i + PIECE_WORDS <= 2 * STATE_WORDS ? i : 2 * STATE_WORDS - PIECE_WORDS;
    NAME(load_columns)(rows, first, states + first);
  }
  vector *const inner = states, *const outer = states + STATE_WORDS;

  if (differences == 0) {
    if (counters[0] != *scheduled) {
      NAME(expand_counter)(schedule, counters[0]);
      *scheduled = counters[0];
    }
    NAME(compress_expanded)(inner, schedule);
  } else {
    NAME(counters) counter;
    memcpy(&counter, counters, sizeof counter);
    vector w[16];
#if WORD_BITS == 32
    w[0] = __builtin_convertvector(counter >> 32, vector);
    w[1] = __builtin_convertvector(counter, vector);
#else
    w[0] = counter;
#endif
    PAD_MESSAGE(w, COUNTER_WORDS, (vector){0});
    NAME(compress)(inner, w);
  }

  vector w[16];
  UNROLLED for (int i = 0; i < STATE_WORDS; i++) w[i] = inner[i];
  PAD_MESSAGE(w, STATE_WORDS, (vector){0});
  NAME(compress)(outer, w);
  return NAME(truncate)(outer);
}

static void NAME(truncated_values)(
  const void *const *chunks, const intptr_t *aligned_keys, const uint64_t *aligned_counters, uint32_t *output,
  size_t count, void *scratch
) {
  const unaligned_index *keys = (const unaligned_index *)aligned_keys;
  const unaligned_counter *counters = (const unaligned_counter *)aligned_counters;
  if (count == 0) return;
  uint64_t scheduled = counters[0];
  NAME(expand_counter)(scratch, scheduled);
  for (; count >= LANES; count -= LANES, keys += LANES, counters += LANES, output += LANES) {
    // While these are computed, the next ones come from memory.
    const size_t next = count - LANES < LANES ? count - LANES : LANES;
    for (size_t lane = 0; lane < next; lane++) {
      const uint8_t *const key = NAME(key)(chunks, keys[LANES + lane]);
      for (int offset = 0; offset < KEY_BYTES; offset += 64) __builtin_prefetch(key + offset);
      __builtin_prefetch(key + KEY_BYTES - 1);
    }
    const NAME(results) values = NAME(values)(chunks, keys, counters, scratch, &scheduled);
    memcpy(output, &values, sizeof values);
  }
  if (count == 0) return;
#if defined(NARROWER_KERNEL)
  if (count <= LANES / 2) {
    KERNEL(NARROWER_KERNEL, ALGORITHM_NAME).truncated_values(chunks, (const intptr_t *)keys, (const uint64_t *)counters, output, count, scratch);
    return;
  }
#endif
  // The lanes that are left over compute the last pair again.
  unaligned_index last_keys[LANES];
  unaligned_counter last_counters[LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    const size_t i = lane < count ? lane : count - 1;
    last_keys[lane] = keys[i];
    last_counters[lane] = counters[i];
  }
  const NAME(results) values = NAME(values)(chunks, last_keys, last_counters, scratch, &scheduled);
  memcpy(output, &values, count * sizeof(uint32_t));
}

static void NAME(absorb)(
  const uint8_t *const *keys, const size_t *lengths, void *const *states, size_t count, void *scratch
) {
  NAME(scratch) *const memory = scratch;
  while (count > 0) {
    const size_t used = count < LANES ? count : LANES;
    memset(memory->keys.blocks, 0, sizeof memory->keys.blocks);
    const uint8_t *rows[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      word *const block = memory->keys.blocks[lane];
      rows[lane] = (const uint8_t *)block;
      if (lane >= used) continue;
      if (lengths[lane] > BLOCK_BYTES) {
        cotp_hash(ALGORITHM, keys[lane], lengths[lane], (uint8_t *)block);
      } else if (lengths[lane] > 0) {
        memcpy(block, keys[lane], lengths[lane]);
      }
      for (int i = 0; i < 16; i++) block[i] = LOAD_BIG_ENDIAN((const uint8_t *)&block[i]);
    }
    for (int outer = 0; outer < 2; outer++) {
      // RFC 2104's ipad and opad.
      const word pad = (word)-1 / 255 * (outer ? 0x5c : 0x36);
      vector w[16], s[STATE_WORDS];
      UNROLLED for (int i = 0; i < 16; i += PIECE_WORDS) NAME(load_columns)(rows, i, w + i);
      UNROLLED for (int i = 0; i < 16; i++) w[i] ^= pad;
      UNROLLED for (int i = 0; i < STATE_WORDS; i++) s[i] = (vector){0} + INITIAL[i];
      NAME(compress)(s, w);
      memcpy(memory->keys.columns + outer * STATE_WORDS, s, sizeof s);
    }
    for (size_t lane = 0; lane < used; lane++) {
      for (int i = 0; i < 2 * STATE_WORDS; i++) {
        const word state = memory->keys.columns[i][lane];
        memcpy((uint8_t *)states[lane] + i * (int)sizeof state, &state, sizeof state);
      }
    }
    keys += used;
    lengths += used;
    states += used;
    count -= used;
  }
}

const cotp_kernel KERNEL(KERNEL_NAME, ALGORITHM_NAME) = {
  .name = TEXT(KERNEL_NAME),
  .algorithm = ALGORITHM,
  .features = KERNEL_FEATURES,
  .lanes = LANES,
  .scratch_bytes = sizeof(NAME(scratch)),
  .truncated_values = NAME(truncated_values),
  .absorb = NAME(absorb),
};

#undef KEY_BYTES
#undef BLOCK_BYTES
#undef PAD_MESSAGE
#undef COUNTER_WORDS
#undef STATE_WORDS
#undef ROUNDS
#undef INITIAL
#undef ROUND_CONSTANT
#undef EXPAND
#undef SIGMA_A
#undef SIGMA_E
#undef SIGMA_0
#undef SIGMA_1
#undef ROTATE_LEFT
#undef ROTATE_RIGHT
#undef PIECE_WORDS
#undef word
#undef vector
