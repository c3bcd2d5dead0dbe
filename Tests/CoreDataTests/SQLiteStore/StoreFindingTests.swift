import CoreData
import Foundation
import SQLite
import Testing

/// A store on a connection that is kept finds what the one before it found out about the file, as long as that is so.
@Suite struct StoreFindingTests {
  private static func open(_ file: String) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Zoo.model())
    let url = URL(fileURLWithPath: file)
    return (
      coordinator,
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    )
  }

  /// Opens a file three times, then changes what stores look for in it.
  private static func changeAFileThatIsKept() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/found-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/kept.sqlite"
    KeptDatabases.begin(path: file)
    var metadata: [NSDictionary] = []
    for _ in 0..<3 {
      let (coordinator, store) = try open(file)
      metadata.append(NSDictionary(dictionary: store.metadata ?? [:]))
      try coordinator.remove(store)
    }
    #expect(metadata[0] == metadata[1] && metadata[1] == metadata[2])
    // By another name it is no connection that is kept.
    let other = try Connection(path: folder + "/./kept.sqlite", mode: .readWrite)
    try other.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER + 99 WHERE Z_ENT = 1")
    #expect(throws: NSError.self) { _ = try open(file) }
    try other.execute("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER - 99 WHERE Z_ENT = 1")
    let (coordinator, store) = try open(file)
    try coordinator.remove(store)
    try other.execute("DROP TABLE Z_MODELCACHE; DROP TABLE Z_METADATA")
    #expect(throws: NSError.self) { _ = try open(file) }
    other.close()
  }

  /// In a process of its own: of connections that are kept a process has one file.
  @Test func aFileThatWasChangedIsLookedAtAgain() async {
    await #expect(processExitsWith: .success) { try Self.changeAFileThatIsKept() }
  }
}
