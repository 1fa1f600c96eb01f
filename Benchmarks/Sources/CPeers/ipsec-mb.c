// intel-ipsec-mb, which exists for x86-64 alone.
#include "cpeers.h"

#if defined(__x86_64__)

  #include "truncation.h"

  #include <intel-ipsec-mb.h>
  #include <stdlib.h>

enum { BURST = 64, LARGEST_DIGEST = 64 };

typedef struct {
  IMB_HASH_ALG hash;
  size_t digest_bytes;
} algorithm_choice;

static const algorithm_choice choices[] = {
  {IMB_AUTH_HMAC_SHA_1, 20}, {IMB_AUTH_HMAC_SHA_256, 32}, {IMB_AUTH_HMAC_SHA_512, 64},
};

// The states of a key, each aligned as the library wants.
typedef struct {
  _Alignas(16) uint8_t inner[LARGEST_DIGEST];
  _Alignas(16) uint8_t outer[LARGEST_DIGEST];
} prepared_key;

struct cpeers_ipsec_mb {
  algorithm_choice algorithm;
  IMB_MGR *manager;
  prepared_key *keys;
  uint8_t messages[BURST][8];
  uint8_t tags[BURST][LARGEST_DIGEST];
  IMB_JOB jobs[BURST];
};

static void set_constant_parts(IMB_JOB *job, algorithm_choice algorithm) {
  memset(job, 0, sizeof *job);
  job->cipher_mode = IMB_CIPHER_NULL;
  job->cipher_direction = IMB_DIR_ENCRYPT;
  job->chain_order = IMB_ORDER_HASH_CIPHER;
  job->hash_alg = algorithm.hash;
  job->msg_len_to_hash_in_bytes = 8;
  job->auth_tag_output_len_in_bytes = algorithm.digest_bytes;
}

static void set_pair(cpeers_ipsec_mb *peer, IMB_JOB *job, size_t place, intptr_t key, uint64_t counter) {
  store_counter(counter, peer->messages[place]);
  job->src = peer->messages[place];
  job->auth_tag_output = peer->tags[place];
  job->u.HMAC._hashed_auth_key_xor_ipad = peer->keys[key].inner;
  job->u.HMAC._hashed_auth_key_xor_opad = peer->keys[key].outer;
}

static uint64_t features_of(cpeers_ipsec_mb_way way) {
  switch (way) {
  case CPEERS_IPSEC_MB_AUTOMATIC:
  case CPEERS_IPSEC_MB_SSE: break;
  case CPEERS_IPSEC_MB_AVX: return IMB_CPUFLAGS_AVX;
  case CPEERS_IPSEC_MB_AVX2: return IMB_CPUFLAGS_AVX2;
  case CPEERS_IPSEC_MB_AVX512: return IMB_CPUFLAGS_AVX512;
  }
  return IMB_CPUFLAGS_SSE;
}

static bool has_features(const IMB_MGR *manager, cpeers_ipsec_mb_way way) {
  return (manager->features & features_of(way)) == features_of(way);
}

bool cpeers_ipsec_mb_is_available(cpeers_ipsec_mb_way way) {
  IMB_MGR *const manager = alloc_mb_mgr(0);
  const bool is_available = manager != NULL && has_features(manager, way);
  if (manager != NULL) free_mb_mgr(manager);
  return is_available;
}

