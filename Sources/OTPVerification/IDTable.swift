/// Values by credential ids. Each id has a number that stays while it is there: from 0 on, and those of removed
/// ids are used again.
///
/// It is a hash table with linear probing over records, and ids that lie one behind the other in blocks. In all it
/// takes 19 to 30 bytes an id beside its bytes and its value.
struct IDTable<Value: BitwiseCopyable>: ~Copyable {
  private var places: UnsafeMutablePointer<Place>
  private var mask: Int
  private var records = Blocks<Record>()
  private var ids = ByteBlocks()
  private var freeNumbers: [UInt32] = []

  private(set) var count = 0

  private struct Place: BitwiseCopyable {
    /// The low bits of the id's hash: its place in the table comes from them, at every size.
    var tag: UInt32 = 0
    /// The number plus one; 0 for an empty place.
    var number: UInt32 = 0
  }

  private struct Record: BitwiseCopyable {
    /// Where the id begins, above its length in the low byte.
    var location: UInt64
    var value: Value
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

  /// The value of the id with this number.
  subscript(number: Int) -> Value {
    @inline(__always) get { records[number].value }
    @inline(__always) set { records[number].value = newValue }
  }

  /// The number of an id.
  @inline(__always)
  func number(of id: UnsafeRawBufferPointer, hash: UInt) -> Int? {
    guard let place = findPlace(of: id, hash: hash) else { return nil }
    return Int(places[place].number) - 1
  }

  // The steps of a search, for many ids at once: the processor then waits for the memory of one step for all of them
  // together.

  /// The number of the first id whose hash has the same low bits, or -1.
  @inline(__always)
  func guess(hash: UInt) -> Int {
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 {
      if places[place].tag == tag { return Int(places[place].number) - 1 }
      place = (place &+ 1) & mask
    }
    return -1
  }

  /// Where the id with a guessed number is; 0 for -1.
  @inline(__always)
  func location(ofGuess guess: Int) -> UInt64 { guess < 0 ? 0 : records[guess].location }

  /// The first byte of the id at a location, or 0 for location 0: read early, its memory is there when it is compared.
  @inline(__always)
  func firstByte(atLocation location: UInt64) -> UInt8 {
    location == 0 ? 0 : ids.byte(location >> 8)
  }

  /// The number of an id.
  /// - Parameters:
  ///   - guess: what ``guess(hash:)`` gave for this hash, perhaps before others were inserted.
  ///   - location: what ``location(ofGuess:)`` gave for the guess.
  @inline(__always)
  func number(
    of id: UnsafeRawBufferPointer, hash: UInt, guess: Int, location: UInt64
  ) -> Int? {
    guess >= 0 && matches(location, id) ? guess : number(of: id, hash: hash)
  }

  /// Whether this id is at a location.
  @inline(__always)
  private func matches(_ location: UInt64, _ id: UnsafeRawBufferPointer) -> Bool {
    location & 0xFF == id.count && ids.equal(location >> 8, id)
  }

  /// Gives an id that has no value one.
  /// - Returns: its number.
  @discardableResult
  mutating func insert(_ id: UnsafeRawBufferPointer, hash: UInt, _ value: Value) -> Int {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    let number: Int
    let record = Record(location: ids.append(id) << 8 | UInt64(id.count), value: value)
    if let free = freeNumbers.popLast() {
      number = Int(free)
      records[number] = record
    } else {
      number = records.count
      records.append(record)
    }
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 { place = (place &+ 1) & mask }
    places[place] = Place(tag: tag, number: UInt32(number + 1))
    count += 1
    return number
  }

  /// Takes an id and its value out.
  mutating func remove(_ id: UnsafeRawBufferPointer, hash: UInt) {
    guard let found = findPlace(of: id, hash: hash) else { return }
    let number = places[found].number - 1
    ids.free(records[Int(number)].location >> 8, count: id.count)
    freeNumbers.append(number)
    count -= 1
    // What was pushed over the hole moves back, so that no search ends too early.
    var hole = found
    var place = found
    while true {
      place = (place &+ 1) & mask
      if places[place].number == 0 { break }
      let home = Int(places[place].tag) & mask
      if (place - home) & mask >= (place - hole) & mask {
        places[hole] = places[place]
        hole = place
      }
    }
    places[hole] = Place()
  }

  // Inlined, since a call would get a copy of each part of the table.
  @inline(__always)
  private func findPlace(of id: UnsafeRawBufferPointer, hash: UInt) -> Int? {
    let tag = UInt32(truncatingIfNeeded: hash)
    var place = Int(tag) & mask
    while places[place].number != 0 {
      if places[place].tag == tag, matches(records[Int(places[place].number) - 1].location, id) {
        return place
      }
      place = (place &+ 1) & mask
    }
    return nil
  }

  private mutating func grow() {
    let old = UnsafeMutableBufferPointer(start: places, count: mask + 1)
    mask = 2 * mask + 1
    places = Self.emptyPlaces(mask + 1)
    for entry in old where entry.number != 0 {
      var place = Int(entry.tag) & mask
      while places[place].number != 0 { place = (place &+ 1) & mask }
      places[place] = entry
    }
    old.deallocate()
  }
}

/// Short texts of bytes in blocks, none of which crosses a border.
private struct ByteBlocks: ~Copyable {
  private var blocks = BlockList<UInt8>()
  private var end = 0
  /// Where texts of each length were freed.
  private var free: [Int: [UInt64]] = [:]

  /// - Returns: where the copy of `bytes` begins.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let start: Int
    if let freed = free[bytes.count]?.popLast() {
      start = Int(freed)
    } else {
      if end + bytes.count > blocks.capacity {
        end = blocks.capacity
        blocks.add()
      }
      start = end
      end += bytes.count
    }
    if let source = bytes.baseAddress {
      UnsafeMutableRawPointer(blocks.address(of: start))
        .copyMemory(from: source, byteCount: bytes.count)
    }
    return UInt64(start)
  }

  mutating func free(_ start: UInt64, count: Int) {
    free[count, default: []].append(start)
  }

  @inline(__always)
  func byte(_ start: UInt64) -> UInt8 {
    blocks.address(of: Int(truncatingIfNeeded: start)).pointee
  }

  @inline(__always)
  func equal(_ start: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let other = bytes.baseAddress else { return true }
    let own = UnsafeRawPointer(blocks.address(of: Int(truncatingIfNeeded: start)))

    @inline(__always)
    func difference<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Word
    {
      own.loadUnaligned(fromByteOffset: offset, as: Word.self)
        ^ other.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }

    // The last word may overlap the one before it.
    let count = bytes.count
    var offset = 0
    if count >= 8 {
      while offset &+ 8 < count {
        if difference(offset, UInt64.self) != 0 { return false }
        offset &+= 8
      }
      return difference(count &- 8, UInt64.self) == 0
    }
    if count >= 4 {
      return difference(0, UInt32.self) | difference(count &- 4, UInt32.self) == 0
    }
    while offset < count {
      if difference(offset, UInt8.self) != 0 { return false }
      offset &+= 1
    }
    return true
  }
}
