/// What callgrind counted, as its output file has it (the format is in valgrind's manual, "Callgrind Format
/// Specification"): written with `--compress-strings=no --compress-pos=no`.
package struct CallgrindProfile {
  /// Instructions in all.
  package private(set) var instructions = 0

  /// Calls from one function to another.
  package private(set) var calls: [Call: Cost] = [:]

  /// Instructions of each function without those of the functions that it calls.
  package private(set) var own: [String: Int] = [:]

  package struct Call: Hashable {
    package let caller: String
    package let callee: String

    package init(caller: String, callee: String) {
      self.caller = caller
      self.callee = callee
    }
  }

  package struct Cost: Equatable {
    package fileprivate(set) var count = 0
    /// With those of the functions that the called one calls.
    package fileprivate(set) var instructions = 0
  }

  /// - Throws: ``InstructionsFault`` for a text that is none of callgrind's, or is cut off.
  package init(_ text: String) throws {
    var function = ""
    var callee = ""
    var count: Int?
    var total: Int?
    for line in text.split(separator: "\n") {
      if let first = line.utf8.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") {
        // A position, and the cost there.
        let words = line.split(separator: " ")
        guard words.count == 2, let cost = Int(words[1]) else { throw Self.fault(line) }
        if let calls = count {
          self.calls[Call(caller: function, callee: callee), default: Cost()].count += calls
          self.calls[Call(caller: function, callee: callee), default: Cost()].instructions += cost
          count = nil
        } else {
          own[function, default: 0] += cost
          instructions += cost
        }
      } else if line.hasPrefix("fn=") {
        function = Self.name(line.dropFirst(3))
      } else if line.hasPrefix("cfn=") {
        callee = Self.name(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        count = line.dropFirst(6).split(separator: " ").first.flatMap { Int($0) }
        if count == nil { throw Self.fault(line) }
      } else if line.hasPrefix("totals: ") {
        total = Int(line.dropFirst(8))
      }
    }
    guard let total else { throw InstructionsFault("callgrind's output is cut off") }
    guard total == instructions else {
      throw InstructionsFault("callgrind's output has \(instructions) instructions of \(total)")
    }
  }

  /// Without the number that callgrind gives to the frames of a recursion.
  private static func name(_ text: Substring) -> String {
    guard let quote = text.lastIndex(of: "'") else { return String(text) }
    return String(text[..<quote])
  }

  private static func fault(_ line: Substring) -> InstructionsFault {
    InstructionsFault("callgrind's output has a line that is none of its format: \(line)")
  }
}
