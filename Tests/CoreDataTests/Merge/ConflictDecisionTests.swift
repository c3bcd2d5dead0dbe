import Testing

@testable import CoreData

/// Every policy and state, with the contract's decision for each, by hand.
@Suite struct ConflictDecisionTests {
  private static let policies: [NSMergePolicyType] = [
    .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    .overwriteMergePolicyType, .rollbackMergePolicyType,
  ]

  /// An object's state, each policy's decision about a changed row, and which inserts a deleted one again.
  private static let cases: [(state: ChangeState, changed: [ConflictDecision], insertsAgain: [Bool])] = [
    ([], [.fail, .takeRow, .takeRow, .takeRow, .takeRow], [false, false, false, false, false]),
    (
      .updated, [.fail, .merge(storeWins: true), .merge(storeWins: false), .overwrite, .revive],
      [false, false, true, true, false]
    ),
    (.deleted, [.fail, .revive, .deleteNewest, .deleteNewest, .revive], [false, false, false, false, false]),
    (
      [.updated, .deleted], [.fail, .revive, .deleteNewest, .deleteNewest, .revive],
      [false, false, false, false, false]
    ),
  ]

  // S3.4
  @Test func eachPolicyDecidesAsTheContractSays() {
    for entry in Self.cases {
      for (position, policy) in Self.policies.enumerated() {
        #expect(ConflictDecision(policy, entry.state) == entry.changed[position], "\(policy), \(entry.state)")
        #expect(policy.insertsAgain(entry.state) == entry.insertsAgain[position], "\(policy), \(entry.state)")
      }
    }
    // A row that was to be inserted again may be gone once more.
    #expect(Self.policies.map { $0.insertsAgain(.inserted) } == [false, false, true, true, false])
  }

  // S3.4
  @Test func whatIsPendingChangesNoDecision() {
    for raw in UInt8.min...UInt8.max {
      let state = ChangeState(rawValue: raw)
      guard state.contradiction == nil, state.isDisjoint(with: [.gone, .wasReset]) else { continue }
      let settled = state.subtracting(.pending)
      #expect(state.contains(.inserted) || Self.cases.contains { $0.state == settled }, "the table has every state")
      for policy in Self.policies {
        #expect(ConflictDecision(policy, state) == ConflictDecision(policy, settled))
        #expect(policy.insertsAgain(state) == policy.insertsAgain(settled))
      }
    }
  }
}
