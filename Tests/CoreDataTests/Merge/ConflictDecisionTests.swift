import Testing

@testable import CoreData

/// Every policy, state and row: what the contract says of each, by hand.
@Suite struct ConflictDecisionTests {
  private static let storeTrump = NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType
  private static let objectTrump = NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType
  private static let overwrite = NSMergePolicyType.overwriteMergePolicyType
  private static let rollback = NSMergePolicyType.rollbackMergePolicyType
  private static let policies = [storeTrump, objectTrump, overwrite, rollback]

  private struct Case {
    let state: ChangeState
    let hasRow: Bool
    /// In the order of `policies`.
    let decisions: [ConflictDecision]
  }

  // S3.4: what each policy does to an object that changed, was deleted, or was only looked at.
  private static let cases = [
    Case(state: [], hasRow: true, decisions: [.takeRow, .takeRow, .takeRow, .takeRow]),
    Case(
      state: .updated, hasRow: true,
      decisions: [.merge(storeWins: true), .merge(storeWins: false), .overwrite, .revive]),
    Case(state: .deleted, hasRow: true, decisions: [.revive, .deleteNewest, .deleteNewest, .revive]),
    Case(state: [.updated, .deleted], hasRow: true, decisions: [.revive, .deleteNewest, .deleteNewest, .revive]),
    Case(state: [], hasRow: false, decisions: [.letGo, .letGo, .letGo, .letGo]),
    Case(state: .updated, hasRow: false, decisions: [.letGo, .insertAgain, .insertAgain, .letGo]),
    Case(state: .inserted, hasRow: false, decisions: [.letGo, .insertAgain, .insertAgain, .letGo]),
    Case(state: .deleted, hasRow: false, decisions: [.letGo, .letGo, .letGo, .letGo]),
    Case(state: [.updated, .deleted], hasRow: false, decisions: [.letGo, .letGo, .letGo, .letGo]),
  ]

  @Test func eachPolicyDecidesAsTheContractSays() {
    for entry in Self.cases {
      for (policy, decision) in zip(Self.policies, entry.decisions) {
        #expect(
          ConflictDecision(policy, entry.state, hasRow: entry.hasRow) == decision,
          "\(policy), \(entry.state), \(entry.hasRow ? "a row" : "no row")")
      }
    }
  }

  @Test func whatIsPendingChangesNoDecision() {
    for raw in UInt8.min...UInt8.max {
      let state = ChangeState(rawValue: raw)
      guard state.contradiction == nil, state.isDisjoint(with: [.gone, .wasReset]) else { continue }
      let settled = state.subtracting(.pending)
      for policy in Self.policies {
        for hasRow in [false, true] where !(hasRow && state.contains(.inserted)) {
          #expect(
            ConflictDecision(policy, state, hasRow: hasRow) == ConflictDecision(policy, settled, hasRow: hasRow))
          #expect(
            state.contains(.inserted) || Self.cases.contains { $0.state == settled && $0.hasRow == hasRow },
            "the table has every state: \(settled)")
        }
      }
    }
  }
}
