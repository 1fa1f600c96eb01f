// A kernel whose lanes are those of a vector: all three algorithms, for one instruction set and one width.
//
// Before it is included, these are defined:
//   KERNEL_NAME      the kernel's name
//   KERNEL_FEATURES  what it needs
//   VECTOR_BYTES     16, 32 or 64
//   VECTORS          how many vectors make a group; they go through the rounds that expand no message side by side, so
//                    that one does something while another one waits for a result
// and may be:
//   TERNARY_LOGIC    (a, b, c, table): the instruction set's logic function of three vectors
//   STEP             (x, value): `x = value`, where the compiler must keep such steps in their order
//   NARROWER_KERNEL  the name of a kernel with half as long vectors and the same features, for a short rest
//
// An instruction set is more than a width, but the compiler knows that part: rotations, transpositions, broadcasts.
#include "kernel.h"

// Functions with vectors as arguments are all inlined, so that it does not matter how wide vectors are passed.
#pragma clang diagnostic ignored "-Wpsabi"

#define VECTOR_LANES (VECTOR_BYTES / (int)sizeof(WORD))
#define LANES (VECTORS * VECTOR_LANES)
// For so many pairs one vector of the narrower kernel is enough.
#define NARROWER_LANES (VECTOR_LANES / 2)
// What is large is a function of its own: it is called in two places, and its registers' spills share one frame.
#define GROUP static __attribute__((noinline))
#define NAME(x) JOIN(x, ALGORITHM_NAME)

#define WORD uint32_t
#define WORD_BITS 32
#define LOAD_BIG_ENDIAN load_big_endian_32

#define ALGORITHM COTP_SHA1
#define ALGORITHM_NAME sha1
#include "lanes-vector.h"
#include "lanes-sha1.h"
#include "lanes-batch.h"

#undef ALGORITHM
#undef ALGORITHM_NAME
#define ALGORITHM COTP_SHA256
#define ALGORITHM_NAME sha256
#include "lanes-vector.h"
#include "lanes-sha2.h"
#include "lanes-batch.h"

#undef ALGORITHM
#undef ALGORITHM_NAME
#undef WORD
#undef WORD_BITS
#undef LOAD_BIG_ENDIAN
#define WORD uint64_t
#define WORD_BITS 64
#define LOAD_BIG_ENDIAN load_big_endian_64

#define ALGORITHM COTP_SHA512
#define ALGORITHM_NAME sha512
#include "lanes-vector.h"
#include "lanes-sha2.h"
#include "lanes-batch.h"
