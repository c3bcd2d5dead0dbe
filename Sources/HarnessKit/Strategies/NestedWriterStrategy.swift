import CoreData

/// A private root context writes the file; main is its child, and workers are children of main.
package final class NestedWriterStrategy: Strategy {
  package static let name = "nested-writer"
  package static let summary = "A private root writes to the file; main is its child, and workers are main's."
  package static let options = ["root_save": "each", "reset_after_save": "true"]

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let root: NSManagedObjectContext
  private let savesRoot: Bool
  private let resetsAfterSave: Bool

  package init(_ environment: StrategyEnvironment) {
    self.environment = environment
    savesRoot = environment.settings.text("root_save") == "each"
    resetsAfterSave = environment.settings.boolean("reset_after_save")
    root = environment.container.newBackgroundContext()
    environment.adopt(root, name: "root")
    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    mainContext.parent = root
    environment.adopt(mainContext, name: "main")
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    GrandchildWriter(
      context: makeReader(named: name), main: mainContext, root: root, savesRoot: savesRoot,
      resetsAfterSave: resetsAfterSave, environment: environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = mainContext
    environment.adopt(context, name: name)
    return context
  }

  /// A child of main: its save and main's are pushes, and the root's save makes them durable.
  private final class GrandchildWriter: StrategyWriter {
    private let child: DirectWriter
    private let main: NSManagedObjectContext
    private let root: NSManagedObjectContext
    private let savesRoot: Bool
    private let environment: StrategyEnvironment

    init(
      context: NSManagedObjectContext, main: NSManagedObjectContext, root: NSManagedObjectContext, savesRoot: Bool,
      resetsAfterSave: Bool, environment: StrategyEnvironment
    ) {
      child = DirectWriter(context: context, resetsAfterSave: resetsAfterSave, reaching: .pushed)
      self.main = main
      self.root = root
      self.savesRoot = savesRoot
      self.environment = environment
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try child.write(
        { context in
          try edit(context)
          // Before the push: main would keep temporary IDs for ever, since it is not main that writes to the file.
          try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }, reached: reached)
      try main.performAndWait {
        try environment.measure(.save) { try main.save() }
      }
      guard savesRoot else { return }
      try root.performAndWait { try root.save() }
      reached(.durable)
    }
  }
}
