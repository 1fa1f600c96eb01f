/// Commands in the form in which they are sent: arrays of strings of any bytes, each with its length before
/// it.
///
/// hiredis' own formatting allocates for each command; this buffer is filled again and again. The server waits
/// for its first bytes, so it writes to memory of its own, whose room is looked after once for each argument.
struct CommandBuffer: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity = 32_768
  private(set) var count = 0

  init() {
    memory = .allocate(capacity: capacity)
  }

  deinit {
    memory.deallocate()
  }

  /// Lends what is in it.
  func withBytes<R, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  mutating func removeAll() {
    count = 0
  }

  /// Begins a command of as many arguments, its name being the first.
  mutating func beginCommand(arguments: Int) {
    makeRoom(Self.lengthLimit)
    writeLength(arguments, after: UInt8(ascii: "*"))
  }

  mutating func append(_ argument: [UInt8]) {
    beginArgument(length: argument.count)
    argument.withUnsafeBytes { write($0) }
    endArgument()
  }

  /// Appends an argument that lies in two pieces.
  mutating func append(_ first: [UInt8], _ second: ArraySlice<UInt8>) {
    beginArgument(length: first.count + second.count)
    first.withUnsafeBytes { write($0) }
    second.withUnsafeBytes { write($0) }
    endArgument()
  }

  mutating func append(_ argument: StaticString) {
    argument.withUTF8Buffer { text in
      beginArgument(length: text.count)
      write(UnsafeRawBufferPointer(text))
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

  /// Begins an argument of `length` bytes, which are appended raw, no more of them and no fewer.
  /// ``endArgument()`` ends it.
  mutating func beginArgument(length: Int) {
    makeRoom(Self.lengthLimit + length + 2)
    writeLength(length, after: UInt8(ascii: "$"))
  }

  mutating func endArgument() {
    write(UInt8(ascii: "\r"))
    write(UInt8(ascii: "\n"))
  }

  mutating func appendRaw(_ byte: UInt8) {
    write(byte)
  }

  /// Appends the last `width` digits, with zeros before a shorter number.
  mutating func appendRaw(decimal value: UInt64, width: Int) {
    precondition(width <= capacity - count)
    var rest = value
    for place in stride(from: count + width - 1, through: count, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    count += width
  }

  // MARK: Memory

  /// Bytes of a length with the sign before it and the end of the line, at most.
  private static let lengthLimit = 1 + 20 + 2

  private mutating func makeRoom(_ more: Int) {
    if capacity - count >= more { return }
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
  }

  private mutating func writeLength(_ length: Int, after sign: UInt8) {
    write(sign)
    let length = UInt64(length)
    appendRaw(decimal: length, width: decimalWidth(length))
    endArgument()
  }

  private mutating func write(_ byte: UInt8) {
    precondition(count < capacity)
    memory[count] = byte
    count += 1
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= capacity - count)
    if let start = bytes.baseAddress {
      UnsafeMutableRawPointer(memory + count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
  }
}

/// The number of a number's decimal digits.
func decimalWidth(_ value: UInt64) -> Int {
  var width = 1
  var rest = value / 10
  while rest > 0 {
    width += 1
    rest /= 10
  }
  return width
}
