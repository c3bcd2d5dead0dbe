import CoreData
import Scheduling

/// A task with a context of its own for each unit of work; main merges automatically.
package final class BackgroundTaskStrategy: Strategy {
  package static let name = "background-task"
  package static let summary = "performBackgroundTask for each unit of work; main merges automatically."
  package static let options = ["merge": "automatic"]

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
    TaskWriter(name: name, merging: merging, environment: environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  /// Waits for one task after the other.
  private final class TaskWriter: StrategyWriter {
    private let name: String
    private let merging: MainMerging
    private let environment: StrategyEnvironment

    init(name: String, merging: MainMerging, environment: StrategyEnvironment) {
      self.name = name
      self.merging = merging
      self.environment = environment
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      let context = Locked<NSManagedObjectContext?>(nil)
      try BlockingHop.run("task of \(name)") { block in
        environment.container.performBackgroundTask { made in
          context.withLock { $0 = made }
          block()
        }
      } body: {
        guard let context = context.withLock({ $0.take() }) else { preconditionFailure("a task has a context") }
        environment.adopt(context, name: name)
        let observation = merging.observe(context)
        try withExtendedLifetime(observation) { try UnitOfWork(context: context).run(edit, reached: reached) }
      }
    }
  }
}
