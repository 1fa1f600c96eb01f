#if os(Linux)
  import Foundation
  import OTP
  import OTPMultiBuffer
  import Testing

  /// After the last use of a key, nothing that would do in its place is left in the process's memory.
  @Suite struct WipingTests {
    /// The key itself, plain or combined with ipad or opad.
    @Test func noCopyOfAKeyIsLeft() async {
      await #expect(processExitsWith: .success) {
        // Once with another key, so that all symbols are bound: the resolver saves registers on the stack.
        try useAll([Secret(bytes: [UInt8](repeating: 7, count: 64))])
        let length = 64
        try withWipedScratch(of: UInt8.self, count: length) { plain in
          for index in 0..<length { plain[index] = .random(in: .min ... .max) }
          let patterns = MaskedPatterns(ofKey: UnsafeBufferPointer(start: plain, count: length))
          // Many, so that the allocator cannot overwrite all of them by chance afterwards.
          var secrets = try (0..<200).map { _ in
            try Secret(bytes: Span(_unsafeStart: plain, count: length))
          }
          wipe(UnsafeMutableRawBufferPointer(start: plain, count: length))
          // The scan finds what is there.
          guard MemoryScan.finds(patterns) else { exit(10) }
          try useAll(secrets)
          secrets = []
          if MemoryScan.finds(patterns) { exit(11) }
        }
      }
    }

    /// The states that a pure Swift keyring holds, in its own memory and in the lanes of the kernels.
    @Test func noStateOfAKeyringIsLeft() async {
      await #expect(processExitsWith: .success) {
        for algorithm in HashAlgorithm.allCases {
          var generator = SystemRandomNumberGenerator()
          let secret = Secret(generatedFor: algorithm, using: &generator)
          var keyrings = (0..<50).map { _ in
            SwiftBackend().makeKeyring([secret, secret, secret], algorithm: algorithm)
          }
          var patterns: MaskedPatterns?
          keyrings[0].states.withChunks { chunks in
            patterns = MaskedPatterns(
              ofStates: UnsafeRawBufferPointer(
                start: chunks[0], count: 3 * algorithm.absorbedKeyBytes),
              wordBytes: algorithm == .sha512 ? 8 : 4, keys: 3)
          }
          guard let patterns, MemoryScan.finds(patterns) else { exit(20) }
          let keys = (0..<37).map { $0 % 3 }
          for keyring in keyrings {
            _ = try keyring.truncatedValues(keys: keys, counters: keys.map { UInt64($0) })
            _ = try keyring.truncatedValues(keys: keys, counters: keys.map { _ in 5 })
          }
          keyrings = []
          if MemoryScan.finds(patterns) { exit(21) }
        }
      }
    }

    /// The same for each kernel.
    @Test func noStateOfAKernelIsLeft() async {
      await #expect(processExitsWith: .success) {
        for name in MultiBufferBackend.kernelNames {
          let backend = try MultiBufferBackend(.named(name))
          for algorithm in HashAlgorithm.allCases {
            // Once with another key, so that all symbols are bound: the resolver saves registers on the stack.
            let other = backend.makeKeyring([try Secret(bytes: [7])], algorithm: algorithm)
            for keys in [[0], [Int](repeating: 0, count: 37)] {
              _ = try other.truncatedValues(keys: keys, counters: keys.map { UInt64($0) })
            }
            var generator = SystemRandomNumberGenerator()
            let secret = Secret(generatedFor: algorithm, using: &generator)
            var patterns: MaskedPatterns?
            SwiftBackend().makeKeyring([secret], algorithm: algorithm).states.withChunks { chunks in
              patterns = MaskedPatterns(
                ofStates: UnsafeRawBufferPointer(
                  start: chunks[0], count: algorithm.absorbedKeyBytes),
                wordBytes: algorithm == .sha512 ? 8 : 4, keys: 1)
            }
            var keyrings = (0..<50).map { _ in
              backend.makeKeyring([secret, secret, secret], algorithm: algorithm)
            }
            guard let patterns, MemoryScan.finds(patterns) else { exit(30) }
            for count in [37, 1, 3] {
              let keys = (0..<count).map { $0 % 3 }
              for keyring in keyrings {
                _ = try keyring.truncatedValues(keys: keys, counters: keys.map { UInt64($0) })
                _ = try keyring.truncatedValues(keys: keys, counters: keys.map { _ in 5 })
              }
            }
            keyrings = []
            if MemoryScan.finds(patterns) { exit(31) }
          }
        }
      }
    }
  }

  /// Computes codes in all ways that all backends have.
  private func useAll(_ secrets: [Secret]) throws {
    for tested in allBackends { try use(secrets, tested.backend) }
  }

  private func use(_ secrets: [Secret], _ backend: some HMACBackend) throws {
    for algorithm in HashAlgorithm.allCases {
      let keyring = try backend.makeKeyring(secrets, algorithm: algorithm)
      let keys = Array(secrets.indices)
      _ = try keyring.truncatedValues(keys: keys, counters: keys.map { UInt64($0) })
      for secret in secrets.prefix(3) {
        _ = try HOTP(algorithm: algorithm).code(for: secret, counter: 1, using: backend)
      }
    }
  }

  /// Pieces of secrets that the test itself holds only in a masked form.
  private struct MaskedPatterns {
    static let length = 16
    private var masked: [[UInt8]] = []
    /// With the top bit set, so that it is neither a pad nor the difference of two: what is masked would be a
    /// pattern itself.
    private let mask = UInt8.random(in: 0x80 ... .max)

    /// Each quarter of a key as it may lie in memory: plain, xored with ipad or opad, in the byte order of
    /// the text or of 32- or 64-bit words.
    init(ofKey key: UnsafeBufferPointer<UInt8>) {
      for start in stride(from: 0, to: key.count, by: Self.length) {
        for order in [0, 3, 7] {
          for pad in [0, 0x36, 0x5C] as [UInt8] {
            masked.append((0..<Self.length).map { key[start + ($0 ^ order)] ^ pad ^ mask })
          }
        }
      }
    }

    /// The states of one of several equal keys: as they are stored, and each word as it lies in all lanes of a
    /// vector.
    init(ofStates states: UnsafeRawBufferPointer, wordBytes: Int, keys: Int) {
      let one = states.count / keys
      for start in stride(from: 0, through: one - Self.length, by: wordBytes) {
        masked.append((0..<Self.length).map { states[start + $0] ^ mask })
      }
      for word in stride(from: 0, to: one, by: wordBytes) {
        masked.append((0..<Self.length).map { states[word + $0 % wordBytes] ^ mask })
      }
    }

    var indices: Range<Int> { masked.indices }

    func unmask(_ index: Int, into plain: UnsafeMutablePointer<UInt8>) {
      for place in 0..<Self.length { plain[place] = masked[index][place] ^ mask }
    }
  }

  private enum MemoryScan {
    /// Whether one of the patterns lies anywhere in this process's writable memory.
    static func finds(_ patterns: MaskedPatterns) -> Bool {
      let chunk = 1 << 20
      return withWipedScratch(of: UInt8.self, count: chunk + MaskedPatterns.length) { buffer in
        let needle = buffer + chunk
        // The scan's own memory does not count.
        let own = UInt(bitPattern: buffer)..<UInt(bitPattern: needle + MaskedPatterns.length)
        for region in writableRegions() {
          var address = region.lowerBound
          while address < region.upperBound {
            let wanted = min(chunk, Int(region.upperBound - address))
            let got = pread(memory, buffer, wanted, off_t(address))
            guard got > 0 else { break }
            for pattern in patterns.indices {
              patterns.unmask(pattern, into: needle)
              var start = 0
              while let hit = firstIndex(of: needle, in: buffer, start..<got) {
                if !own.contains(address + UInt(hit)) { return true }
                start = hit + 1
              }
            }
            // Chunks overlap, so that nothing hides across their border.
            address += UInt(got == chunk ? got - MaskedPatterns.length : got)
          }
        }
        return false
      }
    }

    private static func firstIndex(
      of needle: UnsafePointer<UInt8>, in buffer: UnsafePointer<UInt8>, _ range: Range<Int>
    ) -> Int? {
      let last = range.upperBound - MaskedPatterns.length
      var start = range.lowerBound
      while start <= last, let hit = memchr(buffer + start, Int32(needle[0]), last - start + 1) {
        start = UnsafeRawPointer(hit) - UnsafeRawPointer(buffer)
        if memcmp(buffer + start, needle, MaskedPatterns.length) == 0 { return start }
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
