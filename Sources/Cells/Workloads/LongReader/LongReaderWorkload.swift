import CoreData
import Measuring
import Scenarios
import Scheduling

/// A reader keeps an old view while importers work: its objects must stay as they were, and the write-ahead log grows by
/// all writes meanwhile.
package final class LongReaderWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one worker at a time.
  package static let name = "long-reader"
  package static let summary = "A reader keeps an old view while importers work; the write-ahead log is watched."
  package static let hasFloor = false
  package static let keys = [
    Keys.importers.key, Keys.saveEvery.key, Keys.pageSize.key, Keys.pageEveryTicks.key, Keys.viewSaves.key,
    Keys.care.key,
  ]

  /// Of so many notes one is there before the importers begin.
  private static let preloadedShare = 10

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let preloaded: Range<Int>
  private let plan: ImportPlan
  private let importers: [ImportClient]
  private let updates: UpdateClient
  private let pages: PageReader
  private let pool: WorkPool
  private let saves = SaveCount()
  private var reader: LongReader?
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    let first = max(1, notebook.noteCount / Self.preloadedShare)
    preloaded = 1..<first + 1
    precondition(first <= notebook.noteCount, "the notes that are there before are some of all")
    plan = ImportPlan(
      notes: first + 1..<notebook.noteCount + 1, wordsPerNote: notebook.wordsPerNote,
      importers: settings[Keys.importers], saveEvery: settings[Keys.saveEvery])
    importers = try plan.batches.indices.map { [notebook] number in
      ImportClient(
        session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "importer \(number + 1)"),
        recorder: try session.makeRecorder(), phase: "import")
    }
    updates = UpdateClient(
      session: session, writer: try session.strategy.makeWriter(named: "updater"), recorder: try session.makeRecorder())
    pages = PageReader(session)
    pool = WorkPool(label: "workers", width: importers.count + 2)
  }

  package func start() throws {
    try Preload.run(session, notebook, notes: preloaded) { [self] identifiers in
      do {
        try work(identifiers)
      } catch {
        session.fail(error)
      }
    }
  }

  private func work(_ identifiers: [Int: NSManagedObjectID]) throws {
    let held = identifiers.map { PageReader.HeldNote(number: Int64($0.key), id: $0.value) }
      .sorted { $0.number < $1.number }
    precondition(self.reader == nil && begin == 0, "a cell has one long reader")
    let reader = try LongReader(session: session, notes: held, saves: saves)
    self.reader = reader
    let pageEvery = session.settings[Keys.pageEveryTicks]
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [self] tick in
      session.sampleLog()
      if pageEvery > 0, tick.isMultiple(of: pageEvery) { pages.fetch(in: "import") }
    }
    begin = MonotonicClock.now()
    let hasView = Latch(label: "the reader has its first view")
    pool.submit("reader") { reader.run(hasView: hasView) }
    let writers = WaitGroup(label: "writers")
    for (number, importer) in importers.enumerated() {
      let batches = plan.batches[number]
      writers.run("importer \(number + 1)", on: pool) { [saves] in
        hasView.wait()
        for batch in batches {
          importer.write(batch)
          saves.count()
        }
      }
    }
    writers.run("updater", on: pool) { [updates, saves] in
      hasView.wait()
      for note in held {
        updates.update(note)
        saves.count()
      }
    }
    writers.notify(on: .main) { [self] in
      saves.end()
      pool.notifyWhenAllFinished(on: .main) { [self] in
        session.strategy.whenMainIsCurrent { [self] in finish() }
      }
    }
  }

  private func finish() {
    let visible = MonotonicClock.now()
    session.stopMeasuring()
    let isDurable = importers.allSatisfy { $0.undurableSaves == 0 }
    let last = importers.compactMap(\.lastDurable).max()
    session.setCompletion(
      untilDurable: isDurable ? last.map(seconds) : nil, untilVisible: isDurable ? seconds(visible) : nil)
    session.setDuration(of: "import", seconds: seconds(visible))
    reader = nil
    session.end()
  }

  private func seconds(_ moment: UInt64) -> Double { Double(moment - begin) / 1e9 }
}

extension Keys {
  package static let viewSaves = Setting<Int>(
    "view_saves", 0...1_000_000, unit: "saves", default: 50, quick: 10,
    "Saves of others for which the reader keeps one view; 0 = until the end, which is a mistake to catch.")
}
