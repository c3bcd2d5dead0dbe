import CoreData
import Measuring
import Scenarios
import Scheduling

/// First-launch import: importers write notes with words in batches while main fetches pages and ticks; then they
/// update notes that main holds.
package final class ImportWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one importer at a time.
  package static let name = "import"
  package static let summary = "Importers write notes with words in batches while main fetches pages and ticks."
  package static let hasFloor = true
  package static let keys = [
    Keys.importers.key, Keys.saveEvery.key, Keys.updateRounds.key, Keys.ratePerSecond.key, Keys.pageSize.key,
    Keys.pageEveryTicks.key, Keys.floor.key,
  ]

  /// An importer records four kinds of the import, and its updates.
  private static let kinds = 5

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let plan: ImportPlan
  private let importers: [Importer]
  private let pages: PageReader
  private let pool: WorkPool
  private var begin: UInt64 = 0

  /// A client of both phases.
  private struct Importer: Sendable {
    let inserts: ImportClient
    let updates: UpdateClient
  }

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    plan = ImportPlan(
      notes: 1..<notebook.noteCount + 1, wordsPerNote: notebook.wordsPerNote, importers: settings[Keys.importers],
      saveEvery: settings[Keys.saveEvery])
    let reads = settings[Keys.tickHertz] > 0 && settings[Keys.pageEveryTicks] > 0
    let overlap = reads ? Overlap() : nil
    let pages = PageReader(session, overlap)
    self.pages = pages
    // Before main hears of the first save: with some strategies it has no time for a page from then on.
    let firstPage: @Sendable () -> Void = {
      SerialQueue.main.async { session.meter.measure(.harness) { pages.fetch(in: "import") } }
    }
    let first = plan.batches.firstIndex { !$0.isEmpty }
    importers = try plan.batches.indices.map { [notebook] number in
      let writer = try session.strategy.makeWriter(named: "importer \(number + 1)")
      let recorder = try session.makeRecorder(kinds: Self.kinds)
      return Importer(
        inserts: ImportClient(
          session: session, notebook: notebook, writer: writer, recorder: recorder, phase: "import",
          onFirstUnit: reads && number == first ? firstPage : nil, overlap: overlap),
        updates: UpdateClient(session: session, writer: writer, recorder: recorder))
    }
    precondition(!reads || first != nil, "main reads with the first of the saves")
    pool = WorkPool(label: "importers", width: importers.count)
  }

  package func start() {
    let pageEvery = session.settings[Keys.pageEveryTicks]
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [self] tick in
      session.sampleLog()
      if pageEvery > 0, tick.isMultiple(of: pageEvery) { pages.fetch(in: "import") }
    }
    begin = MonotonicClock.now()
    for (number, importer) in importers.enumerated() {
      let batches = plan.batches[number]
      let arrivals = Arrivals(session.settings, client: number, of: importers.count, begin: begin)
      pool.submit("importer \(number + 1)") { importer.inserts.run(batches, arrivals) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.main.history.record(.invoke, .drained)
      session.strategy.whenMainIsCurrent { [self] in importEnds() }
    }
  }

  private func importEnds() {
    let visible = session.main.history.record(.ok, .drained)
    session.stopMeasuring()
    let last = importers.compactMap(\.inserts.lastDurable).max()
    let isDurable = importers.allSatisfy { $0.inserts.undurableSaves == 0 }
    session.setCompletion(
      untilDurable: isDurable ? last.map { seconds($0) } : nil, untilVisible: isDurable ? seconds(visible) : nil)
    session.setDuration(of: "import", seconds: seconds(visible))
    begin = MonotonicClock.now()
    update(round: 0, of: session.settings[Keys.updateRounds])
  }

  /// Lets each importer update one of the notes that main holds; then main, once it has heard of it, reads them all.
  private func update(round: Int, of rounds: Int) {
    guard round < rounds, !pages.hold().isEmpty else {
      session.setDuration(of: "update", seconds: seconds(MonotonicClock.now()))
      return session.end()
    }
    let held = pages.hold()
    for (number, importer) in importers.enumerated() {
      // Each importer has notes of its own, so that no two saves conflict.
      let own = stride(from: number, to: held.count, by: importers.count).map { held[$0] }
      guard !own.isEmpty else { continue }
      let note = own[round % own.count]
      pool.submit("update by importer \(number + 1)") { importer.updates.update(note) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.main.history.record(.invoke, .drained)
      session.strategy.whenMainIsCurrent { [self] in
        session.main.history.record(.ok, .drained)
        pages.readHeld(in: "update")
        update(round: round + 1, of: rounds)
      }
    }
  }

  private func seconds(_ moment: UInt64) -> Double { Double(moment - begin) / 1e9 }
}

extension Keys {
  /// The key `update_rounds`.
  public static let updateRounds = Setting<Int>(
    "update_rounds", 0...10_000, unit: "rounds", default: 20, quick: 5,
    "Rounds of updates, after the import, of notes that main holds.")
}