cpeers_ipsec_mb *cpeers_ipsec_mb_create(
  int algorithm, size_t keys, cpeers_ipsec_mb_way way, bool without_sha_extensions
) {
  cpeers_ipsec_mb *const peer = calloc(1, sizeof *peer);
  if (peer == NULL) return NULL;
  peer->algorithm = choices[algorithm];
  peer->keys = aligned_alloc(_Alignof(prepared_key), keys * sizeof(prepared_key));
  peer->manager = alloc_mb_mgr(without_sha_extensions ? IMB_FLAG_SHANI_OFF : 0);
  // Without its features a way is not refused by the library: its self-test crashes.
  if (peer->keys != NULL && peer->manager != NULL && has_features(peer->manager, way)) {
    switch (way) {
    case CPEERS_IPSEC_MB_AUTOMATIC: init_mb_mgr_auto(peer->manager, NULL); break;
    case CPEERS_IPSEC_MB_SSE: init_mb_mgr_sse(peer->manager); break;
    case CPEERS_IPSEC_MB_AVX: init_mb_mgr_avx(peer->manager); break;
    case CPEERS_IPSEC_MB_AVX2: init_mb_mgr_avx2(peer->manager); break;
    case CPEERS_IPSEC_MB_AVX512: init_mb_mgr_avx512(peer->manager); break;
    }
    if (imb_get_errno(peer->manager) == 0) {
      for (size_t i = 0; i < BURST; i++) set_constant_parts(&peer->jobs[i], peer->algorithm);
      return peer;
    }
  }
  cpeers_ipsec_mb_destroy(peer);
  return NULL;
}

void cpeers_ipsec_mb_destroy(cpeers_ipsec_mb *peer) {
  if (peer == NULL) return;
  if (peer->manager != NULL) free_mb_mgr(peer->manager);
  free(peer->keys);
  free(peer);
}

const char *cpeers_ipsec_mb_version(void) {
  return imb_get_version_str();
}

void cpeers_ipsec_mb_set_key(cpeers_ipsec_mb *peer, size_t key, const uint8_t *bytes, size_t length) {
  uint8_t block[128] = {0};
  memcpy(block, bytes, length < sizeof block ? length : sizeof block);
  const uint8_t pads[] = {0x36, 0x36 ^ 0x5c};
  uint8_t *const states[] = {peer->keys[key].inner, peer->keys[key].outer};
  for (int pad = 0; pad < 2; pad++) {
    for (size_t i = 0; i < sizeof block; i++) block[i] ^= pads[pad];
    switch (peer->algorithm.digest_bytes) {
    case 20: IMB_SHA1_ONE_BLOCK(peer->manager, block, states[pad]); break;
    case 32: IMB_SHA256_ONE_BLOCK(peer->manager, block, states[pad]); break;
    default: IMB_SHA512_ONE_BLOCK(peer->manager, block, states[pad]); break;
    }
  }
}

bool cpeers_ipsec_mb_truncated_values(
  cpeers_ipsec_mb *peer, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count
) {
  for (size_t first = 0; first < count; first += BURST) {
    const size_t used = count - first < BURST ? count - first : BURST;
    for (size_t i = 0; i < used; i++) set_pair(peer, &peer->jobs[i], i, keys[first + i], counters[first + i]);
    const uint32_t completed =
      IMB_SUBMIT_HASH_BURST_NOCHECK(peer->manager, peer->jobs, (uint32_t)used, peer->algorithm.hash);
    if (completed != used) return false;
    for (size_t i = 0; i < used; i++) output[first + i] = truncate(peer->tags[i], peer->algorithm.digest_bytes);
  }
  return true;
}

#else

bool cpeers_ipsec_mb_is_available(cpeers_ipsec_mb_way way) {
  (void)way;
  return false;
}

cpeers_ipsec_mb *cpeers_ipsec_mb_create(
  int algorithm, size_t keys, cpeers_ipsec_mb_way way, bool without_sha_extensions
) {
  (void)algorithm, (void)keys, (void)way, (void)without_sha_extensions;
  return NULL;
}

void cpeers_ipsec_mb_destroy(cpeers_ipsec_mb *peer) {
  (void)peer;
}

const char *cpeers_ipsec_mb_version(void) {
  return NULL;
}

void cpeers_ipsec_mb_set_key(cpeers_ipsec_mb *peer, size_t key, const uint8_t *bytes, size_t length) {
  (void)peer, (void)key, (void)bytes, (void)length;
}

bool cpeers_ipsec_mb_truncated_values(
  cpeers_ipsec_mb *peer, const intptr_t *keys, const uint64_t *counters, uint32_t *output, size_t count
) {
  (void)peer, (void)keys, (void)counters, (void)output, (void)count;
  return false;
}

#endif
