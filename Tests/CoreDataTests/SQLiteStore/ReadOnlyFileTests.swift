import RowStore
import SQLite
import Testing

@testable import CoreData

/// A store that is only read leaves its file as it was, and nothing beside it. S6.3, S6.4
@Suite struct ReadOnlyFileTests {
  private func contents(_ folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("-shm") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
  }

  /// A copy of a store with three notes that is not open; with its WAL, where the notes are, or without one.
  private func quietCopy(_ folder: URL, withWAL: Bool) throws -> URL {
    let stack = try TestStack(.file)
    try stack.seed(1...3, words: ["a"])
    if !withWAL { try stack.withWriter { try $0.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") } }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("copy.sqlite")
    try FileManager.default.copyItem(at: stack.url, to: copy)
    if withWAL { try FileManager.default.copyItem(atPath: stack.url.path + "-wal", toPath: copy.path + "-wal") }
    return copy
  }

  private func readAll(_ url: URL) throws {
    let stack = try TestStack(url: url, isReadOnly: true)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.number) == [1, 2, 3])
      #expect(notes.allSatisfy { ($0.value(forKey: "words") as? NSSet)?.count == 1 })
      notes[0].title = "changed"
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
    }
  }

  // S6.3: where a user may not write, SQLite says that it cannot open the file, or that it may only read it.
  @Test(arguments: [ResultCode.cannotOpen, .readOnly]) func aFileThatCannotBeReadInItsPlaceIsReadAsItIs(
    code: ResultCode
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for withWAL in [false, true] {
      let copy = try quietCopy(folder, withWAL: withWAL)
      defer { try? FileManager.default.removeItem(at: folder) }
      let snapshot = try ReadOnlySnapshot.unless(copy.path) { throw SQLiteError(code: code, message: "refused") }
      let path = try #require(snapshot?.path)
      #expect(try Connection(path: path, mode: .readOnly).column("SELECT count(*) FROM ZNOTE") == ["3"])
    }
    #expect(try ReadOnlySnapshot.unless(folder.path) {} == nil)
  }

  // S6.3
  @Test(arguments: [false, true]) func nothingIsChanged(withWAL: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try quietCopy(folder, withWAL: withWAL)
    let before = try contents(folder)
    try readAll(url)
    #expect(try contents(folder) == before)
    #expect(withWAL || !FileManager.default.fileExists(atPath: url.path + "-shm"))
  }

  // S6.3: where SQLite cannot make the files it shares with others, as in a folder that is only read.
  @Test(arguments: [false, true]) func whereNothingCanBeMadeBesideTheFileItIsReadAllTheSame(withWAL: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try quietCopy(folder, withWAL: withWAL)
    let before = try Data(contentsOf: url)
    try FileManager.default.createSymbolicLink(
      atPath: url.path + "-shm", withDestinationPath: folder.path + "/nowhere/nothing")
    try readAll(url)
    #expect(try Data(contentsOf: url) == before)
  }

  // S6.4: opened for writing, but not written.
  @Test func openingChangesNoTable() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try quietCopy(folder, withWAL: false)
    let before = try Data(contentsOf: url)
    do {
      let stack = try TestStack(url: url)
      let context = stack.context()
      let count = try context.performAndWait { try context.notes().count }
      #expect(count == 3)
    }
    #expect(try Data(contentsOf: url) == before)
  }
}
