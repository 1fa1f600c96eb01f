#ifndef COTP_LIBPQ_SHIM_H
#define COTP_LIBPQ_SHIM_H

#include <libpq-fe.h>
#include <poll.h>

// libpq's interface is plain functions, but these are macros for characters, which Swift does not see.
enum {
  COTP_PG_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED,
  COTP_PG_DIAG_SQLSTATE = PG_DIAG_SQLSTATE,
  COTP_PG_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY,
};

#endif
