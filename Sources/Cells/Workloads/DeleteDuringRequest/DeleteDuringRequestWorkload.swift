import Boundary
import CoreData
import Measuring
import Scenarios
import Scheduling

/// A request holds an object's ID, the object is deleted meanwhile, the response uses it.
package final class DeleteDuringRequestWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  package static let name = "delete-during-request"
  package static let summary = "Objects are deleted before, during and after the requests that use them."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.requests.key, Keys.care.key]

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let requests: Int
  private let clients: Int

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    requests = settings[Keys.requests]
    clients = settings[Keys.clients]
    // Each request has a note of its own, since a note can be deleted once.
    notebook = VocabularyNotebook(
      notes: max(settings[Keys.notes], requests), wordsPerNote: settings[Keys.wordsPerNote],
      seed: session.seed)
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    try Preload.run(session, notebook, notes: 1..<notebook.noteCount + 1) { [self] identifiers in
      do {
        try request(identifiers)
      } catch {
        session.fail(error)
      }
    }
  }

  private func request(_ identifiers: [Int: NSManagedObjectID]) throws {
    var random = SeededRandom(seed: session.seed).split(1)
    let chosen = (1...notebook.noteCount).shuffled(using: &random).prefix(requests)
    precondition(chosen.count == requests, "each request has a note of its own")
    let isCareful = session.settings[Keys.care] == .careful
    let notes = chosen.compactMap { number in
      identifiers[number].map { RequestedNote(number: number, id: $0, words: notebook.wordNumbers(ofNote: number)) }
    }
    let pool = WorkPool(label: "clients", width: clients)
    session.startMeasuring()
    let begin = MonotonicClock.now()
    for number in 0..<clients {
      let client = try RequestClient(session: session, number: number, isCareful: isCareful)
      let own = stride(from: number, to: notes.count, by: clients).map { notes[$0] }
      pool.submit("client \(number + 1)") { client.run(own) }
    }
    pool.notifyWhenAllFinished(on: .main) { [session] in
      let durable = Double(MonotonicClock.now() - begin) / 1e9
      session.strategy.whenMainIsCurrent {
        let visible = Double(MonotonicClock.now() - begin) / 1e9
        session.stopMeasuring()
        session.setCompletion(untilDurable: durable, untilVisible: visible)
        session.setDuration(of: "request", seconds: visible)
        session.end()
      }
    }
  }
}

extension Keys {
  /// The key `requests`.
  public static let requests = Setting<Int>(
    "requests", 1...1_000_000, unit: "requests", default: 200, quick: 60,
    "Requests that hold an object's ID while the object may be deleted.")
}
