import Testing

@testable import Checking

struct OrphanRecordCheckerTests {
  let checker = OrphanRecordChecker()

  @Test func rowsWithTheirOwnersAreHeld() throws {
    let result = checker.check(try .of("", notes: [1], words: [1, 2]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 2)
  }

  @Test func rowsWithoutTheirOwnersAreFound() throws {
    let result = checker.check(
      try .of(
        """
        w0 invoke insert Note 0..<10
        w0 invoke insert Word 5..<9
        """, notes: [1], words: [4, 5, 6], orphans: [6, 5]))
    #expect(
      result.violations == [
        Violation(
          kind: .orphanRecord, subject: "Word", expected: "each row has its owner", seen: "without an owner: 5..<7",
          count: 2, firstStep: 1)
      ])
  }

  @Test func anAcknowledgedDeleteThatLeftNothingBehindIsExercised() throws {
    let result = checker.check(try .of("w0 invoke delete Note 1\nw0 ok delete Note 1"))
    #expect(result.verdict == .held)
  }
}
