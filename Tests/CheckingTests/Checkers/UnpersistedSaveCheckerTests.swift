import Testing

@testable import Checking

struct UnpersistedSaveCheckerTests {
  let checker = UnpersistedSaveChecker()
  let pushed = """
    w0 invoke insert Note 0..<5
    w0 ok push Note 0..<5

    """

  @Test func aPushThatReachedTheStoreIsHeld() throws {
    let result = checker.check(try .of(pushed + "w0 ok insert Note 0..<5", notes: [0, 1, 2, 3, 4]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 5)
  }

  @Test func aPushThatNeverReachedTheStoreIsFoundAndIsNoLostRecord() throws {
    let evidence = try Evidence.of(pushed, notes: [0, 1])
    #expect(
      checker.check(evidence).violations == [
        Violation(
          kind: .unpersistedSave, subject: "Note", expected: "what a child's save pushed is in the store at the end",
          seen: "not in the store: 2..<5", count: 3, firstStep: 1)
      ])
    #expect(LostRecordChecker().check(evidence).violations.isEmpty)
  }

  @Test func whatWasAcknowledgedIsALostRecordAndNotCountedTwice() throws {
    let evidence = try Evidence.of(pushed + "w0 ok insert Note 0..<5", notes: [0, 1])
    #expect(checker.check(evidence).verdict == .held)
    #expect(LostRecordChecker().check(evidence).verdict == .violated)
  }

  @Test func whatWasDeletedNeedsNotBeThere() throws {
    let history = pushed + "w0 ok insert Note 0..<5\nw1 invoke delete Note 0..<5\nw1 ok delete Note 0..<5"
    #expect(checker.check(try .of(history)).verdict == .held)
  }

  @Test(arguments: [(Int64(3), Verdict.held), (2, .violated)])
  func aPushedRevisionMustBeInTheStore(revision: Int64, verdict: Verdict) throws {
    let history = "w0 invoke update Note 1 = 3\nw0 ok push Note 1 = 3"
    #expect(checker.check(try .of(history, notes: [1], revisions: [revision])).verdict == verdict)
  }
}
