/// Where a row is and which version of it this is.
public struct RowHeader {
  /// Primary key; 0 until the object gets one, negative while it is temporary.
  @usableFromInline package var key: Int64
  /// `Z_OPT`: 0 for an object that was never saved.
  @usableFromInline package var version: Int64
  /// Where the values are, by a number of ``RowOffsets``.
  let offsets: UInt16
  /// How many properties there are, and above them a bit for ``isFrozen``.
  @usableFromInline var bits: UInt16
  /// When the row was read or written, by the cache's clock; only under the cache's lock.
  package var confirmedAt = CacheTime.begin
  /// Reads of the cache that had begun when the row was listed; only under the cache's lock.
  package var readsBefore: UInt32 = 0
  /// The cache's count of replacements in the row's group when it listed the row; written before others have the row.
  package var listedAt: UInt32 = 0
  /// The cache that lists the row, and keeps the model alive; nil for a row no cache knows.
  package var cache: RowCache?
  /// Alive as long as the model, which the cache keeps. Last, beside the kinds of the values.
  @usableFromInline package let layout: Unmanaged<EntityLayout>

  @usableFromInline static var frozenBit: UInt16 { 1 << 15 }

  @usableFromInline
  init(key: Int64, version: Int64, offsets: UInt16, count: Int, layout: Unmanaged<EntityLayout>) {
    self.key = key
    self.version = version
    self.offsets = offsets
    self.layout = layout
    bits = UInt16(truncatingIfNeeded: count)
  }

  /// Number of properties.
  @inlinable @inline(__always)
  var count: Int { Int(bits & ~Self.frozenBit) }

  /// True once others may hold the row: from then on its slots never change.
  @inlinable @inline(__always)
  package var isFrozen: Bool { bits & Self.frozenBit != 0 }

  /// Number of the root entity.
  @inlinable @inline(__always)
  package var rootNumber: Int32 { layout._withUnsafeGuaranteedRef { Int32(truncatingIfNeeded: $0.rootNumber) } }

  /// The row as the identity map and the cache know it.
  @inlinable @inline(__always)
  public var identity: RowIdentity { RowIdentity(key: key, rootNumber: rootNumber) }
}

/// The values of one object, one for each property; immutable once frozen, and then shared by the row cache, contexts and
/// merging.
///
/// To-many relationships have a value too, so that one index serves everything; it stays null. See ``RowShape`` for how the
/// values lie in memory.
public final class Row: ManagedBuffer<RowHeader, UInt64> {
  /// A row of nulls.
  ///
  /// - Parameter textBytes: room for texts behind the values.
  package static func make(_ layout: EntityLayout, key: Int64, version: Int64, textBytes: Int = 0) -> Row {
    let count = layout.propertyList.count
    let buffer = Row.create(minimumCapacity: layout.shape.words + (textBytes + 7) / 8) { _ in
      RowHeader(
        key: key, version: version, offsets: layout.shape.offsets, count: count, layout: .passUnretained(layout))
    }
    let row = unsafeDowncast(buffer, to: Row.self)
    row.withUnsafeMutablePointerToElements { words in
      let kinds = UnsafeMutableRawPointer(words)
      // Null is 0.
      for offset in stride(from: 0, to: count, by: 8) { kinds.storeBytes(of: 0, toByteOffset: offset, as: UInt64.self) }
    }
    return row
  }

  deinit {
    withUnsafeMutablePointers { header, words in
      let base = UnsafeMutableRawPointer(words)
      // The layout may be gone.
      let offsets = RowOffsets.offsets(header.pointee.offsets)
      forEachCounted { index in
        let kind = unsafeBitCast(base.load(fromByteOffset: index, as: UInt8.self), to: RowValues.Kind.self)
        RowValues.end(kind, base + Int(offsets[index]))
      }
      if let cache = header.pointee.cache.take() { cache.forget(self, header.pointee.identity) }
    }
  }

  /// A copy that may be changed.
  package func mutableCopy() -> Row {
    let original = self
    let words = layoutReference._withUnsafeGuaranteedRef { $0.shape.words }
    let buffer = Row.create(minimumCapacity: words) { _ in
      original.withUnsafeMutablePointerToHeader { header in
        RowHeader(
          key: header.pointee.key, version: header.pointee.version, offsets: header.pointee.offsets,
          count: header.pointee.count, layout: header.pointee.layout)
      }
    }
    let row = unsafeDowncast(buffer, to: Row.self)
    Unmanaged.passUnretained(row)._withUnsafeGuaranteedRef { copyWords(words, to: $0) }
    return row
  }

  @inline(__always)
  private func copyWords(_ words: Int, to row: Row) {
    row.withUnsafeMutablePointerToElements { target in
      withUnsafeMutablePointerToElements { source in target.initialize(from: source, count: words) }
    }
    let (values, copies) = (values, row.values)
    // Most need nothing but their bytes copied. The copy has no texts behind its values.
    forEachCounted(from: .text) { copies.initialize($0, values[$0]) }
  }

  /// Calls `body` with the index of each value that has to be released, or of a kind from another one on; eight are looked at
  /// together.
  @inline(__always)
  private func forEachCounted(from first: RowValues.Kind = .string, _ body: (Int) -> Void) {
    let base = withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
    var start = 0
    // The bytes behind the last property are null.
    while start < count {
      var counted = RowValues.counted(
        UInt64(littleEndian: base.load(fromByteOffset: start, as: UInt64.self)), from: first)
      while counted != 0 {
        body(start + counted.trailingZeroBitCount / 8)
        counted &= counted - 1
      }
      start += 8
    }
  }

