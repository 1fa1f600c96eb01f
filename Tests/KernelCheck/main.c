// Checks every kernel that this machine can run, and the plain scalar code. Prints a line for each and exits with 1
// when one is wrong.
//
// With OPENSSL_REFERENCE the expected values are those of OpenSSL's HMAC; else those of the scalar code, which a run
// with it has checked.
#include "kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(OPENSSL_REFERENCE)
  #include <openssl/evp.h>
  #include <openssl/hmac.h>
#endif

DECLARE_KERNELS(wide);

enum {
  // Two whole chunks and the beginning of a third.
  KEYS = 2 * COTP_KERNELS_CHUNK_KEYS + 5,
  CHUNKS = 3,
  LONGEST_KEY = 200,
  MOST_LANES = 32,
  MOST_PAIRS = 4 * MOST_LANES + 3,
  LARGEST_KEY_BYTES = 128,
  GUARD_BYTES = 128,
};

static const char *const algorithm_names[] = {"SHA-1", "SHA-256", "SHA-512"};

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("FAULT: ", stdout);
  vprintf(format, arguments);
  puts("");
  va_end(arguments);
  exit(1);
}

static void *allocate(size_t bytes) {
  void *const memory = malloc(bytes);
  if (memory == NULL) fail("no memory");
  return memory;
}

// Memory between bytes that must not change.
typedef struct {
  uint8_t *allocation;
  uint8_t *start;
  size_t bytes;
} guarded;

static uint8_t guard_byte(size_t i) {
  return (uint8_t)(0xa5 ^ i * 7);
}

// `offset` bytes behind a multiple of COTP_KERNELS_SCRATCH_ALIGNMENT.
static guarded make_guarded(size_t bytes, size_t offset) {
  const size_t alignment = COTP_KERNELS_SCRATCH_ALIGNMENT;
  guarded memory;
  memory.allocation = allocate(bytes + 2 * GUARD_BYTES + 2 * alignment);
  uint8_t *const base = memory.allocation + GUARD_BYTES;
  memory.start = base + (alignment - (uintptr_t)base % alignment) + offset;
  memory.bytes = bytes;
  for (size_t i = 0; i < GUARD_BYTES; i++) {
    memory.start[-1 - (ptrdiff_t)i] = guard_byte(i);
    memory.start[bytes + i] = guard_byte(i);
  }
  memset(memory.start, 0x5a, bytes);
  return memory;
}

static void check_guards(const guarded *memory, const char *what, const char *kernel) {
  for (size_t i = 0; i < GUARD_BYTES; i++) {
    if (memory->start[-1 - (ptrdiff_t)i] != guard_byte(i)) fail("%s: writes before %s", kernel, what);
    if (memory->start[memory->bytes + i] != guard_byte(i)) fail("%s: writes behind %s", kernel, what);
  }
}

static void free_guarded(guarded *memory, const char *what, const char *kernel) {
  check_guards(memory, what, kernel);
  free(memory->allocation);
}

// The keys: of every length from 0 to LONGEST_KEY, of bytes that look random.
static uint8_t key_bytes[KEYS][LONGEST_KEY];

