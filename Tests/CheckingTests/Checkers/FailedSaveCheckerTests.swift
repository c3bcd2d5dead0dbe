import Testing

@testable import Checking

struct FailedSaveCheckerTests {
  let checker = FailedSaveChecker()
  let refused = """
    w0 invoke insert Note 0..<5
    w0 invoke insert Word 0..<9
    w0 fail save = 133020
    w0 fail insert Note 0..<5
    w0 fail insert Word 0..<9

    """

  @Test func acknowledgedSavesAreHeld() throws {
    let result = checker.check(try .of("w0 invoke insert Note 0..<5\nw0 ok save\nw0 ok insert Note 0..<5"))
    #expect(result.verdict == .held)
    #expect(result.exercised == 2)
  }

  @Test func aRefusedSaveThatIsNotRetriedIsFoundOnce() throws {
    #expect(
      checker.check(try .of(refused)).violations == [
        Violation(
          kind: .failedSave, subject: "Note, Word", expected: "every change is acknowledged in the end",
          seen: "w0: error 133020, never saved later", count: 1, firstStep: 2)
      ])
  }

  @Test func aRetryThatIsAcknowledgedInPartsAndByAnotherWorkerIsHeld() throws {
    let retry = """
      w0 invoke insert Note 0..<3
      w1 invoke insert Note 3..<5
      w1 invoke insert Word 0..<9
      w0 ok insert Note 0..<3
      w1 ok insert Note 3..<5
      """
    #expect(checker.check(try .of(refused + retry)).verdict == .violated)
    #expect(checker.check(try .of(refused + retry + "\nw1 ok insert Word 0..<9")).verdict == .held)
  }

  @Test func whatWasAcknowledgedBeforeTheRefusalIsNoRetry() throws {
    let earlier = "w0 invoke update Note 1\nw0 ok update Note 1\n"
    let later = "w0 invoke update Note 1\nw0 fail update Note 1 = 133020"
    #expect(checker.check(try .of(earlier + later)).verdict == .violated)
    #expect(checker.check(try .of(later + "\n" + earlier)).verdict == .held)
  }

  @Test func aRefusalWithoutASaveOfItsOwnIsFoundToo() throws {
    let result = checker.check(try .of("w0 invoke delete Note 1\nw0 fail delete Note 1 = 1600"))
    #expect(result.violations.map(\.seen) == ["w0: error 1600, never saved later"])
    #expect(result.violations.map(\.subject) == ["Note"])
  }

  @Test func anUpdateOfARowThatIsDeletedLosesNothing() throws {
    let deleted = "w1 invoke delete Note 1\nw1 ok delete Note 1\n"
    let update = "w0 invoke update Note 1\nw0 fail save = 133020\nw0 fail update Note 1"
    #expect(checker.check(try .of(deleted + update)).verdict == .held)
    #expect(checker.check(try .of(update)).verdict == .violated)
    let insert = "w0 invoke insert Note 1\nw0 fail insert Note 1 = 133021"
    #expect(checker.check(try .of(deleted + insert)).verdict == .violated)
  }

  @Test func aSaveThatNamesItsRowsIsSettledByThem() throws {
    let refused = "w0 fail save Note 3..<5 = 133020\n"
    #expect(checker.check(try .of(refused)).violations.map(\.subject) == ["Note"])
    #expect(checker.check(try .of(refused + "w0 ok save")).verdict == .violated)
    #expect(checker.check(try .of(refused + "w0 ok save Note 3..<5")).verdict == .held)
    #expect(checker.check(try .of(refused + "w1 invoke update Note 3..<5\nw1 ok update Note 3..<5")).verdict == .held)
  }

  @Test func aRefusedSaveOfNothingKnownIsLost() throws {
    let result = checker.check(try .of("w0 fail save = 1550\nw0 ok save"))
    #expect(result.violations.map(\.subject) == ["save"])
  }

  @Test func aSaveRecordedAfterItsChangesIsCountedWithThem() throws {
    let refused = "w0 invoke insert Note 1\nw0 fail insert Note 1\nw0 fail save = 1550\n"
    let result = checker.check(try .of(refused))
    #expect(result.violations.map(\.count) == [1])
    #expect(result.violations.map(\.seen) == ["w0: error 1550, never saved later"])
    #expect(result.exercised == 1)
    #expect(checker.check(try .of(refused + "w0 invoke insert Note 1\nw0 ok insert Note 1")).verdict == .held)
  }
}
