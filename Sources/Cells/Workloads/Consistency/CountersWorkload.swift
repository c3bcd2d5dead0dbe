import Checking
import CoreData
import Measuring
import Scenarios

/// Clients raise counters by one; every acknowledged raise is in the file, and no reader goes back.
package final class CountersWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "counters"
  package static let summary = "Clients read counters, add one and save; main reads them meanwhile."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.thinkMilliseconds.key, Keys.ratePerSecond.key,
    Keys.operationsPerClient.key, Keys.sharedRows.key, Keys.units.key, Keys.keyDistribution.key,
  ]

  private let run: ConsistencyRun
  private let sampler: KeySampler
  /// The rows as main has them; held, as a screen does, so that only notifications change them.
  private var held: [KeyedRow] = []

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.counter }

  package init(_ session: CellSession) throws {
    run = try ConsistencyRun(session, entity: "Counter")
    sampler = KeySampler(session.settings)
  }

  package func start() throws {
    precondition(held.isEmpty, "main holds no counter before there is one")
    try run.start(rows: Int64(sampler.count), opening: 1) { [self] client, index in
      increment(Int64(sampler.draw(using: &client.random)), client)
    } onTick: { [self] in
      readOnMain()
    } last: { [self] in
      readOnMain()
      held = []
    }
  }

  private func increment(_ key: Int64, _ client: KeyedClient) {
    for _ in 0..<KeyedClient.attemptsMax {
      record(.invoke, .update, key, client.history)
      var made: (version: Int64, context: UInt32, object: Int64) = (0, 0, 0)
      let fate = client.commit { context in
        let row = try KeyedRow.fetch(run.entity, key: key, in: context)
        row.value += 1
        made = (row.value, client.number(of: context), row.objectID.primaryKey)
      }
      record(fate.type, .update, key, client.history, made.version, made.context, made.object)
      guard fate.isRefused else {
        if fate == .durable { run.session.countAcknowledged(1) }
        return readBack(key, client)
      }
    }
  }

  /// Lets the client read its own write, in a context of its own for reading.
  private func readBack(_ key: Int64, _ client: KeyedClient) {
    client.reader.performAndWait {
      // The fetch asks the store anew, or the parent: the context knows earlier acknowledged saves.
      client.history.record(.ok, .drained, context: client.number(of: client.reader))
      let begin = OperationStart(at: record(.invoke, .read, key, client.history))
      do {
        let row = try KeyedRow.fetch(run.entity, key: key, in: client.reader)
        let end = record(
          .ok, .read, key, client.history, row.value, client.number(of: client.reader), row.objectID.primaryKey)
        client.recorder.record("read", in: "clients", since: begin, until: OperationStart(at: end))
      } catch {
        run.session.fail(error)
      }
    }
  }

  /// Lets main read the counters as it holds them: it learns of updates by its strategy alone.
  private func readOnMain() {
    run.onMain { main in
      let request = NSFetchRequest<KeyedRow>(entityName: run.entity)
      let context = run.session.environment.number(of: main)
      held = try main.fetch(request)
      guard held.count == sampler.count else {
        throw UnexpectedAnswer(subject: "counters on main", expected: "\(sampler.count) rows", seen: "\(held.count)")
      }
      for row in held {
        let key = row.number
        record(.invoke, .read, key, run.session.main.history)
        record(.ok, .read, key, run.session.main.history, row.value, context, row.objectID.primaryKey)
      }
    }
  }

  @discardableResult
  private func record(
    _ type: OperationType, _ function: OperationFunction, _ key: Int64, _ history: HistoryWriter, _ value: Int64 = 0,
    _ context: UInt32 = 0, _ object: Int64 = 0
  ) -> UInt64 {
    history.record(
      type, function, entity: KeyedSchema.entityNumber, key: key, value: value, context: context, object: object)
  }
}

extension Keys {
  package static let keyDistribution = Setting<KeySampler.Distribution>(
    "key_distribution", default: .uniform,
    "Which of them are drawn how often: each alike, few of them mostly (zipfian), or the newest mostly; of soak at "
      + "which note a page begins.")
}