static size_t key_length(size_t key) {
  return key % (LONGEST_KEY + 1);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void fill_keys(void) {
  for (size_t key = 0; key < KEYS; key++) {
    for (size_t i = 0; i < LONGEST_KEY; i++) key_bytes[key][i] = (uint8_t)(next_random() >> 24);
  }
}

static uint32_t scalar_value(cotp_algorithm algorithm, size_t key, uint64_t counter) {
  uint64_t states[LARGEST_KEY_BYTES / 8];
  cotp_scalar_absorb(algorithm, key_bytes[key], key_length(key), states);
  return cotp_scalar_truncated_value(algorithm, states, counter);
}

#if defined(OPENSSL_REFERENCE)

static uint32_t expected_value(cotp_algorithm algorithm, size_t key, uint64_t counter) {
  const EVP_MD *const hashes[] = {EVP_sha1(), EVP_sha256(), EVP_sha512()};
  uint8_t message[8], digest[64];
  unsigned length = 0;
  for (int i = 0; i < 8; i++) message[i] = (uint8_t)(counter >> (56 - 8 * i));
  if (!HMAC(hashes[algorithm], key_bytes[key], (int)key_length(key), message, 8, digest, &length)) fail("OpenSSL");
  const uint8_t *const bytes = digest + (digest[length - 1] & 15);
  return (uint32_t)(bytes[0] & 0x7f) << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void check_scalar(cotp_algorithm algorithm) {
  const uint64_t counters[] = {0, 1, 0xffffffff, 1ull << 32, UINT64_MAX};
  size_t values = 0;
  for (size_t key = 0; key <= LONGEST_KEY; key++) {
    for (size_t i = 0; i < 5; i++, values++) {
      if (scalar_value(algorithm, key, counters[i]) != expected_value(algorithm, key, counters[i])) {
        fail("%s scalar: key of %zu bytes, counter %zu", algorithm_names[algorithm], key_length(key), i);
      }
    }
  }
  printf("%-8s scalar    %6zu values are right\n", algorithm_names[algorithm], values);
}

#else

static uint32_t expected_value(cotp_algorithm algorithm, size_t key, uint64_t counter) {
  return scalar_value(algorithm, key, counter);
}

static void check_scalar(cotp_algorithm algorithm) {
  (void)algorithm;
}

#endif

// One kernel's keys, in chunks, and its scratch memory.
typedef struct {
  const cotp_kernel *kernel;
  char name[64];
  guarded chunks[CHUNKS];
  guarded scratch;
  size_t values;
} fixture;

static uint8_t *place(const fixture *test, size_t key) {
  return test->chunks[key / COTP_KERNELS_CHUNK_KEYS].start +
         key % COTP_KERNELS_CHUNK_KEYS * cotp_kernels_key_bytes(test->kernel->algorithm);
}

// Absorbs all keys, in groups of every size up to a few vectors; the states lie `offset` bytes off their alignment.
static fixture make_fixture(const cotp_kernel *kernel, size_t offset) {
  const size_t bytes = cotp_kernels_key_bytes(kernel->algorithm);
  fixture test = {.kernel = kernel};
  snprintf(test.name, sizeof test.name, "%s %s", algorithm_names[kernel->algorithm], kernel->name);
  test.scratch = make_guarded(kernel->scratch_bytes, 0);
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) {
    const size_t before = chunk * COTP_KERNELS_CHUNK_KEYS;
    const size_t count = KEYS - before < COTP_KERNELS_CHUNK_KEYS ? KEYS - before : COTP_KERNELS_CHUNK_KEYS;
    test.chunks[chunk] = make_guarded(count * bytes, offset);
  }
  size_t key = 0;
  for (size_t count = 0; key < KEYS; count = (count + 1) % MOST_PAIRS) {
    const uint8_t *keys[MOST_PAIRS];
    size_t lengths[MOST_PAIRS];
    void *states[MOST_PAIRS];
    const size_t used = count < KEYS - key ? count : KEYS - key;
    for (size_t i = 0; i < used; i++) {
      // Of no more bytes than the key has, so that the sanitizer sees when one is read behind it.
      uint8_t *const copy = allocate(key_length(key + i));
      memcpy(copy, key_bytes[key + i], key_length(key + i));
      keys[i] = copy;
      lengths[i] = key_length(key + i);
      states[i] = place(&test, key + i);
    }
    kernel->absorb(keys, lengths, states, used, test.scratch.start);
    for (size_t i = 0; i < used; i++) free((void *)keys[i]);
    key += used;
  }
  for (key = 0; key < KEYS; key++) {
    uint8_t expected[LARGEST_KEY_BYTES];
    cotp_scalar_absorb(kernel->algorithm, key_bytes[key], key_length(key), expected);
    if (memcmp(expected, place(&test, key), bytes) != 0) {
      fail("%s: absorbs a key of %zu bytes wrongly", test.name, key_length(key));
    }
  }
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) check_guards(&test.chunks[chunk], "the states", test.name);
  check_guards(&test.scratch, "the scratch memory", test.name);
  return test;
}

static void end_fixture(fixture *test) {
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) free_guarded(&test->chunks[chunk], "the states", test->name);
  free_guarded(&test->scratch, "the scratch memory", test->name);
}

// One call; everything but the scratch memory is `offset` bytes off its alignment.
static void check_pairs(
  fixture *test, const char *what, const intptr_t *keys, const uint64_t *counters, size_t count, size_t offset
) {
  const void *const chunks[CHUNKS] = {test->chunks[0].start, test->chunks[1].start, test->chunks[2].start};
  guarded key_copy = make_guarded(count * sizeof *keys, offset);
  guarded counter_copy = make_guarded(count * sizeof *counters, offset);
  guarded output = make_guarded(count * sizeof(uint32_t), offset);
  memcpy(key_copy.start, keys, key_copy.bytes);
  memcpy(counter_copy.start, counters, counter_copy.bytes);
  // Nothing may depend on what the call before left.
  memset(test->scratch.start, (int)(count + offset), test->scratch.bytes);
  test->kernel->truncated_values(
    chunks, (const intptr_t *)(const void *)key_copy.start, (const uint64_t *)(const void *)counter_copy.start,
    (uint32_t *)(void *)output.start, count, test->scratch.start);
  for (size_t i = 0; i < count; i++) {
    uint32_t value;
    memcpy(&value, output.start + i * sizeof value, sizeof value);
    if (value != expected_value(test->kernel->algorithm, (size_t)keys[i], counters[i])) {
      fail("%s, %s: pair %zu of %zu is wrong (counter %llu)", test->name, what, i, count,
           (unsigned long long)counters[i]);
    }
  }
  test->values += count;
  check_guards(&test->scratch, "the scratch memory", test->name);
  free_guarded(&key_copy, "the key indices", test->name);
  free_guarded(&counter_copy, "the counters", test->name);
  free_guarded(&output, "the output", test->name);
}

