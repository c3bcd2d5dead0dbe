import ContextTesting
import CoreData
import Foundation
import SQLite
import Testing

/// The store of an explored test begins with a copy of a file that was made once: it is the one that statements make.
@Suite(.serialized) struct StoreImageTests {
  // Only changed while it is made.
  nonisolated(unsafe) private static let model = {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let (folder, file) = (NSEntityDescription(), NSEntityDescription())
    (folder.name, file.name) = ("Folder", "File")
    let (files, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
    (files.name, owner.name) = ("files", "folder")
    (files.destinationEntity, owner.destinationEntity) = (file, folder)
    (files.inverseRelationship, owner.inverseRelationship) = (owner, files)
    owner.maxCount = 1
    folder.properties = [files]
    file.properties = [name, owner]
    file.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [folder, file]
    return model
  }()

  private static func open(
    at url: URL, _ options: [AnyHashable: Any]? = nil, type: String = NSSQLiteStoreType
  ) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    return (
      coordinator, try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
    )
  }

  private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// All that a new file says, but for its UUID.
  private static func description(_ options: [AnyHashable: Any]?, at url: URL) throws -> [String] {
    let (coordinator, store) = try open(at: url, options)
    var metadata = store.metadata ?? [:]
    #expect((metadata[NSStoreUUIDKey] as? String)?.count == 36)
    metadata[NSStoreUUIDKey] = nil
    let connection = try Connection(path: url.path, mode: .readOnly)
    let questions = [
      "PRAGMA page_size", "PRAGMA auto_vacuum", "PRAGMA journal_mode", "PRAGMA encoding", "PRAGMA integrity_check",
      "SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, ''), char(10)) FROM sqlite_master",
      "SELECT group_concat(Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX) FROM Z_PRIMARYKEY",
      "SELECT Z_VERSION FROM Z_METADATA", "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE",
    ]
    var lines = try questions.map { try connection.string($0) ?? "none" }
    #expect(try connection.string("SELECT Z_UUID FROM Z_METADATA") == store.identifier)
    connection.close()
    try coordinator.remove(store)
    lines.append("\(NSDictionary(dictionary: metadata))")
    return lines
  }

  @Test(arguments: [false, true]) func theFileIsTheOneThatStatementsMake(hasHistory: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    @Sendable func options() -> [AnyHashable: Any]? {
      hasHistory ? [NSPersistentHistoryTrackingKey: true as NSNumber] : nil
    }
    let made = try Self.description(options(), at: folder.appendingPathComponent("made.sqlite"))
    try await explore(schedules: 3, file: folder.path) {
      let copied = try Self.description(options(), at: temporaryStore())
      #expect(copied == made)
    }
  }

  @Test func storesOfOneOrderAreDifferentOnes() async throws {
    try await explore(schedules: 2, file: "/tmp/none") {
      let (first, second) = (try Self.open(at: temporaryStore()), try Self.open(at: temporaryStore()))
      let third = try Self.open(at: URL(fileURLWithPath: "/dev/null"), type: NSInMemoryStoreType)
      #expect(Set([first.1.identifier, second.1.identifier, third.1.identifier]).count == 3)
    }
  }

  @Test func aStoreThatIsThereStays() async throws {
    try await explore(schedules: 2, file: "/tmp/none") {
      let url = temporaryStore()
      let (coordinator, store) = try Self.open(at: url)
      let context = Self.context(of: coordinator)
      try context.performAndWait {
        NSEntityDescription.insertNewObject(forEntityName: "File", into: context).setValue("a", forKey: "name")
        try context.save()
      }
      try coordinator.remove(store)
      let again = try Self.open(at: url)
      #expect(again.1.identifier == store.identifier)
      let other = Self.context(of: again.0)
      let count = try other.performAndWait {
        try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "File"))
      }
      #expect(count == 1)
    }
  }

  @Test func aStoreInMemoryTakesRows() async throws {
    try await explore(schedules: 2, file: "/tmp/none") {
      let (coordinator, _) = try Self.open(at: URL(fileURLWithPath: "/dev/null"), type: NSInMemoryStoreType)
      let context = Self.context(of: coordinator)
      let count = try context.performAndWait {
        NSEntityDescription.insertNewObject(forEntityName: "File", into: context).setValue("a", forKey: "name")
        try context.save()
        context.reset()
        return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "File"))
      }
      #expect(count == 1)
    }
  }
}
