import Testing

import BenchmarkReport

@Suite struct BenchmarkPathTests {
  struct Expectation {
    var subject: String
    var algorithm: String?
    var contestant: String?
    var window: String?
    var batch: Int?
    var threads: Int?
    var credentials: Int?
    var words: [String] = []
  }

  @Test(arguments: [
    (
      "verify/warm/sha1/w1+1/multibuffer/t1",
      Expectation(
        subject: "verify", algorithm: "sha1", contestant: "multibuffer", window: "1+1", threads: 1,
        words: ["warm"])
    ),
    (
      "verify/warm/sha256/w5+5/openssl/b4096/n1000/t2/manual_time",
      Expectation(
        subject: "verify", algorithm: "sha256", contestant: "openssl", window: "5+5", batch: 4096,
        threads: 2, credentials: 1000, words: ["warm"])
    ),
    (
      "verify/warm/sha1/w0/gcrypt/t1/alone",
      Expectation(
        subject: "verify", algorithm: "sha1", contestant: "gcrypt", window: "0", threads: 1,
        words: ["warm", "alone"])
    ),
    (
      "verify/concurrent/sha512/w1+1/swift/c256",
      Expectation(
        subject: "verify", algorithm: "sha512", contestant: "swift", window: "1+1",
        words: ["concurrent", "c256"])
    ),
    (
      "codes/sha512/different/ipsec-mb/avx2",
      Expectation(
        subject: "codes", algorithm: "sha512", contestant: "ipsec-mb/avx2", words: ["different"])
    ),
    (
      "prepare/sha1/swift",
      Expectation(subject: "prepare", algorithm: "sha1", contestant: "swift")
    ),
    (
      "table/sha1/swift/n100000",
      Expectation(subject: "table", algorithm: "sha1", contestant: "swift", credentials: 100_000)
    ),
    (
      "settle/sqlite/group1024/manual_time",
      Expectation(subject: "settle", contestant: "sqlite", words: ["group1024"])
    ),
    (
      "settle/sqlite/one/reference",
      Expectation(subject: "settle", contestant: "sqlite/reference", words: ["one"])
    ),
    (
      "base32/decode/otp/lenient",
      Expectation(subject: "base32", contestant: "otp/lenient", words: ["decode"])
    ),
    ("uri/parse", Expectation(subject: "uri", words: ["parse"])),
    // What looks like a parameter and is none.
    (
      "verify/sha1/w1+/t/b9999999999999999999999/x",
      Expectation(
        subject: "verify", algorithm: "sha1", contestant: "w1+/t/b9999999999999999999999/x")
    ),
    // The first of a kind counts.
    (
      "code/sha1/swift/t1/t2/sha256",
      Expectation(
        subject: "code", algorithm: "sha1", contestant: "swift", threads: 1,
        words: ["t2", "sha256"])
    ),
    ("something else", Expectation(subject: "something else")),
    ("", Expectation(subject: "")),
    ("//", Expectation(subject: "", words: ["", ""])),
  ])
  func namesAreRead(name: String, expected: Expectation) {
    let path = BenchmarkPath(name)
    #expect(path.name == name)
    #expect(path.subject == expected.subject)
    #expect(path.algorithm == expected.algorithm)
    #expect(path.contestant == expected.contestant)
    #expect(path.window == expected.window)
    #expect(path.batch == expected.batch)
    #expect(path.threads == expected.threads)
    #expect(path.credentials == expected.credentials)
    #expect(path.words == expected.words)
  }

  @Test func familiesDifferInWhatIsNotLeftOut() {
    let first = BenchmarkPath("verify/warm/sha1/w1+1/swift/b16/t1")
    let second = BenchmarkPath("verify/warm/sha256/w1+1/openssl/b256/t1")
    #expect(
      first.family(without: [.algorithm, .contestant, .batch])
        == second.family(without: [.algorithm, .contestant, .batch]))
    for axes: Set<BenchmarkPath.Axis> in [
      [.contestant, .batch], [.algorithm, .batch], [.algorithm, .contestant],
    ] {
      #expect(first.family(without: axes) != second.family(without: axes))
    }
  }
}
