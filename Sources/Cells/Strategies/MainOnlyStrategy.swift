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
}
