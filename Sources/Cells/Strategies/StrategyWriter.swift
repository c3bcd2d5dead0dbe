import CoreData

/// Where a client's units of work go; made by a strategy for one client, or shared by all.
public protocol StrategyWriter: AnyObject, Sendable {
  /// Changes objects in a context of the strategy's choice, and saves them to the file.
  ///
  /// Called on any thread but from no block of the strategy's own contexts other than this one's; it returns when the
  /// strategy calls the unit finished, which is normally when it is durable.
  ///
  /// - Parameters:
  ///   - edit: Changes the objects; on the context's queue, once.
  ///   - reached: Receives each stage when it is reached, and no stage that is never reached.
  /// - Throws: An error of `edit` or of a save; nothing of the unit is left in the context then.
  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws
}

/// A context that edits and saves in one block of its own queue, and rolls back after an error.
public final class DirectWriter: StrategyWriter {
  private let unit: UnitOfWork

  /// A writer with saves that reach `stage`: the file, or for a child context its parent.
  public init(context: NSManagedObjectContext, resetsAfterSave: Bool = true, reaching stage: WriteStage = .durable) {
    unit = UnitOfWork(context: context, stage: stage, resetsAfterSave: resetsAfterSave)
  }

  /// Edits, saves and reports both.
  public func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try unit.context.performAndWait { try unit.run(edit, reached: reached) }
  }
}

/// One edit and its save in a context; on the context's queue or thread.
struct UnitOfWork {
  let context: NSManagedObjectContext
  /// The stage that the save reaches: the file, or for a child context its parent.
  var stage = WriteStage.durable
  var resetsAfterSave = false

  /// Edits and saves; rolls back after an error.
  ///
  /// - Parameter saving: how the unit comes to the file, in place of a save.
  func run(
    _ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void, saving: (() throws -> Void)? = nil
  ) throws {
    do {
      try edit(context)
      reached(.edited)
      if let saving { try saving() } else { try context.save() }
    } catch {
      context.rollback()
      throw error
    }
    reached(stage)
    if resetsAfterSave { context.reset() }
  }
}

/// How far a unit of work has come.
public enum WriteStage: Sendable {
  /// The objects are changed; the save begins.
  case edited
  /// The save reached the parent context, not the file.
  case pushed
  /// The changes are committed to the store's file.
  case durable
}
