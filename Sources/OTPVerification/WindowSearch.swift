import OTP

/// One code to look for among the moving factors of a range.
struct SearchRequest {
  /// The key: an index into the keyring.
  let key: Int
  let steps: ClosedRange<UInt64>
  let code: OneTimeCode
}

/// Looks for codes in ranges of moving factors, with scratch memory that is used again from call to call.
struct WindowSearch {
  private var keys: [Int] = []
  private var counters: [UInt64] = []
  private var owners: [Int] = []
  private var values: [UInt32] = []

  /// Requests that are worth one call of the keyring: their keys' states stay in the processor's cache for the
  /// whole range.
  static let chunkLength = 256

  /// For each request, in order, the highest moving factor of its range that has the code: two steps of
  /// one window can share a code, and the lower of them would leave the higher one open to a replay.
  ///
  /// The whole range is always computed.
  mutating func highestMatches(
    _ requests: [SearchRequest], in keyring: some HMACKeyring
  ) throws(OTPError) -> [UInt64?] {
    // Only the call of the keyring depends on its type: all else is compiled once, for what it is.
    collectPairs(of: requests, stepsTogether: keyring.prefersStepsOfAKeyTogether)
    // Spans of two parts of `self` exclude each other.
    let (keys, counters) = (keys, counters)
    var output = values.mutableSpan
    try keyring.truncatedValues(keys: keys.span, counters: counters.span, into: &output)
    return matches(of: requests)
  }

  /// Steps come in ascending order, so that the highest match is found last.
  private mutating func collectPairs(of requests: [SearchRequest], stepsTogether: Bool) {
    keys.removeAll(keepingCapacity: true)
    counters.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
    if stepsTogether {
      for (index, request) in requests.enumerated() {
        for step in request.steps {
          keys.append(request.key)
          counters.append(step)
          owners.append(index)
        }
      }
    }
    // Place by place, from the lowest: requests of one time step then share their counter with
    // their neighbours, which a keyring can use.
    var place: UInt64 = 0
    var isComplete = stepsTogether
    while !isComplete {
      isComplete = true
      for (index, request) in requests.enumerated() {
        let steps = request.steps
        guard steps.upperBound &- steps.lowerBound >= place else { continue }
        isComplete = false
        keys.append(request.key)
        counters.append(steps.lowerBound &+ place)
        owners.append(index)
      }
      place += 1
    }
    if values.count > keys.count {
      values.removeLast(values.count - keys.count)
    } else {
      values += repeatElement(0, count: keys.count - values.count)
    }
  }

  private func matches(of requests: [SearchRequest]) -> [UInt64?] {
    var matches = [UInt64?](repeating: nil, count: requests.count)
    for (index, owner) in owners.enumerated() {
      let code = requests[owner].code
      if OneTimeCode(truncatedValue: values[index], digits: code.digits) == code {
        matches[owner] = counters[index]
      }
    }
    return matches
  }
}

extension HMACKeyring {
  /// For each request, in order, the highest moving factor of its range that has the code.
  func highestMatches(_ requests: [SearchRequest]) throws(OTPError) -> [UInt64?] {
    var search = WindowSearch()
    var matches: [UInt64?] = []
    matches.reserveCapacity(requests.count)
    for start in stride(from: 0, to: requests.count, by: WindowSearch.chunkLength) {
      let end = min(start + WindowSearch.chunkLength, requests.count)
      matches += try search.highestMatches(Array(requests[start..<end]), in: self)
    }
    return matches
  }
}
