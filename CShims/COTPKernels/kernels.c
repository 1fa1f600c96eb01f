// Which kernels there are, what this machine can run, and whether a kernel computes the right values here.
#include "kernel.h"

#include <stdlib.h>

#if defined(__x86_64__)
  #include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
  #include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__)
  #include <sys/sysctl.h>
#endif

static const cotp_kernel *const sha1_kernels[] = {
  &KERNEL(portable, sha1),
#if defined(__x86_64__)
  &KERNEL(sha, sha1), &KERNEL(avx2, sha1), &KERNEL(avx512vl, sha1), &KERNEL(avx512, sha1),
#elif defined(__aarch64__)
  &KERNEL(sha, sha1),
#endif
};

static const cotp_kernel *const sha256_kernels[] = {
  &KERNEL(portable, sha256),
#if defined(__x86_64__)
  &KERNEL(sha, sha256), &KERNEL(avx2, sha256), &KERNEL(avx512vl, sha256), &KERNEL(avx512, sha256),
#elif defined(__aarch64__)
  &KERNEL(sha, sha256),
#endif
};

static const cotp_kernel *const sha512_kernels[] = {
  &KERNEL(portable, sha512),
#if defined(__x86_64__)
  &KERNEL(avx2, sha512), &KERNEL(avx512vl, sha512), &KERNEL(avx512, sha512),
#elif defined(__aarch64__)
  &KERNEL(sha, sha512),
#endif
};

#define AT(kernels, index) ((index) < sizeof(kernels) / sizeof(kernels)[0] ? (kernels)[index] : NULL)

const cotp_kernel *cotp_kernel_at(cotp_algorithm algorithm, size_t index) {
  switch (algorithm) {
  case COTP_SHA1: return AT(sha1_kernels, index);
  case COTP_SHA256: return AT(sha256_kernels, index);
  case COTP_SHA512: return AT(sha512_kernels, index);
  }
  return NULL;
}

#if defined(__x86_64__)

