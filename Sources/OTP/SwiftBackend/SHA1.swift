/// SHA-1 (FIPS 180-4 section 6.1).
enum SHA1: HashFunction {
  typealias Lane = UInt32
  typealias Vector = SIMD8<UInt32>

  static var algorithm: HashAlgorithm { .sha1 }
  static var stateWords: Int { 5 }
  static var digestWords: Int { 5 }
  static var rounds: Int { 80 }

  static func writeInitialState(_ state: UnsafeMutablePointer<UInt32>) {
    state[0] = 0x6745_2301
    state[1] = 0xEFCD_AB89
    state[2] = 0x98BA_DCFE
    state[3] = 0x1032_5476
    state[4] = 0xC3D2_E1F0
  }

  @inline(__always)
  static func expand<Word: HashWord>(_ w: UnsafeMutablePointer<Word>) where Word.Lane == UInt32 {
    for t in 16..<80 {
      w[t] = (w[t &- 3] ^ w[t &- 8] ^ w[t &- 14] ^ w[t &- 16]).rotatedLeft(by: 1)
    }
    for t in 0..<20 { w[t] = w[t] &+ Word(repeating: 0x5A82_7999) }
    for t in 20..<40 { w[t] = w[t] &+ Word(repeating: 0x6ED9_EBA1) }
    for t in 40..<60 { w[t] = w[t] &+ Word(repeating: 0x8F1B_BCDC) }
    for t in 60..<80 { w[t] = w[t] &+ Word(repeating: 0xCA62_C1D6) }
  }

  @inline(__always)
  static func compress<Word: HashWord>(
    _ state: UnsafeMutablePointer<Word>, _ w: UnsafePointer<Word>
  ) where Word.Lane == UInt32 {
    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]

    @inline(__always)
    func round(_ f: Word, _ w: Word) {
      let sum = a.rotatedLeft(by: 5) &+ f &+ (e &+ w)
      e = d
      d = c
      c = b.rotatedLeft(by: 30)
      b = a
      a = sum
    }

    for t in 0..<20 { round(d ^ (b & (c ^ d)), w[t]) }
    for t in 20..<40 { round(b ^ c ^ d, w[t]) }
    for t in 40..<60 { round((b & c) | (d & (b | c)), w[t]) }
    for t in 60..<80 { round(b ^ c ^ d, w[t]) }

    state[0] = state[0] &+ a
    state[1] = state[1] &+ b
    state[2] = state[2] &+ c
    state[3] = state[3] &+ d
    state[4] = state[4] &+ e
  }
}
