#ifndef COTP_GCRYPT_SHIM_H
#define COTP_GCRYPT_SHIM_H

#include <gcrypt.h>

// gcry_control is variadic, which Swift cannot call.

/// Whether some part of this process has finished the library's initialisation.
static inline int cotp_gcrypt_is_initialized(void) {
  return gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P) != 0;
}

/// Does without the pool of locked memory, which is for long-term keys of a few kilobytes in all.
static inline gcry_error_t cotp_gcrypt_disable_secure_memory(void) {
  return gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
}

static inline gcry_error_t cotp_gcrypt_finish_initialization(void) {
  return gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

#endif
