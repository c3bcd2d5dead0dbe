import CoreData

/// The expected state of an object once its save was acknowledged.
struct ObjectSnapshot: @unchecked Sendable {
  // Sendable: the values are immutable Foundation values.

  let entity: String
  private let values: [String: NSObject]
  private let ordered: [String: [NSManagedObjectID]]
  private let unordered: [String: Set<NSManagedObjectID>]

  /// An object's name in the file, which is the same whatever coordinator its ID comes from: `Note/p12`.
  static func name(of id: NSManagedObjectID) -> String {
    "\(id.entity.name ?? "?")/\(id.uriRepresentation().lastPathComponent)"
  }

  /// The object's state now; on its context's queue, all objects with permanent IDs.
  init(_ object: NSManagedObject) {
    entity = object.entity.name ?? ""
    var values: [String: NSObject] = [:]
    for (name, attribute) in object.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      guard let value = object.value(forKey: name) else { continue }
      values[name] = Self.comparable(value)
    }
    self.values = values
    var ordered: [String: [NSManagedObjectID]] = [:]
    var unordered: [String: Set<NSManagedObjectID>] = [:]
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
      let members = Self.members(of: name, in: object)
      if relationship.isOrdered {
        ordered[name] = members.map(\.objectID)
      } else {
        unordered[name] = Set(members.map(\.objectID))
      }
    }
    self.ordered = ordered
    self.unordered = unordered
  }

  /// The objects at the other end of each relationship, in its order where it has one.
  var members: [String: [NSManagedObjectID]] { ordered.merging(unordered.mapValues(Array.init)) { first, _ in first } }

  /// The objects at the other end of a relationship, in its order where it has one.
  static func members(of name: String, in object: NSManagedObject) -> [NSManagedObject] {
    switch object.value(forKey: name) {
    case let one as NSManagedObject: [one]
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: Array(set)
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  /// The property in which another state of the object differs, with both values; nil where none does.
  func difference(from other: ObjectSnapshot) -> (property: String, expected: String, seen: String)? {
    for name in Set(values.keys).union(other.values.keys).sorted() where values[name] != other.values[name] {
      return (name, Self.text(values[name]), Self.text(other.values[name]))
    }
    for (name, members) in ordered.sorted(by: { $0.key < $1.key }) {
      let (own, others) = (members.map(Self.name), (other.ordered[name] ?? []).map(Self.name))
      if own != others { return (name, Self.text(own), Self.text(others)) }
    }
    for (name, members) in unordered.sorted(by: { $0.key < $1.key }) {
      let (own, others) = (members.map(Self.name).sorted(), (other.unordered[name] ?? []).map(Self.name).sorted())
      if own != others { return (name, Self.text(own), Self.text(others)) }
    }
    return nil
  }

  /// The value as a Foundation object, which can be compared.
  static func comparable(_ value: Any) -> NSObject {
    switch value {
    case let object as NSObject: object
    case let date as Date: date as NSDate
    case let data as Data: data as NSData
    case let text as String: text as NSString
    case let uuid as UUID: uuid as NSUUID
    case let url as URL: url as NSURL
    case let decimal as Decimal: NSDecimalNumber(decimal: decimal)
    case let number as NSNumber: number
    case let parts as [String: Any]: NSDictionary(dictionary: parts.mapValues(comparable))
    default: "\(value)" as NSString
    }
  }

  /// So much of a value that a report stays readable.
  private static let shownCharacters = 80

  /// A value's text in reports.
  static func text(_ value: NSObject?) -> String {
    guard let value else { return "null" }
    if let data = value as? NSData { return "\(data.length) bytes" }
    let text = "\(value)"
    return text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
  }

  private static func text(_ names: [String]) -> String {
    let shown = names.prefix(8).joined(separator: ", ")
    return "\(names.count) object\(names.count == 1 ? "" : "s") (\(shown)\(names.count > 8 ? ", …" : ""))"
  }
}
