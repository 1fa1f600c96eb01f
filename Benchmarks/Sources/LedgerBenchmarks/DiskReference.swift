import BenchmarkRegistry
import Foundation

/// A page written to a file and synced to its disk, again and again: what settling attempts one by one is made
/// of, and so how fast the disk is in this run. The file is written over, as a write-ahead log is.
final class DiskReference {
  private let descriptor: Int32
  private var place = 0

  /// As SQLite's.
  private static let pageSize = 4096
  private static let pageCount = 4096
  private let page = [UInt8](repeating: 0x5A, count: pageSize)

  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    for _ in 0..<Self.pageCount { try writePage() }
    try sync()
  }

  deinit {
    close(descriptor)
  }

  func benchmark(items: Int) -> PreparedBenchmark {
    PreparedBenchmark(
      items: items,
      .clocked { [self] in
        for _ in 0..<items {
          try writePage()
          try sync()
        }
      })
  }

  private func writePage() throws {
    let offset = off_t(place * Self.pageSize)
    guard pwrite(descriptor, page, page.count, offset) == page.count else {
      throw BenchmarkFault("the disk takes no page")
    }
    place = (place + 1) % Self.pageCount
  }

  private func sync() throws {
    guard fdatasync(descriptor) == 0 else { throw BenchmarkFault("the disk does not sync") }
  }
}
