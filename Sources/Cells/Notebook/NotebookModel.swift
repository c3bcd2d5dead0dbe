import CoreData

/// The model that the shipped scenarios work on, made in code: notes, and the words in them.
package enum NotebookModel {
  /// The model; frozen by the first container that uses it.
  // Sendable in effect: built before it is shared, never changed here, frozen once in use.
  nonisolated(unsafe) package static let shared: NSManagedObjectModel = make()

  /// Numbers of the entities in history records: theirs in the store's file.
  package enum EntityNumber {
    package static let note: UInt16 = 1
    package static let word: UInt16 = 2
  }

  /// A separate model, with other entities beside notes and words.
  ///
  /// - Parameter others: entities with names after `Word`, so that ``EntityNumber`` is right.
  static func make(beside others: [NSEntityDescription] = []) -> NSManagedObjectModel {
    precondition(others.allSatisfy { ($0.name ?? "") > "Word" }, "entities are numbered in the order of their names")
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = _typeName(Note.self)
    let word = NSEntityDescription()
    word.name = "Word"
    word.managedObjectClassName = _typeName(Word.self)

    let words = NSRelationshipDescription()
    words.name = "words"
    words.destinationEntity = word
    words.deleteRule = .cascadeDeleteRule
    let owner = NSRelationshipDescription()
    owner.name = "note"
    owner.destinationEntity = note
    owner.maxCount = 1
    owner.deleteRule = .nullifyDeleteRule
    words.inverseRelationship = owner
    owner.inverseRelationship = words

    note.properties = [
      attribute("number", .integer64AttributeType), attribute("uuid", .UUIDAttributeType),
      attribute("title", .stringAttributeType), attribute("body", .stringAttributeType),
      attribute("language", .stringAttributeType), attribute("createdAt", .dateAttributeType),
      attribute("modifiedAt", .dateAttributeType), attribute("isPinned", .booleanAttributeType),
      attribute("revision", .integer64AttributeType), words,
    ]
    word.properties = [
      attribute("number", .integer64AttributeType), attribute("term", .stringAttributeType),
      attribute("meaning", .stringAttributeType), attribute("level", .integer16AttributeType), owner,
    ]
    let model = NSManagedObjectModel()
    model.entities = [note, word] + others
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = false
    return attribute
  }
}
