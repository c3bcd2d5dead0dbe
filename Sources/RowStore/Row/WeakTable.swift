import Foundation
import CRuntime
import Scheduling

/// Objects by ``RowIdentity`` without keeping them alive: an identity map, or a cache that lasts as long as its users.
///
/// Each object takes itself out in its deinitialiser (``remove(_:ifItIs:)``), before its memory goes, so that an entry
/// found under the lock always points to memory; whether it still lives, `swift_tryRetain` tells.
///
/// Neighbouring keys lie together, in pages of 16; pages are found by open addressing with linear probing. So objects that
/// are asked for in the order of their keys cost fewer waits for memory.
///
/// Thread-safe. Complexity: O(1) expected for each call.
public final class WeakTable<Object: AnyObject>: Sendable {
  /// The objects of neighbouring keys; 16 bytes and their places.
  @usableFromInline
  struct Page {
    @usableFromInline typealias Places = UnsafeMutablePointer<UnsafeMutableRawPointer?>

    @inlinable @inline(__always)
    static var size: Int { 16 }

    /// The first key, a multiple of 16, and in the bits below how many places are taken beside one.
    @usableFromInline var word: Int64
    /// A pointer has 48 bits; the number of a root entity, which the file has in 16, is above them.
    @usableFromInline var pointer: UInt

