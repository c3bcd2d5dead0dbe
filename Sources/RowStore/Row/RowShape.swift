import Scheduling

/// Places of the values in an entity's rows, behind one byte for each with its kind.
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
  /// Names the offsets in ``RowOffsets``.
  let offsets: UInt16

  /// - Parameter properties: each at its index.
  init(_ properties: [PropertyLayout]) {
    let count = properties.count
    precondition(count < RowHeader.frozenBit, "an entity has fewer than \(RowHeader.frozenBit) properties")
    places = .allocate(capacity: count)
    var offset = (count + 7) & ~7
    for (index, property) in properties.enumerated() {
      let size = Self.size(of: property)
      (places + index).initialize(to: Place(offset: offset, size: size))
      offset += size
    }
    words = offset / 8
    offsets = RowOffsets.number(of: UnsafeBufferPointer(start: places, count: count).map(\.offset))
  }

  func deallocate() { places.deallocate() }

  /// Notes the entities of references that can lead to one only, once every relationship is connected.
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

/// Where values are in rows, for rows that go: one may outlive the layout of its entity.
///
/// Never freed, and the same for all entities with values at the same offsets, so that there are few.
enum RowOffsets {
  private static let numbers = Locked<[[UInt32]: UInt16]>([:])
  private static let capacity = Int(UInt16.max) + 1
  /// By number; each is written before a row has that number. Memory that is not written costs nothing.
  // Sendable: as the comment says.
  nonisolated(unsafe) private static let table = UnsafeMutablePointer<UnsafePointer<UInt32>>.allocate(
    capacity: capacity)

  /// The number of these offsets, by the index of the property.
  static func number(of offsets: [UInt32]) -> UInt16 {
    numbers.withLock { numbers in
      if let number = numbers[offsets] { return number }
      precondition(numbers.count < capacity, "a process has at most \(capacity) entities whose rows lie differently")
      let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: offsets.count)
      copy.initialize(from: offsets, count: offsets.count)
      let number = UInt16(numbers.count)
      (table + Int(number)).initialize(to: UnsafePointer(copy))
      numbers[offsets] = number
      return number
    }
  }

  @inline(__always)
  static func offsets(_ number: UInt16) -> UnsafePointer<UInt32> { table[Int(number)] }
}
