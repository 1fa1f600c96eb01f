import OTP

/// One code to look for among the moving factors of a range.
struct SearchRequest {
  /// The key: an index into the keyring.
  let key: Int
  let steps: ClosedRange<UInt64>
  let code: OneTimeCode
}

extension HMACKeyring {
  /// For each request, in order, the highest moving factor of its range that has the code: two steps of
  /// one window can share a code, and the lower of them would leave the higher one open to a replay.
  ///
  /// The whole range is always computed.
  func highestMatches(_ requests: [SearchRequest]) throws(OTPError) -> [UInt64?] {
    var matches = [UInt64?](repeating: nil, count: requests.count)
    var keys: [Int] = []
    var counters: [UInt64] = []
    var owners: [Int] = []
    // Requests per call of the keyring: their keys' states stay in the processor's cache for the
    // whole range.
    let chunkLength = 256
    // Most ranges of a batch are equally wide, so that one reservation does.
    let widest = requests.reduce(0) { max($0, $1.steps.upperBound - $1.steps.lowerBound) }
    let capacity = min(requests.count, chunkLength) * (Int(clamping: min(widest, 1000)) + 1)
    keys.reserveCapacity(capacity)
    counters.reserveCapacity(capacity)
    owners.reserveCapacity(capacity)
    for start in stride(from: 0, to: requests.count, by: chunkLength) {
      let chunk = start..<min(start + chunkLength, requests.count)
      keys.removeAll(keepingCapacity: true)
      counters.removeAll(keepingCapacity: true)
      owners.removeAll(keepingCapacity: true)
      // Place by place, from the lowest: requests of one time step then share their counter with
      // their neighbours, which a keyring can use, and the highest match is found last.
      var place: UInt64 = 0
      var isComplete = false
      while !isComplete {
        isComplete = true
        for index in chunk {
          let steps = requests[index].steps
          guard steps.upperBound - steps.lowerBound >= place else { continue }
          isComplete = false
          keys.append(requests[index].key)
          counters.append(steps.lowerBound + place)
          owners.append(index)
        }
        place += 1
      }
      let values = try truncatedValues(keys: keys, counters: counters)
      for index in owners.indices {
        let code = requests[owners[index]].code
        if OneTimeCode(truncatedValue: values[index], digits: code.digits) == code {
          matches[owners[index]] = counters[index]
        }
      }
    }
    return matches
  }
}
