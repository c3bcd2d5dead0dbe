import CoreData

/// The model most tests use: notes own words, words carry tags.
final class Note: NSManagedObject {
  private static let numberKey = _PropertyKey("number")
  private static let titleKey = _PropertyKey("title")
  private static let createdAtKey = _PropertyKey("createdAt")
  private static let uuidKey = _PropertyKey("uuid")
  private static let wordsKey = _PropertyKey("words")

  var number: Int64 {
    get { _integer(Self.numberKey) }
    set { _setInteger(Self.numberKey, newValue) }
  }
  var title: String? {
    get { _string(Self.titleKey) }
    set { _setString(Self.titleKey, newValue) }
  }
  var createdAt: Date? {
    get { _date(Self.createdAtKey) }
    set { _setDate(Self.createdAtKey, newValue) }
  }
  var uuid: UUID? {
    get { _uuid(Self.uuidKey) }
    set { _setUUID(Self.uuidKey, newValue) }
  }
  var words: Set<NSManagedObject> {
    get { _toMany(Self.wordsKey) }
    set { _setToMany(Self.wordsKey, newValue) }
  }
  func addToWords(_ word: Word) { _add(word, to: Self.wordsKey) }
  func removeFromWords(_ word: Word) { _remove(word, from: Self.wordsKey) }
}

final class Word: NSManagedObject {
  private static let termKey = _PropertyKey("term")
  private static let levelKey = _PropertyKey("level")
  private static let noteKey = _PropertyKey("note")
  private static let tagsKey = _PropertyKey("tags")

  var term: String? {
    get { _string(Self.termKey) }
    set { _setString(Self.termKey, newValue) }
  }
  var level: Int64 {
    get { _integer(Self.levelKey) }
    set { _setInteger(Self.levelKey, newValue) }
  }
  var note: Note? {
    get { _toOne(Self.noteKey) as? Note }
    set { _setToOne(Self.noteKey, newValue) }
  }
  var tags: Set<NSManagedObject> {
    get { _toMany(Self.tagsKey) }
    set { _setToMany(Self.tagsKey, newValue) }
  }
}

enum Notebook {
  /// A new model; every coordinator of one test shares it.
  static func model(
    wordsRule: NSDeleteRule = .cascadeDeleteRule, titleIsOptional: Bool = true, uniqueNotes: [[String]] = []
  ) -> NSManagedObjectModel {
    let note = entity("Note", Note.self)
    let word = entity("Word", Word.self)
    let tag = entity("Tag", NSManagedObject.self)
    let words = relationship("words", to: word, maxCount: 0, rule: wordsRule)
    let owner = relationship("note", to: note, maxCount: 1)
    let tags = relationship("tags", to: tag, maxCount: 0)
    let tagged = relationship("words", to: word, maxCount: 0)
    (words.inverseRelationship, owner.inverseRelationship) = (owner, words)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    note.properties = [
      attribute("number", .integer64AttributeType, defaultValue: 0),
      attribute("title", .stringAttributeType, isOptional: titleIsOptional),
      attribute("createdAt", .dateAttributeType), attribute("uuid", .UUIDAttributeType), words,
    ]
    note.uniquenessConstraints = uniqueNotes
    word.properties = [
      attribute("term", .stringAttributeType), attribute("level", .integer16AttributeType, defaultValue: 1), owner,
      tags,
    ]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    let model = NSManagedObjectModel()
    model.entities = [note, word, tag]
    return model
  }

  static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true, defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    attribute.defaultValue = defaultValue
    return attribute
  }

  static func relationship(
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
