import Foundation
import CRuntime
import Scheduling

/// Objects by ``RowIdentity`` without keeping them alive: an identity map, or a cache that lasts as long as its users.
///
/// Each object takes itself out in its deinitialiser (``remove(_:ifItIs:)``), before its memory goes, so that an entry
/// found under the lock always points to memory; whether it still lives, `swift_tryRetain` tells.
///
/// Open addressing with linear probing. Thread-safe. Complexity: O(1) expected for each call.
public final class WeakTable<Object: AnyObject>: Sendable {
  /// 16 bytes: a pointer has 48 bits, and the number of a root entity, which the file has in 16, is above them.
  @usableFromInline
  struct Entry {
    @usableFromInline var key: Int64
    @usableFromInline var word: UInt

    @inlinable @inline(__always)
    init(key: Int64, root: Int32, object: UnsafeMutableRawPointer) {
      self.key = key
      word = UInt(bitPattern: object) | UInt(UInt16(truncatingIfNeeded: root)) << 48
    }

    /// A free place.
    @inlinable @inline(__always)
    init() {
      key = 0
      word = 0
    }

    @inlinable @inline(__always)
    var root: Int32 { Int32(truncatingIfNeeded: word >> 48) }

    /// Nil for a free place.
    @inlinable @inline(__always)
    var object: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: word & (1 << 48 - 1)) }

    @inlinable @inline(__always)
    var isFree: Bool { word == 0 }
  }

  /// What the lock guards; in ``edit(_:)`` many changes take it once.
  public struct Entries {
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0

    @inlinable
    init(capacity: Int) {
      Swift.precondition(capacity.nonzeroBitCount == 1, "a table's size is a power of two, from which its mask is made")
      self.capacity = capacity
      entries = .allocate(capacity: capacity)
      entries.initialize(repeating: Entry(), count: capacity)
    }

    /// Lists `object`, in place of another one where there is one.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object) {
      set(identity.key, Int32(truncatingIfNeeded: identity.root), Unmanaged.passUnretained(object).toOpaque())
    }

    /// Lists `object`, in place of another one only if `isReplaced` says so of that one; whether it is listed now.
    ///
    /// - Parameter isReplaced: sees an object that may be about to go; must neither keep nor release it.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object, replacing isReplaced: (Object) -> Bool) -> Bool
    {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      if let old = entries[position].object {
        guard Unmanaged<Object>.fromOpaque(old)._withUnsafeGuaranteedRef(isReplaced) else { return false }
        entries[position] = Entry(
          key: identity.key, root: Int32(truncatingIfNeeded: identity.root),
          object: Unmanaged.passUnretained(object).toOpaque())
      } else {
        set(identity, object)
      }
      return true
    }

    /// The living object under that identity; its release is not to happen under the lock.
    @inlinable @inline(__always)
    public func object(_ identity: RowIdentity) -> Object? {
      WeakTable.retained(entries[find(identity.key, Int32(truncatingIfNeeded: identity.root))].object)
    }

    /// Takes out whatever is listed under that identity.
    @inlinable
    public mutating func remove(_ identity: RowIdentity) {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      if entries[position].object != nil { remove(at: position) }
    }

    /// Takes `object` out if it is still the one listed under that identity.
    @inlinable @inline(__always)
    public mutating func remove(_ identity: RowIdentity, ifItIs object: Object) {
      let position = find(identity.key, Int32(truncatingIfNeeded: identity.root))
      if entries[position].object == Unmanaged.passUnretained(object).toOpaque() { remove(at: position) }
    }

    /// Makes room for so many more.
    @inlinable
    public mutating func reserve(_ additional: Int) {
      while (count + additional) * 4 > capacity * 3 { grow() }
    }

    @inlinable @inline(__always)
    func start(_ key: Int64, _ root: Int32) -> Int {
      let mixed = (UInt64(bitPattern: key) ^ (UInt64(UInt32(bitPattern: root)) << 40)) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed >> 20) & (capacity - 1)
    }

    /// Position of the entry, or of the free place where it belongs.
    @inlinable @inline(__always)
    func find(_ key: Int64, _ root: Int32) -> Int {
      var position = start(key, root)
      while !entries[position].isFree {
        if entries[position].key == key && entries[position].root == root { return position }
        position = (position + 1) & (capacity - 1)
      }
      return position
    }

    @inlinable
    mutating func set(_ key: Int64, _ root: Int32, _ object: UnsafeMutableRawPointer) {
      let position = find(key, root)
      if entries[position].object == nil {
        count += 1
        if count * 4 > capacity * 3 {
          grow()
          return place(key, root, object)
        }
      }
      entries[position] = Entry(key: key, root: root, object: object)
    }

    @inlinable
    mutating func place(_ key: Int64, _ root: Int32, _ object: UnsafeMutableRawPointer) {
      entries[find(key, root)] = Entry(key: key, root: root, object: object)
    }

    @inlinable
    mutating func grow() {
      var larger = Entries(capacity: capacity * 2)
      larger.count = count
      for position in 0..<capacity {
        let entry = entries[position]
        if let object = entry.object { larger.place(entry.key, entry.root, object) }
      }
      entries.deallocate()
      self = larger
    }

    @inlinable
    mutating func remove(at position: Int) {
      var hole = position
      var next = (hole + 1) & (capacity - 1)
      while entries[next].object != nil {
        let home = start(entries[next].key, entries[next].root)
        if (next - home) & (capacity - 1) >= (next - hole) & (capacity - 1) {
          entries[hole] = entries[next]
          hole = next
        }
        next = (next + 1) & (capacity - 1)
      }
      entries[hole] = Entry()
      count -= 1
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

  deinit { storage.withLock { $0.entries.deallocate() } }

  /// How many objects are listed.
  @inlinable
  public var count: Int { storage.withLock { $0.count } }

  /// The living object under that identity.
  @inlinable
  public func object(_ identity: RowIdentity) -> Object? {
    storage.withLock { storage in
      let position = storage.find(identity.key, Int32(truncatingIfNeeded: identity.root))
      return Self.retained(storage.entries[position].object)
    }
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
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    storage.withLock { $0.set(identity.key, Int32(truncatingIfNeeded: identity.root), pointer) }
  }

  /// Many changes under one lock; `body` must call nothing that could release an `Object`.
  @inlinable
  public func edit<Result>(_ body: (inout Entries) throws -> Result) rethrows -> Result { try storage.withLock(body) }

  /// Lists `object` unless `keepsOld` prefers the living object that is there; the one that is listed then.
  ///
  /// - Parameter keepsOld: called under the lock; must call nothing that could release an `Object`.
  @inlinable
  public func set(_ identity: RowIdentity, _ object: Object, unless keepsOld: (Object) -> Bool) -> Object {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let old: Object? = storage.withLock { storage in
      let root = Int32(truncatingIfNeeded: identity.root)
      let old = Self.retained(storage.entries[storage.find(identity.key, root)].object)
      if let old, keepsOld(old) { return old }
      storage.set(identity.key, root, pointer)
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
    storage.withLock { storage in
      let position = storage.find(identity.key, Int32(truncatingIfNeeded: identity.root))
      if storage.entries[position].object != nil { storage.remove(at: position) }
    }
  }

  /// Takes out everything.
  @inlinable
  public func removeAll() {
    storage.withLock { storage in
      storage.entries.deallocate()
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
      storage.entries.deallocate()
      storage = Entries(capacity: 16)
      return living
    }
  }
}

extension WeakTable.Entries {
  /// Every living object, more or less by their keys: as they were made, and lie in memory. In the table's own order each
  /// would be far from the one before.
  ///
  /// Complexity: O(capacity).
  @inlinable
  var living: [Object] {
    var lowest = Int64.max
    var highest = Int64.min
    for position in 0..<capacity where entries[position].object != nil {
      lowest = min(lowest, entries[position].key)
      highest = max(highest, entries[position].key)
    }
    guard lowest <= highest else { return [] }
    let spread = UInt64(bitPattern: highest &- lowest)
    let shift = UInt64(max(0, UInt64(count).leadingZeroBitCount - spread.leadingZeroBitCount))
    // Sorted by counting: where the keys of each group begin, and then its next place.
    var places = ContiguousArray<Int>(repeating: 0, count: Int(spread >> shift) + 2)
    func group(_ position: Int) -> Int { Int(UInt64(bitPattern: entries[position].key &- lowest) >> shift) }
    for position in 0..<capacity where entries[position].object != nil { places[group(position) + 1] += 1 }
    for group in places.indices.dropFirst() { places[group] += places[group - 1] }
    let sorted = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    defer { sorted.deallocate() }
    for position in 0..<capacity {
      guard let object = entries[position].object else { continue }
      sorted[places[group(position)]] = object
      places[group(position)] += 1
    }
    var living: [Object] = []
    living.reserveCapacity(count)
    for place in 0..<count {
      if let object = WeakTable.retained(sorted[place]) { living.append(object) }
    }
    return living
  }
}
