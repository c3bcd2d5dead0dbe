import Testing

@testable import Checking

struct LostRecordCheckerTests {
  let checker = LostRecordChecker()
  let acknowledged = """
    w0 invoke insert Note 0..<5
    w0 ok insert Note 0..<5
    w1 invoke insert Word 100..<103
    w1 ok insert Word 100..<103
    """

  @Test func acknowledgedRowsInTheStoreAreHeld() throws {
    let result = checker.check(try .of(acknowledged, notes: [0, 1, 2, 3, 4, 9], words: [100, 101, 102]))
    #expect(result == CheckResult(name: "lost-record", exercised: 8, note: "8 rows were acknowledged"))
    #expect(result.verdict == .held)
  }

  @Test func acknowledgedRowsThatAreNotInTheStoreAreLost() throws {
    let result = checker.check(try .of(acknowledged, notes: [0, 3], words: [101, 102]))
    #expect(result.verdict == .violated)
    #expect(
      result.violations == [
        Violation(
          kind: .lostRecord, subject: "Note", expected: "rows acknowledged as durable are in the store",
          seen: "not in the store: 1..<3, 4", count: 3, firstStep: 1),
        Violation(
          kind: .lostRecord, subject: "Word", expected: "rows acknowledged as durable are in the store",
          seen: "not in the store: 100", count: 1, firstStep: 3),
      ])
  }

  @Test(arguments: ["fail", "info"])
  func whatWasNotAcknowledgedCannotBeLost(type: String) throws {
    let result = checker.check(try .of("w0 invoke insert Note 0..<5\nw0 \(type) insert Note 0..<5"))
    #expect(result.verdict == .notExercised)
  }

  @Test func insertsUnderWayWhenTheProcessDiedCannotBeLost() throws {
    #expect(checker.check(try .of("w0 invoke insert Note 0..<5")).verdict == .notExercised)
  }

  @Test(arguments: ["w1 ok delete Note 2", "w1 info delete Note 2", ""])
  func rowsThatWereOrMayHaveBeenDeletedAreNotLost(completion: String) throws {
    let history = acknowledged + "\nw1 invoke delete Note 2\n" + completion
    #expect(checker.check(try .of(history, notes: [0, 1, 3, 4], words: [100, 101, 102])).verdict == .held)
  }

  @Test func rowsWhoseDeleteWasRefusedAreLost() throws {
    let history = acknowledged + "\nw1 invoke delete Note 2\nw1 fail delete Note 2"
    #expect(checker.check(try .of(history, notes: [0, 1, 3, 4], words: [100, 101, 102])).verdict == .violated)
  }

  @Test func rowsInsertedAgainAfterTheirDeleteAreLost() throws {
    let history =
      acknowledged + """

        w1 invoke delete Note 0..<5
        w1 ok delete Note 0..<5
        w0 invoke insert Note 3
        w0 ok insert Note 3
        """
    let result = checker.check(try .of(history, words: [100, 101, 102]))
    #expect(result.violations.map(\.seen) == ["not in the store: 3"])
    #expect(result.violations.map(\.firstStep) == [7])
  }

  @Test func withoutHistoryOrStoreNothingIsKnown() throws {
    let evidence = try Evidence.of(acknowledged, notes: [0, 1, 2, 3, 4], words: [100, 101, 102])
    #expect(
      checker.check(evidence.withUnusableHistory()) == CheckResult(name: "lost-record", unknown: "damaged history"))
    #expect(checker.check(evidence.withUnusableStore()).verdict == .unknown)
  }

  @Test func aRowThatWentWithItsOwnerIsNotLost() throws {
    let text = """
      w0 invoke insert Note 1
      w0 ok insert Note 1
      w0 invoke insert Word 5
      w0 ok insert Word 5 = 1
      """
    #expect(checker.check(try .of(text, notes: [1])).violations.map(\.subject) == ["Word"])
    let deletion = "\nw1 invoke delete Note 1\nw1 ok delete Note 1"
    #expect(checker.check(try .of(text + deletion)).verdict == .held)
  }

  @Test func aRowMayGoWithTheOwnerItWasMovedTo() throws {
    let text = """
      w0 invoke insert Note 1..<3
      w0 ok insert Note 1..<3
      w0 invoke insert Word 5
      w0 ok insert Word 5 = 1
      w1 invoke insert Word 5
      w1 info insert Word 5 = 2
      w2 invoke delete Note 2
      w2 ok delete Note 2
      """
    #expect(checker.check(try .of(text, notes: [1])).verdict == .held)
  }

  @Test func anOwnerDeletedBeforeTheRowWasInsertedExcusesNothing() throws {
    let result = checker.check(
      try .of(
        """
        w0 invoke insert Note 1
        w0 ok insert Note 1
        w1 invoke delete Note 1
        w1 ok delete Note 1
        w0 invoke insert Word 5
        w0 ok insert Word 5 = 1
        """))
    #expect(result.violations.map(\.subject) == ["Word"])
  }
}
