import Testing

@testable import Checking

struct FindOrCreateCheckerTests {
  let checker = FindOrCreateChecker()

  /// Two processes ask for key 7 at the same time; the second gets row `row`.
  private func history(_ row: Int) -> String {
    """
    w1 invoke find-or-create Note 7
    w2 invoke find-or-create Note 7
    w1 ok find-or-create Note 7 p3
    w2 ok find-or-create Note 7 p\(row)
    """
  }

  @Test func oneRowForBothIsHeld() throws {
    let result = checker.check(try .of(history(3), notes: [7]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func twoRowsAreFound() throws {
    #expect(
      checker.check(try .of(history(4), notes: [7])).violations == [
        Violation(
          kind: .duplicateRecord, subject: "Note", expected: "one row for each logical key",
          seen: "key 7 is row 3 at step 2, and row 4 for w2", firstStep: 3)
      ])
  }

  @Test func twoRowsInTheFileAreFound() throws {
    let result = checker.check(try .of(history(3), notes: [7, 7]))
    #expect(result.violations.map(\.seen) == ["key 7 has several rows in the file"])
  }

  @Test func askingOneAfterTheOtherExercisesNothing() throws {
    let history = """
      w1 invoke find-or-create Note 7 \n w1 ok find-or-create Note 7 p3
      w2 invoke find-or-create Note 7 \n w2 ok find-or-create Note 7 p3
      """
    #expect(checker.check(try .of(history, notes: [7])).verdict == .notExercised)
  }
}
