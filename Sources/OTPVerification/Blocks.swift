/// An array in blocks of equal length: it grows without copying and with little to spare.
struct Blocks<Element: BitwiseCopyable>: ~Copyable {
  private var blocks: [UnsafeMutablePointer<Element>] = []
  private(set) var count = 0

  private static var bits: Int { 10 }

  deinit {
    for block in blocks { block.deallocate() }
  }

  mutating func append(_ element: Element) {
    if count & (1 << Self.bits - 1) == 0 { blocks.append(.allocate(capacity: 1 << Self.bits)) }
    count += 1
    self[count - 1] = element
  }

  subscript(index: Int) -> Element {
    get { address(of: index).pointee }
    nonmutating set { address(of: index).pointee = newValue }
  }

  private func address(of index: Int) -> UnsafeMutablePointer<Element> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return blocks[index >> Self.bits] + (index & (1 << Self.bits - 1))
  }
}
