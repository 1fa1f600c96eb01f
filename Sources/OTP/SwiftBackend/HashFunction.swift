/// A hash of the SHA family (FIPS 180-4) by its compression function, over lanes.
protocol HashFunction {
  associatedtype Lane: HashWord & FixedWidthInteger & UnsignedInteger where Lane.Lane == Lane

  /// The vector that bulk work uses. With SSE2 or NEON it fills two registers, whose dependency chains
  /// run side by side.
  associatedtype Vector: HashWord where Vector.Lane == Lane

  static var algorithm: HashAlgorithm { get }

  /// Words of the chaining state.
  static var stateWords: Int { get }

  /// Words of the digest: the state's first ones.
  static var digestWords: Int { get }

  /// Words of the expanded message schedule, which is as many as there are rounds.
  static var rounds: Int { get }

  /// The initial chaining state, ``stateWords`` words.
  static func writeInitialState(_ state: UnsafeMutablePointer<Lane>)

  /// Expands the message block in the first 16 places of `schedule` to all ``rounds`` places, with
  /// each round's constant added.
  static func expand<Word: HashWord>(_ schedule: UnsafeMutablePointer<Word>)
  where Word.Lane == Lane

  /// Runs all rounds over an expanded schedule and adds the result to `state`.
  static func compress<Word: HashWord>(
    _ state: UnsafeMutablePointer<Word>, _ schedule: UnsafePointer<Word>
  ) where Word.Lane == Lane
}

extension HashFunction {
  static var wordBytes: Int { MemoryLayout<Lane>.size }
  static var blockBytes: Int { 16 * wordBytes }
  static var digestBytes: Int { digestWords * wordBytes }
}