static const uint64_t extreme_counters[] = {
  0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, 0x80000000ull << 32, 0xffffffffull << 32, UINT64_MAX - 1,
  UINT64_MAX,
};

enum { EXTREMES = sizeof extreme_counters / sizeof extreme_counters[0] };

static void check_kernel(const cotp_kernel *kernel) {
  if (kernel->lanes > MOST_LANES) fail("%s has %u lanes", kernel->name, kernel->lanes);
  const size_t lanes = kernel->lanes;
  fixture test = make_fixture(kernel, 0);
  intptr_t keys[MOST_PAIRS];
  uint64_t counters[MOST_PAIRS];
  for (size_t count = 0; count <= 4 * lanes + 3; count++) {
    for (size_t i = 0; i < count; i++) keys[i] = (intptr_t)(next_random() % KEYS);
    const uint64_t first = next_random();

    for (size_t i = 0; i < count; i++) counters[i] = first;
    check_pairs(&test, "one counter", keys, counters, count, count % 8);

    if (count > 0) {
      const size_t odd = next_random() % count;
      counters[odd] ^= 1ull << next_random() % 64;
      check_pairs(&test, "one odd lane", keys, counters, count, 0);
    }

    for (size_t i = 0; i < count; i++) counters[i] = next_random();
    check_pairs(&test, "different counters", keys, counters, count, 1);

    for (size_t i = 0; i < count; i++) counters[i] = extreme_counters[i % EXTREMES];
    check_pairs(&test, "extreme counters", keys, counters, count, 0);

    const size_t run = 1 + next_random() % (2 * lanes);
    for (size_t i = 0; i < count; i++) counters[i] = first + i / run;
    check_pairs(&test, "runs", keys, counters, count, 3);

    for (size_t i = 0; i < count; i++) counters[i] = first + i / lanes % 2;
    check_pairs(&test, "two counters in turn", keys, counters, count, 4);

    // Nothing is expanded before the second vector.
    for (size_t i = 0; i < count; i++) counters[i] = i == 0 ? first : ~first;
    check_pairs(&test, "one counter from the second on", keys, counters, count, 0);
  }
  // One counter in all lanes, which is expanded once: again for each extreme one, with the odd lane in each place.
  const size_t most = 2 * lanes + 1;
  for (size_t extreme = 0; extreme < EXTREMES; extreme++) {
    for (size_t i = 0; i < most; i++) {
      keys[i] = (intptr_t)((COTP_KERNELS_CHUNK_KEYS - lanes + i) % KEYS);
      counters[i] = extreme_counters[extreme];
    }
    check_pairs(&test, "one extreme counter", keys, counters, most, 0);
  }
  for (size_t odd = 0; odd < most; odd++) {
    for (size_t i = 0; i < most; i++) {
      keys[i] = 2 * COTP_KERNELS_CHUNK_KEYS - 1;
      counters[i] = i == odd ? 5 : 6;
    }
    check_pairs(&test, "one key, an odd lane in each place", keys, counters, most, 0);
  }
  end_fixture(&test);

  fixture unaligned = make_fixture(kernel, 1);
  for (size_t i = 0; i < most; i++) {
    keys[i] = (intptr_t)(KEYS - 1 - i);
    counters[i] = i;
  }
  check_pairs(&unaligned, "states without alignment", keys, counters, most, 5);
  end_fixture(&unaligned);

  if (!cotp_kernel_passes_self_test(kernel)) fail("%s does not pass its self-test", test.name);
  printf("%-8s %-9s %6zu values are right, %u lanes\n", algorithm_names[kernel->algorithm], kernel->name,
         test.values + unaligned.values, kernel->lanes);
}

// Kernels that are wrong in one thing each. They call the right one.
static const cotp_kernel *right;

static void last_lane_is_wrong(
  const void *const *chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count,
  void *scratch
) {
  right->truncated_values(chunks, keys, counters, output, count, scratch);
  if (count >= right->lanes) output[right->lanes - 1] ^= 1;
}

static void short_calls_are_wrong(
  const void *const *chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count,
  void *scratch
) {
  right->truncated_values(chunks, keys, counters, output, count, scratch);
  if (count == 1) output[0] ^= 0x40000000;
}

