import SQLite
import Testing

@testable import CoreData

/// Rows that are changed or deleted many at a time, each over the version that was read.
struct RowScanTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack()
    try stack.seed(1...60)
  }

  /// Numbers that are stretches, gaps within a stretch, and rows by themselves.
  private static let some: Set<Int64> = Set(1...9).union([12, 13, 16, 18, 30, 45, 46, 55]).union(57...60)

  @Test func onlyTheRowsThatChangedAreWritten() throws {  // S3.3
    try stack.change { context in
      for note in try context.notes() where Self.some.contains(note.number) { note.title = "changed \(note.number)" }
    }
    let expected = (1...60).map { Self.some.contains($0) ? "changed \($0) 2" : "note \($0) 1" }
    #expect(try stack.sql("SELECT ZTITLE || ' ' || Z_OPT FROM ZNOTE ORDER BY ZNUMBER") == expected)
  }

  @Test func rowsGetTheirOwnValuesWhateverTheOrderOfTheChanges() throws {  // S3.3
    try stack.change { context in
      for note in try context.notes().shuffled() {
        note.title = note.number % 3 == 0 ? nil : "ü\(note.number * 7)"
        note.createdAt = Date(timeIntervalSinceReferenceDate: Double(note.number))
      }
    }
    let expected = (1...60).map { ($0 % 3 == 0 ? "NULL" : "ü\($0 * 7)") + " \($0)" }
    #expect(
      try stack.sql("SELECT ifnull(ZTITLE, 'NULL') || ' ' || ZCREATEDAT FROM ZNOTE ORDER BY ZNUMBER") == expected)
  }

  @Test func oneRowOfAnotherVersionAmongManyIsTheConflict() throws {  // S3.3
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      for note in notes { note.title = "mine" }
      try stack.change { try $0.note(20).title = "theirs" }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(conflicts?.map { ($0.sourceObject as? Note)?.number } == [20])
      #expect(try stack.sql("SELECT count(*) FROM ZNOTE WHERE ZTITLE = 'mine'") == ["0"])
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE WHERE ZTITLE = 'mine'") == ["60"])
    #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE WHERE ZNUMBER = 20") == ["3"])
  }

  @Test func rowsThatFollowEachOtherInSeveralVersionsAreWritten() throws {  // S3.3
    try stack.change { try $0.note(20).title = "once" }
    try stack.change { for note in try $0.notes() { note.title = "all" } }
    let expected = (1...60).map { $0 == 20 ? "all 3" : "all 2" }
    #expect(try stack.sql("SELECT ZTITLE || ' ' || Z_OPT FROM ZNOTE ORDER BY ZNUMBER") == expected)
    try stack.change { for note in try $0.notes() { $0.delete(note) } }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  @Test func onlyTheRowsThatWereDeletedGo() throws {  // S3.3
    try stack.change { context in
      for note in try context.notes() where Self.some.contains(note.number) { context.delete(note) }
    }
    let left = (1...60).filter { !Self.some.contains($0) }.map { "\($0)" }
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE ORDER BY ZNUMBER") == left)
  }

  // MARK: Whole tables

  @Test(arguments: [[], [20], [1, 70, 100]])
  func aTableWhoseRowsAreAllDeletedIsEmpty(changedBefore changed: [Int64]) throws {  // S3.3
    let large = try Self.large(changed: changed)
    try large.change { context in
      for note in try context.notes().shuffled() { context.delete(note) }
    }
    #expect(try large.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  /// In the middle, at an end; gaps of keys, and none.
  @Test(arguments: [20, 1, 100])
  func aRowThatIsNotDeletedStays(_ kept: Int64) throws {  // S3.3
    for changed: [Int64] in [[], [50]] {
      let large = try Self.large(changed: changed)
      try large.change { context in
        for note in try context.notes() where note.number != kept { context.delete(note) }
      }
      #expect(try large.sql("SELECT ZNUMBER FROM ZNOTE") == ["\(kept)"])
    }
  }

  /// Inserted by another context after the rows were fetched: between them, where a row was deleted before.
  @Test func aRowThatCameBetweenThoseThatAreDeletedStays() throws {  // S3.3
    let large = try Self.large()
    try large.change { $0.delete(try $0.note(50)) }
    let context = large.context()
    try context.performAndWait {
      for note in try context.notes() { context.delete(note) }
      let row = "SELECT 50, Z_ENT, 1, 50 FROM ZNOTE LIMIT 1"
      try Connection(path: large.url.path).execute("INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZNUMBER) \(row)")
      try context.save()
    }
    #expect(try large.sql("SELECT ZNUMBER FROM ZNOTE") == ["50"])
  }

  /// Another context changes a row, takes its version away, deletes it.
  @Test(arguments: ["UPDATE ZNOTE SET Z_OPT = 7", "UPDATE ZNOTE SET Z_OPT = NULL", "DELETE FROM ZNOTE"])
  func aRowThatIsNotAsItWasReadIsAConflictAndNothingIsDeleted(_ change: String) throws {  // S3.3
    for changed: [Int64] in [[], [50]] {
      let large = try Self.large(changed: changed)
      let context = large.context()
      try context.performAndWait {
        for note in try context.notes() {
          _ = note.title
          context.delete(note)
        }
        try Connection(path: large.url.path).execute("\(change) WHERE ZNUMBER = 20")
        let rows = try large.sql("SELECT count(*) FROM ZNOTE")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(try large.sql("SELECT count(*) FROM ZNOTE") == rows)
      }
    }
  }

  /// A hundred notes, some of them in a second version.
  private static func large(changed: [Int64] = []) throws -> TestStack {
    let large = try TestStack()
    try large.seed(1...100)
    try large.change { context in
      for number in changed { try context.note(number).title = "changed" }
    }
    return large
  }

  @Test func oneDeletedRowOfAnotherVersionIsTheConflict() throws {  // S3.3
    let context = stack.context()
    try context.performAndWait {
      for note in try context.notes() {
        _ = note.title
        context.delete(note)
      }
      try stack.change { try $0.note(20).title = "theirs" }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["60"])
  }

  @Test func aRowWhoseVersionIsNoNumberIsNotWritten() throws {  // S3.3
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      try Connection(path: stack.url.path).execute("UPDATE ZNOTE SET Z_OPT = NULL WHERE ZNUMBER = 20")
      for note in notes { note.title = "mine" }
      #expect(throws: NSError.self) { try context.save() }
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE WHERE ZTITLE = 'mine'") == ["0"])
  }

  @Test func membersOfManyOwnersAreReadTogether() throws {
    let owners = try TestStack()
    try owners.seed(1...150, words: ["one", "two"])
    let context = owners.context()
    try context.performAndWait {
      for note in try context.notes() { context.delete(note) }
      // A hundred owners in a statement: two for the words of notes, three for the tags of words.
      try owners.expect(statements: 5) { context.processPendingChanges() }
      #expect(context.deletedObjects.count == 450)
      try context.save()
    }
    #expect(try owners.sql("SELECT (SELECT count(*) FROM ZNOTE) + (SELECT count(*) FROM ZWORD)") == ["0"])
  }
}
