#ifndef COTP_HIREDIS_SHIM_H
#define COTP_HIREDIS_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <sys/socket.h>

// hiredis connects and parses. It writes with write(), which raises SIGPIPE when the server is gone and
// waits for as long as a socket option says, each time anew: not to be used where a call has to end at a
// given time in a process whose signals are not ours. So sending and waiting are done here.

/// Sends what the socket takes at once, without raising a signal.
/// Returns the number of bytes, 0 when the socket takes none now, -1 when the connection is broken.
static inline ssize_t cotp_hiredis_send(int socket, const void *bytes,
                                        size_t count) {
  ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return sent;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

/// Waits until the socket can be read from (POLLIN) or written to (POLLOUT), or is broken.
/// Returns whether it is; 0 also when a signal came in between, -1 when it is no socket.
static inline int cotp_hiredis_wait(int socket, short events,
                                    int milliseconds) {
  struct pollfd descriptor = {socket, events, 0};
  int ready = poll(&descriptor, 1, milliseconds);
  return ready < 0 && errno == EINTR ? 0 : ready;
}

/// Keeps programs that this process starts from holding the connection open. (fcntl is variadic.)
static inline void cotp_hiredis_close_on_exec(int socket) {
  fcntl(socket, F_SETFD, FD_CLOEXEC);
}

#endif
