import GRDB
import HarnessKit

/// `import` with records: importers write notes with words in batches while main fetches pages and ticks; then they update notes
/// that main shows.
final class RecordsImport: RecordsWork, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one importer at a time.
  static let shipped = "import"
  static let keys = [
    Keys.importers.key, Keys.saveEvery.key, Keys.updateRounds.key, Keys.pageSize.key, Keys.pageEveryTicks.key,
    Keys.floor.key,
  ]

  private let session: CellSession
  private let database: DatabasePool
  private let notebook: VocabularyNotebook
  private let importers: [NotesClient]
  private let pool: WorkPool
  private let list = ObservedList()
  /// Open once main has fetched a page while the importers were writing.
  private let hasRead = Latch(label: "main reads while an importer writes")
  private var begin: UInt64 = 0
  private var fetches: Int64 = 0

  init(_ session: CellSession, _ pool: DatabasePool) throws {
    self.session = session
    database = pool
    let settings = session.settings
    let notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    self.notebook = notebook
    importers = try (0..<settings[Keys.importers]).map { _ in try NotesClient(session, pool, notebook, kinds: 4) }
    self.pool = WorkPool(label: "importers", width: importers.count)
    try WarmUp.run(session)
  }

  func start() {
    let settings = session.settings
    list.start(session, database, pageSize: settings[Keys.pageSize])
    // Main shows the empty list before anything is timed, as a context is there.
    list.once { _ in
      true
    } then: { [self] in
      importNotes()
    }
  }

  private func importNotes() {
    let pageEvery = session.settings[Keys.pageEveryTicks]
    let reads = session.settings[Keys.tickHertz] > 0 && pageEvery > 0
    session.startMeasuring()
    session.startTicking { [self] tick in
      session.sampleLog()
      if pageEvery > 0, tick.isMultiple(of: pageEvery) { fetchPage() }
    }
    begin = OperationStart.now().nanoseconds
    for (number, importer) in importers.enumerated() {
      let batches = batches(of: number)
      pool.submit("importer \(number + 1)") { [session, hasRead] in
        do {
          for (index, batch) in batches.enumerated() {
            let isLast = index == batches.count - 1
            try importer.insert(batch, in: "import") { if reads, isLast { _ = hasRead.wait(atMost: 1) } }
          }
        } catch {
          session.fail(error)
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let count = notebook.noteCount
      list.once {
        $0.count == count
      } then: { [self] in
        importEnds()
      }
    }
  }

  /// An equal run of notes for each importer, in saves of at least `save_every` objects, whole notes with their words.
  private func batches(of importer: Int) -> [Range<Int>] {
    let (count, words) = (notebook.noteCount, notebook.wordsPerNote)
    let start = 1 + count * importer / importers.count
    let end = 1 + count * (importer + 1) / importers.count
    let notesPerSave = (session.settings[Keys.saveEvery] + words) / (1 + words)
    return stride(from: start, to: end, by: notesPerSave).map { $0..<min($0 + notesPerSave, end) }
  }

  /// The user's view: a page is fetched on main, and its titles are shown.
  private func fetchPage() {
    fetches += 1
    let begin = OperationStart(at: session.main.record(.invoke, .fetch, entity: NotesClient.note, key: fetches))
    do {
      let page = try database.read { try NoteRecord.newest(session.settings[Keys.pageSize]).fetchAll($0) }
      for note in page { _ = note.title.isEmpty }
      let end = session.main.record(
        .ok, .fetch, entity: NotesClient.note, key: fetches, count: Int64(page.count))
      session.main.record("page-fetch", in: "import", since: begin, until: OperationStart(at: end))
    } catch {
      session.fail(error)
    }
    hasRead.open()
  }

  private func importEnds() {
    let visible = seconds(OperationStart.now().nanoseconds)
    session.stopMeasuring()
    session.setCompletion(
      untilDurable: importers.compactMap(\.lastDurable).max().map { seconds($0) }, untilVisible: visible)
    session.setDuration(of: "import", seconds: visible)
    begin = OperationStart.now().nanoseconds
    update(round: 0)
  }

  /// Lets each importer update one of the notes that main shows, until main shows all of them.
  private func update(round: Int) {
    let held = list.content.notes
    guard round < session.settings[Keys.updateRounds], !held.isEmpty else { return end() }
    var updating: [NotesClient] = []
    for (number, importer) in importers.enumerated() {
      let own = stride(from: number, to: held.count, by: importers.count).map { held[$0] }
      guard !own.isEmpty, let id = own[round % own.count].id else { continue }
      updating.append(importer)
      pool.submit("update by importer \(number + 1)") { [session] in
        do { try importer.update(id) } catch { session.fail(error) }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self, updating] in
      let revisions = Dictionary(uniqueKeysWithValues: updating.compactMap(\.updated).map { ($0.number, $0.revision) })
      list.once { content in
        content.notes.allSatisfy { $0.revision >= revisions[$0.number] ?? 0 }
      } then: { [self] in
        update(round: round + 1)
      }
    }
  }

  private func end() {
    session.setDuration(of: "update", seconds: seconds(OperationStart.now().nanoseconds))
    list.end()
    session.end()
  }

  private func seconds(_ moment: UInt64) -> Double { Double(moment - begin) / 1e9 }
}
