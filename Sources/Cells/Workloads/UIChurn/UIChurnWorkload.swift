import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// Fetched results controllers on main follow imports, edits and deletes that clients make through their writers; their
/// reports are replayed, and compared with a fresh fetch after each round.
package final class UIChurnWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "ui-churn"
  package static let summary = "Screens on main follow imports, edits and deletes by their controllers' changes."
  package static let hasFloor = false
  package static let keys = [Keys.clients.key, Keys.care.key, Keys.rounds.key]

  /// Notes that a screen shows at once.
  private static let pageSize = 20

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let notes: Int
  private let rounds: Int
  private let clientCount: Int
  private let pool: WorkPool
  private var clients: [ChurnClient] = []
  private var byLanguage: ListFollower?
  private var newest: DifferenceFollower?
  /// Screens that each do something else wrong, where the scenario asks for mistakes.
  private var careless: (lists: [ListFollower], differences: [DifferenceFollower]) = ([], [])
  private var begin: UInt64 = 0

  /// Notes that are read after each round.
  private static let valuesRead = 200

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    var layout = WorkloadSchema.notebook.layout
    layout.entities[0].recordedColumns = Note.recordedColumns
    return WorkloadSchema(model: NotebookModel.shared, layout: layout)
  }

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    notes = settings[Keys.notes]
    rounds = settings[Keys.rounds]
    clientCount = settings[Keys.clients]
    notebook = VocabularyNotebook(
      notes: notes + clientCount * rounds * ChurnClient.imported, wordsPerNote: settings[Keys.wordsPerNote],
      seed: session.seed)
    pool = WorkPool(label: "clients", width: clientCount)
  }

  package func start() throws {
    try Preload.run(session, notebook, notes: 1..<notes + 1) { [self] _ in
      do {
        try follow()
      } catch {
        session.fail(error)
      }
    }
  }

  private func follow() throws {
    let imported = rounds * ChurnClient.imported
    precondition(notes + clientCount * imported == notebook.noteCount, "each client has new notes for all rounds")
    clients = try (0..<clientCount).map { number in
      let first = notes + 1 + number * imported
      return try ChurnClient(
        session: session, notebook: notebook, number: number,
        own: Array(stride(from: number + 1, through: notes, by: clientCount)), fresh: first..<first + imported)
    }
    let isCareful = session.settings[Keys.care] == .careful
    try session.strategy.mainContext.performAndWait {
      byLanguage = try ListFollower(
        session, name: "notes by language", request: Self.request(["language", "createdAt"], ascending: true),
        sectionNameKeyPath: "language", lapse: isCareful ? nil : .takesNewList)
      let request = Self.request(["modifiedAt"], ascending: false)
      request.predicate = NSPredicate(format: "isPinned == NO")
      newest = try DifferenceFollower(session, name: "newest notes", request: request)
      if !isCareful { try followCarelessly() }
    }
    session.startMeasuring()
    begin = MonotonicClock.now()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [self] tick in
      session.sampleLog()
      scroll(tick)
    }
    churn(round: 0)
  }

  private func followCarelessly() throws {
    for lapse in [ScreenMistake.isDeaf, .dropsUpdates, .dropsInserts, .misplacesInserts] {
      careless.lists.append(
        try ListFollower(
          session, name: lapse.rawValue, request: Self.request(["createdAt"], ascending: true), sectionNameKeyPath: nil,
          lapse: lapse))
    }
    for lapse in [ScreenMistake.isDeaf, .dropsInserts, .forgetsList] {
      careless.differences.append(
        try DifferenceFollower(
          session, name: "\(lapse.rawValue), by difference", request: Self.request(["createdAt"], ascending: false),
          lapse: lapse))
    }
  }

  /// Notes in an order without ties.
  private static func request(_ keys: [String], ascending: Bool) -> NSFetchRequest<Note> {
    let request = Note.request()
    request.sortDescriptors =
      keys.map { NSSortDescriptor(key: $0, ascending: ascending) } + [NSSortDescriptor(key: "number", ascending: true)]
    return request
  }

  /// Reads the notes that the user sees on the way through the list.
  private func scroll(_ tick: Int) {
    guard let byLanguage, byLanguage.count > 0 else { return }
    let first = tick * Self.pageSize % byLanguage.count
    session.strategy.mainContext.performAndWait { byLanguage.show(first..<first + Self.pageSize) }
  }

  private func churn(round: Int) {
    guard round < rounds else { return finish() }
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { client.run() }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.main.history.record(.invoke, .drained)
      session.strategy.whenMainIsCurrent { [self] in
        session.main.history.record(.ok, .drained)
        compare()
        readValues(round: round)
        churn(round: round + 1)
      }
    }
  }

  private func compare() {
    session.meter.measure(.harness) {
      session.strategy.mainContext.performAndWait {
        do {
          try byLanguage?.compareWithFetch()
          try newest?.compareWithFetch()
          for follower in careless.lists { try follower.compareWithFetch() }
          for follower in careless.differences { try follower.compareWithFetch() }
        } catch {
          session.fail(error)
        }
      }
    }
  }

  /// Records main's values of some of the listed notes, once it is current.
  private func readValues(round: Int) {
    guard let byLanguage else { return }
    session.meter.measure(.harness) {
      session.strategy.mainContext.performAndWait {
        for note in byLanguage.notes(Self.valuesRead, from: round * Self.valuesRead) {
          let key = note.number
          session.main.record(.invoke, .read, entity: NotebookModel.EntityNumber.note, key: key)
          session.main.record(
            .ok, .read, of: note, entity: NotebookModel.EntityNumber.note, key: key, value: note.revision,
            values: note.recordedValues)
        }
      }
    }
  }

  private func finish() {
    let seconds = Double(MonotonicClock.now() - begin) / 1e9
    session.stopMeasuring()
    session.setCompletion(untilDurable: seconds, untilVisible: seconds)
    session.setDuration(of: "churn", seconds: seconds)
    session.end()
  }
}
