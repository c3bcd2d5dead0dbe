import CoreData
import Scenarios

/// One long-lived background context does all writing, one block at a time; main only reads, and merges automatically.
package final class SingleBackgroundWriterStrategy: Strategy {
  package static let name = "single-background-writer"
  package static let summary = "One background context does all writing; main only reads."
  package static let options = ["merge": "automatic", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  package let isMainReadOnly = true
  private let environment: StrategyEnvironment
  private let writer: DirectWriter
  private let observation: SaveObservation?

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    let context = environment.container.newBackgroundContext()
    environment.adopt(context, name: "writer")
    writer = DirectWriter(context: context, resetsAfterSave: environment.settings[Keys.resetAfterSave])
    observation = MainMerging(into: mainContext, environment).observe(context)
  }

  package func makeWriter(named name: String) -> any StrategyWriter { writer }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }
}
