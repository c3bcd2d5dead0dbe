import Scheduling

/// Values by ``RowIdentity``, where many keys are neighbours: those of 16 are together in a page, and pages are found by open
/// addressing with linear probing. So values in the order of their keys cost fewer waits for memory.
///
/// Not copied: its owner calls ``deallocate()`` once. Complexity: O(1) expected for each call.
public struct KeyPages<Value: BitwiseCopyable> {
  /// The places of neighbouring keys; 16 bytes beside them.
  @usableFromInline
  struct Page {
    @usableFromInline typealias Places = UnsafeMutablePointer<Value?>

    @inlinable @inline(__always)
    static var size: Int { 16 }

    /// The first key, a multiple of 16, and in the bits below how many places are taken beside one.
    @usableFromInline var word: Int64
    /// A pointer has 48 bits; the number of a root entity, which the file has in 16, is above them.
    @usableFromInline var pointer: UInt

    /// The page where a key belongs, with one place taken and none filled yet.
    @inlinable @inline(__always)
    init(of identity: RowIdentity, places: Places) {
      word = identity.key & ~Int64(Page.size - 1)
      pointer = UInt(bitPattern: places) | UInt(UInt16(truncatingIfNeeded: identity.root)) << 48
    }

    /// A free position.
    @inlinable @inline(__always)
    init() {
      word = 0
      pointer = 0
    }

    @inlinable @inline(__always)
    var isFree: Bool { pointer == 0 }

    @inlinable @inline(__always)
    var first: Int64 { word & ~Int64(Page.size - 1) }

    @inlinable @inline(__always)
    var root: Int32 { Int32(truncatingIfNeeded: pointer >> 48) }

    /// How many places are taken: at least one.
    @inlinable @inline(__always)
    var count: Int { Int(word & Int64(Page.size - 1)) + 1 }

    /// - Precondition: the position is not free.
    @inlinable @inline(__always)
    var places: Places { Places(bitPattern: pointer & (1 << 48 - 1)).unsafelyUnwrapped }

    @inlinable @inline(__always)
    func hasPlace(of key: Int64, root: Int32) -> Bool {
      UInt64(bitPattern: word ^ key) < UInt64(Page.size) && self.root == root
    }

    @inlinable @inline(__always)
    static func place(of key: Int64) -> Int { Int(truncatingIfNeeded: key) & (Page.size - 1) }
  }

  @usableFromInline var pages: UnsafeMutablePointer<Page>
  @usableFromInline var capacity: Int
  @usableFromInline var pageCount = 0
  /// How many values there are.
  @usableFromInline package var count = 0

  /// Without values.
  @inlinable
  public init() { self.init(capacity: 16) }

  @inlinable
  init(capacity: Int) {
    Swift.precondition(capacity.nonzeroBitCount == 1, "a table's size is a power of two, from which its mask is made")
    self.capacity = capacity
    pages = .allocate(capacity: capacity)
    pages.initialize(repeating: Page(), count: capacity)
  }

  /// Gives the memory back; nothing may be asked afterwards.
  @inlinable
  public func deallocate() {
    for position in 0..<capacity where !pages[position].isFree { pages[position].places.deallocate() }
    pages.deallocate()
  }

  /// The value of an identity; nil where it has none.
  @inlinable @inline(__always)
  public subscript(identity: RowIdentity) -> Value? {
    let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
    return pages[position].isFree ? nil : pages[position].places[Page.place(of: identity.key)]
  }

  /// Puts a value there, in place of another one where there is one.
  @inlinable @inline(__always)
  public mutating func set(_ identity: RowIdentity, _ value: Value) { take(identity).pointee = value }

  /// The place of an identity, which counts as taken from now on and has to get a value.
  @inlinable @inline(__always)
  mutating func take(_ identity: RowIdentity) -> Page.Places {
    let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
    if pages[position].isFree { return addPage(identity) }
    let place = pages[position].places + Page.place(of: identity.key)
    if place.pointee == nil {
      pages[position].word += 1
      count += 1
    }
    return place
  }

