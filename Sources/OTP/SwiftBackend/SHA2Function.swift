/// What SHA-256 and SHA-512 differ in; the rest is the same (FIPS 180-4 sections 6.2 and 6.4).
protocol SHA2Function: HashFunction {
  /// Rotations to the right in Σ0, Σ1, σ0 and σ1; the last of a σ is a shift.
  static var bigSigma0: (Lane, Lane, Lane) { get }
  static var bigSigma1: (Lane, Lane, Lane) { get }
  static var smallSigma0: (Lane, Lane, shift: Lane) { get }
  static var smallSigma1: (Lane, Lane, shift: Lane) { get }

  static var initialState: [Lane] { get }

  /// One constant a round.
  static var constants: [Lane] { get }
}

extension SHA2Function {
  static var stateWords: Int { 8 }
  static var digestWords: Int { 8 }

  static func writeInitialState(_ state: UnsafeMutablePointer<Lane>) {
    state.update(from: initialState, count: stateWords)
  }

  @inline(__always)
  private static func bigSigma<Word: HashWord>(
    _ x: Word, _ counts: (Lane, Lane, Lane)
  ) -> Word where Word.Lane == Lane {
    x.rotatedRight(by: counts.0) ^ x.rotatedRight(by: counts.1) ^ x.rotatedRight(by: counts.2)
  }

  @inline(__always)
  private static func smallSigma<Word: HashWord>(
    _ x: Word, _ counts: (Lane, Lane, shift: Lane)
  ) -> Word where Word.Lane == Lane {
    x.rotatedRight(by: counts.0) ^ x.rotatedRight(by: counts.1)
      ^ x.shiftedRight(by: counts.shift)
  }

  @inline(__always)
  static func expand<Word: HashWord>(_ w: UnsafeMutablePointer<Word>) where Word.Lane == Lane {
    constants.withUnsafeBufferPointer { constants in
      for t in 16..<rounds {
        w[t] =
          smallSigma(w[t &- 2], smallSigma1) &+ w[t &- 7]
          &+ smallSigma(w[t &- 15], smallSigma0) &+ w[t &- 16]
      }
      for t in 0..<rounds { w[t] = w[t] &+ Word(repeating: constants[t]) }
    }
  }

  @inline(__always)
  static func compress<Word: HashWord>(
    _ state: UnsafeMutablePointer<Word>, _ w: UnsafePointer<Word>
  ) where Word.Lane == Lane {
    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]
    var f = state[5]
    var g = state[6]
    var h = state[7]

    for t in 0..<rounds {
      let choice = g ^ (e & (f ^ g))
      let majority = (a & b) | (c & (a | b))
      let t1 = h &+ w[t] &+ choice &+ bigSigma(e, bigSigma1)
      let t2 = bigSigma(a, bigSigma0) &+ majority
      h = g
      g = f
      f = e
      e = d &+ t1
      d = c
      c = b
      b = a
      a = t1 &+ t2
    }

    state[0] = state[0] &+ a
    state[1] = state[1] &+ b
    state[2] = state[2] &+ c
    state[3] = state[3] &+ d
    state[4] = state[4] &+ e
    state[5] = state[5] &+ f
    state[6] = state[6] &+ g
    state[7] = state[7] &+ h
  }
}
