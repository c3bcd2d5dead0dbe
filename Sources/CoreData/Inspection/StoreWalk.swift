import RowStore

/// The findings of a walk over every object of a store: their number, and whether relationships agree on both sides.
package struct StoreWalk {
  /// Objects of exactly one entity.
  package struct Entity {
    package let name: String
    package let objects: Int
  }

  /// By number.
  package private(set) var entities: [Entity] = []
  /// Members of relationships that were followed, each side counted.
  package private(set) var references = 0
  /// References that lead to no object, or back to another one; the first ``largestList``.
  package private(set) var disagreements: [String] = []
  /// How many there are in all.
  package private(set) var disagreementCount = 0

  private static let largestList = 50

  package var total: Int { entities.reduce(0) { $0 + $1.objects } }

  /// Fetches every object of a copy of the store, reads its values and follows its relationships.
  ///
  /// - Throws: errors of opening and fetching; 256 when a part of the file cannot be read.
  package init(path: String, model: NSManagedObjectModel) throws {
    let file = try ReadOnlySnapshot(path, isPrivate: true)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: file.path),
      options: [NSReadOnlyPersistentStoreOption: true])
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try walk(context, model) }
    withExtendedLifetime(file) {}
  }

  private mutating func walk(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
    for layout in try model.freeze().entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
      request.includesSubentities = false
      let objects = try context.fetch(request)
      for object in objects {
        for property in layout.properties {
          switch property.kind {
          case .attribute: _ = object.value(forKey: property.name)
          case .toOne: try follow(object, property, context)
          case .toMany: try followMembers(object, property, context)
          }
        }
      }
      entities.append(Entity(name: layout.name, objects: objects.count))
    }
    precondition(disagreementCount <= references, "a reference disagrees once")
    if let error = context.reading.unreadable.error { throw error }
  }

  private mutating func follow(
    _ object: NSManagedObject, _ property: PropertyLayout, _ context: NSManagedObjectContext
  ) throws {
    guard let target = object.toOne(property) else { return }
    references += 1
    try check(object, property, target, context)
  }

  private mutating func followMembers(
    _ object: NSManagedObject, _ property: PropertyLayout, _ context: NSManagedObjectContext
  ) throws {
    let members = try object.loadMembers(property).objects
    references += members.count
    for member in members { try check(object, property, member, context) }
  }

  /// Notes a disagreement where the other side does not exist, or does not lead back.
  private mutating func check(
    _ object: NSManagedObject, _ property: PropertyLayout, _ target: NSManagedObject, _ context: NSManagedObjectContext
  ) throws {
    do {
      _ = try context.existingObject(with: target.objectID)
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return note("\(name(object)).\(property.name) leads to \(name(target)), which is not there")
    }
    guard property.isStored, let inverse = property.relation.inverse, inverse.isStored else { return }
    let leadsBack =
      inverse.relation.isToMany
      ? try target.loadMembers(inverse).objects.contains { $0 === object } : target.toOne(inverse) === object
    if !leadsBack { note("\(name(object)).\(property.name) has \(name(target)), whose \(inverse.name) says otherwise") }
  }

  private mutating func note(_ disagreement: String) {
    disagreementCount += 1
    if disagreements.count < Self.largestList { disagreements.append(disagreement) }
  }

  private func name(_ object: NSManagedObject) -> String {
    "\(object.layout.name) \(StoreTag.of(object.key).primaryKey(object.key))"
  }
}
