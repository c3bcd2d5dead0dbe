import Testing

@testable import CoreData

@Suite struct ChangeStateTests {
  private enum Event: CaseIterable {
    case update, delete, process, save, rollback, mergeDelete

    func apply(to state: inout ChangeState) {
      switch self {
      case .update: _ = state.update()
      case .delete: _ = state.delete()
      case .process: state.process()
      case .save: state.save()
      case .rollback: state.rollback()
      case .mergeDelete: state.mergeDelete()
      }
    }
  }

  private static let depth = 6

  // S3: every sequence of events keeps the bits free of contradictions.
  @Test(arguments: [false, true]) func noSequenceOfEventsContradictsItself(isInserted: Bool) {
    var count = 0
    func walk(_ state: ChangeState, _ depth: Int) {
      count += 1
      guard depth < Self.depth else { return }
      for event in Event.allCases {
        // A vanishing object is taken out when changes are processed, before it could be saved.
        if event == .save, state.isVanishing { continue }
        var next = state
        event.apply(to: &next)
        next.checkInvariants()
        if state.contains(.gone) { #expect(next.contains(.gone), "\(event) brought back what is gone") }
        if event == .save || event == .rollback { #expect(!next.isDirty) }
        walk(next, depth + 1)
      }
    }
    var first: ChangeState = []
    if isInserted { first.insert() }
    walk(first, 0)
    #expect(count > 10_000)
  }
}
