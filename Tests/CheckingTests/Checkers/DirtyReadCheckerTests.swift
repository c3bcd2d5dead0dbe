import Testing

@testable import Checking

struct DirtyReadCheckerTests {
  let checker = DirtyReadChecker()

  /// An update to version 2 that ends as `outcome`, and a read of it meanwhile.
  private func history(_ outcome: String) -> String {
    """
    w1 invoke update Note 7
    w0 invoke read Note 7
    w0 ok read Note 7 = 2
    w1 \(outcome) update Note 7 = 2
    """
  }

  @Test(arguments: ["ok", "info"])
  func aVersionThatWasOrMayHaveBeenCommittedIsHeld(outcome: String) throws {
    let result = checker.check(try .of(history(outcome)))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func aVersionThatWasTakenBackIsFound() throws {
    #expect(
      checker.check(try .of(history("fail"))).violations == [
        Violation(
          kind: .dirtyRead, subject: "Note", expected: "a version that some update committed",
          seen: "w0 read version 2 of key 7, which w1 took back at step 3", firstStep: 2)
      ])
  }

  @Test func aVersionThatAnotherUpdateMadeAfterwardsIsHeld() throws {
    let again = "\nw1 invoke update Note 7\nw1 ok update Note 7 = 2"
    #expect(checker.check(try .of(history("fail") + again)).verdict == .held)
  }
}
