import Foundation

/// A value that does not fit where the model has its property, as where an accessor is of another type.
@usableFromInline
final class KeptSlot {
  let slot: Slot

  init(_ slot: Slot) { self.slot = slot }
}

/// The values of one row, each at the index of its property; valid as long as the row is retained.
public struct RowValues {
  /// The kind of a value; the last ones are to be released.
  @usableFromInline
  enum Kind: UInt8 {
    case null, integer, real, date, reference, uuid
    /// Bytes behind the values of the row, of which a string is made each time it is asked for.
    case text
    case string, data, boxed
    /// A ``KeptSlot``.
    case kept

    @inlinable @inline(__always)
    var isCounted: Bool { rawValue >= Kind.string.rawValue }
  }

  /// Of eight kinds together, the highest bit of each byte that is one of those, or of those from another one on.
  @inline(__always)
  static func counted(_ kinds: UInt64, from first: Kind = .string) -> UInt64 {
    // Adding the difference to 128 sets that bit, since no kind is as high as that.
    let missing = UInt64(0x80 - first.rawValue) * 0x0101_0101_0101_0101
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

  /// The whole number or boolean; nil for null and other kinds.
  @inlinable @inline(__always)
  public func integer(_ index: Int) -> Int64? { kind(index) == .integer ? place(index, of: Int64.self).pointee : nil }

  /// The number with a fraction; nil for null and other kinds.
  @inlinable @inline(__always)
  public func real(_ index: Int) -> Double? { kind(index) == .real ? place(index, of: Double.self).pointee : nil }

  /// The date, as seconds since 2001; nil for null and other kinds.
  @inlinable @inline(__always)
  public func date(_ index: Int) -> Double? { kind(index) == .date ? place(index, of: Double.self).pointee : nil }

  /// The text; nil for null and other kinds.
  @inlinable @inline(__always)
  public func string(_ index: Int) -> String? {
    if kind(index) == .string { return place(index, of: String.self).pointee }
    return isNull(index) ? nil : otherString(index)
  }

  @usableFromInline @inline(never)
  func otherString(_ index: Int) -> String? {
    if kind(index) == .text { return text(index) }
    if kind(index) == .kept, case .string(let value) = kept(index) { return value }
    return nil
  }

  @usableFromInline @inline(never)
  func text(_ index: Int) -> String {
    let place = place(index, of: Int.self)
    return String(decoding: UnsafeRawBufferPointer(start: base + place[0], count: place[1]), as: UTF8.self)
  }

  /// Puts a text behind the values, so many bytes from the beginning of the row's kinds.
  @inline(__always)
  func initialize(_ index: Int, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
    setKind(.text, index)
    let place = place(index, of: Int.self)
    (place[0], place[1]) = (offset, bytes.count)
    if let start = bytes.baseAddress { (base + offset).copyMemory(from: start, byteCount: bytes.count) }
  }

  /// The UUID; nil for null and other kinds.
  @inlinable @inline(__always)
  public func uuid(_ index: Int) -> UUID? {
    if kind(index) == .uuid { return place(index, of: UUID.self).pointee }
    if kind(index) == .kept, case .uuid(let value) = kept(index) { return value }
    return nil
  }

  /// The target of a to-one relationship; nil for null and other kinds.
  @inlinable @inline(__always)
  public func reference(_ index: Int) -> RowReference? {
    if kind(index) == .reference { return storedReference(index) }
    if kind(index) == .kept, case .reference(let value) = kept(index) { return value }
    return nil
  }

  @usableFromInline @inline(never)
  func kept(_ index: Int) -> Slot { place(index, of: KeptSlot.self).pointee.slot }

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
      case .text: .string(text(index))
      case .string: .string(place(index, of: String.self).pointee)
      case .data: .data(place(index, of: Data.self).pointee)
      case .boxed: .boxed(place(index, of: SlotBox.self).pointee)
      case .kept: kept(index)
      }
    }
    nonmutating set {
      if kind(index).isCounted { replace(index, newValue) } else { initialize(index, newValue) }
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
    case .string(let value):
      if places[index].size == 16 { initialize(index, .string, value) } else { keep(index, .string(value)) }
    case .uuid(let value):
      if places[index].size == 16 { initialize(index, .uuid, value) } else { keep(index, .uuid(value)) }
    case .data(let value):
      if places[index].size == 16 { initialize(index, .data, value) } else { keep(index, .data(value)) }
    case .boxed(let box): initialize(index, .boxed, box)
    case .reference(let reference):
      if places[index].size == 16 {
        initialize(index, .reference, reference.key)
        place(index, of: Int64.self)[1] = Int64(reference.entity)
      } else if reference.entity == places[index].entity {
        initialize(index, .reference, reference.key)
      } else {
        keep(index, .reference(reference))
      }
    }
  }

  @usableFromInline @inline(never)
  func keep(_ index: Int, _ slot: Slot) {
    precondition(places[index].size > 0, "a to-many relationship has no value in the row: a bug of the stack")
    initialize(index, .kept, KeptSlot(slot))
  }

  @inlinable @inline(__always)
  func initialize<Value>(_ index: Int, _ kind: Kind, _ value: consuming Value) {
    assert(MemoryLayout<Value>.size <= places[index].size, "a \(kind) has no room there: a bug of the stack")
    setKind(kind, index)
    place(index, of: Value.self).initialize(to: value)
  }

  /// Puts a value in the place of one that is released once the new one is there: that may run code of the program.
  @usableFromInline @inline(never)
  func replace(_ index: Int, _ slot: Slot) {
    let old = self[index]
    withExtendedLifetime(old) {
      RowValues.end(kind(index), base + Int(places[index].offset))
      initialize(index, slot)
    }
  }

  /// Releases a value; its place is to be initialised next, or the row to go.
  @inline(__always)
  static func end(_ kind: Kind, _ place: UnsafeMutableRawPointer) {
    switch kind {
    case .null, .integer, .real, .date, .reference, .uuid, .text: break
    case .string: place.assumingMemoryBound(to: String.self).deinitialize(count: 1)
    case .data: place.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
    case .boxed: place.assumingMemoryBound(to: SlotBox.self).deinitialize(count: 1)
    case .kept: place.assumingMemoryBound(to: KeptSlot.self).deinitialize(count: 1)
    }
  }
}
