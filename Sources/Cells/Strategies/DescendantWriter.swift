import CoreData
import Scenarios

/// A context with ancestors: its save is a push to its parent, each ancestor's save takes it one further, and that of the
/// root makes it durable.
///
/// With `root_save: never` the root, the last ancestor, does not save.
final class DescendantWriter: StrategyWriter {
  private let writer: DirectWriter
  /// From the parent on; the last one writes to the file.
  private let ancestors: [NSManagedObjectContext]
  private let savesRoot: Bool
  private let environment: StrategyEnvironment

  init(context: NSManagedObjectContext, _ environment: StrategyEnvironment) {
    writer = DirectWriter(
      context: context, resetsAfterSave: environment.settings[Keys.resetAfterSave], reaching: .pushed)
    ancestors = Array(sequence(first: context, next: \.parent).dropFirst())
    precondition(!ancestors.isEmpty, "a descendant has a parent")
    savesRoot = environment.settings[Keys.rootSave] == .each
    self.environment = environment
  }

  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try writer.write(
      { context in
        try edit(context)
        // Before the push: contexts between this one and the root would keep temporary IDs for ever, since it is not
        // they that write to the file.
        if ancestors.count > 1 { try context.obtainPermanentIDs(for: Array(context.insertedObjects)) }
      }, reached: reached)
    for ancestor in savesRoot ? ancestors[...] : ancestors.dropLast() {
      try ancestor.performAndWait {
        try environment.measure(.save) { try ancestor.save() }
      }
    }
    if savesRoot { reached(.durable) }
  }
}
