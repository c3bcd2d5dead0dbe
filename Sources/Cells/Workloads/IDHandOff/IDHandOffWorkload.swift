import CoreData
import Measuring
import Scenarios
import Scheduling

/// Clients insert notes and hand their IDs to other contexts, which resolve them, read the notes and join words to them;
/// temporary IDs only go between a child and its parent.
package final class IDHandOffWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  package static let name = "id-handoff"
  package static let summary =
    "IDs are handed between contexts: permanent ones to any context, temporary ones to a parent."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.care.key, Keys.rounds.key, Keys.mistake.key]

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let rounds: Int
  private let clientCount: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    rounds = settings[Keys.rounds]
    clientCount = settings[Keys.clients]
    notebook = VocabularyNotebook(
      notes: clientCount * rounds, wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    pool = WorkPool(label: "clients", width: clientCount)
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    let clients = try (0..<clientCount).map { try HandOverClient(session: session, notebook: notebook, number: $0) }
    precondition(clients.count * rounds == notebook.noteCount, "each round of a client has a note of its own")
    session.startMeasuring()
    begin = MonotonicClock.now()
    for (number, client) in clients.enumerated() {
      let first = 1 + number * rounds
      let last = first + rounds
      pool.submit("client \(number + 1)") {
        for note in first..<last { client.run(note) }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let durable = Double(MonotonicClock.now() - begin) / 1e9
      session.strategy.whenMainIsCurrent { [self] in
        let visible = Double(MonotonicClock.now() - begin) / 1e9
        session.stopMeasuring()
        session.setCompletion(untilDurable: durable, untilVisible: visible)
        session.setDuration(of: "hand-over", seconds: visible)
        session.end()
      }
    }
  }
}

extension Keys {
  /// The mistakes of careless clients.
  package enum HandOffMistake: String, CaseIterable, Sendable {
    /// An ID is handed over as it is when the object was just inserted.
    case temporaryID = "temporary-id"
    /// An object of main is joined to one of the writer's.
    case crossContext = "cross-context"
  }

  package static let mistake = Setting<HandOffMistake>(
    "mistake", default: .temporaryID,
    "What careless clients do: hand over an ID before it is permanent, or join an object of another context.")
}
