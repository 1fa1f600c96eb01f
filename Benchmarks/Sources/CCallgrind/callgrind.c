#include "ccallgrind.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
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

bool ccallgrind_run_each(ccallgrind_outcome (*body)(void *context), void *context, unsigned seconds) {
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      // What hangs dies of the signal, which a thread of Dispatch, that may have started this program, blocks.
      sigset_t signals;
      sigemptyset(&signals);
      sigaddset(&signals, SIGALRM);
      sigprocmask(SIG_UNBLOCK, &signals, NULL);
      alarm(seconds);
      _exit(body(context));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
      dprintf(STDERR_FILENO, "no process can be made\n");
      return false;
    }
    if (WIFSIGNALED(status)) {
      if (WTERMSIG(status) == SIGALRM) {
        dprintf(STDERR_FILENO, "it did not end within %u s\n", seconds);
      } else {
        dprintf(STDERR_FILENO, "it died of signal %d\n", WTERMSIG(status));
      }
      return false;
    }
    if (WEXITSTATUS(status) == CCALLGRIND_NOTHING_LEFT) return true;
    if (WEXITSTATUS(status) != CCALLGRIND_COUNTED) return false;
    dprintf(STDOUT_FILENO, "counted %d\n", (int)child);
  }
}
