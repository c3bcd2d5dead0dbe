import Foundation
import Scheduling
import Synchronization

/// Reports every touch of a context or of one of its objects off its queue or thread.
///
/// On with the launch argument `-com.apple.CoreData.ConcurrencyDebug 1`, the environment variable
/// `COREDATA_CONCURRENCY_DEBUG=1`, or ``setEnabled(_:)``.
package enum ConcurrencyDebugging {
  /// One touch from the wrong place.
  package struct Violation: Sendable, CustomStringConvertible {
    /// The touched context or object.
    package enum Subject: Sendable {
      case context
      case object(entity: String, id: String)
    }

    package let subject: Subject
    /// Name of the context, or its description.
    package let context: String
    /// The property or method.
    package let member: String
    /// Where it was touched.
    package let thread: String
    /// Where it may be touched.
    package let owner: String
    /// Return addresses of the touch, innermost first.
    package let backtrace: [String]

    package var description: String {
      let what =
        switch subject {
        case .context: "\(context).\(member)"
        case .object(let entity, let id): "\(entity).\(member) of \(id) in \(context)"
        }
      return "\(what) was touched on \(thread); it belongs to \(owner)"
    }
  }

  /// Handles a violation; the touch continues when the handler returns.
  package typealias Handler = @Sendable (Violation) -> Void

  private static let unknown: UInt8 = 0
  private static let off: UInt8 = 1
  private static let on: UInt8 = 2

  // Starts as a constant: every use of an object looks at it, and a value computed at first use costs a call each time.
  private static let state = Atomic<UInt8>(0)
  private static let handler = Locked<Handler?>(nil)
  private static let watcher = Locked<Handler?>(nil)

  /// False where uses are surely not looked at: asked by each use of an object, in place of ``isEnabled``.
  @inline(__always)
  static var mayBeEnabled: Bool { state.load(ordering: .relaxed) != off }

  @inline(__always)
  static var isEnabled: Bool {
    let now = state.load(ordering: .relaxed)
    return now == on || now == unknown && isEnabledAtStart()
  }

  /// The setting made meanwhile, or else the one that the process was started with.
  @inline(never)
  private static func isEnabledAtStart() -> Bool {
    let asked = isAskedFor ? on : off
    let before = state.compareExchange(expected: unknown, desired: asked, ordering: .relaxed).original
    return (before == unknown ? asked : before) == on
  }

  /// Turns the checks on or off for the whole process.
  package static func setEnabled(_ isEnabled: Bool) { state.store(isEnabled ? on : off, ordering: .relaxed) }

  /// Turns the checks on or off again as the process was started.
  package static func restore() { state.store(unknown, ordering: .relaxed) }

  /// Sets the handler of violations; nil restores the default, which traps as Apple's does.
  package static func setHandler(_ new: Handler?) { handler.withLock { $0 = new } }

  /// Sets a second handler, which is called before the program's own and takes the place of the default; nil for none.
  package static func setWatcher(_ new: Handler?) { watcher.withLock { $0 = new } }

  /// Uses of contexts and objects that were checked so far, by all threads.
  package static var checkedUses: Int { ThreadRecord.countedUses }

  /// Looks whether a use of the context is one off its queue.
  @inline(never)
  static func check(_ member: String, of context: NSManagedObjectContext) {
    guard isEnabled else { return }
    context.use.wasChecked.store(true, ordering: .relaxed)
    if !ThreadRecord.isInside(context.queue.address) { checkOuterQueues(member, of: context) }
  }

  @inline(never)
  private static func checkOuterQueues(_ member: String, of context: NSManagedObjectContext) {
    if !context.queue.isHeld { report(.context, context: context, member: member) }
  }

  @inline(never)
  static func report(_ subject: Violation.Subject, context: NSManagedObjectContext, member: String) {
    let violation = Violation(
      subject: subject, context: context.label, member: member,
      thread: ThreadRecord.current.name, owner: context.queue.name, backtrace: ThreadRecord.backtrace)
    let handlers = [watcher.current, handler.current].compactMap(\.self)
    guard !handlers.isEmpty else { preconditionFailure("Core Data concurrency violation: \(violation)") }
    for handler in handlers { handler(violation) }
  }

  private static let isAskedFor: Bool = {
    if ProcessInfo.processInfo.environment["COREDATA_CONCURRENCY_DEBUG"] == "1" { return true }
    let arguments = ProcessInfo.processInfo.arguments
    guard let position = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug") else { return false }
    return arguments.dropFirst(position + 1).first == "1"
  }()
}
