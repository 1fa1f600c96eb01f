// SHA-1 and SHA-2 (FIPS 180-4), HMAC (RFC 2104) and truncation (RFC 4226) one at a time, as plain as can be: for keys
// longer than a block, and to compare the kernels with.
#include "kernel.h"

#define ROTATE_LEFT(x, n) ((x) << (n) | (x) >> (32 - (n)))

static void sha1_compress(uint32_t state[5], const uint8_t *block) {
  uint32_t w[80];
  for (int t = 0; t < 16; t++) w[t] = load_big_endian_32(block + 4 * t);
  for (int t = 16; t < 80; t++) w[t] = ROTATE_LEFT(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (int t = 0; t < 80; t++) {
    const uint32_t f = t < 20 ? (b & c) | (~b & d) : t >= 40 && t < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    const uint32_t next = ROTATE_LEFT(a, 5) + f + e + sha1_constants[t / 20] + w[t];
    e = d;
    d = c;
    c = ROTATE_LEFT(b, 30);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

// SHA-256 and SHA-512 differ in the word, the number of rounds and the distances: three for each of the functions of
// FIPS 180-4, sections 4.1.2 and 4.1.3, in their order.
#define ROTATE_RIGHT(x, n) ((x) >> (n) | (x) << (8 * sizeof(x) - (n)))
#define DEFINE_SHA2(name, word, load, rounds, A1, A2, A3, E1, E2, E3, M1, M2, M3, N1, N2, N3)                         \
  static void name##_compress(word state[8], const uint8_t *block) {                                                   \
    word w[rounds];                                                                                                    \
    for (int t = 0; t < 16; t++) w[t] = load(block + sizeof(word) * (size_t)t);                                        \
    for (int t = 16; t < rounds; t++) {                                                                                \
      const word x = w[t - 15], y = w[t - 2];                                                                          \
      w[t] = w[t - 16] + (ROTATE_RIGHT(x, M1) ^ ROTATE_RIGHT(x, M2) ^ x >> M3) + w[t - 7] +                            \
             (ROTATE_RIGHT(y, N1) ^ ROTATE_RIGHT(y, N2) ^ y >> N3);                                                    \
    }                                                                                                                  \
    word s[8];                                                                                                         \
    memcpy(s, state, sizeof s);                                                                                        \
    for (int t = 0; t < rounds; t++) {                                                                                 \
      const word a = s[0], e = s[4];                                                                                   \
      const word first = s[7] + (ROTATE_RIGHT(e, E1) ^ ROTATE_RIGHT(e, E2) ^ ROTATE_RIGHT(e, E3)) +                    \
                         ((e & s[5]) ^ (~e & s[6])) + name##_constants[t] + w[t];                                      \
      const word second = (ROTATE_RIGHT(a, A1) ^ ROTATE_RIGHT(a, A2) ^ ROTATE_RIGHT(a, A3)) +                          \
                          ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));                                                   \
      memmove(s + 1, s, 7 * sizeof(word));                                                                             \
      s[4] += first;                                                                                                   \
      s[0] = first + second;                                                                                           \
    }                                                                                                                  \
    for (int i = 0; i < 8; i++) state[i] += s[i];                                                                      \
  }

DEFINE_SHA2(sha256, uint32_t, load_big_endian_32, 64, 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10)
DEFINE_SHA2(sha512, uint64_t, load_big_endian_64, 80, 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6)

// The state of any of the three, in the machine's byte order.
typedef union {
  uint32_t words32[8];
  uint64_t words64[8];
} hash_state;

static size_t block_bytes(cotp_algorithm algorithm) {
  return algorithm == COTP_SHA512 ? 128 : 64;
}

static size_t state_bytes(cotp_algorithm algorithm) {
  return cotp_kernels_key_bytes(algorithm) / 2;
}

size_t cotp_digest_bytes(cotp_algorithm algorithm) {
  return state_bytes(algorithm);
}

