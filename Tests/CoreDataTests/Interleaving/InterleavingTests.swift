import Scheduling
import Testing

@testable import CoreData

/// Whatever happens between two steps of a write or a read, each reader's answer is the file's. S6.1
@Suite(.oneThread) struct InterleavingTests {
  /// A step by the first coordinator, with others between its parts.
  enum Outer: Hashable, Sendable, CaseIterable, CustomTestStringConvertible {
    case write(ShelvesWorld.Write)
    /// A new context asks everything.
    case read

    static let allCases: [Outer] = ShelvesWorld.Write.allCases.map { .write($0) } + [.read]

    var testDescription: String { "\(self)" }
  }

  // S6.7, S7.3: while a write is under way every reader sees the file of that moment.
  @Test(arguments: Outer.allCases) func everyQuestionIsAnsweredFromTheFile(during outer: Outer) throws {
    try forEachPlace(of: outer) { world, place in
      let contents = try world.contents()
      if let difference = world.difference(world.own, from: contents) {
        Issue.record("at \(place.name) of \(outer): \(difference)")
      }
    }
  }

  // S3.3, S5.2, S6.6: rows that another coordinator writes meanwhile, and this one is notified of, stay.
  @Test(arguments: Outer.allCases, ShelvesWorld.Write.allCases)
  func theNewestRowStays(during outer: Outer, other write: ShelvesWorld.Write) throws {
    try forEachPlace(of: outer) { world, place in
      let before = try world.contents()
      guard world.write(write, world.other) else { return }
      world.tell(world.own, before: before, after: try world.contents())
    }
  }

  // S6.6, S6.11: rows that another context of the same coordinator writes during a read stay.
  @Test(arguments: ShelvesWorld.Write.allCases) func aReadListsNothingOlder(during write: ShelvesWorld.Write) throws {
    try forEachPlace(of: .read) { world, _ in world.write(write, world.own) }
  }

  /// Runs `inner` at each checkpoint of `outer` in turn, each time in a world of its own, and checks afterwards that
  /// every coordinator has the file's rows.
  private func forEachPlace(of outer: Outer, _ inner: @escaping (ShelvesWorld, Checkpoint) throws -> Void) throws {
    var position = 0
    while true {
      let world = try ShelvesWorld()
      let before = try world.contents()
      var failure: (any Error)?
      let place = Interleaving.run(at: position) {
        switch outer {
        case .write(let write): world.write(write, world.own)
        case .read: _ = world.difference(world.own, from: before)
        }
      } inner: { place in
        do { try inner(world, place) } catch { failure = error }
      }
      if let failure { throw failure }
      guard let place else { break }
      position += 1
      let after = try world.contents()
      // Batch requests notify no context.
      world.tell(world.own, before: before, after: after)
      world.tell(world.other, before: before, after: after)
      for (name, side) in [("own", world.own), ("other", world.other)] {
        let difference = world.difference(side, from: after) ?? world.followerDifference(side, from: after)
        if let difference {
          Issue.record("\(name) coordinator after \(outer) with a step at \(place.name) (\(position)): \(difference)")
          return
        }
      }
    }
    #expect(position > 0, "the step passes checkpoints")
  }
}
