import Testing

@testable import CoreData

@Suite struct MergeStepTests {
  /// Every state that can be, of faults and of realised objects, read from a row or not.
  private static let known: [MergeStep.Known] = (UInt8.min...UInt8.max).map(ChangeState.init).filter {
    $0.contradiction == nil && !$0.contains(.wasReset)
  }.flatMap { state in
    [(false, false), (false, true), (true, false), (true, true)].map {
      MergeStep.Known(state: state, isRealised: $0.0, hasRow: $0.1)
    }
  }

  // S5.2: an unknown object becomes known; one deleted here stays deleted; the rest takes the newest values.
  @Test func anInsertionIsTakenUnlessItIsDeletedHere() {
    for known in Self.known {
      for hasParent in [false, true] {
        let step = MergeStep.ofInsertion(known, hasParent: hasParent)
        if known.isRealised && known.hasRow {
          #expect(step == (hasParent ? .takeFromParent : .take))
        } else {
          #expect(step == .becomeKnown)
        }
      }
    }
  }

  // S5.2: a change reaches faults as a row at hand, realised objects under their changes, and nothing that is gone.
  @Test func aChangeIsTakenByTheCurrentValue() {
    for known in Self.known {
      for hasParent in [false, true] {
        let step = MergeStep.ofUpdate(known, hasParent: hasParent)
        switch (known.state.isDisjoint(with: [.gone, .inserted]), known.isRealised, hasParent) {
        case (false, _, _): #expect(step == .nothing)
        case (true, false, false): #expect(step == .renewRow)
        case (true, false, true): #expect(step == .forgetMembers)
        case (true, true, false): #expect(step == .take)
        case (true, true, true): #expect(step == .takeFromParent)
        }
      }
    }
  }
}
