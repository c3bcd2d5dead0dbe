import CoreData
import Scenarios

/// An actor for each client owns a context, and the context's queue is its executor; main merges automatically.
package final class ModelActorStrategy: Strategy {
  package static let name = "model-actor"
  package static let summary = "An actor per operation runs on its own context's queue; main merges automatically."
  package static let options = ["merge": "automatic", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let merging: MainMerging

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    merging = MainMerging(into: mainContext, environment)
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    let context = makeReader(named: name)
    let actor = ModelActor(context, resetsAfterSave: environment.settings[Keys.resetAfterSave])
    return ActorWriter(actor, observation: merging.observe(context))
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  /// Sends its units to an actor.
  private final class ActorWriter: AsynchronousStrategyWriter {
    private let actor: ModelActor
    private let observation: SaveObservation?

    init(_ actor: ModelActor, observation: SaveObservation?) {
      self.actor = actor
      self.observation = observation
    }

    func write(_ unit: AsynchronousUnit) async throws { try await actor.run(unit) }
  }

  /// Works on its context's queue.
  private actor ModelActor {
    private let executor: ContextExecutor
    private let resetsAfterSave: Bool

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ context: NSManagedObjectContext, resetsAfterSave: Bool) {
      executor = ContextExecutor(context: context)
      self.resetsAfterSave = resetsAfterSave
    }

    func run(_ unit: AsynchronousUnit) throws {
      try unit.run(in: executor.context, resetsAfterSave: resetsAfterSave)
    }
  }

  /// Runs jobs as blocks of a context.
  private final class ContextExecutor: SerialExecutor {
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      context.perform { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }
}
