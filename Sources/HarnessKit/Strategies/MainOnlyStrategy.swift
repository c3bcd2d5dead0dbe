import CoreData

/// Everything on the main context: the baseline that freezes.
package final class MainOnlyStrategy: Strategy {
  package static let name = "main-only"
  package static let summary = "Everything on the main context: the baseline that freezes."

  package let mainContext: NSManagedObjectContext
  private let writer: MainWriter

  package init(_ environment: StrategyEnvironment) {
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    writer = MainWriter(context: mainContext, environment: environment)
  }

  package func makeWriter(named name: String) -> any StrategyWriter { writer }

  package func makeReader(named name: String) -> NSManagedObjectContext { mainContext }

  private final class MainWriter: StrategyWriter {
    private let context: NSManagedObjectContext
    private let environment: StrategyEnvironment

    init(context: NSManagedObjectContext, environment: StrategyEnvironment) {
      self.context = context
      self.environment = environment
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try context.performAndWait {
        do {
          try environment.measure(.edit) { try edit(context) }
          reached(.edited)
          try environment.measure(.save) { try context.save() }
        } catch {
          context.rollback()
          throw error
        }
        reached(.durable)
      }
    }
  }
}
