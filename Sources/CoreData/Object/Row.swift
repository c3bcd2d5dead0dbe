/// Where a row is and which version of it this is.
struct RowHeader {
  /// Primary key; 0 until the object gets one, negative while it is temporary.
  var key: Int64
  /// `Z_OPT`: 0 for an object that was never saved.
  var version: Int64
  /// True once others may hold the row: from then on its slots never change.
  var isFrozen: Bool
  let count: UInt16
  /// Number of the root entity, at hand for the cache.
  let rootNumber: Int32
  /// Reads of the cache that had begun when the row was listed; only under the cache's lock.
  var readsBefore: UInt32 = 0
  /// When the row was read or written, by the cache's clock; only under the cache's lock.
  var confirmedAt: Double = 0
  /// Alive as long as the model, which the cache keeps.
  let layout: Unmanaged<EntityLayout>
  /// The cache that lists the row, and keeps the model alive; nil for a row no cache knows.
  var cache: RowCache?

  var identity: RowIdentity { RowIdentity(key: key, rootNumber: rootNumber) }
}

/// The values of one object, one slot for each property; immutable once frozen, and then shared by the row cache,
/// contexts and merging.
///
/// To-many relationships have a slot too, so that one index serves everything; it stays null.
final class Row: ManagedBuffer<RowHeader, Slot> {
  /// A row of nulls.
  static func make(_ layout: EntityLayout, key: Int64, version: Int64) -> Row {
    let count = layout.properties.count
    let buffer = Row.create(minimumCapacity: count) { _ in
      RowHeader(
        key: key, version: version, isFrozen: false, count: UInt16(count),
        rootNumber: Int32(truncatingIfNeeded: layout.rootNumber), layout: .passUnretained(layout), cache: nil)
    }
    let row = unsafeDowncast(buffer, to: Row.self)
    row.withUnsafeMutablePointerToElements { $0.initialize(repeating: .null, count: count) }
    return row
  }

  deinit {
    withUnsafeMutablePointers { header, slots in
      if let cache = header.pointee.cache { cache.forget(self, header.pointee) }
      _ = slots.deinitialize(count: Int(header.pointee.count))
    }
  }

  /// A copy that may be changed.
  func mutableCopy() -> Row {
    let count = self.count
    let original = self
    let buffer = Row.create(minimumCapacity: count) { _ in
      original.withUnsafeMutablePointerToHeader { header in
        RowHeader(
          key: header.pointee.key, version: header.pointee.version, isFrozen: false, count: header.pointee.count,
          rootNumber: header.pointee.rootNumber, layout: header.pointee.layout, cache: nil)
      }
    }
    let row = unsafeDowncast(buffer, to: Row.self)
    row.withUnsafeMutablePointerToElements { target in
      withUnsafeMutablePointerToElements { source in
        // Slot by slot, since most need nothing but their bytes copied.
        for index in 0..<count { (target + index).initialize(to: source[index]) }
      }
    }
    return row
  }

  @inline(__always)
  var count: Int { withUnsafeMutablePointerToHeader { Int($0.pointee.count) } }

  @inline(__always)
  var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  @inline(__always)
  var layoutReference: Unmanaged<EntityLayout> { withUnsafeMutablePointerToHeader { $0.pointee.layout } }

  @inline(__always)
  var key: Int64 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.key } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.key = newValue } }
  }

  @inline(__always)
  var version: Int64 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.version } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.version = newValue } }
  }

  @inline(__always)
  var isFrozen: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isFrozen } }

  /// Nothing changes the row's slots from now on.
  ///
  /// One that is frozen already is only read: others may read it at the same time, on other queues.
  @inline(__always)
  func freeze() {
    withUnsafeMutablePointerToHeader { header in
      if !header.pointee.isFrozen { header.pointee.isFrozen = true }
    }
  }

  var cache: RowCache? {
    get { withUnsafeMutablePointerToHeader { $0.pointee.cache } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.cache = newValue } }
  }

  /// See `RowHeader`; only under the cache's lock.
  var readsBefore: UInt32 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.readsBefore } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.readsBefore = newValue } }
  }

  /// See `RowHeader`; only under the cache's lock.
  var confirmedAt: Double {
    get { withUnsafeMutablePointerToHeader { $0.pointee.confirmedAt } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.confirmedAt = newValue } }
  }

  /// Whether both have the same values. Complexity: O(*n*) for *n* properties.
  func hasValues(of other: Row) -> Bool {
    guard layout === other.layout else { return false }
    return (0..<count).allSatisfy { self[$0] == other[$0] }
  }

  /// The value of the property with that index.
  ///
  /// - Precondition: for writing, the row is not frozen.
  @inline(__always)
  subscript(index: Int) -> Slot {
    get { withUnsafeMutablePointerToElements { $0[index] } }
    set { withUnsafeMutablePointerToElements { $0[index] = newValue } }
  }

  /// Number of the root entity.
  @inline(__always)
  var rootNumber: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.rootNumber } }

  /// The row as the identity map and the cache know it.
  @inline(__always)
  var identity: RowIdentity { withUnsafeMutablePointerToHeader { $0.pointee.identity } }
}

/// Names one row of one store, or one unsaved object: a primary key and the entity hierarchy it counts in.
struct RowIdentity: Hashable {
  /// Positive in the store, negative (and unique in the process) while temporary.
  let key: Int64
  /// Number of the root entity; 0 for temporary keys, which need none.
  let root: Int

  @inline(__always)
  init(key: Int64, rootNumber: Int32) {
    self.key = key
    root = key < 0 ? 0 : Int(rootNumber)
  }

  @inline(__always)
  init(key: Int64, layout: EntityLayout) {
    self.key = key
    root = key < 0 ? 0 : layout.rootNumber
  }
}