  /// Where the values are, as long as the row; for a caller that keeps it and asks for one value after the other.
  @inlinable @inline(__always)
  public var values: RowValues {
    withUnsafeMutablePointers { header, words in
      RowValues(UnsafeMutableRawPointer(words), header.pointee.layout._withUnsafeGuaranteedRef { $0.shapePlaces })
    }
  }

  /// The same where the row's entity is probably known: the place of a value is then known before the row is read.
  @inlinable @inline(__always)
  public func values(likely layout: Unmanaged<EntityLayout>) -> RowValues {
    withUnsafeMutablePointers { header, words in
      guard header.pointee.layout.toOpaque() == layout.toOpaque() else { return otherValues() }
      return RowValues(UnsafeMutableRawPointer(words), layout._withUnsafeGuaranteedRef { $0.shapePlaces })
    }
  }

  @usableFromInline @inline(never)
  func otherValues() -> RowValues { values }

  /// Number of properties.
  @inlinable @inline(__always)
  public var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }

  /// The row's entity.
  @inlinable @inline(__always)
  public var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  /// ``layout`` without a reference to count.
  @inlinable @inline(__always)
  public var layoutReference: Unmanaged<EntityLayout> { withUnsafeMutablePointerToHeader { $0.pointee.layout } }

  /// Primary key; see ``RowHeader``.
  @inlinable @inline(__always)
  public var key: Int64 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.key } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.key = newValue } }
  }

  /// `Z_OPT`; see ``RowHeader``.
  @inlinable @inline(__always)
  public var version: Int64 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.version } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.version = newValue } }
  }

  /// Whether the slots change no more.
  @inlinable @inline(__always)
  public var isFrozen: Bool { withUnsafeMutablePointerToHeader { $0.pointee.isFrozen } }

  /// Makes the row's slots constant from now on.
  ///
  /// One that is frozen already is only read: others may read it at the same time, on other queues.
  @inlinable @inline(__always)
  public func freeze() {
    withUnsafeMutablePointerToHeader { header in
      if !header.pointee.isFrozen { header.pointee.bits |= RowHeader.frozenBit }
    }
  }

  package var cache: RowCache? {
    get { withUnsafeMutablePointerToHeader { $0.pointee.cache } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.cache = newValue } }
  }

  /// See `RowHeader`; only under the cache's lock.
  package var readsBefore: UInt32 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.readsBefore } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.readsBefore = newValue } }
  }

  /// See `RowHeader`; only under the cache's lock.
  package var confirmedAt: CacheTime {
    get { withUnsafeMutablePointerToHeader { $0.pointee.confirmedAt } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.confirmedAt = newValue } }
  }

  /// Whether the row is the newest that `cache` knows, as far as one look can tell: false where nothing is known.
  ///
  /// Takes no lock.
  @inline(__always)
  package func isNewest(in cache: RowCache) -> Bool {
    withUnsafeMutablePointerToHeader {
      $0.pointee.cache === cache && $0.pointee.listedAt == cache.replacements[$0.pointee.identity]
    }
  }

  /// Whether both have the same values. Complexity: O(*n*) for *n* properties.
  package func hasValues(of other: Row) -> Bool {
    guard layout === other.layout else { return false }
    return (0..<count).allSatisfy { self[$0] == other[$0] }
  }

  /// Whether both have a whole number there, and not the same; nil where one has none.
  package func isOtherInteger(at index: Int, than other: Row) -> Bool? {
    guard let value = values.integer(index), let before = other.values.integer(index) else { return nil }
    return value != before
  }

  /// The value of the property with that index.
  ///
  /// - Precondition: the index is that of a property of the row's entity, which only debug builds check; for writing, the
  ///   row is not frozen.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Slot {
    get {
      assert(layout.properties.indices.contains(index), "the row's entity has no such property")
      return values[index]
    }
    set {
      assert(layout.properties.indices.contains(index), "the row's entity has no such property")
      values[index] = newValue
    }
  }

  /// Number of the root entity.
  @inlinable @inline(__always)
  public var rootNumber: Int32 { withUnsafeMutablePointerToHeader { $0.pointee.rootNumber } }

  /// The row as the identity map and the cache know it.
  @inlinable @inline(__always)
  public var identity: RowIdentity { withUnsafeMutablePointerToHeader { $0.pointee.identity } }
}

/// Names one row of one store, or one unsaved object: a primary key and the entity hierarchy it counts in.
public struct RowIdentity: Hashable, BitwiseCopyable, Sendable {
  /// Positive in the store, negative (and unique in the process) while temporary.
  public let key: Int64
  /// Number of the root entity; 0 for temporary keys, which need none.
  public let root: Int

  /// Names a row by its key and its root entity.
  @inlinable @inline(__always)
  public init(key: Int64, rootNumber: Int32) {
    self.key = key
    root = key < 0 ? 0 : Int(rootNumber)
  }

  /// Names a row by its key and an entity of its hierarchy.
  @inlinable @inline(__always)
  public init(key: Int64, layout: EntityLayout) {
    self.key = key
    root = key < 0 ? 0 : layout.rootNumber
  }
}