static void upper_half_is_lost(
  const void *const *chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count,
  void *scratch
) {
  uint64_t lower[MOST_PAIRS];
  for (size_t i = 0; i < count; i++) lower[i] = (uint32_t)counters[i];
  right->truncated_values(chunks, keys, lower, output, count, scratch);
}

static void first_counter_is_used(
  const void *const *chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count,
  void *scratch
) {
  uint64_t same[MOST_PAIRS];
  for (size_t i = 0; i < count; i++) same[i] = counters[0];
  right->truncated_values(chunks, keys, same, output, count, scratch);
}

static void one_more_is_written(
  const void *const *chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count,
  void *scratch
) {
  right->truncated_values(chunks, keys, counters, output, count, scratch);
  output[count] = 0;
}

static void long_keys_are_cut(
  const uint8_t *const *keys, const size_t *lengths, void *const *states, size_t count, void *scratch
) {
  const size_t block = right->algorithm == COTP_SHA512 ? 128 : 64;
  for (size_t i = 0; i < count; i++) {
    const size_t length = lengths[i] < block ? lengths[i] : block;
    right->absorb(keys + i, &length, states + i, 1, scratch);
  }
}

static void check_that_broken_kernels_fail(const cotp_kernel *kernel) {
  right = kernel;
  const struct {
    const char *fault;
    cotp_truncated_values *truncated_values;
    cotp_absorb *absorb;
  } broken[] = {
    {"last lane", last_lane_is_wrong, kernel->absorb},
    {"short calls", short_calls_are_wrong, kernel->absorb},
    {"upper half", upper_half_is_lost, kernel->absorb},
    {"first counter", first_counter_is_used, kernel->absorb},
    {"one more", one_more_is_written, kernel->absorb},
    {"long keys", kernel->truncated_values, long_keys_are_cut},
  };
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    cotp_kernel copy = *kernel;
    copy.truncated_values = broken[i].truncated_values;
    copy.absorb = broken[i].absorb;
    if (cotp_kernel_passes_self_test(&copy)) {
      fail("%s %s: the self-test does not see a fault: %s", algorithm_names[kernel->algorithm], kernel->name,
           broken[i].fault);
    }
  }
}

// With every subset of this machine's features, the kernels that are offered need nothing outside of it, and work.
static void check_subsets(uint32_t features) {
  size_t subsets = 0;
  for (uint32_t subset = features;; subset = (subset - 1) & features) {
    subsets++;
    for (cotp_algorithm algorithm = COTP_SHA1; algorithm <= COTP_SHA512; algorithm++) {
      size_t offered = 0;
      const cotp_kernel *kernel;
      for (size_t i = 0; (kernel = cotp_kernel_at(algorithm, i)) != NULL; i++) {
        if (kernel->algorithm != algorithm) fail("%s is listed for another algorithm", kernel->name);
        const bool is_offered = cotp_kernel_is_offered(kernel, subset);
        const bool can_run = (kernel->features & subset) == kernel->features;
        if (is_offered != can_run) fail("%s is offered wrongly", kernel->name);
        if (is_offered && !cotp_kernel_passes_self_test(kernel)) fail("%s does not pass its self-test", kernel->name);
        offered += is_offered;
      }
      if (offered == 0) fail("%s has no kernel without features", algorithm_names[algorithm]);
    }
    if (subset == 0) break;
  }
  printf("%zu subsets of the features 0x%02x offer what they can run\n", subsets, features);
}

// The compiler's own view of the processor.
static void check_features(uint32_t features) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  uint32_t expected = 0;
  if (__builtin_cpu_supports("avx2")) expected |= COTP_FEATURE_AVX2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) expected |= COTP_FEATURE_AVX512;
  if ((features & ~(uint32_t)COTP_FEATURE_SHA_NI) != expected) fail("features 0x%02x, not 0x%02x", features, expected);
#else
  (void)features;
#endif
}

int main(void) {
  fill_keys();
  const uint32_t features = cotp_kernels_features();
  check_features(features);
  const cotp_kernel *const wide[] = {&KERNEL(wide, sha1), &KERNEL(wide, sha256), &KERNEL(wide, sha512)};
  for (cotp_algorithm algorithm = COTP_SHA1; algorithm <= COTP_SHA512; algorithm++) {
    check_scalar(algorithm);
    const cotp_kernel *kernel;
    for (size_t i = 0; (kernel = cotp_kernel_at(algorithm, i)) != NULL; i++) {
      if (!cotp_kernel_is_offered(kernel, features)) {
        printf("%-8s %-9s does not run here\n", algorithm_names[algorithm], kernel->name);
        continue;
      }
      check_kernel(kernel);
      check_that_broken_kernels_fail(kernel);
    }
    if (cotp_kernel_is_offered(wide[algorithm], features)) check_kernel(wide[algorithm]);
  }
  check_subsets(features);
  return 0;
}
