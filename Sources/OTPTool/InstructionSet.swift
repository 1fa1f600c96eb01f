/// An instruction set in words: of OpenSSL's mask for x86-64 the features that its hashes make use of; all other
/// texts as they are.
func readableInstructionSet(_ text: String) -> String {
  // "CPUINFO: OPENSSL_ia32cap=0x...:0x..." and perhaps more (OPENSSL_ia32cap(3)).
  let start = "OPENSSL_ia32cap="
  guard let range = text.firstRange(of: start) else { return text }
  let words = text[range.upperBound...].prefix { $0 != " " }.split(separator: ":").map {
    UInt64($0.trimmingPrefix("0x"), radix: 16)
  }
  guard words.count >= 2, let first = words[0], let second = words[1] else { return text }
  // Bits of CPUID: leaf 1 (EDX, then ECX), and leaf 7 (EBX, then ECX).
  let features: [(name: String, word: UInt64, bit: UInt64)] = [
    ("ssse3", first, 41), ("avx", first, 60), ("avx2", second, 5), ("bmi1", second, 3),
    ("bmi2", second, 8), ("sha", second, 29),
  ]
  let present = features.filter { $0.word >> $0.bit & 1 == 1 }.map(\.name)
  let absent = features.filter { $0.word >> $0.bit & 1 == 0 }.map(\.name)
  return (present.isEmpty ? "none" : present.joined(separator: " "))
    + (absent.isEmpty ? "" : " (missing: \(absent.joined(separator: " ")))")
}
