import Foundation
import Testing

@testable import Checking

struct LostUpdateCheckerTests {
  let checker = LostUpdateChecker()

  /// Two updates that overlap, of which the second makes `version`.
  private func history(_ version: Int) -> String {
    """
    w1 invoke update Note 7
    w2 invoke update Note 7
    w1 ok update Note 7 = 2
    w2 ok update Note 7 = \(version)
    """
  }

  @Test func updatesOneAfterTheOtherAreHeld() throws {
    let result = checker.check(try .of(history(3), notes: [7], revisions: [3]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func twoUpdatesFromOneVersionAreFound() throws {
    let result = checker.check(try .of(history(2), notes: [7], revisions: [2]))
    #expect(
      result.violations == [
        Violation(
          kind: .lostUpdate, subject: "Note", expected: "each acknowledged update follows on the one before",
          seen: "w1 and w2 both made version 2 of key 7, at steps 2 and 3", firstStep: 3)
      ])
  }

  @Test func anOlderVersionInTheFileIsFound() throws {
    let result = checker.check(try .of(history(3), notes: [7], revisions: [2]))
    #expect(result.violations.map(\.seen) == ["key 7 is at version 2 in the file, acknowledged was 3"])
  }

  @Test func aRefusedUpdateTakesNoVersion() throws {
    let refused = history(2).replacingOccurrences(of: "w2 ok", with: "w2 fail")
    #expect(checker.check(try .of(refused, notes: [7], revisions: [2])).verdict == .held)
  }

  @Test func updatesThatDoNotMeetExerciseNothing() throws {
    let history = """
      w1 invoke update Note 7 \n w1 ok update Note 7 = 2 \n w2 invoke update Note 7 \n w2 ok update Note 7 = 3
      w1 invoke update Note 8 \n w2 invoke update Note 9 \n w1 ok update Note 8 = 2 \n w2 ok update Note 9 = 2
      """
    #expect(checker.check(try .of(history)).verdict == .notExercised)
  }
}
