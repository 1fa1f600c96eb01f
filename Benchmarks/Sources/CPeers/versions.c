// Versions of the libraries that ledgers load.
#define _GNU_SOURCE
#include "cpeers.h"

#include <dlfcn.h>
#include <sqlite3.h>

const char *cpeers_sqlite_version(void) {
  return sqlite3_libversion();
}

int cpeers_libpq_version(void) {
  // Asked for by name, so that libpq and its headers need not be found here.
  int (*const version)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PQlibVersion");
  return version != NULL ? version() : 0;
}
