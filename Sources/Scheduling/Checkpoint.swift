import Synchronization

/// A named place where a schedule may pause a thread or a test may act: between two steps that other threads can
/// come between.
///
/// Without a handler reaching one costs a load and a branch.
package struct Checkpoint: Hashable, Sendable {
  /// Name of the place, such as `save.beforeCommit`.
  package let name: String

  /// The resource that the step at the place uses, for a simulation: steps of the same number are in conflict; 0 where it is
  /// not known.
  let resource: UInt64

  package init(_ name: String, resource: UInt64 = 0) {
    self.name = name
    self.resource = resource
  }

  /// The resource of steps that read or write a store's file. No queue has this number.
  package static let storeResource = UInt64.max

  /// Called at each checkpoint, with its place and the name of the queue or context that is there.
  package typealias Handler = @Sendable (_ place: Checkpoint, _ subject: String) -> Void

  private static let isWatched = Atomic<Bool>(false)
  private static let handlers = Locked<[(token: UInt64, call: Handler)]>([])
  private static let nextToken = Atomic<UInt64>(0)

  /// Passes the checkpoint; `subject` is only evaluated when a handler is installed.
  @inline(__always)
  package func reach(_ subject: @autoclosure () -> String) {
    if Self.isWatched.load(ordering: .relaxed) { call(subject()) }
    Simulation.pass(name, resource, subject())
  }

  @inline(never)
  private func call(_ subject: String) {
    for handler in Self.handlers.withLock({ $0 }) { handler.call(self, subject) }
  }

  /// Runs `body` while `handler` is called at every checkpoint of the process, after handlers that watch already.
  package static func watching<Result>(_ handler: @escaping Handler, _ body: () throws -> Result) rethrows -> Result {
    let token = nextToken.add(1, ordering: .relaxed).newValue
    handlers.withLock { $0.append((token, handler)) }
    isWatched.store(true, ordering: .relaxed)
    defer {
      handlers.withLock { handlers in
        handlers.removeAll { $0.token == token }
        isWatched.store(!handlers.isEmpty, ordering: .relaxed)
      }
    }
    return try body()
  }
}
