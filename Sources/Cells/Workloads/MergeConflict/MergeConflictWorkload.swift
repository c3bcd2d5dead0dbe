import CoreData
import Measuring
import Scenarios
import Scheduling

/// Several contexts read a row, and then edit the same and different properties of it and save, one after the other.
///
/// Where units of work share a context, as with a single writer, each one reads when the one before is finished, and
/// there is no conflict.
package final class MergeConflictWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "merge-conflict"
  package static let summary = "Several contexts edit the same and different properties of the same rows."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.care.key, Keys.rounds.key]

  /// The row that the clients read before the rounds.
  private static let firstRow: Int64 = 1

  private let session: CellSession
  private let clients: [MergeClient]
  private let rounds: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { try SharedRowModel.schema() }

  package init(_ session: CellSession) throws {
    self.session = session
    rounds = session.settings[Keys.rounds]
    let isCareful = session.settings[Keys.care] == .careful
    let count = session.settings[Keys.clients]
    clients = try (0..<count).map { number in
      // The mistake is another policy in one of the contexts.
      try MergeClient(
        session: session, number: number, clients: count, ownPolicy: isCareful || number == 0 ? nil : .overwrite)
    }
    pool = WorkPool(label: "clients", width: clients.count)
  }

  package func start() {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    pool.submit("preload") { [self] in
      do {
        try clients[0].insert(rows: Self.firstRow..<Self.firstRow + Int64(rounds))
      } catch {
        session.fail(error)
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.strategy.whenMainIsCurrent { [self] in probe() }
    }
  }

  /// Finds out whether the clients' units of work have contexts of their own, each on a thread of its own.
  private func probe() {
    let contexts = Locked<[NSManagedObjectContext]>([])
    let assembly = Assembly(count: clients.count)
    for client in clients {
      pool.submit("probe") { [session] in
        assembly.arriveAndWait()
        do {
          let context = try client.probe()
          contexts.withLock { $0.append(context) }
        } catch {
          session.fail(error)
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let found = contexts.withLock { $0 }
      let isShared = Set(found.map(ObjectIdentifier.init)).count < found.count
      session.startMeasuring()
      begin = MonotonicClock.now()
      // The contract does not specify a push to a parent without the row.
      play(0, overlaps: !isShared, deletes: found.allSatisfy { $0.parent == nil })
    }
  }

  private func play(_ round: Int, overlaps: Bool, deletes: Bool) {
    guard round < rounds else { return finish() }
    let parts = MergeRound(round, clients: clients.count, deletes: deletes).parts
    precondition(parts.count == clients.count, "each client has a part of a round")
    let assembly = Assembly(count: clients.count)
    let turns = clients.indices.map { Latch(label: "turn of client \($0 + 1)") }
    turns[0].open()
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") {
        if !overlaps { turns[number].wait() }
        client.edit(row: Self.firstRow + Int64(round), parts[number]) {
          guard overlaps else { return }
          assembly.arriveAndWait()
          turns[number].wait()
        }
        if number + 1 < turns.count { turns[number + 1].open() }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in play(round + 1, overlaps: overlaps, deletes: deletes) }
  }

  private func finish() {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    session.strategy.whenMainIsCurrent { [session, begin] in
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "conflict", seconds: visible)
      session.end()
    }
  }
}

/// Threads that continue together, once all have arrived.
private final class Assembly: Sendable {
  private let missing: Locked<Int>
  private let gate = Latch(label: "all clients have come")

  init(count: Int) { missing = Locked(count) }

  func arriveAndWait() {
    let isLast = missing.withLock { missing in
      precondition(missing > 0, "as many arrive as are waited for")
      missing -= 1
      return missing == 0
    }
    if isLast { gate.open() } else { gate.wait() }
  }
}