  /// Removes the value of an identity if it meets `condition`.
  ///
  /// - Returns: the removed value.
  @inlinable @inline(__always) @discardableResult
  public mutating func remove(_ identity: RowIdentity, if condition: (Value) -> Bool = { _ in true }) -> Value? {
    let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
    guard !pages[position].isFree else { return nil }
    let place = Page.place(of: identity.key)
    guard let value = pages[position].places[place], condition(value) else { return nil }
    count -= 1
    if pages[position].count == 1 {
      removePage(at: position)
    } else {
      pages[position].places[place] = nil
      pages[position].word -= 1
    }
    return value
  }

  /// Makes room for so many more with neighbouring keys.
  @inlinable
  public mutating func reserve(_ additional: Int) {
    while (pageCount + additional / Page.size) * 4 > capacity * 3 { grow() }
  }

  /// Every value, by root and key.
  ///
  /// Complexity: O(*n* log *n*) for *n* sixteenths of the values.
  @inlinable
  func forEach(_ body: (Value) -> Void) {
    var filled: ContiguousArray<Page> = []
    filled.reserveCapacity(pageCount)
    for position in 0..<capacity where !pages[position].isFree { filled.append(pages[position]) }
    filled.sort { ($0.root, $0.first) < ($1.root, $1.first) }
    for page in filled {
      for place in 0..<Page.size {
        if let value = page.places[place] { body(value) }
      }
    }
  }

  // MARK: Pages

  @inlinable @inline(__always)
  func start(_ key: Int64, _ root: Int32) -> Int {
    let page = UInt64(bitPattern: key) / UInt64(Page.size)
    let mixed = (page ^ (UInt64(UInt32(bitPattern: root)) << 40)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20) & (capacity - 1)
  }

  /// Position of the key's page, or the free one where it belongs.
  @inlinable @inline(__always)
  func find(_ key: Int64, _ root: Int32) -> Int {
    var position = start(key, root)
    while !pages[position].isFree {
      if pages[position].hasPlace(of: key, root: root) { return position }
      position = (position + 1) & (capacity - 1)
    }
    return position
  }

  /// Makes the page of an identity, with its place taken.
  @inlinable @inline(never)
  mutating func addPage(_ identity: RowIdentity) -> Page.Places {
    if (pageCount + 1) * 4 > capacity * 3 { grow() }
    let places = Page.Places.allocate(capacity: Page.size)
    places.initialize(repeating: nil, count: Page.size)
    pages[find(identity.key, Int32(truncatingIfNeeded: identity.root))] = Page(of: identity, places: places)
    pageCount += 1
    count += 1
    return places + Page.place(of: identity.key)
  }

  @inlinable
  mutating func grow() {
    var larger = KeyPages(capacity: capacity * 2)
    (larger.count, larger.pageCount) = (count, pageCount)
    for position in 0..<capacity where !pages[position].isFree {
      larger.pages[larger.find(pages[position].first, pages[position].root)] = pages[position]
    }
    pages.deallocate()
    self = larger
  }

  @inlinable @inline(never)
  mutating func removePage(at position: Int) {
    pages[position].places.deallocate()
    var hole = position
    var next = (hole + 1) & (capacity - 1)
    while !pages[next].isFree {
      let home = start(pages[next].first, pages[next].root)
      if (next - home) & (capacity - 1) >= (next - hole) & (capacity - 1) {
        pages[hole] = pages[next]
        hole = next
      }
      next = (next + 1) & (capacity - 1)
    }
    pages[hole] = Page()
    pageCount -= 1
  }
}

extension KeyPages {
  /// Looks at every page and its places.
  ///
  /// Complexity: O(capacity).
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  package func verifyInvariants() throws {
    var count = 0
    var pageCount = 0
    for position in 0..<capacity where !pages[position].isFree {
      let page = pages[position]
      pageCount += 1
      count += page.count
      try BrokenInvariant.unless(
        find(page.first, page.root) == position, "the page from key \(page.first) on is where it is looked for")
      let taken = (0..<Page.size).count { page.places[$0] != nil }
      try BrokenInvariant.unless(
        taken == page.count, "the page from key \(page.first) on counts \(page.count) places, and \(taken) are taken")
    }
    try BrokenInvariant.unless(count == self.count, "\(self.count) values are counted, and \(count) are there")
    try BrokenInvariant.unless(
      pageCount == self.pageCount && pageCount * 4 <= capacity * 3, "a quarter of the positions is free")
  }
}