    /// The page where a key belongs, with one place taken and none filled yet.
    @inlinable @inline(__always)
    init(of key: Int64, root: Int32, places: Places) {
      word = key & ~Int64(Page.size - 1)
      pointer = UInt(bitPattern: places) | UInt(UInt16(truncatingIfNeeded: root)) << 48
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

    /// How many objects it lists: at least one.
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

  /// What the lock guards; in ``edit(_:)`` many changes take it once.
  public struct Entries {
    @usableFromInline var pages: UnsafeMutablePointer<Page>
    @usableFromInline var capacity: Int
    @usableFromInline var pageCount = 0
    /// How many objects are listed.
    @usableFromInline var count = 0

    @inlinable
    init(capacity: Int) {
      Swift.precondition(capacity.nonzeroBitCount == 1, "a table's size is a power of two, from which its mask is made")
      self.capacity = capacity
      pages = .allocate(capacity: capacity)
      pages.initialize(repeating: Page(), count: capacity)
    }

    @inlinable
    func deallocate() {
      for position in 0..<capacity where !pages[position].isFree { pages[position].places.deallocate() }
      pages.deallocate()
    }

    /// Lists `object`, in place of another one where there is one.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object) {
      let place = take(identity.key, Int32(truncatingIfNeeded: identity.root))
      place.pointee = Unmanaged.passUnretained(object).toOpaque()
    }

    /// Lists `object`, in place of another one only if `isReplaced` says so of that one; whether it is listed now.
    ///
    /// - Parameter isReplaced: sees an object that may be about to go; must neither keep nor release it.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object, replacing isReplaced: (Object) -> Bool) -> Bool
    {
      let place = take(identity.key, Int32(truncatingIfNeeded: identity.root))
      if let old = place.pointee {
        guard Unmanaged<Object>.fromOpaque(old)._withUnsafeGuaranteedRef(isReplaced) else { return false }
      }
      place.pointee = Unmanaged.passUnretained(object).toOpaque()
      return true
    }

    /// The living object under that identity; its release is not to happen under the lock.
    @inlinable @inline(__always)
    public func object(_ identity: RowIdentity) -> Object? { WeakTable.retained(pointer(identity)) }

    /// What is listed under that identity; it may be about to go.
    @inlinable @inline(__always)
    func pointer(_ identity: RowIdentity) -> UnsafeMutableRawPointer? {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      return pages[position].isFree ? nil : pages[position].places[Page.place(of: identity.key)]
    }

    /// Takes out whatever is listed under that identity.
    @inlinable
    public mutating func remove(_ identity: RowIdentity) {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      guard !pages[position].isFree, pages[position].places[Page.place(of: identity.key)] != nil else { return }
      remove(Page.place(of: identity.key), ofPageAt: position)
    }

    /// Takes `object` out if it is still the one listed under that identity.
    @inlinable @inline(__always)
    public mutating func remove(_ identity: RowIdentity, ifItIs object: Object) {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      guard !pages[position].isFree,
        pages[position].places[Page.place(of: identity.key)] == Unmanaged.passUnretained(object).toOpaque()
      else { return }
      remove(Page.place(of: identity.key), ofPageAt: position)
    }

    /// Makes room for so many more with neighbouring keys.
    @inlinable
    public mutating func reserve(_ additional: Int) {
      while (pageCount + additional / Page.size) * 4 > capacity * 3 { grow() }
    }

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

    /// The place of a key, which counts as taken from now on.
    @inlinable @inline(__always)
    mutating func take(_ key: Int64, _ root: Int32) -> Page.Places {
      let position = find(key, root)
      if pages[position].isFree { return addPage(key, root) }
      let place = pages[position].places + Page.place(of: key)
      if place.pointee == nil {
        pages[position].word += 1
        count += 1
      }
      return place
    }

    /// Makes the page of a key, with its place taken.
    @inlinable @inline(never)
    mutating func addPage(_ key: Int64, _ root: Int32) -> Page.Places {
      if (pageCount + 1) * 4 > capacity * 3 { grow() }
      let places = Page.Places.allocate(capacity: Page.size)
      places.initialize(repeating: nil, count: Page.size)
      pages[find(key, root)] = Page(of: key, root: root, places: places)
      pageCount += 1
      count += 1
      return places + Page.place(of: key)
    }

    @inlinable
    mutating func grow() {
      var larger = Entries(capacity: capacity * 2)
      (larger.count, larger.pageCount) = (count, pageCount)
      for position in 0..<capacity where !pages[position].isFree {
        larger.pages[larger.find(pages[position].first, pages[position].root)] = pages[position]
      }
      pages.deallocate()
      self = larger
    }

    @inlinable @inline(__always)
    mutating func remove(_ place: Int, ofPageAt position: Int) {
      count -= 1
      if pages[position].count == 1 { return removePage(at: position) }
      pages[position].places[place] = nil
      pages[position].word -= 1
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

  @usableFromInline
  let storage: Locked<Entries>

  @inlinable @inline(__always)
  static func retained(_ pointer: UnsafeMutableRawPointer?) -> Object? {
    guard let pointer, let living = swift_tryRetain(pointer) else { return nil }
    return Unmanaged<Object>.fromOpaque(living).takeRetainedValue()
  }

  /// Makes an empty table.
  @inlinable
  public init() { storage = Locked(Entries(capacity: 16)) }

  deinit { storage.withLock { $0.deallocate() } }

  /// How many objects are listed.
  @inlinable
  public var count: Int { storage.withLock { $0.count } }

  /// The living object under that identity.
  @inlinable
  public func object(_ identity: RowIdentity) -> Object? {
    storage.withLock { $0.object(identity) }
  }

  /// The living objects under so many identities; nil where there is none.
  @inlinable
  public func objects(_ count: Int, _ identity: (Int) -> RowIdentity) -> ContiguousArray<Object?> {
    var found: ContiguousArray<Object?> = []
    found.reserveCapacity(count)
    storage.withLock { storage in
      for index in 0..<count { found.append(storage.count == 0 ? nil : storage.object(identity(index))) }
    }
    return found
  }

  /// Lists `object`, in place of another one where there is one.
  @inlinable
  public func set(_ identity: RowIdentity, _ object: Object) {
    storage.withLock { $0.set(identity, object) }
  }

  /// Many changes under one lock; `body` must call nothing that could release an `Object`.
  @inlinable
  public func edit<Result>(_ body: (inout Entries) throws -> Result) rethrows -> Result { try storage.withLock(body) }

  /// Lists `object` unless `keepsOld` prefers the living object that is there; the one that is listed then.
  ///
  /// - Parameter keepsOld: called under the lock; must call nothing that could release an `Object`.
  @inlinable
  public func set(_ identity: RowIdentity, _ object: Object, unless keepsOld: (Object) -> Bool) -> Object {
    let old: Object? = storage.withLock { storage in
      let old = storage.object(identity)
      if let old, keepsOld(old) { return old }
      storage.set(identity, object)
      // Returned even when replaced, so that its release happens outside the lock.
      return old
    }
    if let old, keepsOld(old) { return old }
    return object
  }

  /// Takes `object` out if it is still the one listed under that identity.
  @inlinable
  public func remove(_ identity: RowIdentity, ifItIs object: Object) {
    storage.withLock { $0.remove(identity, ifItIs: object) }
  }

  /// Takes out whatever is listed under that identity.
  @inlinable
  public func remove(_ identity: RowIdentity) {
    storage.withLock { $0.remove(identity) }
  }

  /// Takes out everything.
  @inlinable
  public func removeAll() {
    storage.withLock { storage in
      storage.deallocate()
      storage = Entries(capacity: 16)
    }
  }

  /// Every living object, in the order of ``Entries/living``.
  @inlinable
  public var objects: [Object] { storage.withLock { $0.living } }

  /// Takes out every object; those that live, in the order of ``Entries/living``.
  @inlinable
  public func takeAll() -> [Object] {
    storage.withLock { storage in
      let living = storage.living
      storage.deallocate()
      storage = Entries(capacity: 16)
      return living
    }
  }
}

extension WeakTable.Entries {
  /// Every living object, by root and key: as they were made, and lie in memory.
  ///
  /// Complexity: O(*n* log *n*) for *n* sixteenths of the objects.
  @inlinable
  var living: [Object] {
    var filled: ContiguousArray<WeakTable.Page> = []
    filled.reserveCapacity(pageCount)
    for position in 0..<capacity where !pages[position].isFree { filled.append(pages[position]) }
    filled.sort { ($0.root, $0.first) < ($1.root, $1.first) }
    var living: [Object] = []
    living.reserveCapacity(count)
    for page in filled {
      for place in 0..<WeakTable.Page.size {
        if let object = WeakTable.retained(page.places[place]) { living.append(object) }
      }
    }
    return living
  }
}
