import Scheduling
import RowStore

/// Finds the properties that a Swift key path leads through, which on Linux its description does not tell: an object
/// outside every context is given values, and the key path shows which of them it reads.
struct KeyPathProbe {
  /// Relationships that a path may lead through; each more multiplies the properties to be tried.
  private static let stepsMax = 3

  // `@unchecked`: key paths do not change.
  private struct Place: Hashable, @unchecked Sendable {
    let path: AnyKeyPath
    let entity: UInt32
  }

  /// The key of an object's ID, which is no property.
  private static let objectID = "objectID"

  private static let known = Locked<[Place: [String]]>([:])

  /// The keys of the path from objects of `entity` to an attribute, or to an object's ID; nil when it shows none as it is.
  ///
  /// Complexity: looked for once; then O(1).
  static func keys(of path: AnyKeyPath, from entity: EntityLayout) -> [String]? {
    guard let keys = propertyKeys(of: path, from: entity) else { return nil }
    var (owner, last) = (entity, entity.propertiesByName[keys[0]])
    for key in keys.dropFirst() {
      owner = last?.relation?.destination ?? owner
      last = owner.propertiesByName[key]
    }
    guard let last else { return keys.last == objectID ? keys : nil }
    return last.isRelationship ? nil : keys
  }

  /// The keys of the path from objects of `entity` to an attribute or a relationship; nil when it shows none as it is.
  private static func propertyKeys(of path: AnyKeyPath, from entity: EntityLayout) -> [String]? {
    let place = Place(path: path, entity: entity.identifier)
    if let keys = known.withLock({ $0[place] }) { return keys }
    let object = makeObject(entity)
    guard let keys = KeyPathProbe(path: path, root: object).keys(at: object, steps: 0) else { return nil }
    known.withLock { $0[place] = keys }
    return keys
  }

  /// The name of a path from objects of a class, as predicates have it.
  ///
  /// - Precondition: the path leads to a property of the model, or its parts tell their names.
  static func name(of path: AnyKeyPath, from root: Any.Type) -> String {
    let found =
      path._kvcKeyPathString.map { [$0] } ?? described(path)
      ?? (root as? NSManagedObject.Type).flatMap { type in
        type.entity().layout.flatMap { propertyKeys(of: path, from: $0) }
      }
    guard let keys = found else {
      preconditionFailure("\(path) leads to no property that has a name; give the key path as text")
    }
    return keys.joined(separator: ".")
  }

  /// The name of a path from objects of a class, as key-value coding has it; nil where no model in use has the class, or the
  /// path leads to no property of its entities.
  static func knownName(of path: AnyKeyPath, from root: NSManagedObject.Type) -> String? {
    for case let layout? in ModelsInUse.candidates(of: root).map(\.layout) {
      if let keys = propertyKeys(of: path, from: layout) { return keys.joined(separator: ".") }
    }
    return nil
  }

  /// The names in the description of a path to stored properties, `\Note.title`.
  static func described(_ path: AnyKeyPath) -> [String]? {
    let parts = "\(path)".split(separator: ".").dropFirst()
    let names = parts.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "?!")) }.filter { !$0.isEmpty }
    return names.isEmpty || names.contains(where: { $0.contains("<") }) ? nil : names
  }

  /// Has an ID that names nothing, since the path may ask for it.
  private static func makeObject(_ entity: EntityLayout) -> NSManagedObject {
    let object = entity.makeObject()
    object.adopt(
      NSManagedObjectID(key: object.key, layout: entity, store: nil, model: entity.entity.managedObjectModel))
    return object
  }

  private let path: AnyKeyPath
  private let root: NSManagedObject

  private func keys(at object: NSManagedObject, steps: Int) -> [String]? {
    let row = object.makeInitialValues()
    object.values = row
    if let id = shown as? NSManagedObjectID, id == object.objectID { return [Self.objectID] }
    for property in object.layout.properties {
      guard case .attribute(let type) = property.kind, property.encoding == nil else { continue }
      let usual = row[property.index]
      let isShown = Self.samples(of: type).map { samples in
        samples.allSatisfy { sample in
          row[property.index] = sample
          return shows(sample)
        }
      }
      row[property.index] = usual
      if isShown ?? false { return [property.name] }
    }
    for property in object.layout.relationships {
      guard let rest = keys(through: property, of: object, steps: steps) else { continue }
      return [property.name] + rest
    }
    return nil
  }

  /// The keys behind the relationship in the path; nil when the path does not lead through it.
  private func keys(through property: PropertyLayout, of object: NSManagedObject, steps: Int) -> [String]? {
    let position = property.relation.position
    let other = Self.makeObject(property.relation.destination)
    defer { object.setRelation(position, .none) }
    guard case .toOne = property.kind else {
      let many = ToMany(ofNewObject: (), isOrdered: property.relation.isOrdered)
      many.add(other)
      object.withRelation(position) { $0 = .many(many) }
      let isShown = shows(other)
      object.withRelation(position) {
        $0 = .many(ToMany(ofNewObject: (), isOrdered: property.relation.isOrdered))
      }
      return isShown ? [] : nil
    }
    object.setRelation(position, .one(other))
    if shows(other) { return [] }
    return steps < Self.stepsMax ? keys(at: other, steps: steps + 1) : nil
  }

  /// The value at the end of the path.
  private var shown: Any? { (root as Any)[keyPath: path].flatMap(unwrapped) }

  /// Whether the path leads to that object, or to a collection that has it.
  private func shows(_ object: NSManagedObject) -> Bool {
    guard let value = shown else { return false }
    if let found = value as? NSManagedObject { return found === object }
    return KeyedCollection(value)?.elements.contains { $0 as? NSManagedObject === object } ?? false
  }

  private func shows(_ sample: Slot) -> Bool {
    guard let value = (root as Any)[keyPath: path], case .slot(let slot)? = PredicateValue(unwrapped(value)) else {
      return false
    }
    return slot.comparable.isSame(as: sample.comparable)
  }

  /// Two values of a type that no other property happens to have; nil where the type has no order.
  private static func samples(of type: AttributeType) -> [Slot]? {
    switch type {
    case .boolean: [.integer(1), .integer(0)]
    case .integer16, .integer32, .integer64:
      [.integer(21_467), .integer(-9_341)]
    case .double, .float: [.real(21_467.5), .real(-9_341.25)]
    case .decimal: [.boxed(SlotBox(Decimal(21_467))), .boxed(SlotBox(Decimal(-9_341)))]
    case .string: [.string("\u{1}one"), .string("\u{1}two")]
    case .date: [.date(21_467.5), .date(-9_341.25)]
    case .uuid: [.uuid(UUID()), .uuid(UUID())]
    case .data: [.data(Data([1, 214])), .data(Data([67, 9]))]
    case .url: ["x-one:", "x-two:"].compactMap { URL(string: $0).map { .boxed(SlotBox($0)) } }
    default: nil
    }
  }
}
