import CoreData
import Scheduling

/// The reports of the stack's process-wide hooks, kept for the tests that asked; tests run in parallel, so each looks
/// only for the names of its own contexts.
enum Hooks {
  private struct Reported {
    var violations: [ConcurrencyDebugging.Violation] = []
    var faults: [FaultHooks.InaccessibleFault] = []
  }

  private static let reported = Locked(Reported())

  private static let installed: Void = {
    ConcurrencyDebugging.setHandler { violation in reported.withLock { $0.violations.append(violation) } }
    ConcurrencyDebugging.setEnabled(true)
    FaultHooks.onInaccessibleFault { fault in reported.withLock { $0.faults.append(fault) } }
  }()

  /// Runs `body` with the hooks in place.
  static func recording<Result>(_ body: () throws -> Result) rethrows -> Result {
    installed
    return try body()
  }

  /// Touches off the queue of the contexts named `context`, while `body` ran.
  static func violations(
    of context: NSManagedObjectContext, during body: () throws -> Void
  ) rethrows -> [ConcurrencyDebugging.Violation] {
    installed
    let before = reported.withLock { $0.violations.count }
    try body()
    let name = context.name
    return reported.withLock { $0.violations.dropFirst(before).filter { $0.context == name } }
  }

  /// Faults fired without a row in the contexts named so.
  static func faults(in context: NSManagedObjectContext, during body: () throws -> Void) rethrows
    -> [FaultHooks.InaccessibleFault]
  {
    installed
    let before = reported.withLock { $0.faults.count }
    try body()
    let name = context.name
    return reported.withLock { $0.faults.dropFirst(before).filter { $0.context == name } }
  }
}
