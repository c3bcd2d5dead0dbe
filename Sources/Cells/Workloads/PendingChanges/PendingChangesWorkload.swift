import CoreData
import Measuring
import Scenarios
import Scheduling

/// Clients look at their contexts while these have unsaved changes and others save beside them: objects that are refreshed,
/// fetched, counted, rolled back, undone, deleted and merged are compared with their expected state.
package final class PendingChangesWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  package static let name = "pending-changes"
  package static let summary =
    "Contexts with unsaved changes refresh, fetch, count, roll back and undo beside other writers."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.rounds.key, Keys.care.key]

  /// In one of so many rounds a client fetches in many forms.
  private static let roundsPerQuery = 4

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let rounds: Int
  private let clientCount: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { HookedModel.schema }

  package init(_ session: CellSession) throws {
    self.session = session
    rounds = session.settings[Keys.rounds]
    clientCount = session.settings[Keys.clients]
    // With three words each, as the clients' steps have them.
    notebook = VocabularyNotebook(
      notes: PendingClient.notesPerRound * clientCount * rounds, wordsPerNote: 3, seed: session.seed)
    pool = WorkPool(label: "clients", width: clientCount)
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    let clients = try (0..<clientCount).map { try PendingClient(session: session, notebook: notebook, number: $0) }
    precondition(
      clients.count * rounds * PendingClient.notesPerRound == notebook.noteCount,
      "each round of a client has notes of its own")
    session.startMeasuring()
    begin = MonotonicClock.now()
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { [session, rounds] in
        do {
          for round in 0..<rounds {
            let isQuerying = round.isMultiple(of: Self.roundsPerQuery)
            try client.run(
              firstNote: 1 + PendingClient.notesPerRound * (number * rounds + round), queries: isQuerying)
          }
        } catch {
          session.fail(error)
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let durable = Double(MonotonicClock.now() - begin) / 1e9
      session.strategy.whenMainIsCurrent { [self] in
        let visible = Double(MonotonicClock.now() - begin) / 1e9
        session.stopMeasuring()
        session.setCompletion(untilDurable: durable, untilVisible: visible)
        session.setDuration(of: "rounds", seconds: visible)
        session.end()
      }
    }
  }
}
