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
  /// - Throws: What `edit` or a save throws; nothing of the unit is left in the context then.
  func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws
}
