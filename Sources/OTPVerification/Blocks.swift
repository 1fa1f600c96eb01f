/// An array in blocks of equal length: it grows without copying and with little to spare.
struct Blocks<Element: BitwiseCopyable>: ~Copyable {
  private var blocks = BlockList<Element>()
  private(set) var count = 0

  mutating func append(_ element: Element) {
    if count == blocks.capacity { blocks.add() }
    count += 1
    self[count - 1] = element
  }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return blocks.address(of: index).pointee
    }
    @inline(__always) nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      blocks.address(of: index).pointee = newValue
    }
  }
}

/// Blocks of memory that never move.
struct BlockList<Element: BitwiseCopyable>: ~Copyable {
  // Plain pointers: an array would count references and check its bounds at every access.
  private var blocks: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  private var count = 0
  private var room = 4

  /// Elements in a block are 1 << `bits`.
  static var bits: Int { 12 }

  init() {
    blocks = .allocate(capacity: room)
  }

  deinit {
    for block in 0..<count { blocks[block].deallocate() }
    blocks.deallocate()
  }

  /// Elements that there is room for.
  var capacity: Int { count << Self.bits }

  /// Adds a block, which is not initialized.
  mutating func add() {
    if count == room {
      let more = UnsafeMutablePointer<UnsafeMutablePointer<Element>>.allocate(capacity: 2 * room)
      more.moveInitialize(from: blocks, count: count)
      blocks.deallocate()
      blocks = more
      room *= 2
    }
    (blocks + count).initialize(to: .allocate(capacity: 1 << Self.bits))
    count += 1
  }

  /// The address of an element below ``capacity``.
  @inline(__always)
  func address(of index: Int) -> UnsafeMutablePointer<Element> {
    blocks[index &>> Self.bits] + (index & (1 << Self.bits - 1))
  }
}
