// What all kernels share: constants of the hash functions and plain scalar code.
#ifndef COTP_KERNEL_H
#define COTP_KERNEL_H

#include "COTPKernels.h"

#include <string.h>

#define JOIN_NAMES(x, y) x##_##y
#define JOIN(x, y) JOIN_NAMES(x, y)
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
// The object that describes a kernel.
#define KERNEL(name, algorithm) JOIN(cotp_kernel, JOIN(name, algorithm))

#define INLINE static inline __attribute__((always_inline))
// A loop whose counter must be a constant in each of its rounds.
#define UNROLLED _Pragma("clang loop unroll(full)")

#define ROLLED _Pragma("clang loop unroll(disable)")

// Sees to it that a sum is complete here, so that the compiler does not move what the next round waits for to the
// beginning of a chain of additions.
#if defined(WITHOUT_ORDER)
  #define IN_ORDER(vector) (void)(vector)
#elif defined(__x86_64__)
  #define IN_ORDER(vector) __asm__("" : "+v"(vector))
#elif defined(__aarch64__)
  #define IN_ORDER(vector) __asm__("" : "+w"(vector))
#else
  #define IN_ORDER(vector) (void)(vector)
#endif

// `x = value`, in a place among others of its kind that the compiler keeps.
#define STEP_IN_ORDER(x, value)                                                                                        \
  do {                                                                                                                 \
    x = (value);                                                                                                       \
    __asm__ volatile("" : "+v"(x));                                                                                    \
  } while (0)

// Whether there is a counter whose expanded block is in memory, and which.
typedef struct {
  bool is_there;
  uint64_t counter;
} expanded_counter;

// Elements of arrays that need not be aligned.
typedef intptr_t unaligned_index __attribute__((aligned(1)));
typedef uint64_t unaligned_counter __attribute__((aligned(1)));
typedef uint32_t unaligned_value __attribute__((aligned(1)));

#define DECLARE_KERNELS(name) extern const cotp_kernel KERNEL(name, sha1), KERNEL(name, sha256), KERNEL(name, sha512)
DECLARE_KERNELS(portable);
#if defined(__x86_64__)
extern const cotp_kernel KERNEL(sha, sha1), KERNEL(sha, sha256);
DECLARE_KERNELS(avx2);
DECLARE_KERNELS(avx512vl);
DECLARE_KERNELS(avx512);
#elif defined(__aarch64__)
DECLARE_KERNELS(sha);
#endif

static const uint32_t sha1_initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
static const uint32_t sha1_constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

static const uint32_t sha256_initial[8] = {
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t sha256_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint64_t sha512_initial[8] = {
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const uint64_t sha512_constants[80] = {
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

INLINE uint32_t load_big_endian_32(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

INLINE uint64_t load_big_endian_64(const uint8_t *bytes) {
  return (uint64_t)load_big_endian_32(bytes) << 32 | load_big_endian_32(bytes + 4);
}

/// Bytes of a digest: 20, 32 or 64.
size_t cotp_digest_bytes(cotp_algorithm algorithm);

/// Hashes a message of any length.
void cotp_hash(cotp_algorithm algorithm, const uint8_t *message, size_t length, uint8_t *digest);

/// Prepares one key, as `cotp_absorb` does for many.
void cotp_scalar_absorb(cotp_algorithm algorithm, const uint8_t *key, size_t length, void *states);

/// Computes one truncated value from a key's two states.
uint32_t cotp_scalar_truncated_value(cotp_algorithm algorithm, const void *states, uint64_t counter);

#endif
