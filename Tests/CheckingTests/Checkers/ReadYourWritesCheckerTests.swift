import Testing

@testable import Checking

struct ReadYourWritesCheckerTests {
  let checker = ReadYourWritesChecker()

  /// An update to version 3 in context 1, and a read of version `seen` in another or the same one.
  private func history(seen: Int, in context: Int, drained: Bool) -> String {
    """
    w1 invoke update Note 7
    w1 ok update Note 7 = 3 c1
    \(drained ? "w1 ok drained" : "w2 ok drained")
    w1 invoke read Note 7
    w1 ok read Note 7 = \(seen) c\(context)
    """
  }

  @Test(arguments: [(1, false), (1, true), (2, true)])
  func aReadOfTheOwnVersionIsHeldAndOfAnOlderOneFound(context: Int, drained: Bool) throws {
    let sound = checker.check(try .of(history(seen: 3, in: context, drained: drained)))
    #expect(sound.verdict == .held)
    #expect(sound.exercised == 1)
    #expect(
      checker.check(try .of(history(seen: 2, in: context, drained: drained))).violations == [
        Violation(
          kind: .readYourWrites, subject: "Note",
          expected: "the version that the process itself saved, or a later one",
          seen: "w1 saved version 3 of key 7, and context \(context) showed it version 2", firstStep: 4)
      ])
  }

  @Test func afterALostUpdateVersionsSayNothing() throws {
    // Another process makes the version from the one before: the read may show the newer state.
    let lost = "w2 invoke update Note 7\nw2 ok update Note 7 = 3 c2\n"
    #expect(checker.check(try .of(lost + history(seen: 2, in: 2, drained: true))).violations.isEmpty)
  }

  @Test func anotherContextMayNotKnowBeforeItsProcessDrained() throws {
    #expect(checker.check(try .of(history(seen: 2, in: 2, drained: false))).verdict == .notExercised)
  }

  @Test func whatWasNotAcknowledgedNeedNotBeRead() throws {
    let history =
      "w1 invoke update Note 7\nw1 fail update Note 7 = 3 c1\nw1 invoke read Note 7\nw1 ok read Note 7 = 2 c1"
    #expect(checker.check(try .of(history)).verdict == .notExercised)
  }
}
