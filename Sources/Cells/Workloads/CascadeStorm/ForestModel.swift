import Checking
import CoreData

/// The model of a cascade storm, made in code: trees of folders, with what belongs to them and what refers to them.
///
/// Sub-folders, documents and covers go with their folder (cascade), bookmarks stay without it (nullify), and a folder
/// with locks stays (deny). Documents and tags are many-to-many, folder and cover are one-to-one.
enum ForestModel {
  /// Numbers of the entities in history records: theirs in the store's file.
  enum EntityNumber {
    static let bookmark: UInt16 = 1
    static let cover: UInt16 = 2
    static let document: UInt16 = 3
    static let folder: UInt16 = 4
    static let lock: UInt16 = 5
    static let tag: UInt16 = 6
  }

  /// The model and its layout.
  ///
  /// - Parameters:
  ///   - ownerRule: What becomes of sub-folders, documents and cover of a deleted folder; anything but cascade is wrong.
  ///   - referenceRule: What becomes of the bookmarks' references to it; anything but nullify is wrong.
  static func schema(ownerRule: NSDeleteRule, referenceRule: NSDeleteRule) throws -> WorkloadSchema {
    let model = make(ownerRule: ownerRule, referenceRule: referenceRule)
    let names = model.entities.compactMap(\.name)
    var layout = try StoreLayout(
      of: model, keys: Dictionary(uniqueKeysWithValues: names.map { ($0, "number") }))
    for entity in ["Cover", "Document", "Lock"] { layout.require("folder", of: entity) }
    layout.require("parent", of: "Folder", where: "ZDEPTH")
    return WorkloadSchema(model: model, layout: layout)
  }

  private static func make(ownerRule: NSDeleteRule, referenceRule: NSDeleteRule) -> NSManagedObjectModel {
    let folder = entity("Folder")
    let (document, cover) = (entity("Document"), entity("Cover"))
    let (bookmark, lock, tag) = (entity("Bookmark"), entity("Lock"), entity("Tag"))
    folder.properties += [
      number("depth")
    ]
    connect(many("children", folder, ownerRule), of: folder, one("parent", folder), of: folder)
    connect(many("documents", document, ownerRule), of: folder, one("folder", folder), of: document)
    connect(one("cover", cover, ownerRule), of: folder, one("folder", folder), of: cover)
    connect(many("bookmarks", bookmark, referenceRule), of: folder, one("folder", folder), of: bookmark)
    connect(many("locks", lock, .denyDeleteRule), of: folder, one("folder", folder), of: lock)
    connect(
      many("tags", tag, .nullifyDeleteRule), of: document, many("documents", document, .nullifyDeleteRule), of: tag)
    let model = NSManagedObjectModel()
    model.entities = [folder, document, cover, bookmark, lock, tag]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [number("number")]
    return entity
  }

  private static func number(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    attribute.isOptional = false
    return attribute
  }

  private static func many(
    _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.deleteRule = rule
    return relationship
  }

  private static func one(
    _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = many(name, destination, rule)
    relationship.maxCount = 1
    return relationship
  }

  private static func connect(
    _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, _ inverse: NSRelationshipDescription,
    of destination: NSEntityDescription
  ) {
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    entity.properties.append(relationship)
    destination.properties.append(inverse)
  }
}
