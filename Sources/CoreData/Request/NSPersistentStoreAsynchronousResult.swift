import Scheduling
import RowStore

/// The result of a request that still runs after it was executed.
///
/// Any thread may look at it.
/// - SeeAlso: Apple, "NSPersistentStoreAsynchronousResult".
open nonisolated class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  // Sendable: the parts that change after `init` are behind a lock.

  private struct State {
    var isFinished = false
    var error: (any Error)?
  }

  private let state = Locked(State())
  /// The context that carries the request out.
  public final let managedObjectContext: NSManagedObjectContext
  /// How far it is; a child of the progress that was current when the request was executed. Cancelling it cancels the
  /// request.
  public final let progress: Progress?

  init(_ context: NSManagedObjectContext, expected: Int) {
    managedObjectContext = context
    let progress = Progress(totalUnitCount: expected > 0 ? Int64(expected) : -1)
    self.progress = progress
    super.init()
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  /// Why there is no final result: `NSUserCancelledError` after ``cancel()``; nil while the request runs.
  open var operationError: (any Error)? { state.withLock { $0.error } }

  /// Gives the request up: it ends with `NSUserCancelledError`. Nothing happens when it has ended.
  open func cancel() {
    let isFirst = finish(NSError.coreData(CocoaError.Code.userCancelled.rawValue, "The request was cancelled.")) {}
    if isFirst { wasCancelled() }
  }

  /// Whether the request has ended.
  final var isFinished: Bool { state.withLock { $0.isFinished } }

  /// The request ends, unless it has; `keep` keeps its result before observers are called.
  ///
  /// - Returns: whether it had not ended.
  final func finish(_ error: (any Error)?, count: Int = 0, _ keep: () -> Void) -> Bool {
    let isFirst = state.withLock { state in
      guard !state.isFinished else { return false }
      keep()
      state.isFinished = true
      state.error = error
      return true
    }
    if isFirst, error == nil {
      // A progress of no units is one that does not know how far it is, and never finishes.
      let units = Int64(max(count, 1))
      progress?.totalUnitCount = units
      progress?.completedUnitCount = units
    }
    return isFirst
  }

  /// Called when the request has just ended by ``cancel()``. Any thread.
  func wasCancelled() {}
}
