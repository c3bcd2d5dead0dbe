import SQLite
import Testing

@testable import CoreData

/// A save that fails at any of its steps leaves store and context as they were. S3.1.
@Suite(.everyStore, .oneThread) struct FailingSaveTests {
  /// How a step fails.
  struct Fault: Sendable, CustomTestStringConvertible {
    let code: ResultCode
    let transaction: FaultPlan.Transaction

    var testDescription: String { "\(code), transaction \(transaction)" }
  }

  static let faults = [
    Fault(code: .full, transaction: .isRolledBack), Fault(code: .full, transaction: .staysOpen),
    Fault(code: .inputOutput, transaction: .isRolledBack), Fault(code: .busy, transaction: .staysOpen),
    Fault(code: .readOnly, transaction: .staysOpen), Fault(code: .corrupt, transaction: .staysOpen),
  ]

  /// Where the changes are made.
  enum Place: CaseIterable, Sendable {
    case context, child
  }

  /// Contents by titles and terms, keys left out.
  private static let contents = [
    "SELECT ZNUMBER || ' ' || ifnull(ZTITLE, '-') || ' ' || Z_OPT FROM ZNOTE ORDER BY 1",
    "SELECT ZTERM || ' ' || ifnull(n.ZNUMBER, '-') FROM ZWORD w LEFT JOIN ZNOTE n ON n.Z_PK = w.ZNOTE ORDER BY 1",
    "SELECT ZNAME || ' ' || ZTERM FROM Z_2WORDS j JOIN ZTAG t ON t.Z_PK = Z_2TAGS JOIN ZWORD w ON w.Z_PK = Z_3WORDS "
      + "ORDER BY 1",
  ]

  private func contents(_ stack: TestStack) throws -> [[String]] { try Self.contents.map(stack.sql) }

  @Test func aFullDiskHasItsOwnSentence() throws {
    let stack = try TestStack(.file)
    let context = stack.context()
    try context.performAndWait { try context.save() }
    // The file may not grow.
    try stack.withWriter { try $0.connection.execute("PRAGMA max_page_count = 1") }
    let text = String(repeating: "x", count: 10_000)
    context.performAndWait {
      for number in 0..<20 as Range<Int64> { context.insertNote(number, title: text) }
      let error = #expect(throws: (any Error).self) { try context.save() }
      #expect(
        error.map { "\(($0 as NSError).localizedDescription)" }?.contains("no room left on its disk; make room") == true
      )
    }
    try stack.withWriter { try $0.connection.execute("PRAGMA max_page_count = 1000000") }
    try context.performAndWait { try context.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["20"])
  }

  /// Four notes with two words each, the words of the first two tagged.
  private func seeded() throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      let tag = context.insert("Tag", ["name": "old"])
      for number in 1...4 {
        let note = context.insertNote(Int64(number), title: "note \(number)", words: ["\(number)a", "\(number)b"])
        guard number <= 2 else { continue }
        for case let word as Word in note.words { word.tags = [tag] }
      }
    }
    return stack
  }

  /// Inserts, updates, moves, deletes with a cascade, and relates and unrelates many to many.
  private func change(_ context: NSManagedObjectContext) throws {
    let words = try context.words()
    let new = context.insertNote(10, title: "new", words: ["new word"])
    try context.note(1).title = "changed"
    words[0].note = new
    words[1].note = try context.note(2)
    context.delete(try context.note(3))
    let tag = context.insert("Tag", ["name": "tag"])
    words[2].tags = [tag]
    words[7].tags.insert(tag)
    (new.words.first { ($0 as? Word)?.term == "new word" } as? Word)?.tags = [tag]
    context.processPendingChanges()
  }

  /// How many steps that save has, and the file after it.
  private func rehearsal() throws -> (steps: Int, contents: [[String]]) {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      try change(context)
      try stack.withWriter { $0.connection.faults = FaultPlan() }
      try context.save()
    }
    let steps = try stack.withWriter { $0.connection.faults?.steps ?? 0 }
    return (steps, try contents(stack))
  }

  // S3.1: the n-th statement fails, for every n.
  @Test(arguments: faults, Place.allCases) func everyStepMayFail(fault: Fault, place: Place) throws {
    let (steps, wanted) = try rehearsal()
    #expect(steps >= 20, "inserts, updates, joins and deletes are steps")
    for step in 1...steps {
      let stack = try seeded()
      let context = stack.context()
      try context.performAndWait {
        if place == .child {
          let child = stack.child(of: context)
          try child.performAndWait {
            try change(child)
            try child.save()
          }
        } else {
          try change(context)
        }
        let state = ContextState(context)
        let before = try stack.dump()
        let plan = FaultPlan(failing: step, with: fault.code, transaction: fault.transaction)
        try stack.withWriter { $0.connection.faults = plan }
        let error = caught { try context.save() }
        let place: Comment = "step \(step) of \(steps): \(plan.failed ?? "none")"
        try check(error, fault.code, place)
        try checkUnchanged(stack, before, place)
        #expect(ContextState(context) == state, place)
        try othersGoOn(stack, place)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try contents(stack) == wanted, place)
      }
    }
  }

  private func check(_ error: NSError?, _ code: ResultCode, _ place: Comment) throws {
    let error = try #require(error, place)
    #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveError, place)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? SQLiteError)?.code == code, place)
    #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == Int(code.rawValue), place)
  }

  private func checkUnchanged(_ stack: TestStack, _ before: [String], _ place: Comment) throws {
    #expect(try stack.withWriter { !$0.connection.isInTransaction }, place)
    #expect(try stack.dump() == before, place)
    #expect(try stack.sql("PRAGMA integrity_check") == ["ok"], place)
  }

  /// Another context reads and saves meanwhile; its rows are deleted again.
  private func othersGoOn(_ stack: TestStack, _ place: Comment) throws {
    let other = stack.context("other")
    try other.performAndWait {
      #expect(try other.notes().map(\.number) == [1, 2, 3, 4], place)
      let note = other.insertNote(99)
      try other.save()
      other.delete(note)
      try other.save()
    }
  }
}
