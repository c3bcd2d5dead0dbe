import Checking
import CoreData
import Synchronization

/// Reports changes and saves of main where the strategy declares it read-only.
final class MainWrites: Sendable {
  private let looked = Atomic<Int>(0)

  /// Changes and saves of any context that were inspected.
  var count: Int { looked.load(ordering: .relaxed) }

  /// Looks at every change and save from now on.
  func watch(_ main: NSManagedObjectContext, of strategy: String) {
    let main = ObjectIdentifier(main)
    ContextHooks.onWrite { [self] context, write in
      looked.add(1, ordering: .relaxed)
      guard context == main else { return }
      CellReports.report(
        Violation(
          kind: .readOnlyContextWritten, subject: "context main",
          expected: "\(strategy) only reads from main; a writer changes and saves",
          seen: write == .save ? "main was saved with changes of its own" : "objects of main were changed"))
    }
  }
}
