import CoreData
import HarnessKit

/// A context for each client beside main, which merges by itself: the shortest strategy.
final class AutomaticStrategy: Strategy {
  static let name = "automatic"
  static let summary = "Private contexts beside main, which merges automatically."

  let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment

  init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    mainContext.automaticallyMergesChangesFromParent = true
    environment.adopt(mainContext, name: "main")
  }

  func makeReader(named name: String) -> NSManagedObjectContext {
    let context = environment.container.newBackgroundContext()
    environment.adopt(context, name: name)
    return context
  }

  func makeWriter(named name: String) -> any StrategyWriter {
    DirectWriter(context: makeReader(named: name))
  }
}
