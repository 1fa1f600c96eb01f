#ifndef COTP_OPENSSL_SHIM_H
#define COTP_OPENSSL_SHIM_H

// libcrypto's interface is plain functions: there is nothing to wrap.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#endif
