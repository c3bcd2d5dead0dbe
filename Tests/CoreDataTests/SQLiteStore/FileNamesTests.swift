import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// Files with other numbers for join tables and columns than a new file are read and written. S6.4
@Suite struct FileNamesTests {
  private static func model() -> NSManagedObjectModel {
    let (page, tag) = (Notebook.entity("Page", NSManagedObject.self), Notebook.entity("Tag", NSManagedObject.self))
    func pair(_ name: String, _ from: NSEntityDescription, _ back: String, _ to: NSEntityDescription) {
      let there = Notebook.relationship(name, to: to, maxCount: 0)
      let inverse = Notebook.relationship(back, to: from, maxCount: 0)
      (there.inverseRelationship, inverse.inverseRelationship) = (inverse, there)
      from.properties.append(there)
      to.properties.append(inverse)
    }
    page.properties = [Notebook.attribute("name", .stringAttributeType)]
    tag.properties = [Notebook.attribute("name", .stringAttributeType)]
    pair("tags", page, "pages", tag)
    pair("sources", page, "targets", page)
    let model = NSManagedObjectModel()
    model.entities = [page, tag]
    return model
  }

  private func fill(_ stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait {
      let (one, two) = (context.insert("Page", ["name": "one"]), context.insert("Page", ["name": "two"]))
      let tag = context.insert("Tag", ["name": "x"])
      one.setValue(NSSet(array: [tag]), forKey: "tags")
      one.setValue(NSSet(array: [two]), forKey: "targets")
      try context.save()
    }
  }

  @Test(arguments: [
    // The other side names the table.
    [
      "ALTER TABLE Z_1TARGETS RENAME TO Z_1SOURCES",
      "ALTER TABLE Z_1TAGS RENAME TO Z_2PAGES",
    ],
    // Numbers behind names.
    [
      "ALTER TABLE Z_1TAGS RENAME COLUMN Z_2TAGS TO Z_2TAGS1",
      "ALTER TABLE Z_1TARGETS RENAME COLUMN Z_1SOURCES TO Z_1SOURCES2",
      "ALTER TABLE Z_1TARGETS RENAME TO Z_1TARGETS1",
    ],
  ])
  func tablesAndColumnsAreFound(changes: [String]) throws {
    let made = try TestStack(.file, model: Self.model())
    try fill(made)
    for change in changes { try Connection.write(made.url, change) }
    let stack = try TestStack(model: Self.model(), url: made.url)
    let context = stack.context()
    try context.performAndWait {
      let one = try #require(try context.all("Page").first { $0.string("name") == "one" })
      let tags = try #require(one.value(forKey: "tags") as? Set<NSManagedObject>)
      let targets = try #require(one.value(forKey: "targets") as? Set<NSManagedObject>)
      #expect(tags.map { $0.string("name") } == ["x"])
      #expect(targets.map { $0.string("name") } == ["two"])
      #expect((targets.first?.value(forKey: "sources") as? Set<NSManagedObject>)?.first === one)
    }
    try fill(stack)
    #expect(try stack.sql("SELECT count(*) FROM ZTAG") == ["2"])
  }

  @Test func siblingsColumnsAreDistinguishedByType() throws {
    func model() -> NSManagedObjectModel {
      let base = Notebook.entity("Base", NSManagedObject.self)
      let (one, two) = (Notebook.entity("One", NSManagedObject.self), Notebook.entity("Two", NSManagedObject.self))
      one.properties = [Notebook.attribute("value", .stringAttributeType)]
      two.properties = [Notebook.attribute("value", .doubleAttributeType)]
      base.subentities = [one, two]
      let model = NSManagedObjectModel()
      model.entities = [base, one, two]
      return model
    }
    let made = try TestStack(.file, model: model())
    for change in ["ZVALUE TO X", "ZVALUE1 TO ZVALUE", "X TO ZVALUE1"] {
      try Connection.write(made.url, "ALTER TABLE ZBASE RENAME COLUMN \(change)")
    }
    let stack = try TestStack(model: model(), url: made.url)
    let context = stack.context()
    try context.performAndWait {
      _ = context.insert("One", ["value": "text"])
      try context.save()
    }
    #expect(try stack.sql("SELECT ZVALUE1 FROM ZBASE") == ["text"])
  }

  @Test func aViewIsNoTable() throws {
    let made = try TestStack(.file, model: Self.model())
    try Connection.write(made.url, "ALTER TABLE ZTAG RENAME TO HIDDEN; CREATE VIEW ZTAG AS SELECT * FROM HIDDEN")
    let error = caught { _ = try TestStack(model: Self.model(), url: made.url) }
    #expect(error?.localizedDescription.contains("table ZTAG of entity Tag is missing") ?? false)
  }

  @Test func aLockOfTheKernelsListIsFound() {
    let list = """
      1: POSIX  ADVISORY  READ 4711 08:01:777 128 128
      2: -> POSIX  ADVISORY  WRITE 4712 08:01:778 120 127
      3: FLOCK  ADVISORY  WRITE 1 00:1a:779 0 EOF
      nonsense
      """
    #expect(FileLocks.isLocked(inode: 777, in: list))
    #expect(!FileLocks.isLocked(inode: 778, in: list))
    #expect(FileLocks.isLocked(inode: 779, in: list))
    #expect(!FileLocks.isLocked(inode: 780, in: list))
  }

  @Test func aFileWithStaleSideFilesIsReadWithoutTouchingThem() throws {
    let made = try TestStack(.file, model: Self.model())
    try fill(made)
    let folder = made.folder.appendingPathComponent("stale")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("copy.sqlite").path
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: made.url.path + suffix, toPath: copy + suffix)
    }
    let old = Data(repeating: 7, count: 32_768)
    try old.write(to: URL(fileURLWithPath: copy + "-shm"))
    #expect(try StoreInspection(path: copy).total == 3)
    #expect(FileManager.default.contents(atPath: copy + "-shm") == old)
    // All of it is in the file itself, as after a crash of a reader.
    try Connection.write(made.url, "PRAGMA wal_checkpoint(TRUNCATE)")
    for path in [copy, copy + "-wal"] { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.copyItem(atPath: made.url.path, toPath: copy)
    _ = try StoreInspection(path: copy)
    #expect(FileManager.default.contents(atPath: copy + "-shm") == old)
    #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
  }
}
