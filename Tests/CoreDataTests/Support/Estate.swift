import Testing

@testable import CoreData

/// A model of houses with attributes that lie in the file as something else: in parts, in files beside, as archives.
enum Estate {
  /// - Parameter constraints: of the houses.
  static func model(constraints: [[Any]] = []) -> NSManagedObjectModel {
    let owner = Notebook.entity("Owner", NSManagedObject.self)
    let house = Notebook.entity("House", NSManagedObject.self)
    let houses = Notebook.relationship("houses", to: house, maxCount: 0)
    let itsOwner = Notebook.relationship("owner", to: owner, maxCount: 1)
    (houses.inverseRelationship, itsOwner.inverseRelationship) = (itsOwner, houses)
    let picture = Notebook.attribute("picture", .binaryDataAttributeType)
    picture.allowsExternalBinaryDataStorage = true
    house.properties = [
      Notebook.attribute("n", .integer32AttributeType), Notebook.attribute("city", .stringAttributeType),
      Notebook.attribute("price", .doubleAttributeType), Notebook.attribute("rating", .floatAttributeType),
      Notebook.attribute("sold", .booleanAttributeType), Notebook.attribute("list", .transformableAttributeType),
      picture, address(), itsOwner,
    ]
    house.uniquenessConstraints = constraints
    let other = Notebook.attribute("portrait", .binaryDataAttributeType)
    other.allowsExternalBinaryDataStorage = true
    owner.properties = [Notebook.attribute("n", .integer32AttributeType), other, address(), houses]
    let model = NSManagedObjectModel()
    model.entities = [house, owner]
    return model
  }

  /// `addr`, with `city`, `zip`, and `geo` of `lat` and `lon`.
  private static func address() -> NSCompositeAttributeDescription {
    let geo = NSCompositeAttributeDescription()
    geo.name = "geo"
    geo.elements = [Notebook.attribute("lat", .doubleAttributeType), Notebook.attribute("lon", .doubleAttributeType)]
    let address = NSCompositeAttributeDescription()
    address.name = "addr"
    address.elements = [
      Notebook.attribute("city", .stringAttributeType), Notebook.attribute("zip", .integer32AttributeType), geo,
    ]
    return address
  }
}

extension NSManagedObjectContext {
  /// Checks that a predicate finds the objects with these numbers, in a fetch and evaluated with each object.
  func expect(
    _ entity: String, _ predicate: NSPredicate, finds numbers: [Int], _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
    let all = try fetch(request)
    let evaluated = all.filter { predicate.evaluate(with: $0) }.map { $0.value(forKey: "n") as? Int }
    #expect(evaluated == numbers, "\(predicate), evaluated, \(comment)", sourceLocation: sourceLocation)
    request.predicate = predicate
    let fetched = try fetch(request).map { $0.value(forKey: "n") as? Int }
    #expect(fetched == numbers, "\(predicate), fetched, \(comment)", sourceLocation: sourceLocation)
    #expect(
      try count(for: request) == numbers.count, "\(predicate), counted, \(comment)", sourceLocation: sourceLocation)
  }

  /// Runs the checks over unsaved objects, in a child, over saved ones, and in a context that has none in memory.
  func inEveryState(_ check: (NSManagedObjectContext, Comment) throws -> Void) throws {
    try check(self, "unsaved")
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = self
    try child.performAndWait { try check(child, "in a child") }
    try save()
    try check(self, "saved")
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = persistentStoreCoordinator
    try other.performAndWait { try check(other, "read") }
  }
}
