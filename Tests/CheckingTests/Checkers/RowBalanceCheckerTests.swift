import Testing

@testable import Checking

struct RowBalanceCheckerTests {
  let checker = RowBalanceChecker()
  // The new rows are inserted while the old ones are deleted.
  let relogin = """
    w0 invoke insert Note 0..<4
    w0 ok insert Note 0..<4
    w1 invoke insert Note 0..<4
    w2 invoke delete Note 0..<4
    w1 ok insert Note 0..<4
    w2 ok delete Note 0..<4
    """

  @Test func oneRowOfEachKeyIsHeld() throws {
    let result = checker.check(try .of(relogin, notes: [0, 1, 2, 3]))
    #expect(result == CheckResult(name: "row-balance", exercised: 4, note: "4 keys were deleted and inserted again"))
    #expect(result.verdict == .held)
  }

  // Which lost-record does not judge, since the delete was under way when the insert began.
  @Test func aNewRowThatWasDeletedWithTheOldOneIsLost() throws {
    let evidence = try Evidence.of(relogin, notes: [0, 3])
    #expect(LostRecordChecker().check(evidence).verdict == .held)
    #expect(
      checker.check(evidence).violations == [
        Violation(
          kind: .lostRecord, subject: "Note", expected: "as many rows of a key as were inserted and not deleted",
          seen: "too few rows of 1..<3", count: 2, firstStep: 4)
      ])
  }

  @Test func anOldRowThatIsStillThereIsDoubled() throws {
    let result = checker.check(try .of(relogin, notes: [0, 1, 2, 2, 3]))
    #expect(result.violations.map(\.kind) == [.duplicateRecord])
    #expect(result.violations.map(\.seen) == ["too many rows of 2"])
  }

  @Test func aDeletedRowThatIsStillThereIsTooMany() throws {
    let result = checker.check(
      try .of(relogin + "\nw1 invoke delete Note 1\nw1 ok delete Note 1", notes: [0, 1, 2, 3]))
    #expect(result.violations.map(\.kind) == [.duplicateRecord])
  }

  @Test(arguments: ["w1 info delete Note 1", ""])
  func keysWhoseFateIsUnknownAreLeftOut(completion: String) throws {
    let history = relogin + "\nw1 invoke delete Note 1\n" + completion
    #expect(checker.check(try .of(history, notes: [0, 2, 3])).verdict == .held)
    #expect(checker.check(try .of(history, notes: [0, 1, 2, 3])).exercised == 3)
  }

  @Test func aRefusedDeleteTakesNothing() throws {
    let history = relogin + "\nw1 invoke delete Note 1\nw1 fail delete Note 1"
    #expect(checker.check(try .of(history, notes: [0, 1, 2, 3])).verdict == .held)
    #expect(checker.check(try .of(history, notes: [0, 2, 3])).verdict == .violated)
  }

  @Test func ofAUniqueKeyAPolicyMakesOneRowOfTwoInserts() throws {
    let upserts = """
      w1 invoke insert Note 1 \n w2 invoke insert Note 1
      w1 ok insert Note 1 \n w2 ok insert Note 1
      w1 invoke delete Note 1 \n w1 ok delete Note 1
      """
    var evidence = try Evidence.of(upserts)
    #expect(checker.check(evidence).verdict == .violated)
    evidence.parameters.layout.entities[0].hasUniqueKey = true
    evidence.parameters.mergePolicy = "object-trump"
    #expect(checker.check(evidence).verdict == .notExercised)
    evidence.parameters.mergePolicy = "error"
    #expect(checker.check(evidence).verdict == .violated)
  }
}
