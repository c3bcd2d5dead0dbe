import CoreData
import Scheduling

extension Hazard {
  /// A thread waits for a completion handler that an early return forgets.
  static let forgottenCompletion = Hazard(
    "forgotten-completion", "A request returns early without its completion, and its caller waits for ever.",
    careless: { stage in
      try requestDeletedNote(stage) { context, id, completion in
        guard (try? context.existingObject(with: id)) != nil else { return }
        completion()
      }
    },
    careful: { stage in
      try requestDeletedNote(stage) { context, id, completion in
        defer { completion() }
        _ = try? context.existingObject(with: id)
      }
    })

  private static func requestDeletedNote(
    _ stage: HazardStage,
    _ request: @escaping @Sendable (NSManagedObjectContext, NSManagedObjectID, () -> Void) -> Void
  ) throws {
    let id = stage.noteID
    try stage.session.strategy.makeWriter(named: "deleter").write {
      $0.delete(try stage.note(in: $0))
    } reached: { _ in
    }
    let context = try stage.makeContext("request")
    // Its opener is not declared, as with a semaphore: only the time limit ends this.
    let answered = Latch(label: "answered")
    context.perform { request(context, id) { answered.open() } }
    answered.wait()
  }
}
