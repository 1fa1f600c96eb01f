// The two calls of a kernel, around what it does with LANES pairs or keys; included once for each algorithm, behind
//   NAME(scratch)        the memory that the caller lends: `schedule`, or `keys` with `blocks` and `states`
//   NAME(fill_schedule)  expands the block of a counter
//   NAME(values)         results for as many of LANES pairs as there are
//   NAME(absorb_blocks)  states for LANES keys

#define KEY_BYTES (2 * STATE_WORDS * (int)sizeof(word))

// Finds the states of the keys of up to LANES pairs, and begins to fetch them; the lanes that are left over get the
// last one.
INLINE void NAME(find)(
  const void *const *chunks, const unaligned_index *keys, size_t count, const uint8_t *rows[LANES]
) {
  const uint8_t *row = NULL;
  for (size_t lane = 0; lane < LANES; lane++) {
    if (lane < count) {
      const uintptr_t key = (uintptr_t)keys[lane];
      row = (const uint8_t *)chunks[key / COTP_KERNELS_CHUNK_KEYS] + key % COTP_KERNELS_CHUNK_KEYS * KEY_BYTES;
      for (int offset = 0; offset < KEY_BYTES; offset += 64) __builtin_prefetch(row + offset);
      __builtin_prefetch(row + KEY_BYTES - 1);
    }
    rows[lane] = row;
  }
}

// Results for the first `count` of LANES pairs, at least.
GROUP void NAME(group)(
  const uint8_t *const rows[LANES], const unaligned_counter *counters, unaligned_value *output, NAME(scratch) *memory,
  expanded_counter *expanded, size_t count
) {
  uint64_t differences = 0;
  for (int lane = 1; lane < LANES; lane++) differences |= counters[lane] ^ counters[0];
  const bool share_counter = differences == 0;
  if (share_counter && !(expanded->is_there && expanded->counter == counters[0])) {
    *expanded = (expanded_counter){true, counters[0]};
    NAME(fill_schedule)(memory->schedule, counters[0]);
  }
  NAME(values)(rows, share_counter ? NULL : counters, memory, output, count);
}

static void NAME(truncated_values)(
  const void *const *chunks, const intptr_t *aligned_keys, const uint64_t *aligned_counters, uint32_t *aligned_output,
  size_t count, void *scratch
) {
  const unaligned_index *keys = (const unaligned_index *)aligned_keys;
  const unaligned_counter *counters = (const unaligned_counter *)aligned_counters;
  unaligned_value *output = (unaligned_value *)aligned_output;
  expanded_counter expanded = {false, 0};
  const uint8_t *rows[2][LANES];
  NAME(find)(chunks, keys, count, rows[0]);
  int turn = 0;
  for (; count >= LANES; count -= LANES, keys += LANES, counters += LANES, output += LANES, turn ^= 1) {
    // While these are computed, the next ones come from memory.
    NAME(find)(chunks, keys + LANES, count - LANES, rows[turn ^ 1]);
    NAME(group)(rows[turn], counters, output, scratch, &expanded, LANES);
  }
  if (count == 0) return;
#if defined(NARROWER_KERNEL)
  if (count <= NARROWER_LANES) {
    KERNEL(NARROWER_KERNEL, ALGORITHM_NAME)
      .truncated_values(
        chunks, (const intptr_t *)keys, (const uint64_t *)counters, (uint32_t *)output, count, scratch);
    return;
  }
#endif
  // The lanes that are left over compute the last pair again.
  unaligned_counter last_counters[LANES];
  unaligned_value last_output[LANES];
  for (size_t lane = 0; lane < LANES; lane++) last_counters[lane] = counters[lane < count ? lane : count - 1];
  NAME(group)(rows[turn], last_counters, last_output, scratch, &expanded, count);
  memcpy(output, last_output, count * sizeof(uint32_t));
}

static void NAME(absorb)(
  const uint8_t *const *keys, const size_t *lengths, void *const *states, size_t count, void *scratch
) {
  NAME(scratch) *const memory = scratch;
  while (count > 0) {
    const size_t used = count < LANES ? count : LANES;
    memset(memory->keys.blocks, 0, sizeof memory->keys.blocks);
    for (size_t lane = 0; lane < used; lane++) {
      word *const block = memory->keys.blocks[lane];
      if (lengths[lane] > sizeof memory->keys.blocks[0]) {
        cotp_hash(ALGORITHM, keys[lane], lengths[lane], (uint8_t *)block);
      } else if (lengths[lane] > 0) {
        memcpy(block, keys[lane], lengths[lane]);
      }
      for (int i = 0; i < 16; i++) block[i] = LOAD_BIG_ENDIAN((const uint8_t *)&block[i]);
    }
    ROLLED for (int outer = 0; outer < 2; outer++) {
      // RFC 2104's ipad and opad.
      const word pad = (word)-1 / 255 * (outer ? 0x5c : 0x36);
      NAME(absorb_blocks)(memory, pad);
      for (size_t lane = 0; lane < used; lane++) {
        memcpy((uint8_t *)states[lane] + outer * KEY_BYTES / 2, memory->keys.states[lane], KEY_BYTES / 2);
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
