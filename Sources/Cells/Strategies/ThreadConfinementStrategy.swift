import CoreData
import Scenarios
import Scheduling

/// One confined context a thread, kept in the thread's dictionary; each save is merged into main, which is the main
/// thread's context.
package final class ThreadConfinementStrategy: Strategy {
  package static let name = "thread-confinement"
  package static let summary = "One confined context per thread, in its dictionary; each save is merged into main."
  package static let options = ["merge": "async", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let writer: ConfinedWriter

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    writer = ConfinedWriter(main: mainContext, environment: environment)
  }

  package func makeWriter(named name: String) -> any StrategyWriter { writer }

  /// A context with a queue: a confined one could only be used on its thread.
  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  /// Writes through the calling thread's own context.
  private final class ConfinedWriter: StrategyWriter {
    private let environment: StrategyEnvironment
    private let merging: MainMerging
    private let mainWriter: MainWriter
    private let contexts = ThreadValue<ThreadContext>()

    init(main: NSManagedObjectContext, environment: StrategyEnvironment) {
      self.environment = environment
      merging = MainMerging(into: main, environment)
      mainWriter = MainWriter(context: main, environment: environment)
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      if SerialQueue.main.isHeld { return try mainWriter.write(edit, reached: reached) }
      let own = contexts.value { ThreadContext(environment, merging) }
      try own.unit.run(edit, reached: reached)
    }
  }

  /// A thread's context; ends with its thread.
  private final class ThreadContext {
    let unit: UnitOfWork
    private let observation: SaveObservation?

    init(_ environment: StrategyEnvironment, _ merging: MainMerging) {
      let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
      context.persistentStoreCoordinator = environment.container.persistentStoreCoordinator
      environment.adopt(context, name: "context of \(ThreadRecord.current.name)")
      unit = UnitOfWork(context: context, resetsAfterSave: environment.settings[Keys.resetAfterSave])
      observation = merging.observe(context)
    }
  }
}
