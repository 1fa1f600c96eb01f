#ifndef COTP_GETOPT_SHIM_H
#define COTP_GETOPT_SHIM_H

// getopt_long keeps its state in global variables, which Swift cannot touch safely.
#include <getopt.h>

/// Starts a new scan, without messages of the C library's own.
static inline void cotp_getopt_start(void) {
  optind = 1;
  opterr = 0;
}

/// The next option's `val`; 1 for an operand, which is then the argument; `?` for an option that is not in
/// the table or has an argument too many; `:` for one without its argument; -1 at the end. Operands and
/// options may be mixed, whatever POSIXLY_CORRECT says.
static inline int cotp_getopt_next(int argc, char *const argv[],
                                   const struct option *options) {
  return getopt_long(argc, argv, "-:", options, 0);
}

/// After `?` or `:`, the `val` of the option at fault if it is in the table.
static inline int cotp_getopt_fault(void) { return optopt; }

/// The argument of the option found last, or the operand.
static inline const char *cotp_getopt_argument(void) { return optarg; }

/// The index in `argv` of the element that is scanned next; at the end, of the first operand.
static inline int cotp_getopt_index(void) { return optind; }

#endif
