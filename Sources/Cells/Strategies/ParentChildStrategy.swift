import CoreData

/// Workers are children of the main context; main saves to the store after each child's save.
package final class ParentChildStrategy: Strategy {
  package static let name = "parent-child"
  package static let summary = "Workers are children of main; main saves to the store after each child's save."
  package static let options = ["root_save": "each", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    DescendantWriter(context: makeReader(named: name), environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = mainContext
    environment.adopt(context, name: name)
    return context
  }
}
