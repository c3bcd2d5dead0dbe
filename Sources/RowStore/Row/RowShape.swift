import Foundation

/// Where the values of an entity's rows lie, behind one byte for each that says what it is.
///
/// A number, a date, a box and a reference that can lead to one entity only take eight bytes; a text, data, a UUID and any
/// other reference sixteen; a to-many relationship none.
public struct RowShape {
  /// Where one value is.
  @usableFromInline
  struct Place {
    /// From the beginning of the row's kinds, in bytes.
    @usableFromInline let offset: UInt32
    /// How many bytes there are: 0, 8 or 16.
    @usableFromInline let size: UInt16
    /// The only entity that a reference of eight bytes leads to; known once relationships are connected.
    @usableFromInline var entity: UInt16 = 0

    init(offset: Int, size: Int) {
      self.offset = UInt32(offset)
      self.size = UInt16(size)
    }
  }

  /// By the index of the property; as long as the layout.
  @usableFromInline let places: UnsafeMutablePointer<Place>
  /// Kinds and values together, in words of eight bytes.
  @usableFromInline let words: Int
  private let count: Int

  /// - Parameter properties: each at its index.
  init(_ properties: [PropertyLayout]) {
    count = properties.count
    places = .allocate(capacity: count)
    var offset = (count + 7) & ~7
    for (index, property) in properties.enumerated() {
      let size = Self.size(of: property)
      (places + index).initialize(to: Place(offset: offset, size: size))
      offset += size
    }
    words = offset / 8
  }

  func deallocate() { places.deallocate() }

  /// Every relationship is connected: what leads to one entity only, leads there.
  func finish(_ properties: [PropertyLayout]) {
    for property in properties where property.isRelationship && places[property.index].size == 8 {
      places[property.index].entity = UInt16(truncatingIfNeeded: property.relation.destination.number)
    }
  }

  private static func size(of property: PropertyLayout) -> Int {
    switch property.kind {
    case .toMany: 0
    case .toOne: property.leadsToOneEntity ? 8 : 16
    case .attribute(let type):
      switch type {
      case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .decimal, .url: 8
      case .string, .data, .uuid, .undefined, .transformable, .objectID, .composite: 16
      }
    }
  }
}

/// The values of one row, each at the index of its property; as long as whoever keeps the row.
public struct RowValues {
  /// What a value is; the last ones are to be released.
  @usableFromInline
  enum Kind: UInt8 {
    case null, integer, real, date, reference, uuid, string, data, boxed

    @inlinable @inline(__always)
    var isCounted: Bool { rawValue >= Kind.string.rawValue }
  }

  /// Of eight kinds together, the highest bit of each byte that is one of those.
  @inline(__always)
  static func counted(_ kinds: UInt64) -> UInt64 {
    // Adding what is missing to 128 sets that bit, since no kind is as high as that.
    let missing = UInt64(0x80 - Kind.string.rawValue) * 0x0101_0101_0101_0101
    return (kinds &+ missing) & 0x8080_8080_8080_8080
  }

  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let places: UnsafePointer<RowShape.Place>

  @inlinable @inline(__always)
  init(_ base: UnsafeMutableRawPointer, _ places: UnsafePointer<RowShape.Place>) {
    self.base = base
    self.places = places
  }

  @inlinable @inline(__always)
  func kind(_ index: Int) -> Kind { unsafeBitCast(base.load(fromByteOffset: index, as: UInt8.self), to: Kind.self) }

  @inlinable @inline(__always)
  func setKind(_ kind: Kind, _ index: Int) { base.storeBytes(of: kind.rawValue, toByteOffset: index, as: UInt8.self) }

  /// The place of a value, which has such a one, or is to be initialised with it.
  @inlinable @inline(__always)
  func place<Value>(_ index: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
    (base + Int(places[index].offset)).assumingMemoryBound(to: type)
  }

  /// Whether there is no value.
  @inlinable @inline(__always)
  public func isNull(_ index: Int) -> Bool { kind(index) == .null }

