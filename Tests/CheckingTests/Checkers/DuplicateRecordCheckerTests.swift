import Testing

@testable import Checking

struct DuplicateRecordCheckerTests {
  let checker = DuplicateRecordChecker()

  @Test func oneRowForEachKeyIsHeld() throws {
    let result = checker.check(try .of("", notes: [1, 2, 3], words: [1, 2]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 5)
  }

  @Test func severalRowsForAKeyAreFound() throws {
    let result = checker.check(
      try .of(
        """
        w0 invoke insert Note 0..<10
        w0 ok insert Note 0..<10
        """, notes: [1, 7, 2, 7, 2, 7]))
    #expect(
      result.violations == [
        Violation(
          kind: .duplicateRecord, subject: "Note", expected: "one row for each logical key",
          seen: "2 keys have 3 rows too many: 2, 7", count: 2, firstStep: 0)
      ])
  }

  @Test(arguments: ["fail", "info"])
  func aRowWhoseDeleteWasRefusedMayBeThereBesideANewOne(end: String) throws {
    let history = """
      w0 invoke delete Note 5..<8
      w0 \(end) delete Note 5..<8
      """
    #expect(checker.check(try .of(history, notes: [5, 5, 7, 7])).verdict == .held)
    let seen = checker.check(try .of(history, notes: [5, 5, 8, 8])).violations.map(\.seen)
    #expect(seen == ["1 keys have 1 rows too many: 8"])
  }

  @Test func theStoreAloneDecides() throws {
    let evidence = try Evidence.of("", notes: [1, 1])
    #expect(checker.check(evidence.withUnusableStore()).verdict == .unknown)
    #expect(checker.check(evidence.withUnusableHistory()).verdict == .violated)
  }
}
