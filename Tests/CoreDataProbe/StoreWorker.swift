import CoreData
import Scheduling

/// Makes one change at a time in a store, each in a context of its own, and prints the saved objects.
///
/// A command is a line: `insert ENTITY`, `set URI PROPERTY VALUE`, `relate URI PROPERTY URI`, `add URI PROPERTY URI`,
/// `remove URI PROPERTY URI` or `delete URI`, with `nil` for no value. So is the answer: `saved` and the URIs of
/// inserted (`+`), updated (`=`) and deleted (`-`) objects; `unchanged`; or `failed` and the code of the error.
struct StoreWorker {
  private struct Misunderstood: Error {}

  private let container: NSPersistentContainer

  init(model: URL, store: URL, keepsHistory: Bool) {
    guard let model = NSManagedObjectModel(contentsOf: model) else { fatalError("\(model) is no model") }
    container = NSPersistentContainer(name: "Worker", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: store)
    if keepsHistory { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in
      if let error { fatalError("the store could not be opened: \(error)") }
    }
  }

  /// Answers commands until the input ends.
  func run() {
    alarm(0)
    while let command = readLine() {
      alarm(deadlineSeconds)
      FileHandle.standardOutput.write(Data((answer(command) + "\n").utf8))
      alarm(0)
    }
  }

  private func answer(_ command: String) -> String {
    let words = command.split(separator: " ").map(String.init)
    let context = container.newBackgroundContext()
    return context.performAndWait {
      let (saved, rows) = (Locked<String?>(nil), Locked<Set<NSManagedObjectID>>([]))
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSaveObjectIDs, object: context, queue: nil
      ) { notification in
        let changes = [("+", NSInsertedObjectIDsKey), ("=", NSUpdatedObjectIDsKey), ("-", NSDeletedObjectIDsKey)]
          .flatMap { sign, key in
            (notification.userInfo?[key] as? Set<NSManagedObjectID> ?? []).subtracting(rows.withLock { $0 }).map {
              sign + "\($0.uriRepresentation())"
            }
          }
        saved.withLock { $0 = (["saved"] + changes).joined(separator: " ") }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      do {
        try change(words, context)
        // An equal value is a change of the object, and none of its row.
        let unwritten = context.updatedObjects.filter { !$0.hasPersistentChangedValues }.map(\.objectID)
        rows.withLock { $0 = Set(unwritten) }
        try context.save()
        return saved.withLock { $0 } ?? "unchanged"
      } catch {
        return "failed \((error as NSError).code)"
      }
    }
  }

  private func change(_ words: [String], _ context: NSManagedObjectContext) throws {
    func object(_ word: Int) throws -> NSManagedObject? {
      guard words[word] != "nil" else { return nil }
      guard let uri = URL(string: words[word]),
        let id = container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
      else { throw Misunderstood() }
      return try context.existingObject(with: id)
    }
    if words[0] == "insert" {
      _ = NSEntityDescription.insertNewObject(forEntityName: words[1], into: context)
      return
    }
    guard let changed = try object(1) else { throw Misunderstood() }
    switch words[0] {
    case "set":
      let isNumber = changed.entity.attributesByName[words[2]]?.attributeType == .integer64AttributeType
      let value: Any? = words[3] == "nil" ? nil : isNumber ? Int64(words[3]) as Any? : words[3]
      changed.setValue(value, forKey: words[2])
    case "relate": changed.setValue(try object(3), forKey: words[2])
    case "add": try object(3).map { changed.mutableSetValue(forKey: words[2]).add($0) }
    case "remove": try object(3).map { changed.mutableSetValue(forKey: words[2]).remove($0) }
    case "delete": context.delete(changed)
    default: throw Misunderstood()
    }
  }
}
