import Boundary
import Checking
import CoreData
import Scheduling
import Synchronization

/// Reports the events of the stack's hooks while a cell runs.
public enum CellReports {
  private static let errors = Atomic<Int>(0)

  /// Whether an error was reported.
  static var hasErrors: Bool { errors.load(ordering: .relaxed) > 0 }

  /// Subjects of the first errors.
  private static let subjects = Locked<[String]>([])
  private static let subjectsMax = 1_000

  /// Whether one of the first 1,000 errors was about something with this name, as a context has it; from any thread.
  public static func isReported(_ name: String) -> Bool {
    hasErrors && subjects.withLock { $0.contains { $0.contains(name) } }
  }

  private static let installed = Locked<(any ReportSink)?>(nil)

  /// How often faults without a row fired on purpose; by ID.
  private static let expectedFaults = Locked<[String: Int]>([:])

  /// Contexts in which faults without a row may fire.
  private static let contextsAllowingMissingRows = Locked<Set<String>>([])

  /// Whether this process runs a cell, with its hooks in place.
  static var isInstalled: Bool { installed.withLock { $0 != nil } }

  /// Reports a violation that the workload itself saw; once its `start()` was called. Any thread.
  ///
  /// One that no check looks for counts as well: a violation of severity `error` fails the cell unless its scenario
  /// expects its kind.
  public static func report(_ violation: Violation) {
    guard let reports = installed.withLock({ $0 }) else { CellExit.fail("a report before the cell began") }
    append(violation, to: reports)
  }

  /// How often a fault of this object fires in `body` without a row, which is no violation here. Any thread.
  static func countingInaccessibleFaults(of id: NSManagedObjectID, in body: () throws -> Void) rethrows -> Int {
    expectedFaults.withLock { $0["\(id)"] = 0 }
    defer { expectedFaults.withLock { $0["\(id)"] = nil } }
    try body()
    return expectedFaults.withLock { $0["\(id)", default: 0] }
  }

  /// The reports of what a trial uses off its queue on purpose; by the contexts' names.
  private static let meantUses = Locked<[String: [ConcurrencyDebugging.Violation]]>([:])

  /// The reports of what `body` uses of a context and its objects off its queue, which is no violation here. Any thread.
  package static func usesOffQueue(
    of context: String, in body: () throws -> Void
  ) rethrows -> [ConcurrencyDebugging.Violation] {
    precondition(!context.isEmpty, "uses are known by the context's name")
    meantUses.withLock { $0[context] = [] }
    defer { meantUses.withLock { $0[context] = nil } }
    try body()
    return meantUses.withLock { $0[context, default: []] }
  }

  private static func isMeant(_ use: ConcurrencyDebugging.Violation) -> Bool {
    meantUses.withLock { meant in
      guard meant[use.context] != nil else { return false }
      meant[use.context]?.append(use)
      return true
    }
  }

  /// Other mistakes that trials make on purpose; by the names of the contexts that they make them with.
  private static let meantMistakes = Locked<[String: [String]]>([:])

  /// The mistakes that `body` makes with contexts of these names, which are no violations here: each member that it asks for an
  /// ID that is unknown there, and "order" for each ring of contexts that it enters inside each other. Any thread.
  package static func mistakes(with contexts: [String], in body: () throws -> Void) rethrows -> [String] {
    precondition(!contexts.contains(""), "mistakes are known by the contexts' names")
    meantMistakes.withLock { meant in for context in contexts { meant[context] = [] } }
    defer { meantMistakes.withLock { meant in for context in contexts { meant[context] = nil } } }
    try body()
    return meantMistakes.withLock { meant in contexts.flatMap { meant[$0, default: []] } }
  }

  private static func isMeant(_ mistake: String, with contexts: [String]) -> Bool {
    meantMistakes.withLock { meant in
      guard let context = contexts.first, contexts.allSatisfy({ meant[$0] != nil }) else { return false }
      meant[context]?.append(mistake)
      return true
    }
  }

  /// Allows faults without a row, deleted by others, in contexts of these names: no violation there. Any thread.
  package static func allowInaccessibleFaults(in contexts: [String]) {
    contextsAllowingMissingRows.withLock { $0.formUnion(contexts) }
  }

  private static func isExpected(_ fault: FaultHooks.InaccessibleFault) -> Bool {
    if contextsAllowingMissingRows.withLock({ $0.contains(fault.context) }) { return true }
    return expectedFaults.withLock { meant in
      guard let count = meant[fault.id] else { return false }
      meant[fault.id] = count + 1
      return true
    }
  }

