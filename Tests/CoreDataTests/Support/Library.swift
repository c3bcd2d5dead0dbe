import CoreData

/// A model of ordered relationships: one-to-many, within one entity, many-to-many with an order on one side, on both, and
/// of a relationship that is its own inverse.
enum Library {
  static func model() -> NSManagedObjectModel {
    let (book, reader, shelf, tag) = (entity("Book"), entity("Reader"), entity("Shelf"), entity("Tag"))
    let books = ordered("books", to: book)
    let itsShelf = Notebook.relationship("shelf", to: shelf, maxCount: 1)
    let parts = ordered("parts", to: book, rule: .cascadeDeleteRule)
    let whole = Notebook.relationship("whole", to: book, maxCount: 1)
    let tags = ordered("tags", to: tag)
    let tagged = Notebook.relationship("books", to: book, maxCount: 0)
    let readers = ordered("readers", to: reader)
    let read = ordered("books", to: book)
    let friends = ordered("friends", to: reader)
    for (one, other) in [(books, itsShelf), (parts, whole), (tags, tagged), (readers, read), (friends, friends)] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    book.properties = [name(), itsShelf, parts, whole, tags, readers]
    reader.properties = [name(), read, friends]
    shelf.properties = [name(), books]
    tag.properties = [name(), tagged]
    let model = NSManagedObjectModel()
    model.entities = [book, reader, shelf, tag]
    return model
  }

  static func ordered(
    _ name: String, to destination: NSEntityDescription, rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = Notebook.relationship(name, to: destination, maxCount: 0, rule: rule)
    relationship.isOrdered = true
    return relationship
  }

  private static func entity(_ name: String) -> NSEntityDescription { Notebook.entity(name, NSManagedObject.self) }

  private static func name() -> NSAttributeDescription { Notebook.attribute("name", .stringAttributeType) }
}

extension NSManagedObjectContext {
  /// An object with that name; on this context's queue.
  @discardableResult
  func make(_ entity: String, _ name: String) -> NSManagedObject { insert(entity, ["name": name]) }

  /// The object with that name.
  func named(_ entity: String, _ name: String) throws -> NSManagedObject {
    guard let object = try all(entity, where: "name", is: name).first else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "no \(entity) \(name)"])
    }
    return object
  }

  /// A shelf with books named after the letters, saved.
  @discardableResult
  func seedShelf(_ letters: String, name: String = "shelf") throws -> NSManagedObject {
    let shelf = make("Shelf", name)
    shelf.setValue(NSOrderedSet(array: letters.map { make("Book", "\($0)") }), forKey: "books")
    try save()
    return shelf
  }
}

extension NSManagedObject {
  /// The members of an ordered relationship.
  func list(_ key: String) -> [NSManagedObject] {
    (value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
  }

  /// Their names, one after the other.
  func row(_ key: String = "books") -> String { list(key).map { $0.string("name") ?? "?" }.joined() }

  /// The relationship's mutable set.
  func mutable(_ key: String = "books") -> NSMutableOrderedSet { mutableOrderedSetValue(forKey: key) }

  /// Brings the members into the order of the letters that are their names.
  func arrange(_ letters: String, _ key: String = "books") {
    let members = Dictionary(uniqueKeysWithValues: list(key).map { ($0.string("name") ?? "", $0) })
    setValue(NSOrderedSet(array: letters.compactMap { members["\($0)"] }), forKey: key)
  }
}

extension TestStack {
  /// Runs `body` in a context that shares nothing with the others: where there is a file, on a second coordinator.
  func read(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let stack = place == .file ? try TestStack(model: container.managedObjectModel, url: url) : self
    let context = stack.context("reader")
    try context.performAndWait { try body(context) }
  }

  /// The names of an ordered relationship's members as the store has them.
  func stored(_ entity: String, _ name: String, _ key: String = "books") throws -> String {
    var result = ""
    try read { result = try $0.named(entity, name).row(key) }
    return result
  }
}
