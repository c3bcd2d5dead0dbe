import CoreData
import Scenarios
import Scheduling

/// One thread with a run loop owns the context that writes; blocks are sent to it.
package final class DedicatedThreadStrategy: Strategy {
  package static let name = "dedicated-thread"
  package static let summary = "One run-loop thread owns the writing context; blocks are sent to it."
  package static let options = ["merge": "async", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let writer: ThreadWriter

  package init(_ environment: StrategyEnvironment) throws {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    let merging = MainMerging(into: mainContext, environment)
    writer = try ThreadWriter(environment: environment, merging: merging)
  }

  package func makeWriter(named name: String) -> any StrategyWriter { writer }

  /// A context with a queue: a confined one could only be used on its thread.
  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  /// Sends each unit to the thread and waits for it.
  private final class ThreadWriter: StrategyWriter, @unchecked Sendable {
    // Sendable: the context is only touched on its thread.
    private let thread: RunLoopThread
    private let unit: UnitOfWork
    private let observation: SaveObservation?

    init(environment: StrategyEnvironment, merging: MainMerging) throws {
      let thread = RunLoopThread(label: "writer")
      let context = try thread.run("make the context") {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = environment.container.persistentStoreCoordinator
        environment.adopt(context, name: "writer")
        return context
      }
      self.thread = thread
      unit = UnitOfWork(context: context, resetsAfterSave: environment.settings[Keys.resetAfterSave])
      observation = merging.observe(context)
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try thread.run("unit of work") { try unit.run(edit, reached: reached) }
    }
  }
}