size_t cotp_kernels_key_bytes(cotp_algorithm algorithm) {
  switch (algorithm) {
  case COTP_SHA1: return 40;
  case COTP_SHA256: return 64;
  case COTP_SHA512: return 128;
  }
  return 0;
}

static void set_initial(cotp_algorithm algorithm, hash_state *state) {
  switch (algorithm) {
  case COTP_SHA1: memcpy(state, sha1_initial, sizeof sha1_initial); break;
  case COTP_SHA256: memcpy(state, sha256_initial, sizeof sha256_initial); break;
  case COTP_SHA512: memcpy(state, sha512_initial, sizeof sha512_initial); break;
  }
}

static void compress(cotp_algorithm algorithm, hash_state *state, const uint8_t *block) {
  switch (algorithm) {
  case COTP_SHA1: sha1_compress(state->words32, block); break;
  case COTP_SHA256: sha256_compress(state->words32, block); break;
  case COTP_SHA512: sha512_compress(state->words64, block); break;
  }
}

static void store_big_endian(uint64_t value, uint8_t bytes[8]) {
  for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (56 - 8 * i));
}

// Hashes a message behind `before` bytes that `state` has absorbed.
static void finish(
  cotp_algorithm algorithm, hash_state *state, size_t before, const uint8_t *message, size_t length, uint8_t *digest
) {
  const size_t size = block_bytes(algorithm), length_bytes = size / 8;
  size_t rest = length;
  for (; rest >= size; rest -= size, message += size) compress(algorithm, state, message);
  uint8_t block[128] = {0};
  if (rest > 0) memcpy(block, message, rest);
  block[rest] = 0x80;
  if (rest + 1 + length_bytes > size) {
    compress(algorithm, state, block);
    memset(block, 0, sizeof block);
  }
  store_big_endian((uint64_t)(before + length) * 8, block + size - 8);
  compress(algorithm, state, block);
  for (size_t i = 0; i < state_bytes(algorithm); i++) {
    digest[i] = algorithm == COTP_SHA512 ? (uint8_t)(state->words64[i / 8] >> (56 - 8 * (i % 8)))
                                         : (uint8_t)(state->words32[i / 4] >> (24 - 8 * (i % 4)));
  }
}

void cotp_hash(cotp_algorithm algorithm, const uint8_t *message, size_t length, uint8_t *digest) {
  hash_state state;
  set_initial(algorithm, &state);
  finish(algorithm, &state, 0, message, length, digest);
}

void cotp_scalar_absorb(cotp_algorithm algorithm, const uint8_t *key, size_t length, void *states) {
  const size_t size = block_bytes(algorithm);
  uint8_t block[128] = {0};
  if (length > size) {
    cotp_hash(algorithm, key, length, block);
  } else if (length > 0) {
    memcpy(block, key, length);
  }
  // From key ^ ipad to key ^ opad it is one step: ipad ^ opad.
  const uint8_t pads[2] = {0x36, 0x36 ^ 0x5c};
  for (int pad = 0; pad < 2; pad++) {
    for (size_t i = 0; i < size; i++) block[i] ^= pads[pad];
    hash_state state;
    set_initial(algorithm, &state);
    compress(algorithm, &state, block);
    memcpy((uint8_t *)states + (size_t)pad * state_bytes(algorithm), &state, state_bytes(algorithm));
  }
}

uint32_t cotp_scalar_truncated_value(cotp_algorithm algorithm, const void *states, uint64_t counter) {
  const size_t size = state_bytes(algorithm);
  uint8_t message[8], digest[64];
  hash_state state;
  store_big_endian(counter, message);
  memcpy(&state, states, size);
  finish(algorithm, &state, block_bytes(algorithm), message, sizeof message, digest);
  memcpy(&state, (const uint8_t *)states + size, size);
  finish(algorithm, &state, block_bytes(algorithm), digest, size, digest);
  return load_big_endian_32(digest + (digest[size - 1] & 15)) & 0x7fffffff;
}
