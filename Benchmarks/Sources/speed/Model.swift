import CoreData
import Foundation

/// A page of a notebook: nine attributes, and its words.
class Note: NSManagedObject {
  @NSManaged var number: Int64
  @NSManaged var revision: Int64
  @NSManaged var isPinned: Bool
  @NSManaged var createdAt: Date?
  @NSManaged var modifiedAt: Date?
  @NSManaged var title: String?
  @NSManaged var body: String?
  @NSManaged var language: String?
  @NSManaged var uuid: UUID?
  @NSManaged var words: Set<Word>
}

/// A word on a page: four attributes, and its page.
class Word: NSManagedObject {
  @NSManaged var number: Int64
  @NSManaged var level: Int16
  @NSManaged var term: String?
  @NSManaged var meaning: String?
  @NSManaged var note: Note?
}

/// The model of both; words go with their page.
enum NotebookModel {
  static func make() -> NSManagedObjectModel {
    let note = entity("Note", Note.self)
    let word = entity("Word", Word.self)
    let words = relationship("words", to: word, maxCount: 0)
    words.deleteRule = .cascadeDeleteRule
    let owner = relationship("note", to: note, maxCount: 1)
    owner.deleteRule = .nullifyDeleteRule
    (words.inverseRelationship, owner.inverseRelationship) = (owner, words)
    note.properties = [
      attribute("number", .integer64AttributeType, 0), attribute("revision", .integer64AttributeType, 0),
      attribute("isPinned", .booleanAttributeType, false), attribute("createdAt", .dateAttributeType),
      attribute("modifiedAt", .dateAttributeType), attribute("title", .stringAttributeType),
      attribute("body", .stringAttributeType), attribute("language", .stringAttributeType),
      attribute("uuid", .UUIDAttributeType), words,
    ]
    word.properties = [
      attribute("number", .integer64AttributeType, 0), attribute("level", .integer16AttributeType, 0),
      attribute("term", .stringAttributeType), attribute("meaning", .stringAttributeType), owner,
    ]
    let model = NSManagedObjectModel()
    model.entities = [note, word]
    return model
  }

  private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, _ defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.isOptional = true
    return relationship
  }
}
