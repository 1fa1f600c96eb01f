/// A block of memory that is overwritten with zeros before it is given back.
///
/// It is allocated once and never grows, so no copy is left behind by a reallocation.
package final class SecretMemory: Sendable {
  // Safe to share: the bytes are written in `init`, before anyone else has the object, and afterwards in
  // `withMutableBytes` alone, by an owner that shares the object with nobody; the pointer never changes.
  nonisolated(unsafe) private let memory: UnsafeMutableRawBufferPointer

  package var count: Int { memory.count }

  /// Allocates `count` zero bytes, aligned to 16, and lets `initialize` fill them.
  package init<E: Error>(
    count: Int, initialize: (UnsafeMutableRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    memory = .allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    // On a throw `deinit` runs too, since every stored property is set: the block is wiped.
    try initialize(memory)
  }

  /// A copy, cut or with zeros behind it where the counts differ.
  package convenience init(copying other: SecretMemory, count: Int) {
    self.init(count: count) { memory in
      other.withBytes { bytes in
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
      }
    }
  }

  deinit {
    wipe(memory)
    memory.deallocate()
  }

  package func withBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    // The closure's buffer must not outlive `self`; a class instance may be released after its
    // last use, which is before `body` ends, hence the explicit extension.
    defer { withExtendedLifetime(self) {} }
    return try body(UnsafeRawBufferPointer(memory))
  }
}

extension SecretMemory {
  /// Lends the bytes for writing. The caller is the only owner of this object (`isKnownUniquelyReferenced`).
  func withMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
    defer { withExtendedLifetime(self) {} }
    return body(memory)
  }
}

/// Overwrites `memory` with zeros in a way that the optimizer keeps, although nobody reads it again:
/// it may not look into this function, so the call may have any effect.
@inline(never)
@_optimize(none)
package func wipe(_ memory: UnsafeMutableRawBufferPointer) {
  fillWithZeros(memory)
}

/// The optimized part of ``wipe(_:)``.
@inline(never)
private func fillWithZeros(_ memory: UnsafeMutableRawBufferPointer) {
  memory.initializeMemory(as: UInt8.self, repeating: 0)
}

/// Overwrites some kilobytes of the stack below the caller, where the functions that it called before kept what
/// did not fit into registers. The frames of the pure Swift compression functions take less than one.
package func wipeStack(kilobytes: Int = 2) {
  wipeFrames(kilobytes)
}

@inline(never)
private func wipeFrames(_ count: Int) {
  // As much as such an allocation may have and still lie on the stack.
  withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { frame in
    wipe(frame)
    if count > 1 { wipeFrames(count - 1) }
  }
}

/// Lends `body` scratch memory for `count` values and wipes it afterwards.
@inline(__always)
package func withWipedScratch<T: BitwiseCopyable, R, E: Error>(
  of type: T.Type, count: Int, _ body: (UnsafeMutablePointer<T>) throws(E) -> R
) throws(E) -> R {
  let scratch = UnsafeMutablePointer<T>.allocate(capacity: count)
  defer {
    wipe(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: scratch, count: count)))
    scratch.deallocate()
  }
  return try body(scratch)
}
