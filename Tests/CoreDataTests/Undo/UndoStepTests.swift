import Testing

@testable import CoreData

/// S2.4: which change undoes which, decided without objects.
@Suite struct UndoStepTests {
  private static let everyState = (0...UInt8(127)).map(ChangeState.init(rawValue:))

  @Test func whatAnEventDidFollowsFromTheState() {
    for state in Self.everyState {
      for isRevived in [false, true] {
        let kind = EventKind(state, isRevived: isRevived)
        let cameIn = isRevived || state.contains(.pendingInsert)
        let isAround = state.isDisjoint(with: .gone) && !state.isDisjoint(with: .pending)
        switch kind {
        case .inserted: #expect(isAround && cameIn && !state.contains(.deleted))
        case .deleted: #expect(isAround && !cameIn && state.isSuperset(of: [.deleted, .pendingDelete]))
        case .updated: #expect(isAround && !cameIn && !state.contains(.deleted))
        case nil: #expect(!isAround || (state.contains(.deleted) && (cameIn || !state.contains(.pendingDelete))))
        }
      }
    }
  }

  @Test func aStepFitsTheStateItFinds() {
    for state in Self.everyState {
      let isPresent = !state.contains(.deleted) && !state.contains(.gone)
      #expect(UndoStep(takingBack: .inserted, of: state) == (isPresent ? .takeOut : .nothing))
      #expect(UndoStep(takingBack: .updated, of: state) == (isPresent ? .restore : .nothing))
      let ofDeletion = UndoStep(takingBack: .deleted, of: state)
      #expect(ofDeletion == (isPresent ? .restore : state.contains(.gone) ? .reinsert : .undelete))
    }
  }

  @Test func takingADeletionBackLeavesTheStateBeforeIt() {
    for var state in Self.everyState where state.isDisjoint(with: [.deleted, .gone, .pendingDelete]) {
      let before = state
      let wasDeleted = state.delete()
      #expect(wasDeleted)
      state.undelete(isChanged: before.contains(.updated))
      #expect(state.isDirty == before.isDirty)
      #expect(state.subtracting(.pending) == before.subtracting(.pending))
      #expect(state.contains(.pendingUpdate), "its return has to be reported")
    }
  }

  @Test func whatChangedWhileItWasDeletedIsUpdatedAfterwards() {
    var state: ChangeState = []
    _ = state.delete()
    state.undelete(isChanged: true)
    #expect(state.contains(.updated))
  }

  /// Every pair of changes to a set of three members, in every combination.
  @Test func aMembershipChangeIsWhatCameAfterTheEarlierOne() {
    func subset(_ bits: Int) -> Set<Int> { Set((0..<3).filter { bits & (1 << $0) != 0 }) }
    func change(from: Set<Int>, to: Set<Int>) -> MembershipChange<Int> {
      MembershipChange(
        added: ContiguousArray(to.subtracting(from).sorted()), removed: ContiguousArray(from.subtracting(to).sorted()))
    }
    for saved in (0..<8).map(subset) {
      for before in (0..<8).map(subset) {
        for now in (0..<8).map(subset) {
          let event = change(from: saved, to: now).since(change(from: saved, to: before))
          #expect(Set(event.added) == now.subtracting(before) && Set(event.removed) == before.subtracting(now))
          #expect(event.undone(on: now) == before)
        }
      }
    }
  }
}
