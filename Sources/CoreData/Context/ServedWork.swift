import Scheduling
import Synchronization

/// Work of a context on its queue for others, without a block of theirs; the harness asks where main's time goes.
package enum ServedWork: Sendable {
  /// Taking over a child's save.
  case push
  /// Answering a child's fetch or filling its fault.
  case fetch
  /// Merging a save by itself.
  case merge

  /// An observer; called on the context's queue when the work begins and when it ends.
  package struct Observer: Sendable {
    package let begin: @Sendable (ServedWork) -> Void
    package let end: @Sendable (ServedWork) -> Void

    package init(begin: @escaping @Sendable (ServedWork) -> Void, end: @escaping @Sendable (ServedWork) -> Void) {
      self.begin = begin
      self.end = end
    }
  }

  private static let isObserved = Atomic<Bool>(false)
  private static let observer = Locked<Observer?>(nil)

  /// Sets the observer from now on; nil for none.
  package static func setObserver(_ new: Observer?) {
    observer.withLock { $0 = new }
    isObserved.store(new != nil, ordering: .relaxed)
  }

  /// Does the work; without an observer that costs a load and a branch more than the work.
  @inline(__always)
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard Self.isObserved.load(ordering: .relaxed), let observer = Self.observer.withLock({ $0 }) else {
      return try body()
    }
    observer.begin(self)
    defer { observer.end(self) }
    return try body()
  }

  /// Does the work for a child in a context's turn.
  @inline(__always)
  func run<Result>(in context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
    try context.queue.sync { try run(body) }
  }
}
