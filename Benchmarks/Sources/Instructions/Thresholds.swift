import Foundation

/// What benchmarks cost when it was last recorded, and the conditions under which that holds: a text file that is
/// made to be read, and whose differences are made to be reviewed.
///
/// ```
/// # Comments begin so.
/// compiler = clang 21.0.0
///
/// #  instructions  allocations     items  benchmark
/// #      per item      in all
///         1234.56            3      1024  code/sha1/swift
/// ```
package struct Thresholds: Equatable {
  /// Such as the compiler, in the order of the file.
  package var conditions: [Condition]

  package var counts: [String: Recorded]

  package struct Condition: Equatable, Sendable {
    package let name: String
    package let value: String
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A ``Count`` as it is in the file.
  package struct Recorded: Equatable {
    /// Hundredths of an instruction, rounded.
    package let hundredthsPerItem: Int
    package let allocations: Int
    package let items: Int

    package init(_ count: Count) {
      hundredthsPerItem = Int((count.instructionsPerItem * 100).rounded())
      allocations = count.allocations
      items = count.items
    }

    init(hundredthsPerItem: Int, allocations: Int, items: Int) {
      self.hundredthsPerItem = hundredthsPerItem
      self.allocations = allocations
      self.items = items
    }

    package var instructionsPerItem: Double { Double(hundredthsPerItem) / 100 }
  }

  package init(conditions: [Condition], counts: [String: Recorded] = [:]) {
    self.conditions = conditions
    self.counts = counts
  }

  private static let header = """
    # What one call of each benchmark costs, as callgrind counts it: instructions per item, and calls of the C
    # allocator in all. 'otp-bench instructions record' writes this file. It holds for these alone:
    """

  private static let columns = """
    # instructions  allocations    items  benchmark
    #     per item       in all
    """

  /// The file's text. Columns have a fixed width and lines are sorted, so that a change of one benchmark changes
  /// one line.
  package var text: String {
    let conditions = conditions.map { "\($0.name) = \($0.value)" }
    let lines = counts.sorted { $0.key < $1.key }.map { name, count in
      [
        Self.right(decimal(count.instructionsPerItem), 14), Self.right("\(count.allocations)", 11),
        Self.right("\(count.items)", 7), name,
      ].joined(separator: "  ")
    }
    return ([Self.header] + conditions + ["", Self.columns] + lines).joined(separator: "\n") + "\n"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  /// Reads a file's text.
  /// - Parameter file: its name, for errors.
  /// - Throws: ``InstructionsFault`` with the line's number for a line that is none of the format, and for a benchmark
  ///   that is there twice.
  package init(_ text: String, file: String) throws {
    conditions = []
    counts = [:]
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      func fault(_ what: String) -> InstructionsFault {
        InstructionsFault("\(file):\(index + 1): \(what)")
      }
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      if let equals = trimmed.range(of: " = ") {
        conditions.append(
          Condition(String(trimmed[..<equals.lowerBound]), String(trimmed[equals.upperBound...])))
        continue
      }
      let words = trimmed.split(separator: " ")
      guard words.count == 4 else {
        throw fault("it has \(words.count) words; a benchmark's line has four")
      }
      guard let hundredths = Self.hundredths(words[0]), hundredths > 0,
        let allocations = Self.whole(words[1]), let items = Self.whole(words[2]), items > 0
      else { throw fault("it does not begin with instructions, allocations and items") }
      let name = String(words[3])
      let recorded = Recorded(
        hundredthsPerItem: hundredths, allocations: allocations, items: items)
      guard counts.updateValue(recorded, forKey: name) == nil else {
        throw fault("\(name) is there twice")
      }
    }
    guard !conditions.isEmpty else {
      throw InstructionsFault("\(file): it does not say what it holds for")
    }
  }

  private static func whole(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int(text) : nil
  }

  /// A number with exactly two decimals.
  private static func hundredths(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 2, let whole = whole(parts[0]),
      let rest = Self.whole(parts[1])
    else { return nil }
    let (hundreds, overflow) = whole.multipliedReportingOverflow(by: 100)
    return overflow ? nil : hundreds.addingReportingOverflow(rest).partialValue
  }
}
