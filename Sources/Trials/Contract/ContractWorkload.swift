import Cells
import Boundary
import CoreData
import Measuring
import Scenarios
import Scheduling
import Synchronization

/// The rules of the stack's contract, each in random traces: every trial has a store of its own, and draws its steps there
/// from a seed.
///
/// Clients run trials at the same time, each its own, until one of them finds something. The strategy has no part in them.
package final class ContractWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "contract"
  package static let summary = "The rules of the stack's contract, each in random traces on a store of its own."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.rounds.key, Keys.rule.key]

  private let session: CellSession
  private let clients: [ContractClient]
  private let pool: WorkPool
  private var begin: UInt64 = 0
  /// Whether a trial has found that a rule does not hold.
  private let isBroken = Atomic<Bool>(false)

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.counter }

  package init(_ session: CellSession) throws {
    self.session = session
    let asked = session.settings[Keys.rule]
    let rules = asked == .all ? ContractRule.allCases.filter { $0 != .all } : [asked]
    clients = try (1...session.settings[Keys.clients]).map { try ContractClient(session, number: $0, rules) }
    pool = WorkPool(label: "clients", width: clients.count)
  }

  package func start() throws {
    session.startMeasuring()
    session.startTicking()
    begin = MonotonicClock.now()
    let rounds = session.settings[Keys.rounds]
    for client in clients {
      pool.submit("client \(client.number)") { [self] in
        do { try client.run(rounds: rounds, until: isBroken) } catch { session.fail(error) }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in finish() }
  }

  private func finish() {
    session.stopMeasuring()
    let seconds = Double(MonotonicClock.now() - begin) / 1e9
    session.setCompletion(untilDurable: seconds, untilVisible: nil)
    session.setDuration(of: "rounds", seconds: seconds)
    session.end()
  }
}

/// One client: it tries each rule once a round, in an order that is drawn for all clients.
///
/// Concurrency: used by one thread at a time.
private final class ContractClient: @unchecked Sendable {
  // Sendable: its trials follow each other.
  let number: Int
  private let session: CellSession
  private let rules: [ContractRule]
  private let recorder: WorkerRecorder

  init(_ session: CellSession, number: Int, _ rules: [ContractRule]) throws {
    (self.session, self.number, self.rules) = (session, number, rules)
    precondition(number > 0 && !rules.isEmpty, "clients are numbered from 1, and have rules to try")
    recorder = try session.makeRecorder()
  }

  func run(rounds: Int, until isBroken: borrowing Atomic<Bool>) throws {
    precondition(rounds > 0 && !rules.contains(.all), "a client tries rules, at least once")
    for round in 1...rounds {
      var random = SeededRandom(seed: session.seed).split(UInt64(round))
      let order = rules.shuffled(using: &random)
      // Clients begin at other places of one order, so that together they soon have tried every rule.
      let first = order.count * (number - 1) / session.settings[Keys.clients]
      precondition(order.indices.contains(first), "each client begins with a rule")
      for rule in order[first...] + order[..<first] where !isBroken.load(ordering: .relaxed) {
        let begin = OperationStart.now()
        // The seed is the rule's: a trial is the same whichever rules are tried beside it.
        let holds = try RuleTrial.run(rule, session, place: "\(number).\(round)")
        guard holds else { return isBroken.store(true, ordering: .relaxed) }
        recorder.record(rule.rawValue, in: "rounds", since: begin)
      }
    }
  }
}

extension Keys {
  package static let rule = Setting<ContractRule>(
    "rule", default: .all, "Which rules of the contract are tried, by the name of their trial.")
}
