#ifndef COTP_SQLITE_SHIM_H
#define COTP_SQLITE_SHIM_H

// SQLite's interface is plain functions: there is nothing to wrap.
#include <sqlite3.h>

#endif
