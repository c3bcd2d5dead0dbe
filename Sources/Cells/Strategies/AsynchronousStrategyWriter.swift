import CoreData
import Scheduling

/// The asynchronous form of a writer: a client's unit of work is a task, which the client waits for.
///
/// ```swift
/// func write(_ unit: AsynchronousUnit) async throws {
///   try await context.perform { [context] in try unit.run(in: context) }
/// }
/// ```
/// In a simulation the jobs of the task, and those of its `async let` and groups, are steps; those of a `Task` of its own are not.
public protocol AsynchronousStrategyWriter: StrategyWriter {
  /// Has the unit run in a context of the strategy's choice, once, and returns when that is over.
  ///
  /// - Throws: The unit's error.
  func write(_ unit: AsynchronousUnit) async throws
}

extension AsynchronousStrategyWriter {
  /// Does the unit in a task, and waits for the task.
  public func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
    try BlockingHop.run("unit of work") { [self] in
      try await write(AsynchronousUnit(work: $0))
    } body: { (unit: UnitOfWork) in
      try unit.run(edit, reached: reached)
    }
  }
}

/// One edit with its save, for a task to take to a context.
public struct AsynchronousUnit: Sendable {
  let work: AwaitedUnit<UnitOfWork>

  /// Edits, saves and reports both; rolls back after an error. On the context's queue.
  public func run(in context: NSManagedObjectContext, resetsAfterSave: Bool = true) throws {
    try work.run(UnitOfWork(context: context, resetsAfterSave: resetsAfterSave))
  }
}
