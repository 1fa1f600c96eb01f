// liboath and OpenSSL, which know one code at a time.
#include "cpeers.h"
#include "truncation.h"

#include <liboath/oath.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

bool cpeers_liboath_hotp(const uint8_t *key, size_t length, uint64_t counter, unsigned digits, char code[9]) {
  return oath_hotp_generate((const char *)key, length, counter, digits, false, OATH_HOTP_DYNAMIC_TRUNCATION, code) ==
         OATH_OK;
}

uint32_t cpeers_openssl_hmac(int algorithm, const uint8_t *key, size_t length, uint64_t counter) {
  const EVP_MD *const hash = algorithm == 0 ? EVP_sha1() : algorithm == 1 ? EVP_sha256() : EVP_sha512();
  uint8_t message[8], digest[EVP_MAX_MD_SIZE];
  unsigned digest_bytes = 0;
  store_counter(counter, message);
  if (HMAC(hash, key, (int)length, message, sizeof message, digest, &digest_bytes) == NULL) return UINT32_MAX;
  return truncate(digest, digest_bytes);
}
