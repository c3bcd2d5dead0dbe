import Cells
import Boundary
import CoreData
import Measuring
import Scenarios
import Scheduling

/// Random operations over a random model: each client changes an island of its own through the strategy and through contexts
/// of its own, and everything that a context or the file shows is compared with a reference.
package final class AnythingWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "anything"
  package static let summary =
    "Random operations of every kind over a random model, held against a reference after each step."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.rounds.key, Keys.steps.key, Keys.script.key]

  private let session: CellSession
  private let model: DrawnModel
  private let shared: SharedObjects
  private let clients: [AnythingClient]
  private let pool: WorkPool
  private let rounds: Int
  /// The steps of the one client that there is then; nil where steps are drawn.
  private let script: AnythingScript?
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    try WorkloadSchema(model: DrawnModel(seed: UInt64(settings[Keys.seed])).managedObjectModel(), keys: [:])
  }

  package init(_ session: CellSession) throws {
    self.session = session
    model = DrawnModel(seed: UInt64(session.settings[Keys.seed]))
    rounds = session.settings[Keys.rounds]
    let path = session.settings[Keys.script]
    let script = path.isEmpty ? nil : try AnythingScript(path: path)
    self.script = script
    let numbers = script.map { [$0.client] } ?? Array(1...session.settings[Keys.clients])
    let model = model
    let shared = try SharedObjects(session: session, model: model)
    self.shared = shared
    clients = try numbers.map { try AnythingClient(session: session, model: model, island: $0, sharing: shared) }
    pool = WorkPool(label: "clients", width: numbers.count)
    precondition(script == nil || clients.count == 1, "a script has the steps of one client")
  }

  package func start() throws {
    session.startTicking { [session] _ in session.sampleLog() }
    session.startMeasuring()
    begin = MonotonicClock.now()
    run(round: 0)
  }

  private func run(round: Int) {
    guard round < (script == nil ? rounds : 1) else { return finish() }
    let steps = session.settings[Keys.steps]
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { [session, script] in
        do {
          if let script { try client.run(script.steps) } else { try client.run(steps) }
        } catch {
          session.fail(error)
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.strategy.whenMainIsCurrent { [self] in checkShared(round) }
    }
  }

  /// Checks the shared objects, while no client runs.
  private func checkShared(_ round: Int) {
    pool.submit("shared objects") { [session, shared, clients] in
      do { try shared.check(clients.map(\.shared)) } catch { session.fail(error) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in run(round: round + 1) }
  }

  private func finish() {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    session.strategy.whenMainIsCurrent { [self] in
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "rounds", seconds: visible)
      shared.end()
      for client in clients { pool.submit("end") { client.end() } }
      pool.notifyWhenAllFinished(on: .main) { [session] in session.end() }
    }
  }
}

extension Keys {
  package static let steps = Setting<Int>(
    "steps", 1...1_000_000, unit: "steps", default: 40, quick: 25, "Steps of each client in a round.")
  package static let script = Setting<String>(
    "script", .path, "A file with the steps of one client, which are taken instead of drawn ones.")
}
