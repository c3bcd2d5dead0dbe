import Testing

@testable import Checking

struct MergeOracleTests {
  /// Read as (0, 1, 2); the store has (10, 1, 12) by now; saved as (20, 21, 2): the first conflicts, the second does not.
  private static let edit = MergeOracle.Edit(seen: [0, 1, 2], saved: [20, 21, 2], isPush: false)
  private static let stored: [Int64] = [10, 1, 12]

  @Test(arguments: [
    ("error", MergeOracle.Outcome.refused), ("store-trump", .saved([10, 21, 12])),
    ("object-trump", .saved([20, 21, 12])),
    ("overwrite", .saved([20, 21, 2])), ("rollback", .saved([10, 1, 12])),
  ])
  func aRowThatChangedIsResolvedByThePolicy(name: String, outcome: MergeOracle.Outcome) throws {
    let policy = try #require(MergeOracle.Policy(rawValue: name))
    #expect(MergeOracle(policy: policy).outcome(of: Self.edit, with: Self.stored) == outcome)
  }

  @Test(arguments: ["error", "store-trump", "object-trump", "overwrite", "rollback"])
  func aRowThatDidNotChangeIsSavedAsItIs(name: String) throws {
    let policy = try #require(MergeOracle.Policy(rawValue: name))
    #expect(MergeOracle(policy: policy).outcome(of: Self.edit, with: [0, 1, 2]) == .saved([20, 21, 2]))
  }

  @Test(arguments: [
    ("error", MergeOracle.Outcome.refused), ("store-trump", .saved(nil)), ("object-trump", .saved([20, 21, 2])),
    ("overwrite", .saved([20, 21, 2])), ("rollback", .saved(nil)),
  ])
  func aRowThatWasDeletedIsInsertedAgainOrDropped(name: String, outcome: MergeOracle.Outcome) throws {
    let policy = try #require(MergeOracle.Policy(rawValue: name))
    #expect(MergeOracle(policy: policy).outcome(of: Self.edit, with: nil) == outcome)
  }

  @Test(arguments: [
    ("error", MergeOracle.Outcome.refused), ("store-trump", .saved([10, 1, 12])), ("object-trump", .saved(nil)),
    ("overwrite", .saved(nil)), ("rollback", .saved([10, 1, 12])),
  ])
  func aDeleteOfARowThatChangedWinsOrIsDropped(name: String, outcome: MergeOracle.Outcome) throws {
    let policy = try #require(MergeOracle.Policy(rawValue: name))
    let delete = MergeOracle.Edit(seen: [0, 1, 2], saved: nil, isPush: false)
    #expect(MergeOracle(policy: policy).outcome(of: delete, with: Self.stored) == outcome)
  }

  @Test func whatAChildChangedWinsOverItsParentWhateverThePolicy() {
    var push = Self.edit
    push.isPush = true
    #expect(MergeOracle(policy: .error).outcome(of: push, with: Self.stored) == .saved([20, 21, 12]))
    #expect(MergeOracle(policy: .rollback).outcome(of: push, with: nil) == .unspecified)
  }
}
