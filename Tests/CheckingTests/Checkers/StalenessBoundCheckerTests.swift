import Testing

@testable import Checking

struct StalenessBoundCheckerTests {
  let checker = StalenessBoundChecker()

  /// An update acknowledged at 100, and a read of version `seen` that begins at `start`; the bound is 50.
  private func evidence(seen: Int, start: Int) throws -> Evidence {
    var evidence = try Evidence.of(
      """
      w1 invoke update Note 7 @90
      w1 ok update Note 7 = 2 @100
      w0 invoke read Note 7 @\(start)
      w0 ok read Note 7 = \(seen) @\(start + 1)
      """)
    evidence.parameters.stalenessBoundNanoseconds = 50
    return evidence
  }

  @Test func aNewEnoughVersionIsHeld() throws {
    let result = checker.check(try evidence(seen: 2, start: 151))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func aVersionOlderThanTheBoundIsFound() throws {
    #expect(
      checker.check(try evidence(seen: 1, start: 151)).violations == [
        Violation(
          kind: .staleRead, subject: "Note", expected: "a version no older than 0 ms",
          seen: "key 7 read at version 1, 2 was acknowledged longer ago", firstStep: 3)
      ])
  }

  @Test func withinTheBoundAndWithoutOneNothingIsExercised() throws {
    #expect(checker.check(try evidence(seen: 1, start: 150)).verdict == .notExercised)
    var unbounded = try evidence(seen: 1, start: 151)
    unbounded.parameters.stalenessBoundNanoseconds = nil
    #expect(checker.check(unbounded).verdict == .notExercised)
  }
}
