import Testing

@testable import Checking

struct MonotonicReadsCheckerTests {
  let checker = MonotonicReadsChecker()

  /// A read of version 2, an update to 3, and a read of version `seen`, in these contexts.
  private func history(_ first: String = "c1", seen: Int, _ second: String = "c1") -> String {
    """
    w0 invoke read Note 7 \(first)
    w0 ok read Note 7 = 2 \(first)
    w1 invoke update Note 7
    w1 ok update Note 7 = 3
    w0 invoke read Note 7 \(second)
    w0 ok read Note 7 = \(seen) \(second)
    """
  }

  @Test(arguments: [2, 3])
  func aReadThatDoesNotGoBackIsHeld(seen: Int) throws {
    let result = checker.check(try .of(history(seen: seen)))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func aContextThatGoesBackIsFound() throws {
    #expect(
      checker.check(try .of(history(seen: 1))).violations == [
        Violation(
          kind: .nonMonotonicRead, subject: "Note", expected: "the version that the context showed, or a later one",
          seen: "context 1 showed version 2 of key 7 at step 1, and version 1 at step 5", firstStep: 5)
      ])
  }

  @Test func afterALostUpdateVersionsSayNothing() throws {
    // Another process makes the version from the one before: the read may show the newer state.
    let lost = "w2 invoke update Note 7\nw2 ok update Note 7 = 3 c2\n"
    #expect(checker.check(try .of(lost + history(seen: 1))).violations.isEmpty)
  }

  @Test func withoutContextsAProcessIsLookedAt() throws {
    let result = checker.check(try .of(history("", seen: 1, "")))
    #expect(result.violations.map(\.seen) == ["w0 showed version 2 of key 7 at step 1, and version 1 at step 5"])
  }

  /// Another context, a read under way at the same time, an object deleted meanwhile.
  @Test func whatIsNotComparedExercisesNothing() throws {
    #expect(checker.check(try .of(history(seen: 1, "c2"))).verdict == .notExercised)
    let overlapping = """
      w1 invoke read Note 7 c1 \n w0 invoke read Note 7 c1 \n w0 ok read Note 7 = 2 c1 \n w1 ok read Note 7 = 1 c1
      """
    #expect(checker.check(try .of(overlapping)).verdict == .notExercised)
    let deleted = "\nw2 invoke delete Note 7"
    #expect(checker.check(try .of(history(seen: 1) + deleted)).verdict == .notExercised)
  }
}
