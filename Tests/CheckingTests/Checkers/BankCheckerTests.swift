import Testing

@testable import Checking

struct BankCheckerTests {
  let checker = BankChecker()

  /// Two accounts of 10, a transfer of 3, and a read meanwhile that shows `balances` in so many fetches.
  private func history(_ balances: String, fetches: Int = 1) -> String {
    let total = balances.split(separator: " ").compactMap { Int($0) }.reduce(0, +)
    return """
      w1 invoke insert Note 1..<3 = 10
      w1 ok insert Note 1..<3 = 10
      w1 invoke transfer Note 1 = 3
      w1 info credit Note 2 = 3
      w0 invoke balances Note 1 = \(fetches)
      w0 ok balances Note 1 = \(total) [\(balances)]
      w1 ok transfer Note 1 = 3
      """
  }

  private func evidence(_ history: String, inFile: [Int64] = [7, 13]) throws -> Evidence {
    var evidence = try Evidence.of(history)
    var rows = EntityRows(keys: [1, 2])
    rows.values = [1: inFile[0], 2: inFile[1]]
    evidence.store = .success(StoreContents(rows: [1: rows]))
    return evidence
  }

  @Test(arguments: ["10 10", "7 13"])
  func aReadBeforeOrAfterTheTransferIsHeld(balances: String) throws {
    let result = checker.check(try evidence(history(balances)))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func halfOfATransferIsATornRead() throws {
    #expect(
      checker.check(try evidence(history("7 10"))).violations == [
        Violation(
          kind: .tornRead, subject: "Note", expected: "the balances are 20 together",
          seen: "w0 read 17 in 1 fetches: 7 10", firstStep: 5)
      ])
  }

  @Test func inSeveralFetchesItIsReadSkew() throws {
    #expect(checker.check(try evidence(history("10 13", fetches: 2))).violations.map(\.kind) == [.readSkew])
  }

  @Test func anAccountThatLacksAnAcknowledgedTransferLostAnUpdate() throws {
    let result = checker.check(try evidence(history("10 10"), inFile: [7, 10]))
    #expect(result.violations.map(\.kind) == [.lostUpdate])
    #expect(result.violations.map(\.subject) == ["Note 2"])
    #expect(result.violations.map(\.seen) == ["10 in the file instead of 13"])
  }

  @Test func lostUpdatesThatLeaveTheTotalAreSeen() throws {
    let result = checker.check(try evidence(history("10 10"), inFile: [10, 10]))
    #expect(result.violations.map(\.subject) == ["Note 1", "Note 2"])
  }

  @Test func anotherTotalAfterALostUpdateIsNoTornRead() throws {
    let result = checker.check(try evidence(history("7 10"), inFile: [7, 10]))
    #expect(result.violations.map(\.kind) == [.lostUpdate])
  }

  @Test(arguments: [nil, "error", "overwrite"])
  func underAPolicyThatLosesUpdatesATotalIsNotCalledTorn(policy: String?) throws {
    var evidence = try evidence(history("7 10"))
    evidence.parameters.mergePolicy = policy
    #expect(checker.check(evidence).violations.map(\.kind) == [policy == "overwrite" ? .lostUpdate : .tornRead])
  }

  @Test(arguments: ["info", ""]) func ofATransferThatMayHaveHappenedOnlyTheTotalIsKnown(end: String) throws {
    let open = history("10 10").replacing(
      "w1 ok transfer Note 1 = 3", with: end.isEmpty ? "" : "w1 info transfer Note 1 = 3")
    #expect(checker.check(try evidence(open, inFile: [10, 10])).verdict == .held)
    #expect(checker.check(try evidence(open, inFile: [7, 13])).verdict == .held)
    let result = checker.check(try evidence(open, inFile: [7, 10]))
    #expect(result.violations.map(\.seen) == ["in the file they are 17"])
  }

  @Test func aTransferToAnUnknownAccountLeavesTheTotal() throws {
    let unknown = history("10 10").replacing("w1 info credit Note 2 = 3", with: "")
    #expect(checker.check(try evidence(unknown)).verdict == .held)
  }

  @Test func aRefusedTransferMovedNothing() throws {
    let refused = history("10 10").replacing("w1 ok transfer", with: "w1 fail transfer")
    #expect(checker.check(try evidence(refused, inFile: [10, 10])).verdict == .held)
    #expect(checker.check(try evidence(refused)).violations.map(\.kind) == [.lostUpdate, .lostUpdate])
  }

  @Test func aReadWithoutATransferBesideItExercisesNothing() throws {
    let history = """
      w1 invoke insert Note 1..<3 = 10 \n w1 ok insert Note 1..<3 = 10
      w0 invoke balances Note 1 = 1 \n w0 ok balances Note 1 = 20 [10 10]
      """
    #expect(checker.check(try evidence(history, inFile: [10, 10])).verdict == .notExercised)
    #expect(checker.check(try evidence("")).verdict == .notExercised)
  }

  @Test func withoutHistoryOrWithABrokenOneNothingIsKnown() throws {
    #expect(checker.check(try evidence(history("10 10")).withUnusableHistory()).verdict == .unknown)
    #expect(checker.check(try evidence(history("10 10")).withUnusableStore()).verdict == .unknown)
    // A read without its balances.
    let broken = history("10 10") + "\nw0 invoke balances Note 2\nw0 ok balances Note 2 = 20"
    #expect(checker.check(try evidence(broken)).verdict == .unknown)
  }
}
