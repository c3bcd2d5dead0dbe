import CoreData

/// A model with features that the notebook lacks: sub-entities, one-to-one, reflexive and many-to-many relationships within one
/// entity, a deny rule, an entity without relationships, every attribute type.
enum Zoo {
  static func model() -> NSManagedObjectModel {
    let animal = entity("Animal")
    let (bird, cat, lion) = (entity("Bird"), entity("Cat"), entity("Lion"))
    let (keeper, badge, sample) = (entity("Keeper"), entity("Badge"), entity("Sample"))
    animal.isAbstract = true
    cat.subentities = [lion]
    animal.subentities = [cat, bird]

    let animals = Notebook.relationship("animals", to: animal, maxCount: 0, rule: .denyDeleteRule)
    let itsKeeper = Notebook.relationship("keeper", to: keeper, maxCount: 1)
    let favourite = Notebook.relationship("favourite", to: animal, maxCount: 1)
    let fans = Notebook.relationship("fans", to: keeper, maxCount: 0)
    let itsBadge = Notebook.relationship("badge", to: badge, maxCount: 1, rule: .cascadeDeleteRule)
    let wearer = Notebook.relationship("keeper", to: keeper, maxCount: 1, rule: .cascadeDeleteRule)
    let friends = Notebook.relationship("friends", to: keeper, maxCount: 0)
    let mentors = Notebook.relationship("mentors", to: keeper, maxCount: 0)
    let pupils = Notebook.relationship("pupils", to: keeper, maxCount: 0)
    for (one, other) in [
      (animals, itsKeeper), (favourite, fans), (itsBadge, wearer), (friends, friends), (mentors, pupils),
    ] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    animal.properties = [
      attribute("name", .stringAttributeType), attribute("legs", .integer16AttributeType),
      attribute("weight", .doubleAttributeType), itsKeeper, fans,
    ]
    bird.properties = [attribute("voice", .stringAttributeType), attribute("wingspan", .doubleAttributeType)]
    cat.properties = [attribute("voice", .stringAttributeType), attribute("lives", .integer16AttributeType)]
    lion.properties = [attribute("pride", .integer64AttributeType)]
    keeper.properties = [
      attribute("name", .stringAttributeType), animals, favourite, itsBadge, friends, mentors, pupils,
    ]
    badge.properties = [attribute("code", .integer32AttributeType), wearer]
    sample.properties = [
      attribute("aBool", .booleanAttributeType), attribute("aData", .binaryDataAttributeType),
      attribute("aDate", .dateAttributeType), attribute("aDecimal", .decimalAttributeType),
      attribute("aDouble", .doubleAttributeType), attribute("aFloat", .floatAttributeType),
      attribute("anInt16", .integer16AttributeType), attribute("anInt32", .integer32AttributeType),
      attribute("anInt64", .integer64AttributeType), attribute("aString", .stringAttributeType),
      attribute("aURI", .URIAttributeType), attribute("aUUID", .UUIDAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [animal, bird, cat, lion, keeper, badge, sample]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription { Notebook.entity(name, NSManagedObject.self) }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    Notebook.attribute(name, type)
  }
}

extension NSManagedObjectContext {
  /// A new object of the named entity with these values; on this context's queue.
  @discardableResult
  func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Every object of an entity with that value of the attribute `key`.
  func all(_ entity: String, where key: String? = nil, is value: Any? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    if let key { request.predicate = NSPredicate(format: "%K == %@", key, value) }
    return try fetch(request)
  }
}

extension NSManagedObject {
  func string(_ key: String) -> String? { value(forKey: key) as? String }

  func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

  func objects(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }

  /// The `name`s of the objects of a to-many relationship, sorted.
  func names(_ key: String) -> [String] { objects(key).compactMap { $0.string("name") }.sorted() }
}
