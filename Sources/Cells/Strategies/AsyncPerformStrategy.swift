import CoreData
import Scenarios

/// Structured tasks that await blocks of a private context for each client; main merges automatically.
package final class AsyncPerformStrategy: Strategy {
  package static let name = "async-perform"
  package static let summary = "Structured tasks await perform of a context per operation; main merges automatically."
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
    return AwaitingWriter(
      context: context, observation: merging.observe(context),
      resetsAfterSave: environment.settings[Keys.resetAfterSave])
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  /// A child task for each unit, which is awaited.
  private final class AwaitingWriter: AsynchronousStrategyWriter {
    private let context: NSManagedObjectContext
    private let observation: SaveObservation?
    private let resetsAfterSave: Bool

    init(context: NSManagedObjectContext, observation: SaveObservation?, resetsAfterSave: Bool) {
      self.context = context
      self.observation = observation
      self.resetsAfterSave = resetsAfterSave
    }

    func write(_ unit: AsynchronousUnit) async throws {
      async let written: Void = context.perform { [context, resetsAfterSave] in
        try unit.run(in: context, resetsAfterSave: resetsAfterSave)
      }
      try await written
    }
  }
}
