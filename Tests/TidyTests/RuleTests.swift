import Testing

/// Each rule catches its mistake, and leaves right text alone.
struct RuleTests {
  @Test(arguments: [
    ("Sources/CoreData/A.swift", "DispatchQueue.main.async {}", 1), ("Sources/CoreData/A.swift", "import Dispatch", 1),
    ("Sources/Cells/B/A.swift", "let t = Thread { }", 1), ("Sources/SQLite/A.swift", "usleep(10)", 1),
    ("Sources/CoreData/A.swift", "let lock = NSLock()", 1), ("Sources/CoreData/A.swift", "\"\\(Thread.current)\"", 1),
    ("Sources/CoreData/A.swift", "// Thread", 0), ("Sources/CoreData/A.swift", "let thread = mainThread", 0),
    ("Sources/CoreData/A.swift", "RunLoopThread(label: \"Thread\")", 0),
    ("Sources/Scheduling/A.swift", "Thread { }", 0), ("Tests/CoreDataTests/A.swift", "Thread { }", 0),
  ])
  func seam(path: String, text: String, count: Int) {
    #expect(SeamRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/Scheduling/A.swift", "let lock = NSLock()", 1), ("Sources/SQLite/A.swift", "sqlite3_sleep(1)", 1),
    ("Sources/Scheduling/Permit.swift", "DispatchSemaphore(value: 0)", 0),
    ("Sources/Scheduling/Permit.swift", "DispatchGroup()", 1), ("Sources/Boundary/A.swift", "let lock = NSLock()", 0),
    ("Sources/Scheduling/A.swift", "// NSLock", 0),
  ])
  func waits(path: String, text: String, count: Int) {
    #expect(WaitRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/SQLite/A.swift", "let end = ContinuousClock.now", 1), ("Sources/SQLite/a.c", "clock(CLOCK_BOOTTIME)", 1),
    ("Sources/SQLite/A.swift", "let end = SuspendingClock.now", 0),
  ])
  func clocks(path: String, text: String, count: Int) {
    #expect(ClockRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/CoreData/A.swift", "sqlite3_step(s)", 1), ("Sources/Checking/A.swift", "x(sqlite3_errmsg(db))", 1),
    ("Sources/SQLite/A.swift", "sqlite3_step(s)", 0), ("Sources/CFloor/a.c", "sqlite3_step(s);", 0),
    ("Sources/CoreData/A.swift", "// see sqlite3_step", 0),
  ])
  func sqlite(path: String, text: String, count: Int) {
    #expect(SQLiteRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/Cells/A.swift", "NotificationCenter.default.removeObserver(x)", 1),
    ("Sources/Cells/A.swift", "// NotificationCenter", 0),
    ("Sources/Cells/Strategies/StrategyEnvironment.swift", "NotificationCenter.default", 0),
    ("Sources/CoreData/A.swift", "NotificationCenter.default", 0),
  ])
  func observers(path: String, text: String, count: Int) {
    #expect(ObserverRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/Measuring/A.swift", "import CoreData", 1), ("Sources/Checking/A.swift", "@testable import CoreData", 1),
    ("Sources/CoreData/A.swift", "@_exported import Reporting", 1),
    ("Sources/Cells/A.swift", "package import struct CSQLite.sqlite3", 1),
    ("Sources/Unheard/A.swift", "let a = 1", 1), ("Sources/Reporting/A.swift", "import Measuring", 0),
    ("Sources/CoreData/A.swift", "@_exported import Foundation", 0),
    ("Sources/CoreData/A.swift", "let import1 = 2 // import Reporting", 0),
  ])
  func imports(path: String, text: String, count: Int) {
    #expect(ImportRule.findings(in: SourceFile(path: path, text: text)).count == count)
  }

  @Test(arguments: [
    ("let x = try! f()", 1), ("fatalError(\"x\")", 1), ("let x = try f()", 0), ("// never try!", 0),
    ("precondition(x, \"fatalError(\")", 0),
  ])
  func traps(text: String, count: Int) {
    #expect(TrapRule.findings(in: SourceFile(path: "Sources/SQLite/A.swift", text: text)).count == count)
  }

  @Test(arguments: [
    ("Sources/A/A.swift", "precondition(a, \"b\")\nlet a = 1\n", 0), ("Sources/A/A.swift", "let a = 1\n", 1),
    ("Sources/A/A.swift", "precondition(a, \"b\")\n\n// c\n", 1), ("Sources/A/A.swift", "// precondition(a)\n", 1),
    ("Sources/A/A.swift", "guard a else { preconditionFailure(\"b\") }\n", 0),
    ("Sources/A/A.swift", "func precondition(\n", 1), ("Tests/ATests/A.swift", "let a = 1\n", 0),
  ])
  func assertions(path: String, text: String, count: Int) {
    #expect(AssertionRule.findings(in: [SourceFile(path: path, text: text)], linesMax: 2).count == count)
  }

  @Test(arguments: [
    ("struct A {}\nfinal class B: @unchecked Sendable {}", 1), ("nonisolated(unsafe) var a = 1", 1),
    ("// Locked.\nlet x = 1\nnonisolated(unsafe) var a = 1", 1),
    ("// Guarded by its lock.\nfinal class B: @unchecked Sendable {}", 0),
    ("// Guarded by its lock.\n@objc\nfinal class B: @unchecked Sendable {}", 0),
    ("// Guarded by its lock.\nfinal class B<T>:\n  Base<T>,\n  @unchecked Sendable\n{}", 0),
    ("  // Written once.\n  nonisolated(unsafe) var a = 1", 0),
    ("// a @unchecked Sendable type", 0),
  ])
  func unchecked(text: String, count: Int) {
    #expect(UncheckedRule.findings(in: SourceFile(path: "Sources/SQLite/A.swift", text: text)).count == count)
  }

  @Test(arguments: [
    ("// TO" + "DO: later", 1), ("# FIX" + "ME", 1), ("read ../" + "shared/design.md", 1), ("cd /" + "work/main", 1),
    ("let TO" + "DOS = 1", 0), ("the framework/x", 0), ("a shared value", 0),
  ])
  func texts(text: String, count: Int) {
    #expect(TextRule.findings(in: SourceFile(path: "scripts/run", text: text)).count == count)
  }

  @Test(arguments: [
    ("/// Nobody waits.", 1), ("# it goes on, and is told of it", 3), ("Message(\"A name stands twice\")", 1),
    ("/// A stand-in. Standard. It understands.", 0), ("workload: id-handoff", 0), ("a thread continues", 0),
  ])
  func words(text: String, count: Int) {
    #expect(WordRule.findings(in: SourceFile(path: "Sources/SQLite/A.swift", text: text)).count == count)
  }

  @Test(arguments: [(400, 0), (401, 1)])
  func length(lines: Int, count: Int) {
    let text = String(repeating: "x\n", count: lines)
    #expect(LengthRule.findings(in: SourceFile(path: "Sources/SQLite/A.swift", text: text)).count == count)
  }

  @Test(arguments: [
    ("func f() {", 58, 0), ("func f() {", 59, 1), ("init?(_ a: Int) {", 59, 1), ("var a: Int {", 99, 0),
    ("private static func f(\n    a: Int\n  ) -> Int {", 59, 1), ("func f()\n  var b: Int {", 99, 0),
    ("// func f() {", 99, 0),
  ])
  func functionLength(head: String, lines: Int, count: Int) {
    let body = String(repeating: "    x\n", count: lines)
    let text = "struct A {\n  \(head)\n\(body)  }\n\n  func g() {}\n}\n"
    #expect(FunctionLengthRule.findings(in: SourceFile(path: "Sources/SQLite/A.swift", text: text)).count == count)
  }
}
