import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling
import Synchronization

/// Everything mixed, for a while: clients insert, edit, relate, delete, fetch, refresh, roll back, nest blocks and write
/// several changes at once, while main reads and merges their saves.
///
/// With `contexts: strategy` they write and read through the strategy. With `contexts: own` each has a context and a
/// child of it, all on one coordinator; every second one merges others' saves by itself, the saves of the others are
/// merged into the next client's context by their notifications.
///
/// With several processes the clients are spread over them; each process's main merges the saves of the others by their
/// object IDs. Other contexts hear nothing of them: their stale objects are refused in a save, and read anew.
package final class SoakWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time, or is atomic.
  package static let name = "soak"
  package static let summary =
    "Everything mixed by weight, with faults: no row lost, both sides of every relationship agree, memory stays flat."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.durationSeconds.key, Keys.operations.key, Keys.thinkMilliseconds.key,
    Keys.ratePerSecond.key, Keys.stopOnViolation.key, Keys.contexts.key, Keys.keyDistribution.key,
    ScenarioKey(
      InjectedFault.deleteBeforeUse.rateKey, .number(0...1), default: "0",
      "Share of fetches after which another context deletes one of the rows, before it is used."),
    ScenarioKey(
      "phases", .phasesSection,
      "Phases one after the other, each with weights of operations, and duration_s, operations, think_ms or name."),
  ]
  package static let operations = SoakOperation.allCases.map(\.rawValue)

  private let session: CellSession
  private let supply: SoakSupply
  private let clients: [any SoakClient]
  private let pool: WorkPool
  private let phases: PhaseRunner
  private let main: NSManagedObjectContext
  private let relay: RelayOfSaves
  private var begin: UInt64 = 0
  /// When the stack's invariants are checked next.
  private let nextLook = Atomic<UInt64>(0)
  /// Whether the phases run; the steps after them read everything at once.
  private var isMixing = false

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    let total = settings[Keys.clients]
    let numbers = session.share.part(of: total)
    relay = RelayOfSaves(session.environment)
    let supply = SoakSupply(settings, session.share)
    self.supply = supply
    pool = WorkPool(label: "clients", width: max(1, numbers.count))
    main = session.strategy.mainContext
    if settings[Keys.contexts] == .own {
      let own = try numbers.map { number in
        try OwnContextSoakClient(
          session: session, supply: supply, number: number, of: total,
          mergesAutomatically: !number.isMultiple(of: 2))
      }
      for (number, client) in own.enumerated() where !client.context.automaticallyMergesChangesFromParent {
        relay.relay(from: client.context, to: own[(number + 1) % own.count].context)
      }
      clients = own
    } else {
      clients = try numbers.map { try StrategySoakClient(session: session, supply: supply, number: $0, of: total) }
    }
    phases = PhaseRunner(
      phases: Phase.planned(
        settings, name: "soak", defaultWeights: SoakOperation.defaultWeights, share: session.share),
      session: session, pool: pool, clients: numbers, of: total)
  }

  /// Fills the store first, so that it has its size from the beginning.
  package func start() throws {
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { [supply] in
        while !supply.isFull { client.perform(.insert) }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in session.meet { [self] in mix() } }
  }

  private func mix() {
    session.startMeasuring()
    isMixing = true
    begin = MonotonicClock.now()
    let pageEveryTicks = 6
    let hertz = session.settings[Keys.tickHertz]
    session.heartbeat.start(hertz: hertz) { [self] tick in
      session.sampleLog()
      if tick.isMultiple(of: max(1, hertz / CellSession.memorySamplesPerSecond)) {
        if isMixing { session.sampleMemory() }
      }
      if tick.isMultiple(of: pageEveryTicks) { readOnMain() }
    }
    phases.run { [self] client, operation, phase, due in
      step(clients[client], operation, phase, due: due)
    } then: { [self] in
      session.meet { [self] in settle() }
    }
  }

  /// Does one operation of a client; on a thread of its own.
  private func step(_ client: any SoakClient, _ name: String, _ phase: String, due: UInt64?) {
    guard let drawn = SoakOperation(rawValue: name) else {
      preconditionFailure("phases name operations of the workload")
    }
    // So that the store keeps its size.
    let operation = supply.isFull && (drawn == .insert || drawn == .push) ? .delete : drawn
    let begin = OperationStart.now(due: due)
    client.perform(operation)
    client.recorder.record(operation.rawValue, in: phase, since: begin)
    checkInvariantsIfDue()
  }

  private func readOnMain() {
    main.performAndWait {
      do {
        let request = Note.request()
        request.fetchLimit = 20
        for note in try main.fetch(request) { _ = note.title?.isEmpty }
      } catch {
        session.fail(error)
      }
    }
  }

  /// Has each client save once, without faults any more: changes that a refused save of a parent left unsaved go along.
  private func settle() {
    session.faults.disarm()
    isMixing = false
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { client.perform(.insert) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in session.meet { [self] in finish() } }
  }

  private func finish() {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    relay.end()
    session.strategy.whenMainIsCurrent { [self] in
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "soak", seconds: visible)
      let fresh = session.container.newBackgroundContext()
      session.environment.adopt(fresh, name: "fresh")
      // Not on main, since the clients entered main from their contexts.
      for context in [fresh] + clients.flatMap(\.contexts) {
        pool.submit("look at both sides") { [self] in
          context.performAndWait {
            // The registered objects were read at different times.
            context.checkInvariants()
            context.refreshAllObjects()
            checkInverses(in: context)
          }
        }
      }
      pool.notifyWhenAllFinished(on: .main) { [session] in session.end() }
    }
  }

  /// Checks the invariants of coordinators and waits, which hold at any moment: once a second, by the client
  /// that ends an operation first then, so that main does not spend time on it.
  private func checkInvariantsIfDue() {
    let now = MonotonicClock.now()
    let due = nextLook.load(ordering: .relaxed)
    guard now >= due,
      nextLook.compareExchange(expected: due, desired: now + 1_000_000_000, ordering: .relaxed).exchanged
    else { return }
    BrokenInvariant.trap("the wait graph", WaitForGraph.verifyInvariants)
    let coordinators = (clients.flatMap(\.contexts) + [main]).compactMap(\.persistentStoreCoordinator)
    for coordinator in Set(coordinators) { coordinator.checkInvariants() }
  }

  /// Looks at both sides of every relationship, as the context shows them; on its queue.
  private func checkInverses(in context: NSManagedObjectContext) {
    do {
      let notes = try context.fetch(Note.request())
      let words = try context.fetch(NSFetchRequest<Word>(entityName: "Word"))
      // Gone meanwhile, and shown by a context that has not heard of it.
      for word in words where word.term != nil && !word.isDeleted {
        guard let note = word.note, note.title != nil, !note.isDeleted else { continue }
        if !note.words.contains(word) {
          report("Word", "word \(word.number) is not among the words of its note", context)
        }
      }
      for note in notes where note.title != nil && !note.isDeleted {
        for case let word as Word in note.words where word.term != nil && word.note !== note {
          report("Note", "word \(word.number) of note \(note.number) is in another one", context)
        }
      }
      session.countCheckedInverses(notes.count + words.count)
    } catch {
      session.fail(error)
    }
  }

  private func report(_ entity: String, _ seen: String, _ context: NSManagedObjectContext) {
    CellReports.report(
      Violation(
        kind: .asymmetricInverse, subject: "\(entity) in \(context.name ?? "a context")",
        expected: "both sides of a relationship agree", seen: seen))
  }
}

extension Keys {
  package static let durationSeconds = Setting<Double>(
    "duration_s", 0.1...86_400, unit: "s", default: "10", quick: "2",
    "How long the clients work, or a phase without a duration of its own.")
  package static let operations = Setting<Int?>(
    "operations", 1...1_000_000_000, unit: "operations",
    "The clients end after so many operations together, if not before. Absent = no such limit.")
  package static let stopOnViolation = Setting<Bool>(
    "stop_on_violation", default: false, "The clients end with the first error that is seen while they run.")
  /// The owner of the clients' contexts.
  package enum Contexts: String, CaseIterable, Sendable {
    case strategy
    case own
  }

  package static let contexts = Setting<Contexts>(
    "contexts", default: .strategy, isOption: true,
    "Whose contexts the clients use: the strategy's, or each a context of its own and a child of it, on one coordinator."
  )
}
