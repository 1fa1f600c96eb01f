#if os(Linux)
  import Foundation
  import OTP
  import Testing

  /// After the last use of a key, no copy of it is left anywhere in the process's memory.
  @Suite struct WipingTests {
    @Test func noCopyOfAKeyIsLeft() async {
      await #expect(processExitsWith: .success) {
        try withWipedScratch(of: UInt8.self, count: MaskedKey.length) { plain in
          let key = MaskedKey()
          key.unmask(into: plain)
          // Many, so that the allocator cannot overwrite all of them by chance afterwards.
          var secrets = try (0..<200).map { _ in
            try Secret(bytes: Span(_unsafeStart: plain, count: MaskedKey.length))
          }
          wipe(UnsafeMutableRawBufferPointer(start: plain, count: MaskedKey.length))

          // The scan finds what is there.
          guard MemoryScan.finds(key) else { exit(10) }

          for tested in allBackends {
            for secret in secrets { try use(secret, tested.backend) }
          }
          secrets = []
          if MemoryScan.finds(key) { exit(11) }
        }
      }
    }
  }

  /// Computes codes in all ways that a backend has.
  private func use(_ secret: Secret, _ backend: some HMACBackend) throws {
    for algorithm in HashAlgorithm.allCases {
      _ = try HOTP(algorithm: algorithm).code(for: secret, counter: 1, using: backend)
      let keyring = try backend.makeKeyring([secret, secret], algorithm: algorithm)
      _ = try keyring.truncatedValues(keys: [0, 1, 0], counters: [1, 2, 3])
    }
  }

  /// A random key that the test itself holds only in a masked form.
  private struct MaskedKey {
    static let length = 64
    private let masked: [UInt8]
    private let mask = UInt8.random(in: 1 ... .max)

    init() {
      masked = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max) }
    }

    func unmask(into plain: UnsafeMutablePointer<UInt8>) {
      for index in masked.indices { plain[index] = masked[index] ^ mask }
    }

    static let patternLength = 16

    /// A quarter of the key as it may lie in memory: plain, xored with ipad or opad, in the byte order of
    /// the text or of 32- or 64-bit words.
    func write(pattern: Int, into plain: UnsafeMutablePointer<UInt8>) {
      let pad = [0, 0x36, 0x5C][pattern % 3] as UInt8
      let order = [0, 3, 7][pattern / 3 % 3]
      let start = pattern / 9 * Self.patternLength
      for index in 0..<Self.patternLength {
        plain[index] = masked[start + (index ^ order)] ^ mask ^ pad
      }
    }

    static let patternCount = 9 * length / patternLength
  }

  private enum MemoryScan {
    /// Whether a part of the key lies anywhere in this process's writable memory.
    static func finds(_ key: MaskedKey) -> Bool {
      let chunk = 1 << 20
      return withWipedScratch(of: UInt8.self, count: chunk + MaskedKey.patternLength) { buffer in
        let needle = buffer + chunk
        for pattern in 0..<MaskedKey.patternCount {
          key.write(pattern: pattern, into: needle)
          // The scan's own memory does not count.
          let own = UInt(bitPattern: buffer)..<UInt(bitPattern: needle + MaskedKey.patternLength)
          for region in writableRegions() {
            var address = region.lowerBound
            while address < region.upperBound {
              let wanted = min(chunk, Int(region.upperBound - address))
              let got = pread(memory, buffer, wanted, off_t(address))
              guard got > 0 else { break }
              var start = 0
              while let hit = firstIndex(of: needle, in: buffer, start..<got) {
                if !own.contains(address + UInt(hit)) { return true }
                start = hit + 1
              }
              // Chunks overlap, so that nothing hides across their border.
              address += UInt(
                got > MaskedKey.patternLength && got == chunk ? got - MaskedKey.patternLength : got)
            }
          }
        }
        return false
      }
    }

    private static func firstIndex(
      of needle: UnsafePointer<UInt8>, in buffer: UnsafePointer<UInt8>, _ range: Range<Int>
    ) -> Int? {
      let last = range.upperBound - MaskedKey.patternLength
      var start = range.lowerBound
      while start <= last, let hit = memchr(buffer + start, Int32(needle[0]), last - start + 1) {
        start = UnsafeRawPointer(hit) - UnsafeRawPointer(buffer)
        if memcmp(buffer + start, needle, MaskedKey.patternLength) == 0 { return start }
        start += 1
      }
      return nil
    }

    private static let memory = open("/proc/self/mem", O_RDONLY)

    /// The kernel hands out such a file a page at a time, and Foundation stops after the first.
    private static func contents(of path: String) -> [UInt8] {
      let file = open(path, O_RDONLY)
      defer { close(file) }
      var contents: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let got = read(file, &buffer, buffer.count), got > 0 {
        contents += buffer.prefix(got)
      }
      return contents
    }

    private static func writableRegions() -> [Range<UInt>] {
      return String(decoding: contents(of: "/proc/self/maps"), as: UTF8.self).split(
        separator: "\n"
      ).compactMap { line in
        let fields = line.split(separator: " ")
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        // A sanitizer's shadow is terabytes of reserved addresses.
        guard fields[1].hasPrefix("rw"), ends[1] - ends[0] < 1 << 30 else { return nil }
        return ends[0]..<ends[1]
      }
    }
  }
#endif
