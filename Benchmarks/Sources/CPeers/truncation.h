// What every peer needs around its HMAC: the message and the truncation.
#ifndef CPEERS_TRUNCATION_H
#define CPEERS_TRUNCATION_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void store_counter(uint64_t counter, uint8_t message[8]) {
  for (int i = 0; i < 8; i++) message[i] = (uint8_t)(counter >> (56 - 8 * i));
}

static inline uint32_t truncate(const uint8_t *digest, size_t length) {
  const uint8_t *const bytes = digest + (digest[length - 1] & 15);
  return (uint32_t)(bytes[0] & 0x7f) << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

#endif
