#include "ccallgrind.h"

#include <valgrind/callgrind.h>

bool ccallgrind_is_running(void) {
  return RUNNING_ON_VALGRIND != 0;
}

void ccallgrind_start(void) {
  CALLGRIND_START_INSTRUMENTATION;
}

void ccallgrind_stop(void) {
  CALLGRIND_STOP_INSTRUMENTATION;
}

