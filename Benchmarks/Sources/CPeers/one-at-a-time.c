// liboath and OpenSSL, which know one code at a time.
#include "cpeers.h"
#include "truncation.h"

#include <liboath/oath.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

bool cpeers_liboath_hotp(const uint8_t *key, size_t length, uint64_t counter, unsigned digits, char code[9]) {
  return oath_hotp_generate((const char *)key, length, counter, digits, false, OATH_HOTP_DYNAMIC_TRUNCATION, code) ==
         OATH_OK;
}

// Takes over what the library allocated.
static size_t move_text(char *text, size_t length, uint8_t *output, size_t room) {
  const bool fits = length <= room;
  if (fits) memcpy(output, text, length);
  free(text);
  return fits ? length : 0;
}

size_t cpeers_liboath_base32_decode(const char *text, size_t length, uint8_t *output, size_t room) {
  char *bytes;
  size_t count;
  return oath_base32_decode(text, length, &bytes, &count) == OATH_OK ? move_text(bytes, count, output, room) : 0;
}

size_t cpeers_liboath_base32_encode(const uint8_t *bytes, size_t length, uint8_t *output, size_t room) {
  char *text;
  size_t count;
  return oath_base32_encode((const char *)bytes, length, &text, &count) == OATH_OK
           ? move_text(text, count, output, room)
           : 0;
}

const char *cpeers_liboath_version(void) {
  return oath_check_version(NULL);
}

uint32_t cpeers_openssl_hmac(int algorithm, const uint8_t *key, size_t length, uint64_t counter) {
  const EVP_MD *const hash = algorithm == 0 ? EVP_sha1() : algorithm == 1 ? EVP_sha256() : EVP_sha512();
  uint8_t message[8], digest[EVP_MAX_MD_SIZE];
  unsigned digest_bytes = 0;
  store_counter(counter, message);
  if (HMAC(hash, key, (int)length, message, sizeof message, digest, &digest_bytes) == NULL) return UINT32_MAX;
  return truncate(digest, digest_bytes);
}
