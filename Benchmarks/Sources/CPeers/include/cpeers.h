#ifndef CPEERS_H
#define CPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Other libraries doing the same job, for comparison: the HMAC of a counter with dynamic truncation to 31 bits
// (RFC 4226 section 5.3), where an algorithm is 0 for SHA-1, 1 for SHA-256, 2 for SHA-512; and SQLite without the
// ledger over it.

#ifdef __cplusplus
extern "C" {
#endif

/// How a processor is used by intel-ipsec-mb: its own choice, or another one of its ways. Its own choice need not be
/// its fastest one on a processor of another vendor.
typedef enum {
  CPEERS_IPSEC_MB_AUTOMATIC,
  CPEERS_IPSEC_MB_SSE,
  CPEERS_IPSEC_MB_AVX,
  CPEERS_IPSEC_MB_AVX2,
  CPEERS_IPSEC_MB_AVX512,
} cpeers_ipsec_mb_way;

/// intel-ipsec-mb's manager with prepared keys of one algorithm.
typedef struct cpeers_ipsec_mb cpeers_ipsec_mb;

/// Whether the library exists, and the processor has what the way needs.
bool cpeers_ipsec_mb_is_available(cpeers_ipsec_mb_way way);

/// Makes a manager with room for `keys` keys.
/// - Parameter without_sha_extensions: whether it must do without the processor's SHA instructions.
/// - Returns: null where the library, or what the way needs, does not exist.
cpeers_ipsec_mb *cpeers_ipsec_mb_create(
  int algorithm, size_t keys, cpeers_ipsec_mb_way way, bool without_sha_extensions);

void cpeers_ipsec_mb_destroy(cpeers_ipsec_mb *peer);

/// Prepares a key of `length` bytes, at most a block.
void cpeers_ipsec_mb_set_key(cpeers_ipsec_mb *peer, size_t key, const uint8_t *bytes, size_t length);

/// Computes `output[i]` for the key with index `keys[i]` and the counter `counters[i]`, in bursts of 64 that are not
/// validated, which is what the library recommends for speed.
/// - Returns: false when the library failed.
bool cpeers_ipsec_mb_truncated_values(
  cpeers_ipsec_mb *peer, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count);

/// liboath's `oath_hotp_generate`, SHA-1.
/// - Parameter code: receives `digits` (6 to 8) digits and a zero.
bool cpeers_liboath_hotp(const uint8_t *key, size_t length, uint64_t counter, unsigned digits, char code[9]);

/// liboath's Base32, with padding.
/// - Parameter output: has room for `room` bytes.
/// - Returns: the number of bytes written; 0 when the library failed or there is no room.
size_t cpeers_liboath_base32_decode(const char *text, size_t length, uint8_t *output, size_t room);
size_t cpeers_liboath_base32_encode(const uint8_t *bytes, size_t length, uint8_t *output, size_t room);

/// The library's version, as loaded.
const char *cpeers_liboath_version(void);

/// The same of intel-ipsec-mb; null where it does not exist.
const char *cpeers_ipsec_mb_version(void);

/// SQLite's version, as loaded.
const char *cpeers_sqlite_version(void);

/// libpq's version as a number, 150018 for 15.18; 0 where it is not loaded.
int cpeers_libpq_version(void);

/// OpenSSL's `HMAC()`, one shot.
/// - Returns: `UINT32_MAX`, which is no truncated value, when the library failed.
uint32_t cpeers_openssl_hmac(int algorithm, const uint8_t *key, size_t length, uint64_t counter);

/// A connection to the file of an SQLite ledger, with the ledger's settings and statements and no more.
typedef struct cpeers_sqlite_loop cpeers_sqlite_loop;

/// - Returns: null when the file is not there or is none of a ledger.
cpeers_sqlite_loop *cpeers_sqlite_loop_open(const char *path);

void cpeers_sqlite_loop_close(cpeers_sqlite_loop *loop);

/// Reads and writes the states of `count` credentials in one transaction, which is on the disk when this returns.
/// - Parameters:
///   - ids: of `length` bytes each, one behind the other.
///   - step: the new last step as the file has it, higher than each that is there.
/// - Returns: false when anything failed.
bool cpeers_sqlite_loop_settle(
  const cpeers_sqlite_loop *loop, const char *ids, size_t length, size_t count, int64_t step);

#ifdef __cplusplus
}
#endif

#endif
