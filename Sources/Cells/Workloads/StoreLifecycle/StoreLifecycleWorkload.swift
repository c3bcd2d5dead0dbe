import CoreData
import Measuring
import Scenarios
import Scheduling

/// Stores are opened, closed, destroyed, replaced and copied under load, by clients of several processes.
///
/// Each client has a coordinator of its own for every store it opens, whatever the strategy. The rules:
///
/// - Opening, saving and closing never fail because another connection has the file locked, within the busy time-out.
/// - Acknowledged saves are in the file.
/// - A closed store has no descriptors left, and its file alone is all of it when it is open nowhere else, even if the
///   `NSPersistentStore` still exists.
/// - A copy by `replacePersistentStore` or `migratePersistentStore` of a store that others write to is whole, and has
///   all saves acknowledged before.
/// - A save to a store that another process destroyed and made anew, or replaced by another, fails, whether it updates,
///   deletes or inserts; the new store has its maker's rows.
package final class StoreLifecycleWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "store-lifecycle"
  package static let summary =
    "Stores are opened, closed, destroyed, replaced and copied under load, by clients of several processes."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.processes.key, Keys.rounds.key, Keys.reopenings.key]

  private let session: CellSession
  private let files: LifecycleFiles
  private let clients: [LifecycleClient]
  private let rounds: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.counter }

  package init(_ session: CellSession) throws {
    self.session = session
    let files = LifecycleFiles(in: session.sharedDirectory)
    self.files = files
    rounds = session.settings[Keys.rounds]
    let numbers = session.share.part(of: session.settings[Keys.clients])
    precondition(!numbers.isEmpty, "each process has clients")
    let known = Locked<Set<Int64>>([])
    clients = try numbers.map { try LifecycleClient(session, number: $0, files, known: known) }
    pool = WorkPool(label: "clients", width: numbers.count)
  }

  package func start() throws {
    session.setStore(files.shared)
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { _ in }
    begin = MonotonicClock.now()
    try play(round: 0)
  }

  private func play(round: Int) throws {
    guard round < rounds else { return finish() }
    try files.make(round)
    run(LifecycleStep.allCases[...], round: round)
  }

  /// Does the steps one after the other; each begins when the one before has ended in every process.
  private func run(_ steps: ArraySlice<LifecycleStep>, round: Int) {
    guard let step = steps.first else { return end(round) }
    for client in clients {
      pool.submit("client \(client.number + 1)") { client.perform(step, round: round) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.meet { [self] in run(steps.dropFirst(), round: round) }
    }
  }

  private func end(_ round: Int) {
    do {
      if session.share.isFirst { try files.remove(round) }
      try play(round: round + 1)
    } catch {
      session.fail(error)
    }
  }

  private func finish() {
    session.stopMeasuring()
    let seconds = Double(MonotonicClock.now() - begin) / 1e9
    session.setCompletion(untilDurable: seconds, untilVisible: nil)
    session.setDuration(of: "store-lifecycle", seconds: seconds)
    session.end()
  }
}

extension Keys {
  package static let reopenings = Setting<Int>(
    "reopenings", 1...1_000_000, unit: "stores", default: 20, quick: 5,
    "How often each client opens the shared store, adds rows and closes it, one after the other, in each round.")
}
