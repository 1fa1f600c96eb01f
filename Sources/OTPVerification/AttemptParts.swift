extension AttemptBatch {
  /// Divides attempts into a power of two of parts, `most` at most but at least one. All of one credential are in one
  /// part, in their order.
  /// - Parameter places: of the attempts.
  func parts(_ most: Int, of places: some RandomAccessCollection<Int>) -> [ArraySlice<Int>] {
    let bits = max(Int.bitWidth - most.leadingZeroBitCount - 1, 0)
    // By the top bits of the hash, as a ledger in memory chooses its shards: tasks then meet at few.
    let shift = UInt(UInt.bitWidth - bits)
    var ends = [Int](repeating: 0, count: 1 << bits + 1)
    var sorted = [Int](repeating: 0, count: places.count)
    withEntries { entries, _ in
      ends.withUnsafeMutableBufferPointer { ends in
        for place in places { ends[Int(entries[place].hash >> shift) &+ 1] &+= 1 }
        for part in 0..<1 << bits { ends[part &+ 1] &+= ends[part] }
        sorted.withUnsafeMutableBufferPointer { sorted in
          for place in places {
            let part = Int(entries[place].hash >> shift)
            sorted[ends[part]] = place
            ends[part] &+= 1
          }
        }
      }
    }
    return (0..<1 << bits).map { part in sorted[(part == 0 ? 0 : ends[part - 1])..<ends[part]] }
  }
}
