import CoreData

/// A private root context writes the file; main is its child, and workers are children of main.
package final class NestedWriterStrategy: Strategy {
  package static let name = "nested-writer"
  package static let summary = "A private root writes to the file; main is its child, and workers are main's."
  package static let options = ["root_save": "each", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    let root = environment.container.newBackgroundContext()
    environment.adopt(root, name: "root")
    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    mainContext.parent = root
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
