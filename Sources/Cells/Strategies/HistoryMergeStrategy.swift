import CoreData
import Scenarios

/// Writers have coordinators of their own, as they would in an extension; main follows the store's persistent history,
/// of all contexts and processes.
package final class HistoryMergeStrategy: Strategy {
  package static let name = "history-merge"
  package static let summary = "Writers have their own coordinators; main merges by the store's persistent history."
  package static let options = ["reset_after_save": "true"]
  package static let keys = [Keys.historyPurgeEvery.key]

  package static func deliversSaves(_ settings: ScenarioSettings) -> Bool { true }
  package static func followsHistory(_ settings: ScenarioSettings) -> Bool { true }

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let follower: HistoryFollower

  package init(_ environment: StrategyEnvironment) throws {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    follower = try HistoryFollower(into: mainContext, environment)
  }

  package func makeWriter(named name: String) throws -> any StrategyWriter {
    DirectWriter(
      context: try makeReader(named: name), resetsAfterSave: environment.settings[Keys.resetAfterSave])
  }

  package func makeReader(named name: String) throws -> NSManagedObjectContext {
    try environment.makeRemoteContext(named: name)
  }

  package func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void) { follower.whenMainIsCurrent(body) }
}
