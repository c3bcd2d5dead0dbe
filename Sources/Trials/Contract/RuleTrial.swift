import Cells
import Boundary
import Checking
import CoreData
import Scheduling

/// One trial of a rule: a store of its own, contexts of it, draws from a seed, and the steps so far in words.
///
/// Concurrency: used by one thread at a time; objects are touched in blocks of their contexts.
final class RuleTrial: @unchecked Sendable {
  // Sendable: a client's trials follow each other.

  /// Thrown after a violation was reported: later results say nothing.
  struct Broken: Error {}

  let session: CellSession
  private let rule: ContractRule
  private let place: String
  private let seed: UInt64
  private var random: SeededRandom
  private let folder: String
  private var coordinators: [NSPersistentStoreCoordinator] = []
  /// The model of each file that was opened, by its name.
  private var modelsOfFiles: [String: NSManagedObjectModel] = [:]
  private var contexts = 0
  private var lastNumber = 0
  private var steps: [String] = []
  private var hasReported = false

  /// - Parameter place: which of the cell's trials of this rule it is.
  private init(_ rule: ContractRule, _ session: CellSession, place: String) throws {
    precondition(rule != .all && !place.isEmpty, "a trial is of one rule, at its place")
    (self.rule, self.session, self.place) = (rule, session, place)
    let words = "\(rule.rawValue) \(place)".utf8
    seed = words.reduce(UInt64(session.seed)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    random = SeededRandom(seed: seed)
    folder = session.directory + "/\(rule.rawValue)-\(place)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Tries a rule once, and removes the store.
  ///
  /// - Returns: whether it held.
  static func run(_ rule: ContractRule, _ session: CellSession, place: String) throws -> Bool {
    let trial = try RuleTrial(rule, session, place: place)
    defer {
      trial.end()
      // By the stack's own hooks.
      if !trial.hasReported, CellReports.isReported("\(rule.rawValue) \(place),") {
        trial.writeSteps("# a context of this trial is in one of the cell's reports")
      }
    }
    do {
      try rule.run(trial)
      try trial.closeAll()
      return true
    } catch is Broken {
      return false
    } catch {
      guard !session.faults.explains(error) else { return true }
      let error = error as NSError
      try? trial.report(
        .failedSave, "a request or a save", expected: "carried out",
        seen: "\(error.code): \(error.localizedDescription)")
      return false
    }
  }

  /// Closes every store, and looks at the files without the stack.
  private func closeAll() throws {
    for coordinator in coordinators {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    guard !Simulation.isCurrent else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".sqlite") {
      let condition = try StoreCondition(ofStoreAt: folder + "/" + name)
      session.count(\.valuesCompared, max(1, condition.rows))
      if let damage = condition.damages.first {
        let violation = StoreCorruptionChecker.violation(damage)
        try report(violation.kind, "\(damage.place) of \(name)", expected: damage.expected, seen: damage.seen)
      }
      if let model = modelsOfFiles[name] { try requireReferences(name, model) }
    }
  }

  /// Relationships of a file lead to rows, and those that have another side back; those that are required lead somewhere.
  private func requireReferences(_ name: String, _ model: NSManagedObjectModel) throws {
    precondition(name.hasSuffix(".sqlite"), "\(name) is a store's file")
    let contents = try StoreContents(
      storeAt: folder + "/" + name, layout: try StoreLayout(of: model), isKnownToBeWhole: true)
    for rows in contents.references {
      try require(rows.orphans, [], .orphanRecord, "keys of rows of which \(rows.name) must lead to one, of \(name)")
      try require(rows.dangling, [], .danglingReference, "keys of rows of which \(rows.name) leads nowhere, of \(name)")
      try require(
        rows.asymmetric, [], .asymmetricInverse, "keys of rows of which \(rows.name) has one side, of \(name)")
    }
  }

  private func end() {
    for coordinator in coordinators {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Stores and contexts

  var file: URL { URL(fileURLWithPath: folder + "/rules.sqlite") }

  /// Opens the trial's store, or another one, by a coordinator of its own; the first one makes it.
  func open(
    _ model: NSManagedObjectModel = RuleModel.shared, at url: URL? = nil, type: String = NSSQLiteStoreType,
    _ given: [AnyHashable: Any] = [:], history: Bool = false, reports: Bool = false
  ) throws -> NSPersistentStoreCoordinator {
    precondition(!history || type == NSSQLiteStoreType, "a store in memory records no history")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    var options = given
    if history { options[NSPersistentHistoryTrackingKey] = true as NSNumber }
    if reports { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true as NSNumber }
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url ?? file, options: options)
    coordinators.append(coordinator)
    if type == NSSQLiteStoreType { modelsOfFiles[(url ?? file).lastPathComponent] = model }
    return coordinator
  }

  /// A context of a coordinator, or a child.
  func context(
    _ coordinator: NSPersistentStoreCoordinator? = nil, in parent: NSManagedObjectContext? = nil, merges: Bool = false,
    _ policy: NSMergePolicy = .error
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    contexts += 1
    // The order makes no difference.
    let isLate = isThirdStep
    if !isLate { Self.join(context, coordinator, parent) }
    session.environment.adopt(context, name: "\(rule.rawValue) \(place), context \(contexts)")
    context.mergePolicy = policy
    context.automaticallyMergesChangesFromParent = merges
    if isLate { Self.join(context, coordinator, parent) }
    let place =
      parent.map { "child of \($0.name ?? "")" } ?? "coordinator \(coordinators.firstIndex { $0 === coordinator } ?? 0)"
    note("context \(contexts): \(place), policy \(policy.mergeType.rawValue)\(merges ? ", merges by itself" : "")")
    return context
  }

  /// A context of the main queue, or a child there.
  func mainContext(
    _ coordinator: NSPersistentStoreCoordinator? = nil, in parent: NSManagedObjectContext? = nil, merges: Bool = false
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let isLate = isThirdStep
    if !isLate { Self.join(context, coordinator, parent) }
    session.environment.adopt(context, name: "\(rule.rawValue) on main \(newNumber())")
    context.automaticallyMergesChangesFromParent = merges
    if isLate { Self.join(context, coordinator, parent) }
    return context
  }

  /// Gives a context its coordinator or its parent.
  static func join(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator?, _ parent: NSManagedObjectContext?
  ) {
    precondition((coordinator == nil) != (parent == nil), "a context has a coordinator or a parent")
    if let parent { context.parent = parent } else { context.persistentStoreCoordinator = coordinator }
  }

  /// A context that has read nothing, not even from the row cache.
  func freshContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let fresh = context(coordinator)
    precondition(
      steps.last?.hasPrefix("context \(contexts):") ?? false, "the step that is left out is that of the new context")
    steps.removeLast()
    fresh.stalenessInterval = 0
    return fresh
  }

  // MARK: Drawing

  func draw(_ count: Int) -> Int {
    precondition(count > 0, "one of some is drawn")
    return Int.random(in: 0..<count, using: &random)
  }

  func chance(_ chances: Int, of all: Int) -> Bool {
    precondition(0...all ~= chances, "there are no more chances than all")
    return draw(all) < chances
  }

  func pick<Element>(_ elements: [Element]) -> Element? { elements.isEmpty ? nil : elements[draw(elements.count)] }

  func some<Element>(_ elements: [Element], atMost count: Int) -> [Element] {
    precondition(count >= 0, "elements are counted")
    return Array(elements.shuffled(using: &random).prefix(draw(count + 1)))
  }

  /// The limit of a page: none, one of those below, or more than there can be.
  func limit(below count: Int) -> Int {
    precondition(count > 0, "a limit is drawn below a count")
    return chance(1, of: 6) ? .max : draw(count)
  }

  /// A number that no other object of the trial has.
  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Steps and findings

  /// Adds a step to those that a report has.
  func note(_ step: String) {
    precondition(!step.isEmpty, "a step has words")
    steps.append(step)
  }

  /// Whether the steps so far are a multiple of three: a choice without a draw.
  var isThirdStep: Bool { steps.count.isMultiple(of: 3) }

  /// The same, seldom: for a look that takes its time.
  var isSeldomStep: Bool { steps.count.isMultiple(of: 11) }

  func require<Value: Equatable>(
    _ seen: Value, _ expected: Value, _ kind: ViolationKind, _ subject: @autoclosure () -> String
  ) throws {
    session.count(\.valuesCompared)
    guard seen != expected else { return }
    try report(kind, subject(), expected: "\(expected)", seen: "\(seen)")
  }

  /// Reports a violation, with the steps that led to it, and ends the trial.
  func report(_ kind: ViolationKind, _ subject: String, expected: String, seen: String) throws {
    precondition(!subject.isEmpty, "a violation is about something")
    hasReported = true
    CellReports.report(
      Violation(
        kind: kind, subject: "\(subject) in \(rule.rawValue) \(place)", expected: expected,
        seen: "\(seen); the steps are in \(nameOfSteps)"))
    writeSteps("# \(kind.rawValue): \(subject): expected \(expected); \(seen)")
    throw Broken()
  }

  private var nameOfSteps: String { "\(rule.rawValue)-\(place).txt" }

  private func writeSteps(_ reason: String) {
    let head = [
      reason,
      "# to repeat: contextbench run contract --strategy \(session.key.strategy) --seed \(session.seed) "
        + "--repetitions 1 --set rule=\(rule.rawValue)",
    ]
    do {
      try ((head + steps).joined(separator: "\n") + "\n")
        .write(toFile: session.directory + "/" + nameOfSteps, atomically: true, encoding: .utf8)
    } catch {
      session.fail(error)
    }
  }
}

extension RuleTrial {
  /// Makes edits that one call of `undo()` takes back, in a group of a new undo manager; in a block of the context.
  func recordForUndo<Result>(_ context: NSManagedObjectContext, _ edit: () throws -> Result) rethrows -> Result {
    context.processPendingChanges()
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    manager.beginUndoGrouping()
    defer {
      context.processPendingChanges()
      manager.endUndoGrouping()
    }
    return try edit()
  }
}
