import RowStore

/// Reads many URIs of IDs for a coordinator: those of one entity in one store differ in the number at their end alone,
/// so that after the first of them only the number is looked at.
struct ObjectURIs {
  /// The common beginning of URIs of one entity in one store.
  private struct Beginning {
    /// As far as the `p` before the number.
    let text: [UInt8]
    let tag: StoreTag
    let layout: EntityLayout
  }

  /// Number of beginnings that are remembered: more than most models have entities.
  private static let beginningsMax = 64
  /// A number of so many digits fits into 64 bits.
  private static let digitsMax = 18

  private let coordinator: NSPersistentStoreCoordinator
  private var beginnings: [Beginning] = []

  init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

  /// The object that a URI names; nil when its store is not open here, or the model has no such entity.
  mutating func object(_ url: URL) -> (key: Int64, layout: EntityLayout)? {
    var text = url.absoluteString
    let known = text.withUTF8 { bytes in
      for beginning in beginnings {
        guard let number = Self.number(bytes, after: beginning.text) else { continue }
        return beginning.tag.key(number).map { (key: $0, layout: beginning.layout) }
      }
      return nil
    }
    if let known { return known }
    guard let id = coordinator.managedObjectID(forURIRepresentation: url), let tag = id.store?.tag else { return nil }
    text.withUTF8 { learn($0, tag, id) }
    return (id.key, id.layout)
  }

  /// The number that is all that follows `beginning`; nil where it is not.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, after beginning: [UInt8]) -> Int64? {
    let digits = bytes.dropFirst(beginning.count)
    guard !digits.isEmpty, digits.count <= digitsMax, bytes.starts(with: beginning) else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// Remembers how a URI begins that was read in full, if its number is where numbers are expected.
  private mutating func learn(_ bytes: UnsafeBufferPointer<UInt8>, _ tag: StoreTag, _ id: NSManagedObjectID) {
    guard beginnings.count < Self.beginningsMax, let end = bytes.lastIndex(of: UInt8(ascii: "p")) else { return }
    let text = Array(bytes[...end])
    // Text after the path means nothing, so that a number there would not be the object's.
    guard Self.number(bytes, after: text) == tag.primaryKey(id.key), !text.contains(UInt8(ascii: "?")),
      !text.contains(UInt8(ascii: "#"))
    else { return }
    beginnings.append(Beginning(text: text, tag: tag, layout: id.layout))
  }
}
