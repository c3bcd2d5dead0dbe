import Boundary
import Checking
import CoreData
import Measuring
import Scenarios

/// Clients move amounts between accounts; every read of all accounts shows the same total.
package final class BankWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "bank"
  package static let summary = "Clients move amounts between accounts, and read all balances, as main does."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.thinkMilliseconds.key, Keys.ratePerSecond.key,
    Keys.operationsPerClient.key, Keys.sharedRows.key, Keys.units.key, Keys.keyDistribution.key,
  ]

  /// The first balance of each account.
  private static let opening: Int64 = 100
  /// Every so many steps of a client are a read.
  private static let readEvery = 4

  private let run: ConsistencyRun
  private let sampler: KeySampler
  private var mainReads: Int64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.account }

  package init(_ session: CellSession) throws {
    run = try ConsistencyRun(session, entity: "Account")
    sampler = KeySampler(session.settings)
    guard sampler.count > 1 else { throw HarnessFailure("keys: a transfer needs two accounts") }
  }

  package func start() throws {
    try run.start(rows: Int64(sampler.count), opening: Self.opening) { [self] client, index in
      if index % Self.readEvery == Self.readEvery - 1 {
        client.reader.performAndWait {
          readBalances(Int64(index), in: client.reader, client.recorder)
        }
      } else {
        let accounts = sampler.draw(2, using: &client.random).map(Int64.init)
        transfer(from: accounts[0], to: accounts[1], Int64.random(in: 1...20, using: &client.random), client)
      }
    } onTick: { [self] in
      readOnMain()
    } last: { [self] in
      readOnMain()
    }
  }

  private func transfer(from payer: Int64, to payee: Int64, _ amount: Int64, _ client: KeyedClient) {
    precondition(payer != payee && amount > 0, "an amount goes from one account to another")
    let entity = KeyedSchema.entityNumber
    for _ in 0..<KeyedClient.attemptsMax {
      client.history.record(.invoke, .transfer, entity: entity, key: payer, value: amount)
      client.history.record(.info, .credit, entity: entity, key: payee, value: amount)
      var context: UInt32 = 0
      let fate = client.commit { used in
        context = client.number(of: used)
        for row in try KeyedRow.fetch(run.entity, keys: [payer, payee], in: used) {
          row.value += row.number == payer ? -amount : amount
        }
      }
      client.history.record(fate.type, .transfer, entity: entity, key: payer, value: amount, context: context)
      guard fate.isRefused else {
        if fate == .durable { run.session.countAcknowledged(2) }
        return
      }
    }
  }

  private func readOnMain() {
    mainReads += 1
    run.onMain { readBalances(mainReads, in: $0, run.session.main) }
  }

  /// Reads all balances in one fetch; on the context's queue.
  private func readBalances(_ number: Int64, in context: NSManagedObjectContext, _ recorder: WorkerRecorder) {
    let entity = KeyedSchema.entityNumber
    let begin = OperationStart(at: recorder.history.record(.invoke, .balances, entity: entity, key: number, value: 1))
    do {
      let balances = try KeyedRow.fetch(run.entity, in: context).map(\.value)
      recorder.record("read", in: "clients", since: begin)
      recorder.history.record(
        .ok, .balances, entity: entity, key: number, values: balances, value: balances.reduce(0, +),
        context: run.session.environment.number(of: context))
    } catch {
      run.session.fail(error)
    }
  }
}
