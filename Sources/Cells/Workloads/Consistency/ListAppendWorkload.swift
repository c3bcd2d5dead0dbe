import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// Transactions append to lists and read them whole, so that the reads show the order of everything.
package final class ListAppendWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "list-append"
  package static let summary =
    "Transactions read lists and append to them; some serial order must explain what they saw."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.thinkMilliseconds.key, Keys.ratePerSecond.key,
    Keys.operationsPerClient.key, Keys.sharedRows.key, Keys.units.key, Keys.keyDistribution.key,
  ]

  /// Lists that one transaction touches at most.
  private static let touchedMax = 4
  /// About so many transactions are done before the oldest list in use gives way to a new one.
  private static let transactionsPerList = 12

  /// One step of a transaction, before it is done.
  private struct Step {
    var key: Int64
    var appends: Bool
  }

  private let run: ConsistencyRun
  private let sampler: KeySampler
  private var mainReads: Int64 = 0
  /// Main's next transaction.
  private let progress = Locked<Int64>(0)

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.list }

  package init(_ session: CellSession) throws {
    run = try ConsistencyRun(session, entity: "List")
    sampler = KeySampler(session.settings)
  }

  /// The lists in use when each client has done so many transactions are those behind this one.
  private func base(_ index: Int) -> Int64 { Int64(index * run.clientCount / Self.transactionsPerList) }

  package func start() throws {
    try run.start(rows: base(run.operations) + Int64(sampler.count), opening: nil) { [self] client, index in
      progress.withLock { $0 = max($0, base(index)) }
      transact(plan(base(index), client), number: index, client)
    } onTick: { [self] in
      readOnMain()
    } last: { [self] in
      readOnMain()
    }
  }

  private func plan(_ base: Int64, _ client: KeyedClient) -> [Step] {
    let count = Int.random(in: 1...min(Self.touchedMax, sampler.count), using: &client.random)
    return sampler.draw(count, using: &client.random).map { key in
      Step(key: base + Int64(key), appends: Bool.random(using: &client.random))
    }
  }

  private func transact(_ plan: [Step], number: Int, _ client: KeyedClient) {
    for attempt in 0..<KeyedClient.attemptsMax {
      // A refused value is never tried again, so that a read of it has seen a change that was taken back.
      let key = Int64(number * KeyedClient.attemptsMax + attempt)
      client.history.record(.invoke, .transaction, key: key)
      var context: UInt32 = 0
      let fate =
        plan.contains(where: \.appends)
        ? client.commit { used in
          context = client.number(of: used)
          try carryOut(plan, in: used, client)
        } : read(plan, client)
      if context == 0 { context = client.number(of: client.reader) }
      client.history.record(fate.type, .transaction, key: key, context: context)
      guard fate.isRefused else {
        if fate == .durable { run.session.countAcknowledged(plan.count { $0.appends }) }
        return
      }
    }
  }

  /// A transaction that only reads, in the client's own context.
  private func read(_ plan: [Step], _ client: KeyedClient) -> CommitOutcome {
    client.reader.performAndWait {
      do {
        try carryOut(plan, in: client.reader, client)
        return .durable
      } catch {
        run.session.fail(error)
      }
    }
  }

  /// Reads all lists of the transaction in one fetch, and has the save look at those too that it only read.
  private func carryOut(_ plan: [Step], in context: NSManagedObjectContext, _ client: KeyedClient) throws {
    let rows = try KeyedRow.fetch(run.entity, keys: plan.map(\.key), in: context)
    let byKey = Dictionary(rows.map { ($0.number, $0) }) { first, _ in first }
    let appends = plan.contains(where: \.appends)
    for step in plan {
      guard let row = byKey[step.key] else {
        throw UnexpectedAnswer(subject: "list \(step.key)", expected: "its row", seen: "no row")
      }
      if appends { context.detectConflicts(for: row) }
      let object = row.objectID.primaryKey
      // A transaction that appends has read the list, and records it: the analysis then knows the values before its own.
      client.history.record(
        .info, .list, entity: KeyedSchema.entityNumber, key: step.key, values: row.list, object: object)
      guard step.appends else { continue }
      precondition(1...64 ~= client.number, "a client's number has six bits of its values")
      client.appended += 1
      let value = client.appended << 6 | Int64(client.number - 1)
      row.list.append(value)
      client.history.record(
        .info, .append, entity: KeyedSchema.entityNumber, key: step.key, value: value, object: object)
    }
  }

  /// Lets main read the lists in use, as a transaction of its own.
  private func readOnMain() {
    mainReads += 1
    let history = run.session.main.history
    let base = progress.withLock { $0 }
    run.onMain { main in
      history.record(.invoke, .transaction, key: mainReads)
      let keys = (1...Int64(sampler.count)).map { base + $0 }
      let rows = try KeyedRow.fetch(run.entity, keys: keys, in: main)
      guard rows.count == keys.count else {
        throw UnexpectedAnswer(subject: "lists on main", expected: "\(keys.count) rows", seen: "\(rows.count)")
      }
      for row in rows {
        history.record(
          .info, .list, entity: KeyedSchema.entityNumber, key: row.number, values: row.list,
          object: row.objectID.primaryKey)
      }
      history.record(.ok, .transaction, key: mainReads, context: run.session.environment.number(of: main))
    }
  }
}
