import Checking
import CoreData

/// Compares every object of a store with what the acknowledged saves made of it.
struct ModelAudit: Sendable {
  /// By the name of the object in the file.
  let expected: [String: ObjectSnapshot]
  let context: NSManagedObjectContext

  /// Objects that are released at once, so that memory stays flat.
  private static let batch = 500

  /// Reads every object, reports what is not as it must be, and tells how many objects were compared; off the context's
  /// queue.
  func run() throws -> Int {
    try context.performAndWait {
      let model = context.persistentStoreCoordinator?.managedObjectModel
      var seen = 0
      for entity in (model?.entities ?? []).sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
        guard let name = entity.name, !entity.isAbstract else { continue }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        for (number, object) in try context.fetch(request).enumerated() {
          if check(object, name) { seen += 1 }
          if number % Self.batch == Self.batch - 1 { context.refreshAllObjects() }
        }
        context.reset()
      }
      return seen
    }
  }

  /// Compares one object; false where nothing is known of it.
  private func check(_ object: NSManagedObject, _ entity: String) -> Bool {
    let key = object.objectID.uriRepresentation().lastPathComponent
    guard let expected = expected[ObjectSnapshot.name(of: object.objectID)] else {
      // Rows that were deleted are the matter of the checkers of the file, which know what was acknowledged.
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
