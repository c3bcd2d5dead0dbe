import RowStore
import Testing

@testable import CoreData

@Suite struct DeleteEffectTests {
  private static let rules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]

  // S8.1: each rule, each kind of inverse, by hand.
  @Test func eachRuleDoesWhatTheContractSays() {
    let expected: [[DeleteEffect]] = [
      // no inverse, to-one, to-many
      [.nothing, .nothing, .nothing],
      [.nothing, .clear, .leaveMembers],
      [.delete, .delete, .delete],
      [.deny, .deny, .deny],
    ]
    for (rule, row) in zip(Self.rules, expected) {
      for (inverse, effect) in zip(DeleteEffect.Inverse.allCases, row) {
        for state: ChangeState in [[], .updated, .inserted, [.updated, .pendingUpdate], [.inserted, .pendingInsert]] {
          #expect(DeleteEffect(rule, target: state, inverse) == effect, "\(rule) \(inverse) \(state)")
        }
      }
    }
  }

  // S8.3: an object that is deleted already, or gone, neither forbids a deletion nor follows it.
  @Test func whatIsDeletedOrGoneIsLeftAlone() {
    for rule in Self.rules {
      for inverse in DeleteEffect.Inverse.allCases {
        for raw in UInt8.min...UInt8.max {
          let state = ChangeState(rawValue: raw)
          guard state.contains(.deleted) || state.contains(.gone) else { continue }
          #expect(DeleteEffect(rule, target: state, inverse) == .nothing)
        }
      }
    }
  }
}
