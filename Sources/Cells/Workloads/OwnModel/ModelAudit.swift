import Checking
import CoreData

/// Compares every object of a store with the state that the acknowledged saves left.
struct ModelAudit: Sendable {
  /// By the name of the object in the file.
  let expected: [String: ObjectSnapshot]
  let context: NSManagedObjectContext

  /// Objects that are released at once, so that memory stays flat.
  private static let batch = 500

  /// Reads every object, reports differences from the expected state, and returns how many objects were compared; off the
  /// context's queue.
  func run() throws -> Int {
    try context.performAndWait {
      let model = context.persistentStoreCoordinator?.managedObjectModel
      let entities = (model?.entities ?? []).sorted { ($0.name ?? "") < ($1.name ?? "") }
      var seen = 0
      var found: [String: Set<NSManagedObjectID>] = [:]
      for entity in entities {
        guard let name = entity.name, !entity.isAbstract else { continue }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        found[name] = Set(objects.map(\.objectID))
        for (number, object) in objects.enumerated() {
          if check(object, name) { seen += 1 }
          if number % Self.batch == Self.batch - 1 { context.refreshAllObjects() }
        }
        context.reset()
      }
      for entity in entities where !entity.subentities.isEmpty { try checkFamily(of: entity, found) }
      return seen
    }
  }

  /// Fetches and counts an entity with those below it: its objects are those of each of them together, and an inherited
  /// attribute is asked of all.
  private func checkFamily(of entity: NSEntityDescription, _ found: [String: Set<NSManagedObjectID>]) throws {
    precondition(!entity.subentities.isEmpty, "a family is an entity with others below it")
    guard let name = entity.name else { return }
    func family(_ entity: NSEntityDescription) -> [String] {
      (entity.name.map { [$0] } ?? []) + entity.subentities.flatMap(family)
    }
    func compare(_ seen: Set<NSManagedObjectID>, _ expected: Set<NSManagedObjectID>, _ what: String) {
      guard seen != expected else { return }
      report(
        .wrongValue, name, expected: "\(what) gives \(expected.count) objects",
        seen: "it gives \(seen.count), \(seen.symmetricDifference(expected).count) of them others or missing")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    let objects = try context.fetch(request)
    let all = Set(family(entity).flatMap { found[$0] ?? [] })
    compare(Set(objects.map(\.objectID)), all, "a fetch with sub-entities")
    let count = try context.count(for: request)
    if count != all.count {
      report(.wrongValue, name, expected: "a count with sub-entities is \(all.count)", seen: "it is \(count)")
    }
    let stored = entity.attributesByName.filter { !$1.isTransient && !($1 is NSDerivedAttributeDescription) }
    if let key = stored.keys.min() {
      request.predicate = NSPredicate(format: "%K != nil", key)
      var present: Set<NSManagedObjectID> = []
      for (number, object) in objects.enumerated() {
        if object.value(forKey: key) != nil { present.insert(object.objectID) }
        if number % Self.batch == Self.batch - 1 { context.refreshAllObjects() }
      }
      compare(Set(try context.fetch(request).map(\.objectID)), present, "a fetch of those with \(key)")
    }
    context.reset()
  }

  /// Compares one object; false where nothing is known of it.
  private func check(_ object: NSManagedObject, _ entity: String) -> Bool {
    let key = object.objectID.uriRepresentation().lastPathComponent
    guard let expected = expected[ObjectSnapshot.name(of: object.objectID)] else {
      // Deleted rows are the matter of the checkers of the file, which know the acknowledged saves.
      return false
    }
    if let difference = expected.difference(from: ObjectSnapshot(object)) {
      report(
        .wrongValue, "\(entity).\(difference.property)", expected: "\(key) has \(difference.expected)",
        seen: "it has \(difference.seen)")
    }
    for value in DerivedValue.differences(in: object) {
      report(
        .wrongValue, "\(entity).\(value.name)", expected: "\(key) has what it is derived from, \(value.expected)",
        seen: "it has \(value.seen)")
    }
    for (name, relationship) in object.entity.relationshipsByName {
      guard let inverse = relationship.inverseRelationship else { continue }
      for other in ObjectSnapshot.members(of: name, in: object)
      where !ObjectSnapshot.members(of: inverse.name, in: other).contains(object) {
        report(
          .asymmetricInverse, "\(entity).\(name)", expected: "both sides of a relationship agree",
          seen: "\(other.objectID.uriRepresentation().lastPathComponent) has not \(key) in \(inverse.name)")
      }
    }
    do {
      try object.validateForUpdate()
    } catch {
      report(.wrongValue, entity, expected: "\(key) is valid", seen: "\(error)")
    }
    return true
  }

  private func report(_ kind: ViolationKind, _ subject: String, expected: String, seen: String) {
    CellReports.report(Violation(kind: kind, subject: subject, expected: expected, seen: seen))
  }
}
