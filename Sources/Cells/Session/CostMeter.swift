import Boundary
import CMemoryFiles
import CProcess
import CoreData
import Measuring
import SQLite
import Scheduling

/// Counts the costs of a simulated cell's measured span.
final class CostMeter: @unchecked Sendable {
  // Sendable: only touched by the task that has the simulation's baton.

  /// Counts of the process at one moment.
  private struct Reading {
    var work = WorkCounts.current
    var files = cmemoryfiles_done()
    var syncs = cprocess_syncs()
    var faults: Int
    var uses = ConcurrencyDebugging.checkedUses
    var allocations = AllocationCounter.processAllocations
    var clock = Simulation.now ?? 0
  }

  /// The notifications of contexts; those with IDs are not asked for by their names, which would have them posted.
  private static let notifications: [Notification.Name] = [
    .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange,
    Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification"),
    Notification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification"),
  ]

  private var first: Reading?
  private var last: Reading?
  private var posted = 0
  private var observers: [any NSObjectProtocol] = []

  /// Begins the span; on the main thread.
  func start(_ environment: StrategyEnvironment) {
    precondition(first == nil, "a cell has one measured span")
    for name in Self.notifications {
      observers.append(environment.addObserver(forName: name, object: nil) { [weak self] _ in self?.posted += 1 })
    }
    first = Reading(faults: environment.releases.firedFaults)
  }

  /// Ends the span; on the main thread.
  func stop(_ environment: StrategyEnvironment) {
    precondition(first != nil && last == nil, "a span that began ends once")
    last = Reading(faults: environment.releases.firedFaults)
    for observer in observers { environment.removeObserver(observer) }
    observers = []
  }

  /// The counts of the span; nil where it did not come to its end.
  ///
  /// - Parameter trace: every step of the cell.
  func costs(_ trace: [SimulationOutcome.Entry]) -> [CellCost: Int]? {
    precondition(observers.isEmpty, "a span that ended is observed no more")
    guard let first, let last, let before = first.work, let after = last.work else { return nil }
    var costs: [CellCost: Int] = [
      .statements: after.statements - before.statements, .sqliteSteps: after.steps - before.steps,
      .rowsRead: after.rowsRead - before.rowsRead, .rowsWritten: after.rowsWritten - before.rowsWritten,
      .pagesRead: last.files.pages_read - first.files.pages_read,
      .bytesRead: last.files.bytes_read - first.files.bytes_read,
      .pagesWritten: last.files.pages_written - first.files.pages_written,
      .bytesWritten: last.files.bytes_written - first.files.bytes_written,
      .syncs: last.files.syncs - first.files.syncs + last.syncs - first.syncs, .faults: last.faults - first.faults,
      .uses: last.uses - first.uses, .notifications: posted,
    ]
    if let before = first.allocations, let after = last.allocations { costs[.allocations] = Int(after - before) }
    costs.merge(Self.costs(of: trace.filter { $0.clock > first.clock && $0.clock <= last.clock })) { $1 }
    return costs
  }

  /// The costs that steps show by themselves.
  static func costs(of steps: [SimulationOutcome.Entry]) -> [CellCost: Int] {
    var costs: [CellCost: Int] = [:]
    func count(_ cost: CellCost, _ number: Int = 1) { costs[cost, default: 0] += number }
    var waits: [Int: Int] = [:]
    for (place, entry) in steps.enumerated() {
      count(.steps)
      count(.stepsHeld, entry.turnsHeld)
      if entry.task == 0 { count(.mainSteps) }
      if place > 0, steps[place - 1].task != entry.task { count(.wakeUps) }
      if entry.isResumption { continue }
      switch entry.step.point {
      case "main-block": count(.mainHops)
      case "enqueue": count(.blocks)
      case "enter": count(.turnsTaken)
      case "wait.begin":
        count(.turnsWaited)
        waits[entry.task] = place
      case "wait.over":
        count(
          .stepsWaited,
          waits.removeValue(forKey: entry.task).map { begin in
            steps[begin..<place].count { $0.task != entry.task }
          } ?? 0)
      default: break
      }
    }
    return costs
  }
}
