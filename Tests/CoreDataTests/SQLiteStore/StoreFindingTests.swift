import CoreData
import Foundation
import SQLite
import Testing

/// A store on a connection that is kept finds what the one before it found out about the file, as long as that is so.
@Suite(.serialized) struct StoreFindingTests {
  /// Of connections that are kept a process has one file.
  private static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "found-\(UUID().uuidString)")

  private func open() throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let url = Self.folder.appendingPathComponent("kept.sqlite")
    return (
      coordinator,
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    )
  }

  // Only changed while it is made.
  nonisolated(unsafe) private static let model = Zoo.model()

  @Test func aFileThatWasChangedIsLookedAtAgain() throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: Self.folder) }
    KeptDatabases.begin(path: Self.folder.appendingPathComponent("kept.sqlite").path)
    defer { KeptDatabases.removeAll() }
    var metadata: [NSDictionary] = []
    for _ in 0..<3 {
      let (coordinator, store) = try open()
      metadata.append(NSDictionary(dictionary: store.metadata ?? [:]))
      try coordinator.remove(store)
    }
    #expect(metadata[0] == metadata[1] && metadata[1] == metadata[2])
    // By another name it is no connection that is kept.
    let other = try Connection(path: Self.folder.path + "/./kept.sqlite", mode: .readWrite)
    try other.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER + 99 WHERE Z_ENT = 1")
    #expect(throws: NSError.self) { _ = try open() }
    try other.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER - 99 WHERE Z_ENT = 1")
    let (coordinator, store) = try open()
    try coordinator.remove(store)
    try other.execute("DROP TABLE Z_MODELCACHE; DROP TABLE Z_METADATA")
    #expect(throws: NSError.self) { _ = try open() }
    other.close()
  }
}
