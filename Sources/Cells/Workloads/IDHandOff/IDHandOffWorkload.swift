import CoreData
import Measuring
import Scheduling

/// Clients insert notes and hand their IDs to other contexts, which resolve them, read the notes and join words to them;
/// temporary IDs only go between a child and its parent.
package final class IDHandOffWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  package static let name = "id-handoff"
  package static let summary = "IDs are handed between contexts: permanent ones to anybody, temporary ones to a parent."
  package static let hasFloor = false

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let rounds: Int
  private let clientCount: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    rounds = settings.integer("rounds")
    clientCount = settings.integer("clients")
    notebook = VocabularyNotebook(
      notes: clientCount * rounds, wordsPerNote: settings.integer("words_per_note"), seed: session.seed)
    pool = WorkPool(label: "clients", width: clientCount)
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings.integer("tick_hz")) { [session] _ in session.sampleLog() }
    let clients = try (0..<clientCount).map { try HandOverClient(session: session, notebook: notebook, number: $0) }
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
