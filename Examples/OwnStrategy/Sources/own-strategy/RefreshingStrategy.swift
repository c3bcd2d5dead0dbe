import CoreData
import HarnessKit

/// Main merges nothing: after each save it makes faults of what it holds, and reads it again when it is used.
final class RefreshingStrategy: Strategy {
  static let name = "refreshing"
  static let summary = "Private contexts beside main, which refreshes all that it holds after each save."
  static let options = ["refresh": "all", "reset_after_save": "true"]
  static let keys = [refresh.key]

  private enum Refresh: String, CaseIterable {
    case all
    case none
  }

  private static let refresh = Setting<Refresh>(
    "refresh", default: .all, isOption: true, isOfStrategies: true,
    "What main refreshes after a save: all that it holds, or nothing, which is a mistake to catch.")

  let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment

  init(_ environment: StrategyEnvironment) {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
  }

  func makeWriter(named name: String) -> any StrategyWriter {
    Writer(context: makeReader(named: name), main: mainContext, environment: environment)
  }

  func makeReader(named name: String) -> NSManagedObjectContext {
    let context = environment.container.newBackgroundContext()
    environment.adopt(context, name: name)
    return context
  }

  /// One client's context.
  private final class Writer: StrategyWriter {
    private let context: NSManagedObjectContext
    private let main: NSManagedObjectContext
    private let environment: StrategyEnvironment
    private let refreshes: Bool
    private let resets: Bool

    init(context: NSManagedObjectContext, main: NSManagedObjectContext, environment: StrategyEnvironment) {
      self.context = context
      self.main = main
      self.environment = environment
      refreshes = environment.settings[RefreshingStrategy.refresh] == .all
      resets = environment.settings[Keys.resetAfterSave]
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try context.performAndWait {
        do {
          try edit(context)
          reached(.edited)
          try context.save()
        } catch {
          // Nothing of a refused unit may be left.
          context.rollback()
          throw error
        }
        reached(.durable)
        if resets { context.reset() }
      }
      guard refreshes else { return }
      main.perform { [main, environment] in
        environment.measure(.merge) { main.refreshAllObjects() }
      }
    }
  }
}
