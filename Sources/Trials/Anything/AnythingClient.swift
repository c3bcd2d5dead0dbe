import Cells
import Boundary
import Checking
import CoreData
import Scheduling

/// One client: an island of objects that only it changes, through the strategy's writer and through a context of its own with a
/// child. The expected state of each of them and of the file is known, whatever others do beside it.
///
/// Concurrency: used by one thread at a time.
final class AnythingClient: @unchecked Sendable {
  // Sendable: a client's steps follow each other, they never run at once.

  /// Thrown after a violation was reported: later results say nothing.
  struct Broken: Error {}

  let session: CellSession
  let model: DrawnModel
  let island: Int
  let own: Participant
  let child: Participant
  /// The island's objects in the file.
  var file: ObjectGraph
  /// The IDs that objects were given before their save.
  var identified: [Int: URL] = [:]
  /// Rows' versions when the file was last read, and when the own context last heard of everything.
  var versions: [Int: Int64] = [:]
  var heardVersions: [Int: Int64] = [:]
  /// Earlier states of the file.
  var past: [ObjectGraph] = []
  private(set) var isBroken = false
  /// Saves that the own context did not hear of yet.
  let inbox: AnythingInbox
  let reader: FileReader
  let units: UnitRecorder
  let recorder: WorkerRecorder
  var edits: DrawnEdits
  /// Controllers of the own context: one of all authors, one that objects come to and leave by their values.
  let followers: [ControllerFollower]
  let stateReader: StateReader
  /// Which object each row is.
  let rows: RowNames
  /// The notifications of the own context and of its child.
  let notices: [AnythingStep.Actor: AnythingNotices]
  /// Its context of the objects that all clients share.
  let shared: SharedContext
  private let sharedObjects: SharedObjects
  /// The steps so far, as a script has them.
  private(set) var script: [String] = []

  struct Nothing: UnitChanges {
    var objectCount: Int { 0 }
    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {}
  }

  static let pastMax = 12

