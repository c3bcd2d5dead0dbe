import Foundation
import Testing

/// A linker takes from a static archive only the files that something refers to: declarations that only the
/// runtime finds are left out with their file.
@Suite(.enabled(if: ["none", nil].contains(ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"])))
struct StaticArchiveTests {
  private static let source = """
    import CoreData
    let title = NSAttributeDescription()
    (title.name, title.attributeType) = ("title", .stringAttributeType)
    let note = NSEntityDescription()
    (note.name, note.properties) = ("Note", [title])
    let model = NSManagedObjectModel()
    model.entities = [note]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    let insert = NSBatchInsertRequest(entityName: "Note", objects: [["title": "a"], ["title": "b"]])
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["title": "c"]
    let requests: [NSPersistentStoreRequest] = [
      insert, update, all, NSAsynchronousFetchRequest(fetchRequest: all) { _ in },
      NSPersistentHistoryChangeRequest.fetchHistory(after: Date()), NSBatchDeleteRequest(fetchRequest: all),
    ]
    for request in requests {
      do { _ = try context.execute(request) } catch { print(type(of: request), (error as NSError).code) }
    }
    """

  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
  private static let build = Bundle.main.bundleURL

  /// The object files of a target's sources; a build keeps those of files that were renamed.
  private static func objects(_ target: String) -> [String] {
    let sources = FileManager.default.enumerator(atPath: Self.sources.appendingPathComponent(target).path)
    let names = Set(sources?.compactMap { ($0 as? NSString)?.lastPathComponent } ?? [])
    let folder = build.appendingPathComponent("\(target).build")
    let objects = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return objects.filter { name in
      name.hasSuffix(".o") && names.contains(String((name as NSString).lastPathComponent.dropLast(2)))
    }.map { folder.appendingPathComponent($0).path }
  }

  private func run(_ command: [String], in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    (process.arguments, process.currentDirectoryURL) = (command, folder)
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text : text + "exit \(process.terminationStatus)"
  }

  // S7.4
  @Test func everyRequestIsExecutedFromAnArchive() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.source.write(to: folder.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
    let targets = ["CoreData", "RowStore", "Scheduling", "SQLite", "CRuntime", "CMemoryFiles", "CProcess"]
    #expect(try run(["ar", "rcs", "libstack.a"] + targets.flatMap(Self.objects), in: folder) == "")
    let map = Self.build.appendingPathComponent("CRuntime.build/module.modulemap").path
    let link = [
      "swiftc", "main.swift", "-o", "program", "-I", Self.build.appendingPathComponent("Modules").path,
      "-I", Self.sources.path + "/CSQLite", "-I", Self.sources.path + "/CZlib", "-Xcc", "-fmodule-map-file=" + map,
      "-L", ".", "-lstack", "-lsqlite3", "-lz",
    ]
    #expect(try run(link, in: folder) == "")
    // History is not kept in memory.
    #expect(try run(["./program"], in: folder) == "")
  }
}
