import Testing

@testable import CoreData

/// Every short sequence of events of one object, on the real context beside the model.
@Suite(.oneThread) struct ObjectEventTests {
  /// The events; the other context is `1`, the object has a number.
  private enum Event: CaseIterable {
    case insert, update, delete, process, save, fail, rollback, mergeChange, mergeDeletion, refresh, refreshMerging

    /// The steps, the model's: a save that fails does so since the row changed meanwhile.
    func script(_ name: Int) -> [Operation] {
      switch self {
      case .insert: [.insert(0, entity: AtlasSchema.tag, name: name)]
      case .update: [.set(0, name: name, property: 0, value: 1)]
      case .delete: [.delete(0, name: name)]
      case .process: [.process(0)]
      case .save: [.policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(0)]
      case .fail: Self.elsewhere(name) + [.policy(0, .errorMergePolicyType), .save(0)]
      case .rollback: [.rollback(0)]
      case .mergeChange: Self.elsewhere(name) + [.merge(0, saveFromEnd: 0)]
      case .mergeDeletion:
        [.object(1, name: name), .delete(1, name: name), .save(1), .merge(0, saveFromEnd: 0), .reset(1)]
      case .refresh: [.refresh(0, name: name, merging: false)]
      case .refreshMerging: [.refresh(0, name: name, merging: true)]
      }
    }

    private static func elsewhere(_ name: Int) -> [Operation] {
      [
        .object(1, name: name), .refresh(1, name: name, merging: false), .set(1, name: name, property: 0, value: 2),
        .save(1),
      ]
    }
  }

  private static let depth = 5
  private static let sequencesPerStack = 50

  // S2.4, S3.1, S3.4, S3.6, S5.2, S8.3: every sequence that begins with the object's insertion, saved or not.
  @Test(arguments: [false, true]) func everySequenceOfEventsLeavesTheContextConsistent(isSaved: Bool) throws {
    let events = Event.allCases.filter { $0 != .insert }
    let episode = Episode(
      model: AtlasSchema.model(), world: World(members: [World.Member(), World.Member()]), checksStore: false)
    let begin: [Event] = isSaved ? [.insert, .save] : [.insert]
    var sequences: [[Event]] = [begin]
    for _ in begin.count..<Self.depth { sequences = sequences.flatMap { start in events.map { start + [$0] } } }
    #expect(sequences.count >= 1_000)
    // Sequences share a stack, each with an object of its own.
    for start in stride(from: 0, to: sequences.count, by: Self.sequencesPerStack) {
      let end = min(start + Self.sequencesPerStack, sequences.count)
      let script = (start..<end).flatMap { number in
        sequences[number].flatMap { $0.script(number + 1) } + [.rollback(0), .reset(0), .reset(1)]
      }
      guard let failure = episode.run(script) else { continue }
      let short = episode.shrink(script, failure)
      Issue.record("\(failure)\n\(short.map(\.description).joined(separator: "\n"))")
      return
    }
  }
}
