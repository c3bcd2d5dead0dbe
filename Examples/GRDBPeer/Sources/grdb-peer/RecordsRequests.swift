import GRDB
import HarnessKit

/// `delete-during-request` with records: a request holds a note's key, the note is deleted meanwhile, the response uses it on main.
final class RecordsRequests: RecordsWork, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  static let shipped = "delete-during-request"
  static let keys = [Keys.clients.key, Keys.requests.key]

  private static let notesPerSave = 84

  private let session: CellSession
  private let database: DatabasePool
  private let notebook: VocabularyNotebook
  private let list = ObservedList()

  init(_ session: CellSession, _ pool: DatabasePool) throws {
    self.session = session
    database = pool
    let settings = session.settings
    notebook = VocabularyNotebook(
      notes: max(settings[Keys.notes], settings[Keys.requests]), wordsPerNote: settings[Keys.wordsPerNote],
      seed: session.seed)
    try WarmUp.run(session)
  }

  func start() throws {
    session.startTicking { [session] _ in session.sampleLog() }
    // Main shows how many notes there are; a response reads its note anew.
    list.start(session, database, pageSize: 0)
    let client = try NotesClient(session, database, notebook, kinds: 3)
    let count = notebook.noteCount
    let pool = WorkPool(label: "preload", width: 1)
    pool.submit("preload") { [session] in
      do {
        for start in stride(from: 1, through: count, by: Self.notesPerSave) {
          try client.insert(start..<min(start + Self.notesPerSave, count + 1), in: "preload")
        }
      } catch {
        session.fail(error)
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      list.once {
        $0.count == count
      } then: { [self] in
        do { try request() } catch { session.fail(error) }
      }
    }
  }

  private func request() throws {
    let settings = session.settings
    let (requests, clients) = (settings[Keys.requests], settings[Keys.clients])
    let ids = try database.read { database in
      Dictionary(uniqueKeysWithValues: try NoteRecord.fetchAll(database).map { (Int($0.number), $0.id) })
    }
    // The same notes as in the shipped workload.
    var random = SeededRandom(seed: session.seed).split(1)
    let chosen = (1...notebook.noteCount).shuffled(using: &random).prefix(requests)
    let notes = chosen.compactMap { number in (ids[number] ?? nil).map { (number, $0) } }
    let pool = WorkPool(label: "clients", width: clients)
    let asking = try (0..<clients).map { try RequestingClient(session, database, notebook, number: $0) }
    session.startMeasuring()
    let begin = OperationStart.now().nanoseconds
    for (number, client) in asking.enumerated() {
      let own = stride(from: number, to: notes.count, by: clients).map { notes[$0] }
      pool.submit("client \(number + 1)") { [session] in
        do { try client.run(own) } catch { session.fail(error) }
      }
    }
    let left = notebook.noteCount - requests
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let durable = Double(OperationStart.now().nanoseconds - begin) / 1e9
      list.once {
        $0.count == left
      } then: { [self] in
        end(durable: durable, visible: Double(OperationStart.now().nanoseconds - begin) / 1e9)
      }
    }
  }

  private func end(durable: Double, visible: Double) {
    session.stopMeasuring()
    session.setCompletion(untilDurable: durable, untilVisible: visible)
    session.setDuration(of: "request", seconds: visible)
    list.end()
    session.end()
  }
}