static uint64_t saved_registers(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

uint32_t cotp_kernels_features(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  const uint32_t ssse3 = 1u << 9, sse41 = 1u << 19, osxsave = 1u << 27;
  const bool has_ssse3_and_sse41 = (c & ssse3) && (c & sse41);
  // Bits of XCR0: 1 and 2 for 128 and 256 bits; 5, 6 and 7 for masks, for the upper halves of 512 bits, and for the
  // registers from 16 on.
  const uint64_t ymm = 0x06, zmm = 0xe6;
  const uint64_t saved = c & osxsave ? saved_registers() : 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  const uint32_t avx2 = 1u << 5, avx512f = 1u << 16, sha = 1u << 29, avx512vl = 1u << 31;
  uint32_t features = 0;
  if ((b & sha) && has_ssse3_and_sse41) features |= COTP_FEATURE_SHA_NI;
  if ((b & avx2) && (saved & ymm) == ymm) features |= COTP_FEATURE_AVX2;
  if ((b & avx512f) && (b & avx512vl) && (saved & zmm) == zmm) features |= COTP_FEATURE_AVX512;
  return features;
}

#elif defined(__aarch64__) && defined(__linux__)

uint32_t cotp_kernels_features(void) {
  // Bits of AT_HWCAP, as in the kernel's asm/hwcap.h. The compiler may use SHA-3's instructions, too, where it is
  // told to use those of SHA-512.
  const unsigned long sha1 = 1ul << 5, sha256 = 1ul << 6, sha3 = 1ul << 17, sha512 = 1ul << 21;
  const unsigned long capabilities = getauxval(AT_HWCAP);
  uint32_t features = 0;
  if (capabilities & sha1) features |= COTP_FEATURE_ARM_SHA1;
  if (capabilities & sha256) features |= COTP_FEATURE_ARM_SHA256;
  if ((capabilities & sha3) && (capabilities & sha512)) features |= COTP_FEATURE_ARM_SHA512;
  return features;
}

#elif defined(__aarch64__) && defined(__APPLE__)

static bool has(const char *name) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

uint32_t cotp_kernels_features(void) {
  uint32_t features = 0;
  if (has("hw.optional.arm.FEAT_SHA1")) features |= COTP_FEATURE_ARM_SHA1;
  if (has("hw.optional.arm.FEAT_SHA256")) features |= COTP_FEATURE_ARM_SHA256;
  if (has("hw.optional.arm.FEAT_SHA512") && has("hw.optional.arm.FEAT_SHA3")) features |= COTP_FEATURE_ARM_SHA512;
  return features;
}

#else

uint32_t cotp_kernels_features(void) {
  return 0;
}

#endif

// The self-test.

enum {
  // Fills the widest vector more than once, and not wholly.
  TEST_KEYS = 76,
  // The second half of the keys is in a second chunk.
  KEYS_IN_FIRST_CHUNK = TEST_KEYS / 2,
  LONGEST_KEY = 200,
  LARGEST_KEY_BYTES = 128,
};

typedef struct {
  const cotp_kernel *kernel;
  void *scratch;
  uint8_t states[TEST_KEYS * LARGEST_KEY_BYTES];
} self_test;

// The seed of the RFCs' examples, of any length: 12345678901...
static void fill_seed(uint8_t seed[LONGEST_KEY]) {
  for (int i = 0; i < LONGEST_KEY; i++) seed[i] = (uint8_t)('0' + (i + 1) % 10);
}

// Absorbs keys of many lengths, the first one as long as the RFCs' seed, and compares them.
static bool absorbs_keys(self_test *test) {
  const cotp_algorithm algorithm = test->kernel->algorithm;
  const size_t key_bytes = cotp_kernels_key_bytes(algorithm);
  uint8_t seed[LONGEST_KEY];
  fill_seed(seed);
  const uint8_t *keys[TEST_KEYS];
  size_t lengths[TEST_KEYS];
  void *states[TEST_KEYS];
  for (size_t i = 0; i < TEST_KEYS; i++) {
    keys[i] = seed;
    lengths[i] = i == 0 ? cotp_digest_bytes(algorithm) : 13 * i % LONGEST_KEY;
    states[i] = test->states + i * key_bytes;
  }
  test->kernel->absorb(keys, lengths, states, TEST_KEYS, test->scratch);
  for (size_t i = 0; i < TEST_KEYS; i++) {
    uint8_t expected[LARGEST_KEY_BYTES];
    cotp_scalar_absorb(algorithm, keys[i], lengths[i], expected);
    if (memcmp(expected, states[i], key_bytes) != 0) return false;
  }
  return true;
}

// Whether `count` pairs give the values of the scalar code, with nothing written behind them. Pair `i` has key `i`
// and the counter `first + i / run`.
static bool computes_values(const self_test *test, size_t count, uint64_t first, size_t run) {
  const size_t key_bytes = cotp_kernels_key_bytes(test->kernel->algorithm);
  const void *const chunks[2] = {test->states, test->states + KEYS_IN_FIRST_CHUNK * key_bytes};
  intptr_t keys[TEST_KEYS];
  uint64_t counters[TEST_KEYS];
  uint32_t output[TEST_KEYS + 1];
  const uint32_t untouched = 0xdeadbeef;
  for (size_t i = 0; i < count; i++) {
    keys[i] = (intptr_t)(i < KEYS_IN_FIRST_CHUNK ? i : COTP_KERNELS_CHUNK_KEYS + i - KEYS_IN_FIRST_CHUNK);
    counters[i] = first + i / run;
  }
  output[count] = untouched;
  test->kernel->truncated_values(chunks, keys, counters, output, count, test->scratch);
  for (size_t i = 0; i < count; i++) {
    const void *const states = test->states + i * key_bytes;
    if (output[i] != cotp_scalar_truncated_value(test->kernel->algorithm, states, counters[i])) return false;
  }
  return output[count] == untouched;
}

// Values that neither the kernel nor the scalar code has computed: RFC 4226 appendix D for count 1 (31 bits), and
// RFC 6238 appendix B for steps 1 and 23523ec (the last eight digits).
static bool computes_published_values(const self_test *test) {
  const void *const chunks[1] = {test->states};
  const intptr_t keys[2] = {0, 0};
  const uint64_t counters[2] = {1, 0x23523ec};
  // With a place that a wrong kernel may write to.
  uint32_t output[3];
  test->kernel->truncated_values(chunks, keys, counters, output, 2, test->scratch);
  const uint32_t first = output[0] % 100000000, second = output[1] % 100000000;
  switch (test->kernel->algorithm) {
  case COTP_SHA1: return output[0] == 1094287082 && second == 7081804;
  case COTP_SHA256: return first == 46119246 && second == 68084774;
  case COTP_SHA512: return first == 90693936 && second == 25091201;
  }
  return false;
}

static bool passes(self_test *test) {
  // Here the counters' upper halves differ.
  const uint64_t first = (1ull << 32) - 7;
  if (!absorbs_keys(test) || !computes_published_values(test)) return false;
  for (size_t count = 1; count <= test->kernel->lanes; count++) {
    if (!computes_values(test, count, first, 1)) return false;
  }
  return computes_values(test, TEST_KEYS, first, 1) && computes_values(test, TEST_KEYS, first, TEST_KEYS) &&
         computes_values(test, TEST_KEYS, first, test->kernel->lanes + 1);
}

bool cotp_kernel_passes_self_test(const cotp_kernel *kernel) {
  // No secrets here: the keys are published.
  const size_t alignment = COTP_KERNELS_SCRATCH_ALIGNMENT;
  uint8_t *const memory = malloc(alignment + kernel->scratch_bytes);
  self_test *const test = malloc(sizeof *test);
  bool passed = false;
  if (memory != NULL && test != NULL) {
    test->kernel = kernel;
    test->scratch = memory + (alignment - (uintptr_t)memory % alignment);
    passed = passes(test);
  }
  free(test);
  free(memory);
  return passed;
}
