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

  private static let known = Locked<[Place: [String]]>([:])

  /// The keys of the path from objects of `entity`; nil when it shows no stored property as it is.
  ///
  /// Complexity: looked for once; then O(1).
  static func keys(of path: AnyKeyPath, from entity: EntityLayout) -> [String]? {
    let place = Place(path: path, entity: entity.identifier)
    if let keys = known.withLock({ $0[place] }) { return keys }
    let object = makeObject(entity)
    guard let keys = KeyPathProbe(path: path, root: object).keys(at: object, steps: 0) else { return nil }
    known.withLock { $0[place] = keys }
    return keys
  }

  /// Has an ID that names nothing, since the path may ask for it.
  private static func makeObject(_ entity: EntityLayout) -> NSManagedObject {
    let object = entity.objectClass.init(entity: entity.entity, insertInto: nil)
    object.adopt(
      NSManagedObjectID(key: object.key, layout: entity, store: nil, model: entity.entity.managedObjectModel))
    return object
  }

  private let path: AnyKeyPath
  private let root: NSManagedObject

  private func keys(at object: NSManagedObject, steps: Int) -> [String]? {
    let row = object.makeInitialValues()
    object.values = row
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
    guard steps < Self.stepsMax else { return nil }
    for property in object.layout.relationships {
      guard case .toOne = property.kind else { continue }
      let destination = property.relation.destination
      let other = Self.makeObject(destination)
      object.withRelation(property.relation.position) { $0 = .one(other) }
      let rest = keys(at: other, steps: steps + 1)
      object.withRelation(property.relation.position) { $0 = .none }
      if let rest { return [property.name] + rest }
    }
    return nil
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
