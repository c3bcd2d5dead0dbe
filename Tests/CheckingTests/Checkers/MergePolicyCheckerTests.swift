import Testing

@testable import Checking

struct MergePolicyCheckerTests {
  let checker = MergePolicyChecker()

  /// Both read (1, 2); w1 saves (10, 2), then w2 saves (20, 21).
  private static let conflict = """
    w1 invoke edit Note 7 [1 2 10 2]
    w1 ok edit Note 7
    w2 invoke edit Note 7 [1 2 20 21]
    w2 ok edit Note 7
    """

  private func evidence(_ history: String, policy: String?, _ values: [Int64: [Int64]]) throws -> Evidence {
    var evidence = try Evidence.of(history)
    var rows = EntityRows(keys: values.keys.sorted())
    rows.properties = values
    evidence.store = .success(StoreContents(rows: [1: rows]))
    evidence.parameters.mergePolicy = policy
    return evidence
  }

  @Test(arguments: [
    ("store-trump", [10, 21] as [Int64]), ("object-trump", [20, 21]), ("overwrite", [20, 21]), ("rollback", [10, 2]),
  ])
  func whatThePolicySaysIsHeld(policy: String, values: [Int64]) throws {
    let result = checker.check(try evidence(Self.conflict, policy: policy, [7: values]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func anotherWinnerIsFound() throws {
    let result = checker.check(try evidence(Self.conflict, policy: "store-trump", [7: [20, 21]]))
    #expect(
      result.violations == [
        Violation(
          kind: .wrongWinner, subject: "Note", expected: "what store-trump says",
          seen: "row 7 is (20, 21), and should be (10, 21)", count: 1, firstStep: 4 + 1)
      ])
  }

  @Test func aRowThatShouldBeGoneIsFound() throws {
    let history = """
      w1 invoke edit Note 7 = 1 [1 2]
      w1 ok edit Note 7
      w2 invoke edit Note 7 [1 2 20 21]
      w2 ok edit Note 7
      """
    #expect(checker.check(try evidence(history, policy: "rollback", [:])).verdict == .held)
    #expect(checker.check(try evidence(history, policy: "object-trump", [7: [20, 21]])).verdict == .held)
    #expect(
      checker.check(try evidence(history, policy: "rollback", [7: [20, 21]])).violations.map(\.seen) == [
        "row 7 is (20, 21), and should be gone"
      ])
  }

  @Test func underTheErrorPolicyARefusalIsRightAndARetryCounts() throws {
    let history = """
      w1 invoke edit Note 7 [1 2 10 2]
      w1 ok edit Note 7
      w2 invoke edit Note 7 [1 2 20 21]
      w2 fail edit Note 7 = 133020
      w2 invoke edit Note 7 [10 2 30 31]
      w2 ok edit Note 7
      """
    let result = checker.check(try evidence(history, policy: "error", [7: [30, 31]]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func anAcknowledgedSaveThatHadToBeRefusedIsFound() throws {
    let result = checker.check(try evidence(Self.conflict, policy: "error", [7: [20, 21]]))
    #expect(result.violations.map(\.seen) == ["w2: row 7 had changed, and its save was acknowledged"])
  }

  @Test func aRefusalWithoutReasonIsFound() throws {
    let history = Self.conflict.replacing("w2 ok", with: "w2 fail")
    let result = checker.check(try evidence(history, policy: "overwrite", [7: [10, 2]]))
    #expect(result.violations.map(\.seen) == ["w2: the save of row 7 was refused"])
  }

  @Test func aSaveThatTheFileDidNotTakeChangesNothing() throws {
    let history = Self.conflict.replacing("w2 ok edit Note 7", with: "w2 fail edit Note 7 = 134030")
    for policy in ["error", "overwrite"] {
      #expect(checker.check(try evidence(history, policy: policy, [7: [10, 2]])).violations == [])
      #expect(checker.check(try evidence(history, policy: policy, [7: [20, 21]])).verdict == .violated)
    }
  }

  @Test func aPushIsResolvedByTheParent() throws {
    let history = Self.conflict.replacing("w2 ok", with: "w2 ok push Note 7\nw2 ok")
    #expect(checker.check(try evidence(history, policy: "rollback", [7: [20, 21]])).verdict == .held)
    #expect(checker.check(try evidence(history, policy: "rollback", [7: [10, 2]])).verdict == .violated)
  }

  @Test func withoutAConflictNothingIsExercised() throws {
    let history = "w1 invoke edit Note 7 [1 2 10 2]\nw1 ok edit Note 7"
    #expect(checker.check(try evidence(history, policy: "error", [7: [10, 2]])).verdict == .notExercised)
    #expect(checker.check(try evidence("", policy: "error", [:])).verdict == .notExercised)
  }

  @Test func editsAtTheSameTimeOrOfUnknownEndAreNotJudged() throws {
    let overlapping = """
      w1 invoke edit Note 7 [1 2 10 2]
      w2 invoke edit Note 7 [1 2 20 21]
      w1 ok edit Note 7
      w2 ok edit Note 7
      """
    #expect(checker.check(try evidence(overlapping, policy: "rollback", [7: [0, 0]])).verdict == .notExercised)
    let unknown = Self.conflict.replacing("w2 ok", with: "w2 info")
    #expect(checker.check(try evidence(unknown, policy: "rollback", [7: [0, 0]])).verdict == .notExercised)
  }

  @Test func whatCannotBeUsedGivesUnknown() throws {
    let evidence = try evidence(Self.conflict, policy: "rollback", [7: [10, 2]])
    #expect(checker.check(evidence.withUnusableHistory()).verdict == .unknown)
    #expect(checker.check(evidence.withUnusableStore()).verdict == .unknown)
    var without = evidence
    without.parameters.mergePolicy = nil
    #expect(checker.check(without).verdict == .unknown)
    let damaged = try self.evidence("w1 invoke edit Note 7 [1 2 3]\nw1 ok edit Note 7", policy: "error", [:])
    #expect(checker.check(damaged).verdict == .unknown)
  }
}
