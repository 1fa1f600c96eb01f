/// Commands in the form in which they are sent: arrays of strings of any bytes, each with its length before
/// it.
///
/// hiredis' own formatting allocates for each command; this buffer is filled again and again.
struct CommandBuffer {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Begins a command of as many arguments, its name being the first.
  mutating func beginCommand(arguments: Int) {
    bytes.append(UInt8(ascii: "*"))
    appendRaw(decimal: UInt64(arguments))
    endLine()
  }

  mutating func append(_ argument: [UInt8]) {
    beginArgument(length: argument.count)
    bytes.append(contentsOf: argument)
    endArgument()
  }

  /// Appends an argument that lies in two pieces.
  mutating func append(_ first: [UInt8], _ second: ArraySlice<UInt8>) {
    beginArgument(length: first.count + second.count)
    bytes.append(contentsOf: first)
    bytes.append(contentsOf: second)
    endArgument()
  }

  mutating func append(_ argument: StaticString) {
    argument.withUTF8Buffer { text in
      beginArgument(length: text.count)
      bytes.append(contentsOf: text)
      endArgument()
    }
  }

  /// Appends an argument of 20 digits.
  mutating func append(paddedDecimal value: UInt64) {
    beginArgument(length: 20)
    appendRaw(decimal: value, width: 20)
    endArgument()
  }

  // MARK: Arguments in pieces

  /// Begins an argument of `length` bytes, which are appended raw. ``endArgument()`` ends it.
  mutating func beginArgument(length: Int) {
    bytes.append(UInt8(ascii: "$"))
    appendRaw(decimal: UInt64(length))
    endLine()
  }

  mutating func endArgument() {
    endLine()
  }

  mutating func appendRaw(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func appendRaw(decimal value: UInt64) {
    appendRaw(decimal: value, width: decimalWidth(value))
  }

  /// Appends the last `width` digits, with zeros before a shorter number.
  mutating func appendRaw(decimal value: UInt64, width: Int) {
    let start = bytes.count
    bytes.append(contentsOf: Self.zeros[..<width])
    var rest = value
    var place = start + width
    while place > start, rest > 0 {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes[place] += UInt8(digit)
      rest = quotient
    }
  }

  private static let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 20)

  private mutating func endLine() {
    bytes.append(UInt8(ascii: "\r"))
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// The number of a number's decimal digits.
func decimalWidth(_ value: UInt64) -> Int {
  var width = 1
  var limit: UInt64 = 10
  while value >= limit {
    width += 1
    let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
    if overflow { break }
    limit = next
  }
  return width
}
