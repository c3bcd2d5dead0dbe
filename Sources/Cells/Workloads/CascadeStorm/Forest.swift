import CoreData
import Scheduling

/// The operations on the trees of a storm; in any context, on its queue.
struct Forest: Sendable {
  /// Unique numbers, one sequence per entity.
  private let last = Locked<[UInt16: Int64]>([:])
  /// Tags are made once and never deleted.
  let tagCount: Int64

  init(tagCount: Int64) {
    precondition(tagCount > 0, "documents have tags to draw from")
    self.tagCount = tagCount
  }

  /// The next number of an entity.
  func next(_ entity: UInt16) -> Int64 {
    last.withLock { last in
      last[entity, default: 0] += 1
      return last[entity, default: 0]
    }
  }

  /// The highest number of an entity so far; 0 before the first.
  func highest(_ entity: UInt16) -> Int64 { last.withLock { $0[entity] ?? 0 } }

  // MARK: Inserting

  /// A folder with its cover, a bookmark and documents.
  @discardableResult
  func insertFolder(
    into context: NSManagedObjectContext, under parent: NSManagedObject?, documents: Int, _ changes: inout ForestChanges
  ) throws -> NSManagedObject {
    precondition(documents >= 0, "a folder has documents, or none")
    let owner = try parent.map(Self.number) ?? 0
    let (folder, number) = insert("Folder", ForestModel.EntityNumber.folder, into: context, owner: owner, &changes)
    folder.setValue((parent?.value(forKey: "depth") as? Int64 ?? -1) + 1, forKey: "depth")
    folder.setValue(parent, forKey: "parent")
    let (cover, _) = insert("Cover", ForestModel.EntityNumber.cover, into: context, owner: number, &changes)
    cover.setValue(folder, forKey: "folder")
    let (bookmark, _) = insert("Bookmark", ForestModel.EntityNumber.bookmark, into: context, owner: 0, &changes)
    bookmark.setValue(folder, forKey: "folder")
    for _ in 0..<documents { try insertDocument(into: context, in: folder, tags: [], &changes) }
    return folder
  }

  /// Inserts a document with tags.
  func insertDocument(
    into context: NSManagedObjectContext, in folder: NSManagedObject, tags: Set<NSManagedObject>,
    _ changes: inout ForestChanges
  ) throws {
    let (document, _) = insert(
      "Document", ForestModel.EntityNumber.document, into: context, owner: try Self.number(folder), &changes)
    document.setValue(folder, forKey: "folder")
    document.setValue(tags, forKey: "tags")
  }

  /// Inserts a lock on a folder, which cannot be deleted as long as it is there.
  func insertLock(into context: NSManagedObjectContext, on folder: NSManagedObject, _ changes: inout ForestChanges)
    throws
  {
    let (lock, _) = insert(
      "Lock", ForestModel.EntityNumber.lock, into: context, owner: try Self.number(folder), &changes)
    lock.setValue(folder, forKey: "folder")
  }

  /// All tags.
  func insertTags(into context: NSManagedObjectContext, _ changes: inout ForestChanges) -> [NSManagedObject] {
    (0..<tagCount).map { _ in insert("Tag", ForestModel.EntityNumber.tag, into: context, owner: 0, &changes).object }
  }

  private func insert(
    _ name: String, _ entity: UInt16, into context: NSManagedObjectContext, owner: Int64,
    _ changes: inout ForestChanges
  ) -> (object: NSManagedObject, number: Int64) {
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    let number = next(entity)
    object.setValue(number, forKey: "number")
    changes.insert(entity, number, in: owner)
    return (object, number)
  }

  // MARK: Finding and deleting

  /// The object of an entity with that number, or the first after it for which a condition holds, as the store or the
  /// parent has it now.
  func find(
    _ entity: String, from number: Int64, _ condition: String = "TRUEPREDICATE", in context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "number >= %ld AND \(condition)", Int(number))
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Deletes a folder, and adds the objects that go with it as far as this context knows.
  ///
  /// - Parameter unlocks: Whether the locks on it and on its sub-folders are deleted before.
  func delete(_ folder: NSManagedObject, unlocks: Bool, _ changes: inout ForestChanges) throws {
    let tree = Self.tree(folder)
    if unlocks {
      for lock in tree.flatMap({ Self.members("locks", of: $0) }) {
        try changes.delete(ForestModel.EntityNumber.lock, Self.number(lock))
        folder.managedObjectContext?.delete(lock)
      }
      // So that the deny rule sees the folders without them.
      folder.managedObjectContext?.processPendingChanges()
    }
    for folder in tree {
      try changes.delete(ForestModel.EntityNumber.folder, Self.number(folder))
      for document in Self.members("documents", of: folder) {
        try changes.delete(ForestModel.EntityNumber.document, Self.number(document))
      }
      if let cover = folder.value(forKey: "cover") as? NSManagedObject {
        try changes.delete(ForestModel.EntityNumber.cover, Self.number(cover))
      }
    }
    folder.managedObjectContext?.delete(folder)
  }

  /// The folder and all folders below it.
  private static func tree(_ folder: NSManagedObject) -> [NSManagedObject] {
    var found = [folder]
    var next = 0
    while next < found.count {
      found += members("children", of: found[next])
      next += 1
    }
    return found
  }

  static func members(_ relationship: String, of object: NSManagedObject) -> Set<NSManagedObject> {
    object.value(forKey: relationship) as? Set<NSManagedObject> ?? []
  }

  /// The object's number.
  ///
  /// - Throws: 133000 when its row is gone.
  static func number(_ object: NSManagedObject) throws -> Int64 {
    guard let number = object.value(forKey: "number") as? Int64, number > 0, !object.isDeleted else {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError,
        userInfo: [NSLocalizedDescriptionKey: "another context deleted the object"])
    }
    return number
  }
}
