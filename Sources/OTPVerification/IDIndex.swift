/// Gives each of many credential ids a number, from 0 on without gaps; numbers of removed ids are used again.
///
/// It is a hash table with linear probing. The ids lie one behind the other in blocks. In all it takes 19 to
/// 30 bytes an id beside its bytes.
struct IDIndex: ~Copyable {
  private var places: UnsafeMutablePointer<Place>
  private var mask: Int

  /// Where the id of each number begins, above its length in the low byte.
  private var locations = Blocks<UInt64>()
  private var ids = ByteBlocks()
  private var freeNumbers: [UInt32] = []

  private(set) var count = 0

  private struct Place {
    /// The low bits of the id's hash: its place in the table comes from them, at every size.
    var tag: UInt32 = 0
    /// The number plus one; 0 for an empty place.
    var number: UInt32 = 0
  }

  init() {
    mask = 15
    places = Self.emptyPlaces(16)
  }

  deinit {
    places.deallocate()
  }

  private static func emptyPlaces(_ count: Int) -> UnsafeMutablePointer<Place> {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
    places.initialize(repeating: Place(), count: count)
    return places
  }

  /// The number of an id.
  func number(of id: CredentialID) -> Int? {
    id.bytes.withUnsafeBytes { number(of: $0, hash: id.hash) }
  }

  func number(of id: UnsafeRawBufferPointer, hash: UInt) -> Int? {
    guard let place = findPlace(of: id, hash: hash) else { return nil }
    return Int(places[place].number) - 1
  }

  /// The number of the first id whose hash has the same low bits, or -1. With ``matches(_:_:)`` it finds many ids
  /// at once: the processor fetches what one step needs for all of them side by side.
  @inline(__always)
  func guess(hash: UInt) -> Int {
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 {
      if places[place].tag == tag { return Int(places[place].number) - 1 }
      place = (place + 1) & mask
    }
    return -1
  }

  /// Whether a number is this id's.
  @inline(__always)
  func matches(_ number: Int, _ id: UnsafeRawBufferPointer) -> Bool {
    let location = locations[number]
    return location & 0xFF == id.count && ids.equal(location >> 8, id)
  }

  /// Gives an id that has none a number.
  mutating func insert(_ id: CredentialID) -> Int {
    id.bytes.withUnsafeBytes { insert($0, hash: id.hash) }
  }

  mutating func insert(_ id: UnsafeRawBufferPointer, hash: UInt) -> Int {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    let number: Int
    let location = ids.append(id) << 8 | UInt64(id.count)
    if let free = freeNumbers.popLast() {
      number = Int(free)
      locations[number] = location
    } else {
      number = locations.count
      locations.append(location)
    }
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 { place = (place + 1) & mask }
    places[place] = Place(tag: tag, number: UInt32(number + 1))
    count += 1
    return number
  }

  /// Takes an id's number back.
  mutating func remove(_ id: CredentialID) -> Int? {
    guard
      let found = id.bytes.withUnsafeBytes({ bytes in findPlace(of: bytes, hash: id.hash) })
    else { return nil }
    let number = Int(places[found].number - 1)
    ids.free(locations[number] >> 8, count: id.bytes.count)
    freeNumbers.append(UInt32(number))
    count -= 1
    // What was pushed over the hole moves back, so that no search ends too early.
    var hole = found
    var place = found
    while true {
      place = (place + 1) & mask
      if places[place].number == 0 { break }
      let home = Int(places[place].tag) & mask
      if (place - home) & mask >= (place - hole) & mask {
        places[hole] = places[place]
        hole = place
      }
    }
    places[hole] = Place()
    return number
  }

  private func findPlace(of id: UnsafeRawBufferPointer, hash: UInt) -> Int? {
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 {
      if places[place].tag == tag, matches(Int(places[place].number) - 1, id) { return place }
      place = (place + 1) & mask
    }
    return nil
  }

  private mutating func grow() {
    let old = UnsafeMutableBufferPointer(start: places, count: mask + 1)
    mask = 2 * mask + 1
    places = Self.emptyPlaces(mask + 1)
    for entry in old where entry.number != 0 {
      var place = Int(entry.tag) & mask
      while places[place].number != 0 { place = (place + 1) & mask }
      places[place] = entry
    }
    old.deallocate()
  }
}

/// Short texts of bytes in blocks, none of which crosses a border.
private struct ByteBlocks: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var end = 0
  /// Where texts of each length were freed.
  private var free: [Int: [UInt64]] = [:]

  private static var bits: Int { 14 }
  private static var blockBytes: Int { 1 << bits }

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// - Returns: where the copy of `bytes` begins.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let start: Int
    if let freed = free[bytes.count]?.popLast() {
      start = Int(freed)
    } else {
      if end + bytes.count > blocks.count * Self.blockBytes {
        end = blocks.count * Self.blockBytes
        blocks.append(.allocate(byteCount: Self.blockBytes, alignment: 1))
      }
      start = end
      end += bytes.count
    }
    if let source = bytes.baseAddress {
      address(of: start).copyMemory(from: source, byteCount: bytes.count)
    }
    return UInt64(start)
  }

  mutating func free(_ start: UInt64, count: Int) {
    free[count, default: []].append(start)
  }

  func equal(_ start: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let own = UnsafeRawBufferPointer(start: address(of: Int(start)), count: bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      let words = (
        own.loadUnaligned(fromByteOffset: index, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      if words.0 != words.1 { return false }
      index += 8
    }
    while index < bytes.count {
      if own[index] != bytes[index] { return false }
      index += 1
    }
    return true
  }

  private func address(of start: Int) -> UnsafeMutableRawPointer {
    blocks[start >> Self.bits] + (start & (Self.blockBytes - 1))
  }
}
