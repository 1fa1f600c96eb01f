#ifndef COTP_KERNELS_H
#define COTP_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// HMAC over a counter's eight bytes with dynamic truncation (RFC 4226 section 5.3), many at once, from keys whose
// inner and outer hash states were computed before (RFC 2104 section 4).
//
// Prepared keys. A key is its inner state (after key ^ ipad), then its outer state (after key ^ opad): words in the
// machine's byte order, without padding. Key `k` is element `k % COTP_KERNELS_CHUNK_KEYS` of
// `chunks[k / COTP_KERNELS_CHUNK_KEYS]`.
//
// Secrets. Keys, states and digests are secret. What a kernel keeps of them is in vector registers, in `scratch`, and,
// where registers did not suffice, in the first COTP_KERNELS_STACK_BYTES of the stack below the caller. The caller
// wipes the scratch memory and the stack; a kernel wipes nothing. The bound for the stack holds for optimized code.
// Time and memory accesses depend on indices, counters, lengths and counts, never on keys or digests.
//
// Prepared keys, indices, counters and results need no alignment; the scratch memory needs that below.

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

enum {
  COTP_KERNELS_CHUNK_KEYS = 1 << 10,
  COTP_KERNELS_SCRATCH_ALIGNMENT = 64,
  COTP_KERNELS_STACK_BYTES = 2048,
};

typedef enum {
  COTP_SHA1,
  COTP_SHA256,
  COTP_SHA512,
} cotp_algorithm;

/// Bytes of a prepared key: 40, 64 or 128.
size_t cotp_kernels_key_bytes(cotp_algorithm algorithm);

/// What a kernel needs of the processor and of the operating system, as a set of bits.
enum {
  COTP_FEATURE_SHA_NI = 1 << 0,    // SHA-1 and SHA-256 instructions, SSSE3, SSE4.1
  COTP_FEATURE_AVX2 = 1 << 1,      // and 256-bit registers are saved
  COTP_FEATURE_AVX512 = 1 << 2,    // AVX-512 F and VL, and 512-bit registers are saved
  COTP_FEATURE_ARM_SHA1 = 1 << 3,
  COTP_FEATURE_ARM_SHA256 = 1 << 4,
  COTP_FEATURE_ARM_SHA512 = 1 << 5,
};

/// The features that are there, on this processor under this operating system.
uint32_t cotp_kernels_features(void);

/// Computes `output[i]`, 31 bits, for the key with index `keys[i]` and the counter `counters[i]`; writes to no other
/// place. Any number of pairs will do; it is fastest when many neighbours have the same counter.
typedef void cotp_truncated_values(
  const void *_Nonnull const *_Nonnull chunks, const intptr_t *keys, const uint64_t *counters, uint32_t *output,
  size_t count, void *scratch);

/// Prepares keys: writes the two states of the key of `lengths[i]` bytes (0 included) at `keys[i]` to `states[i]`.
typedef void cotp_absorb(
  const uint8_t *_Nonnull const *_Nonnull keys, const size_t *lengths, void *_Nonnull const *_Nonnull states,
  size_t count, void *scratch);

/// One instruction set's code for one algorithm. Which one is fastest depends on the processor and on the number of
/// pairs in a call: for a few pairs, fewer lanes are often faster.
typedef struct {
  const char *name;
  cotp_algorithm algorithm;
  /// All of these must be there.
  uint32_t features;
  /// The number of pairs that are computed side by side.
  uint32_t lanes;
  /// Bytes of scratch memory for either call, at an address that is a multiple of COTP_KERNELS_SCRATCH_ALIGNMENT.
  size_t scratch_bytes;
  cotp_truncated_values *truncated_values;
  cotp_absorb *absorb;
} cotp_kernel;

/// The kernels that were compiled for this architecture, whatever this processor can do; the first one needs no
/// feature.
/// - Returns: the kernel at `index`, or null behind the last one.
const cotp_kernel *_Nullable cotp_kernel_at(cotp_algorithm algorithm, size_t index);

/// Whether the kernel runs with these features.
static inline bool cotp_kernel_is_offered(const cotp_kernel *kernel, uint32_t features) {
  return (kernel->features & ~features) == 0;
}

/// Compares a kernel with published values (RFC 4226, RFC 6238) and with plain scalar code: over several keys and
/// counters, each lane, shared and different counters, and numbers of pairs that fill no vector. To be called once,
/// before the kernel is used; takes about a millisecond.
/// - Returns: whether all values were right (false, too, without memory for the test).
bool cotp_kernel_passes_self_test(const cotp_kernel *kernel);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
