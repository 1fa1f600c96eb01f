#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Opens those standard descriptors that are closed, for nothing to be read and with nothing to be written: else the next
/// file that is opened would be taken for one of them.
func openStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
    // It takes the least free number, which is this one.
    _ = open("/dev/null", O_RDONLY)
  }
}

/// Writes what was printed.
/// - Throws: ``BenchError`` when some of it was lost, on a full disk for one: a caller who looks at the status alone
///   must not take what there is for all.
func flushStandardOutput() throws {
  guard fflush(stdout) == 0, ferror(stdout) == 0 else {
    throw BenchError("standard output cannot be written")
  }
}