  /// Installs the hooks, before the stack is made; once for each cell of a process.
  ///
  /// - Parameter onDeadEnd: Ends the cell; called after the report is written, in the thread that closes a cycle of waits
  ///   or joins objects of two contexts: neither has a way on.
  static func install(
    writingTo reports: any ReportSink, keepsBacktraces: Bool = true, onDeadEnd: @escaping @Sendable () -> Never
  ) {
    installed.withLock { $0 = reports }
    errors.store(0, ordering: .relaxed)
    subjects.withLock { $0 = [] }
    contextsAllowingMissingRows.withLock { $0 = [] }
    ConcurrencyDebugging.setEnabled(true)
    ConcurrencyDebugging.setHandler { if !isMeant($0) { append(violation($0), to: reports) } }
    FaultHooks.onInaccessibleFault { fault in
      if isExpected(fault) { return }
      append(
        Violation(
          kind: .inaccessibleFault, subject: "\(fault.entity) in \(fault.context)",
          expected: "the row of a fault that is read exists",
          seen: "\(fault.property ?? "the object") of \(fault.id) was read after its row was deleted"),
        to: reports)
    }
    WaitForGraph.setHandler { cycle in
      append(
        .deadlock(cycle), to: reports)
      onDeadEnd()
    }
    ContextHooks.onCrossContextRelationship { crossing in
      append(violation(crossing), to: reports)
      onDeadEnd()
    }
    ContextHooks.onUnknownID { unknown in
      if isMeant(unknown.member, with: [unknown.context]) { return }
      append(
        Violation(
          kind: .temporaryIDEscaped, subject: "\(unknown.entity) in \(unknown.context)",
          expected: "an ID that is handed to another context is permanent",
          seen:
            "\(unknown.context).\(unknown.member) was asked for \(unknown.id), which only the context that made it knows"
        ),
        to: reports)
    }
    LockOrder.setEnabled(true, keepsBacktraces: keepsBacktraces)
    LockOrder.setHandler { if !isMeant("order", with: $0.participants) { append(violation($0), to: reports) } }
  }

  private static func violation(_ crossing: ContextHooks.CrossContextRelationship) -> Violation {
    Violation(
      kind: .crossContextRelationship, subject: "\(crossing.entity).\(crossing.property)",
      expected: "both objects belong to one context",
      seen: "an object in \(crossing.source) was to be joined to one in \(crossing.destination ?? "no context")")
  }

  private static func violation(_ cycle: LockOrder.Cycle) -> Violation {
    let links = cycle.links.map { link in
      "\(link.inner) is entered inside \(link.outer) on \(link.thread)\(trace(link.backtrace))"
    }
    return Violation(
      kind: .lockOrder, subject: cycle.participants.sorted().joined(separator: ", "),
      expected: "whoever needs several contexts enters them in one order", seen: links.joined(separator: "; "))
  }

  private static func violation(_ seen: ConcurrencyDebugging.Violation) -> Violation {
    let trace = trace(seen.backtrace)
    switch seen.subject {
    case .context:
      return Violation(
        kind: .contextOffQueue, subject: "context \(seen.context)", expected: "used on \(seen.owner)",
        seen: seen.description + trace)
    case .object(let entity, _):
      return Violation(
        kind: .objectOffQueue, subject: "\(entity) in \(seen.context)", expected: "used on \(seen.owner)",
        seen: seen.description + trace)
    }
  }

  /// Frames of a backtrace that a report shows.
  private static let shownFrames = 8

  /// The frames' places in their files, innermost first: `contextbench(+0x1650b4)`.
  private static func trace(_ frames: [String]) -> String {
    let places = frames.dropFirst().prefix(shownFrames).map { frame in
      frame.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? frame
    }
    return places.isEmpty ? "" : "; at " + places.joined(separator: " < ")
  }

  private static func append(_ violation: Violation, to reports: any ReportSink) {
    if violation.severity == .error {
      errors.add(1, ordering: .relaxed)
      subjects.withLock { if $0.count < subjectsMax { $0.append(violation.subject) } }
    }
    do {
      try reports.append(violation)
    } catch {
      CellExit.fail("reports cannot be written: \(error)")
    }
  }
}

extension Violation {
  /// Waits that none of the waiting threads can end.
  static func deadlock(_ cycle: WaitForGraph.Cycle) -> Violation {
    Violation(
      kind: .deadlock, subject: cycle.participants.sorted().joined(separator: ", "), expected: "every wait can end",
      seen: cycle.description)
  }
}
