import CoreData

/// The model that Notebook.xcdatamodeld would hold; class names are without module, as Xcode writes them.
public enum NotebookModel {
  public static func make() -> NSManagedObjectModel {
    let note = entity("Note", className: "Note")
    let word = entity("Word", className: "NBWord")
    let tag = entity("Tag", className: "NotebookModel.Tag")
    let words = relationship("words", to: word, maxCount: 0, rule: .cascadeDeleteRule)
    let owner = relationship("note", to: note, maxCount: 1)
    let page = entity("Page", className: ".Page")
    let pages = relationship("pages", to: page, maxCount: 0, rule: .cascadeDeleteRule)
    pages.isOrdered = true
    let pageOwner = relationship("note", to: note, maxCount: 1)
    (pages.inverseRelationship, pageOwner.inverseRelationship) = (pageOwner, pages)
    page.properties = [attribute("text", .stringAttributeType), pageOwner]
    let tags = relationship("tags", to: tag, maxCount: 0)
    let notes = relationship("notes", to: note, maxCount: 0)
    (words.inverseRelationship, owner.inverseRelationship) = (owner, words)
    (tags.inverseRelationship, notes.inverseRelationship) = (notes, tags)
    note.properties = [
      attribute("body", .stringAttributeType), attribute("createdAt", .dateAttributeType),
      attribute("identifier", .UUIDAttributeType), attribute("isPinned", .booleanAttributeType, false),
      attribute("link", .URIAttributeType), attribute("number", .integer64AttributeType, 0),
      attribute("picture", .binaryDataAttributeType), attribute("price", .decimalAttributeType),
      attribute("priority", .integer16AttributeType, 1), attribute("rating", .doubleAttributeType, 0.0),
      attribute("reads", .integer32AttributeType), attribute("title", .stringAttributeType, ""),
      attribute("weight", .floatAttributeType, 0.0), words, tags, pages,
    ]
    word.properties = [
      attribute("level", .integer16AttributeType, 1), attribute("term", .stringAttributeType), owner,
    ]
    tag.properties = [
      attribute("name", .stringAttributeType), attribute("uses", .integer32AttributeType, 0),
      attribute("secret", .booleanAttributeType, false), attribute("isShown", .booleanAttributeType, true), notes,
    ]
    let model = NSManagedObjectModel()
    model.entities = [note, page, word, tag]
    return model
  }

  private static func entity(_ name: String, className: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = className
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, _ defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int, rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.deleteRule = rule
    return relationship
  }
}