  init(session: CellSession, model: DrawnModel, island: Int, sharing sharedObjects: SharedObjects) throws {
    self.session = session
    self.model = model
    self.island = island
    var random = SeededRandom(seed: session.seed).split(UInt64(island))
    let name = "client \(island)"
    recorder = try session.makeRecorder()
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: "writer of \(name)"), recorder: recorder, phase: "rounds")
    let context = session.environment.newBackgroundContext(named: name)
    // Another coordinator of the strategy may have written to the file.
    context.stalenessInterval = 0
    let policies: [NSMergePolicy] = [
      .error, .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]
    context.mergePolicy = policies[Int.random(in: 0..<policies.count, using: &random)]
    // A late notification is merged at an unknown time.
    context.automaticallyMergesChangesFromParent = Bool.random(using: &random) && !session.faults.mayBeLate
    own = Participant(name, context, model, island: island)
    let below = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    below.parent = context
    session.environment.adopt(below, name: "child of \(name)")
    below.automaticallyMergesChangesFromParent = Bool.random(using: &random)
    child = Participant("child of \(name)", below, model, island: island)
    file = ObjectGraph(model)
    inbox = AnythingInbox(session.environment, for: context)
    reader = try FileReader(model, session.container.managedObjectModel, path: session.storePath)
    let stores = session.container.persistentStoreCoordinator.persistentStores
    let rows = RowNames(reader.map, store: stores.first?.identifier ?? "")
    self.rows = rows
    notices = [
      .own: AnythingNotices(session.environment, own.picture, nameOfRow: rows.name),
      .child: AnythingNotices(session.environment, child.picture, nameOfRow: rows.name),
    ]
    edits = DrawnEdits(model, island: island, random: random)
    self.sharedObjects = sharedObjects
    shared = SharedContext(session: session, model: model, client: island, random: random.split(1))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.predicate = NSPredicate(format: "\(DrawnModel.island) == %ld", island)
    request.sortDescriptors = ["authorText", DrawnModel.number].map { NSSortDescriptor(key: $0, ascending: true) }
    let large = NSFetchRequest<NSManagedObject>(entityName: "Book")
    large.predicate = NSPredicate(format: "\(DrawnModel.island) == %ld AND bookSize > 1", island)
    large.sortDescriptors = ["bookText", DrawnModel.number].map { NSSortDescriptor(key: $0, ascending: false) }
    followers = try context.performAndWait { try [request, large].map { try ControllerFollower(context, $0) } }
    stateReader = StateReader(session, of: name)
  }

  // MARK: Steps

  /// Takes drawn steps until there are enough, or something is wrong.
  ///
  /// Each context and main are checked in the end.
  func run(_ count: Int) throws {
    try run(count: count) { nextStep() }
    try run([.look(.own, .everything), .look(.child, .everything), .look(.own, .main)])
  }

  /// Takes the steps of a script.
  func run(_ steps: [AnythingStep]) throws {
    var next = steps.makeIterator()
    try run(count: steps.count) { next.next() }
  }

  private func run(count: Int, _ next: () -> AnythingStep?) throws {
    precondition(count >= 0, "steps are counted")
    guard !isBroken else { return }
    do {
      for _ in 0..<count {
        guard let step = next() else { return }
        try take(step)
      }
    } catch is Broken {
    } catch let answer as UnexpectedAnswer {
      try? report(.wrongValue, answer.subject, expected: answer.expected, seen: answer.seen)
    }
  }

  /// Takes one step.
  func take(_ step: AnythingStep) throws {
    script.append("\(step)")
    let begin = OperationStart.now()
    switch step {
    case .write(let edits): try write(edits)
    case .edit(let actor, let edits): try edit(participant(actor), edits)
    case .save(.own): try saveOwn()
    case .save(.child): try saveChild()
    case .rollBack(let actor): try rollBack(actor)
    case .reset(let actor): try reset(actor)
    case .refresh(let actor, let name, let merging): try refresh(participant(actor), name, merging: merging)
    case .hear(let actor, let way): try hear(actor, way)
    case .look(let actor, let look): try self.look(actor, look)
    case .ask(let actor, let seed): try ask(actor, seed)
    case .undo(let edits, let keeps): try undo(edits, keeps: keeps)
    case .deny(let actor, let name): try deny(actor, name)
    case .release(let actor, let seed): release(participant(actor), seed)
    case .batch(let edits): try batch(edits)
    case .identify(let actor, let name): try identify(actor, name)
    case .breakRule(let actor, let name, let attribute): try breakRule(actor, name, attribute)
    case .dangle(let actor, let name, let relationship, let target): try dangle(actor, name, relationship, target)
    case .code(let name, let value): try code(name, value)
    case .exchange(let first, let second): try exchange(first, second)
    case .undoSaved(let edits): try undoSaved(edits)
    case .renewState(let merging): try renewState(merging: merging)
    case .share(let seed): if let save = shared.step(seed, sharedObjects) { forwardToMain(save) }
    }
    try checkNotices()
    guard hasHeard else { return }
    try own.context.performAndWait {
      for follower in followers {
        guard let problem = try follower.problemNow() else { continue }
        try report(.controllerDivergence, "the controller of \(own.name)", expected: "a fresh fetch", seen: problem)
      }
    }
    recorder.record(step.kind, in: "rounds", since: begin)
  }

  func participant(_ actor: AnythingStep.Actor) -> Participant { actor == .own ? own : child }

  func adoptVersions(_ picture: FilePicture) {
    versions = picture.versions.filter { DrawnEdits.island(of: $0.key) == island }
    rows.learn(picture)
  }

  // MARK: Steps of one context

  func edit(_ participant: Participant, _ all: [Edit]) throws {
    try requireHeard(participant === own ? .own : .child)
    try participant.context.performAndWait {
      var touched: Set<Int> = []
      for edit in all {
        let before = participant.view
        guard participant.make(edit) else { continue }
        let object = try participant.picture.apply(edit) { try participant.find($0, before) }
        if case .insert(let name, _) = edit { participant.hold(object, as: name) }
        if case .delete(let name) = edit {
          participant.context.processPendingChanges()
          participant.hold(nil, as: name)
          participant.release { participant.view.nodes[$0] == nil }
        }
        touched.formUnion(edit.names)
      }
      participant.context.processPendingChanges()
      try check(participant, touched)
    }
  }

  func rollBack(_ actor: AnythingStep.Actor) throws {
    let participant = participant(actor)
    if actor == .own, child.hasChanges { try rollBack(.child) }
    participant.context.performAndWait {
      participant.context.rollback()
      participant.rollBack()
      participant.release { participant.view.nodes[$0] == nil }
    }
    if actor == .own { try reset(.child) }
  }

  func reset(_ actor: AnythingStep.Actor) throws {
    if actor == .own {
      try reset(.child)
      inbox.clear()
    }
    let participant = participant(actor)
    participant.context.performAndWait {
      participant.releaseAll()
      participant.context.reset()
    }
    participant.start(from: actor == .own ? file : own.view)
    if actor == .own {
      child.start(from: file)
      heardVersions = versions
      try own.context.performAndWait { for follower in followers { try follower.fetch() } }
    }
  }

  private func refresh(_ participant: Participant, _ name: Int, merging: Bool) throws {
    try requireHeard(participant === own ? .own : .child)
    guard let node = participant.view.nodes[name], let before = participant.base.nodes[name] else { return }
    // A refresh that takes back one side of a changed relationship is not checked here.
    guard merging || node.ones == before.ones && node.manys == before.manys else { return }
    try participant.context.performAndWait {
      guard let object = try participant.find(name, participant.view) else { return }
      participant.context.refresh(object, mergeChanges: merging)
      if !merging { participant.view.nodes[name] = before }
      try check(participant, [name])
    }
  }

  private func release(_ participant: Participant, _ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    participant.context.performAndWait { participant.release { _ in Bool.random(using: &random) } }
  }

  // MARK: Reporting

  /// Reports a violation, with the steps that led to it, and ends the client.
  func report(_ kind: ViolationKind, _ subject: String, expected: String, seen: String) throws {
    isBroken = true
    let file = "script-\(island).txt"
    CellReports.report(
      Violation(kind: kind, subject: subject, expected: expected, seen: "\(seen); the steps are in \(file)"))
    let settings =
      session.key.options.split(separator: ";") + ["merge_policy=\(session.key.mergePolicy)", "script=FILE"]
    let words =
      ["contextbench run anything --strategy \(session.key.strategy) --seed \(session.seed) --repetitions 1"]
      + settings.map { "--set \($0)" }
    let head = [
      "# \(kind.rawValue): \(subject): expected \(expected); \(seen)", "# to repeat: \(words.joined(separator: " "))",
      "client \(island)",
    ]
    do {
      try ((head + script).joined(separator: "\n") + "\n")
        .write(toFile: session.directory + "/" + file, atomically: true, encoding: .utf8)
    } catch {
      session.fail(error)
    }
    throw Broken()
  }

  /// Removes the observers at the end of the cell.
  func end() {
    inbox.end()
    shared.end()
    for notices in notices.values { notices.end() }
    own.context.performAndWait {
      own.releaseAll()
      for follower in followers { follower.end() }
    }
    child.context.performAndWait { child.releaseAll() }
    stateReader.end()
  }
}

extension Edit {
  /// The objects that it is about.
  var names: [Int] {
    switch self {
    case .insert(let name, _), .set(let name, _, _), .delete(let name): [name]
    case .relate(let name, _, let target): [name] + (target.map { [$0] } ?? [])
    case .add(let name, _, let member), .remove(let name, _, let member), .move(let name, _, let member, _):
      [name, member]
    case .replace(let name, _, let members): [name] + members
    }
  }
}

extension AnythingStep {
  /// The kind of step, as latencies name it.
  var kind: String {
    switch self {
    case .write: "write"
    case .edit: "edit"
    case .save: "save"
    case .rollBack: "roll-back"
    case .reset: "reset"
    case .refresh: "refresh"
    case .hear: "hear"
    case .look: "look"
    case .ask: "ask"
    case .undo: "undo"
    case .deny: "deny"
    case .release: "release"
    case .batch: "batch"
    case .identify: "identify"
    case .breakRule: "break-rule"
    case .dangle: "dangle"
    case .code: "code"
    case .exchange: "exchange"
    case .undoSaved: "undo-saved"
    case .renewState: "renew-state"
    case .share: "share"
    }
  }
}
