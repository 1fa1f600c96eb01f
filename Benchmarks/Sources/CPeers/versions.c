// Versions of libraries that come with the ledgers: they are asked as loaded, so that none has to be linked here.
#define _GNU_SOURCE
#include "cpeers.h"

#include <dlfcn.h>

const char *cpeers_sqlite_version(void) {
  const char *(*const version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "sqlite3_libversion");
  return version != NULL ? version() : NULL;
}

int cpeers_libpq_version(void) {
  int (*const version)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PQlibVersion");
  return version != NULL ? version() : 0;
}