  /// The whole number or boolean; nil for null and what is none.
  @inlinable @inline(__always)
  public func integer(_ index: Int) -> Int64? { kind(index) == .integer ? place(index, of: Int64.self).pointee : nil }

  /// The number with a fraction; nil for null and what is none.
  @inlinable @inline(__always)
  public func real(_ index: Int) -> Double? { kind(index) == .real ? place(index, of: Double.self).pointee : nil }

  /// The date, as seconds since 2001; nil for null and what is none.
  @inlinable @inline(__always)
  public func date(_ index: Int) -> Double? { kind(index) == .date ? place(index, of: Double.self).pointee : nil }

  /// The text; nil for null and what is none.
  @inlinable @inline(__always)
  public func string(_ index: Int) -> String? { kind(index) == .string ? place(index, of: String.self).pointee : nil }

  /// The UUID; nil for null and what is none.
  @inlinable @inline(__always)
  public func uuid(_ index: Int) -> UUID? { kind(index) == .uuid ? place(index, of: UUID.self).pointee : nil }

  /// Whom a to-one relationship leads to; nil for null and what is none.
  @inlinable @inline(__always)
  public func reference(_ index: Int) -> RowReference? {
    kind(index) == .reference ? storedReference(index) : nil
  }

  @inlinable @inline(__always)
  func storedReference(_ index: Int) -> RowReference {
    let place = places[index]
    let key = self.place(index, of: Int64.self)
    let entity = place.size == 8 ? place.entity : UInt16(truncatingIfNeeded: key[1])
    return RowReference(key: key.pointee, entity: entity)
  }

  /// The value, whatever it is.
  @inlinable @inline(__always)
  public subscript(index: Int) -> Slot {
    get {
      switch kind(index) {
      case .null: .null
      case .integer: .integer(place(index, of: Int64.self).pointee)
      case .real: .real(place(index, of: Double.self).pointee)
      case .date: .date(place(index, of: Double.self).pointee)
      case .reference: .reference(storedReference(index))
      case .uuid: .uuid(place(index, of: UUID.self).pointee)
      case .string: .string(place(index, of: String.self).pointee)
      case .data: .data(place(index, of: Data.self).pointee)
      case .boxed: .boxed(place(index, of: SlotBox.self).pointee)
      }
    }
    nonmutating set {
      if kind(index).isCounted { end(index) }
      initialize(index, newValue)
    }
  }

  /// Puts a value where none is to be released.
  ///
  /// - Precondition: one of its kind fits there, which only debug builds check.
  @inlinable @inline(__always)
  func initialize(_ index: Int, _ slot: consuming Slot) {
    switch consume slot {
    case .null: setKind(.null, index)
    case .integer(let value): initialize(index, .integer, value)
    case .real(let value): initialize(index, .real, value)
    case .date(let value): initialize(index, .date, value)
    case .string(let value): initialize(index, .string, value)
    case .uuid(let value): initialize(index, .uuid, value)
    case .data(let value): initialize(index, .data, value)
    case .boxed(let box): initialize(index, .boxed, box)
    case .reference(let reference):
      initialize(index, .reference, reference.key)
      if places[index].size == 16 {
        place(index, of: Int64.self)[1] = Int64(reference.entity)
      } else {
        assert(
          reference.entity == places[index].entity, "the relationship leads to one entity, and the reference to another"
        )
      }
    }
  }

  @inlinable @inline(__always)
  func initialize<Value>(_ index: Int, _ kind: Kind, _ value: consuming Value) {
    assert(
      MemoryLayout<Value>.size <= places[index].size, "the property has no room for a \(kind): a bug of the stack")
    setKind(kind, index)
    place(index, of: Value.self).initialize(to: value)
  }

  /// Releases the value; it is to be initialised next, or the row to go.
  @usableFromInline @inline(never)
  func end(_ index: Int) {
    switch kind(index) {
    case .null, .integer, .real, .date, .reference, .uuid: break
    case .string: place(index, of: String.self).deinitialize(count: 1)
    case .data: place(index, of: Data.self).deinitialize(count: 1)
    case .boxed: place(index, of: SlotBox.self).deinitialize(count: 1)
    }
  }
}
