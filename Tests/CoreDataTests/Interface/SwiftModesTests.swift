import Foundation
import Testing

/// Code as apps write it compiles without a warning in every mode of Swift, as it does with Apple's interface.
@Suite struct SwiftModesTests {
  private static let source = """
    import CoreData
    import Foundation

    class Note: NSManagedObject {
      var shout: String { (value(forKey: "title") as? String ?? "").uppercased() }
      override func awakeFromInsert() { super.awakeFromInsert() }
    }
    final class Stack {
      let container: NSPersistentContainer
      var loaded = 0
      init(_ model: NSManagedObjectModel) { container = NSPersistentContainer(name: "Notes", managedObjectModel: model) }
      func load() throws {
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        container.loadPersistentStores { _, error in if error == nil { self.loaded += 1 } }
        if let failure { throw failure }
      }
      func add(_ description: NSPersistentStoreDescription, to coordinator: NSPersistentStoreCoordinator) throws {
        var failure: (any Error)?
        coordinator.addPersistentStore(with: description) { _, error in failure = error }
        if let failure { throw failure }
      }
    }
    nonisolated func titles(_ context: NSManagedObjectContext) async throws -> [NSManagedObject] {
      try await context.perform { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) }
    }
    nonisolated func counted(_ container: NSPersistentContainer) async throws -> Int {
      var count = 0
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      try await container.performBackgroundTask { count = try $0.count(for: request) }
      return count
    }
    nonisolated func signal(_ context: NSManagedObjectContext, _ done: DispatchSemaphore) {
      DispatchQueue.global().async { context.performAndWait { done.signal() } }
      context.perform { context.performAndWait { done.signal() } }
      let last: () -> Void = { context.performAndWait { done.signal() } }
      last()
    }
    nonisolated func changed(_ context: NSManagedObjectContext) throws -> Int {
      var count = 0
      try context.performAndWait {
        for note in try context.fetch(NSFetchRequest<Note>(entityName: "Note")) where note.shout.isEmpty { count += 1 }
      }
      return count
    }
    """

  // S1.1, S1.3
  @Test(arguments: [
    ["-swift-version", "5"], ["-swift-version", "5", "-strict-concurrency=complete"], ["-swift-version", "6"],
    ["-swift-version", "6", "-default-isolation", "MainActor"],
  ])
  func usualCodeCompiles(options: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("modes-\(UUID().uuidString).swift")
    try Self.source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let build = Bundle.main.bundleURL
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path
    let map = build.appendingPathComponent("CRuntime.build/module.modulemap").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-warnings-as-errors"] + options + [
        "-I", build.appendingPathComponent("Modules").path, "-I", sources + "/CSQLite", "-I", sources + "/CZlib",
        "-Xcc",
        "-fmodule-map-file=" + map, file.path,
      ]
    let output = Pipe()
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
