import CoreData

/// Workers are children of the main context; main saves to the store after each child's save.
package final class ParentChildStrategy: Strategy {
  package static let name = "parent-child"
  package static let summary = "Workers are children of main; main saves to the store after each child's save."
  package static let options = ["root_save": "each", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let savesRoot: Bool
  private let resetsAfterSave: Bool

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    savesRoot = environment.settings.text("root_save") == "each"
    resetsAfterSave = environment.settings.boolean("reset_after_save")
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    ChildWriter(
      context: makeReader(named: name), main: mainContext, savesRoot: savesRoot, resetsAfterSave: resetsAfterSave,
      environment: environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = mainContext
    environment.adopt(context, name: name)
    return context
  }

  /// A child of main: its save is a push, and main's save makes it durable.
  private final class ChildWriter: StrategyWriter {
    private let child: DirectWriter
    private let main: NSManagedObjectContext
    private let savesRoot: Bool
    private let environment: StrategyEnvironment

    init(
      context: NSManagedObjectContext, main: NSManagedObjectContext, savesRoot: Bool, resetsAfterSave: Bool,
      environment: StrategyEnvironment
    ) {
      child = DirectWriter(context: context, resetsAfterSave: resetsAfterSave, reaching: .pushed)
      self.main = main
      self.savesRoot = savesRoot
      self.environment = environment
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try child.write(edit, reached: reached)
      guard savesRoot else { return }
      try main.performAndWait {
        try environment.measure(.save) { try main.save() }
      }
      reached(.durable)
    }
  }
}
