import Testing

@testable import Checking

struct StaleReadCheckerTests {
  let checker = StaleReadChecker()

  /// An update to revision 2 by w1, a drain by w0, a read of revision `seen` by w0.
  private func history(seen: Int) -> String {
    """
    w1 invoke update Note 7 = 2
    w1 ok update Note 7 = 2
    w0 ok drained
    w0 invoke read Note 7
    w0 ok read Note 7 = \(seen)
    """
  }

  @Test(arguments: [2, 3])
  func aReadOfTheAcknowledgedRevisionOrALaterOneIsHeld(seen: Int) throws {
    let result = checker.check(try .of(history(seen: seen)))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func aReadOfAnOlderRevisionIsFound() throws {
    #expect(
      checker.check(try .of(history(seen: 1))).violations == [
        Violation(
          kind: .staleRead, subject: "Note", expected: "the revision acknowledged before main drained, or a later one",
          seen: "key 7 read at revision 1, acknowledged was 2", count: 1, firstStep: 4)
      ])
  }

  @Test func afterALostUpdateVersionsSayNothing() throws {
    // Another process makes the version from the one before: the read may show the newer state.
    let lost = "w2 invoke update Note 7\nw2 ok update Note 7 = 2 c2\n"
    #expect(checker.check(try .of(lost + history(seen: 1))).violations.isEmpty)
  }

  @Test func staleReadsOfOneEntityAreOneViolation() throws {
    let again = "\nw0 invoke read Note 7\nw0 ok read Note 7 = 1"
    let result = checker.check(try .of(history(seen: 1) + again + again))
    #expect(result.violations.map(\.count) == [3])
  }

  @Test func theHighestAcknowledgedRevisionCounts() throws {
    let result = checker.check(
      try .of(
        """
        w1 invoke update Note 0..<9 = 5
        w2 invoke update Note 7 = 4
        w1 ok update Note 0..<9 = 5
        w2 ok update Note 7 = 4
        w0 ok drained
        w0 invoke read Note 7
        w0 ok read Note 7 = 4
        """))
    #expect(result.violations.map(\.seen) == ["key 7 read at revision 4, acknowledged was 5"])
  }

  /// Each would be a false alarm: the read may still show the older state.
  @Test(arguments: [
    // Never drained.
    "w1 invoke update Note 7 = 2 \n w1 ok update Note 7 = 2 \n w0 invoke read Note 7 \n w0 ok read Note 7 = 1",
    // Drained before the acknowledgement.
    """
    w1 invoke update Note 7 = 2 \n w0 ok drained \n w1 ok update Note 7 = 2
    w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // The drain began before the acknowledgement.
    """
    w1 invoke update Note 7 = 2 \n w0 invoke drained \n w1 ok update Note 7 = 2 \n w0 ok drained
    w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // The drain began in the nanosecond of the acknowledgement.
    """
    w1 invoke update Note 7 = 2 @1 \n w1 ok update Note 7 = 2 @2 \n w2 ok drained @2
    w2 invoke read Note 7 @3 \n w2 ok read Note 7 = 1 @4
    """,
    // Another process drained.
    """
    w0 ok drained \n w1 invoke update Note 7 = 2 \n w1 ok update Note 7 = 2 \n w2 ok drained
    w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // The read began before the drain.
    """
    w1 invoke update Note 7 = 2 \n w1 ok update Note 7 = 2 \n w0 invoke read Note 7
    w0 ok drained \n w0 ok read Note 7 = 1
    """,
    // The update was refused, or is indeterminate.
    """
    w1 invoke update Note 7 = 2 \n w1 fail update Note 7 \n w2 invoke update Note 7 = 2 \n w2 info update Note 7
    w0 ok drained \n w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // Another object, another entity of the same key.
    """
    w1 invoke update Note 8 = 2 \n w1 ok update Note 8 = 2 \n w1 invoke update Word 7 = 2 \n w1 ok update Word 7 = 2
    w0 ok drained \n w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // Deleted meanwhile: an object that main holds keeps its last values.
    """
    w1 invoke update Note 7 = 2 \n w1 ok update Note 7 = 2 \n w0 ok drained \n w1 invoke delete Note 7
    w0 invoke read Note 7 \n w0 ok read Note 7 = 1
    """,
    // The read itself did not take place.
    """
    w1 invoke update Note 7 = 2 \n w1 ok update Note 7 = 2 \n w0 ok drained
    w0 invoke read Note 7 \n w0 fail read Note 7 = 1
    """,
  ])
  func withoutAReadAfterAcknowledgementAndDrainNothingIsExercised(history: String) throws {
    #expect(checker.check(try .of(history)).verdict == .notExercised)
  }
}
