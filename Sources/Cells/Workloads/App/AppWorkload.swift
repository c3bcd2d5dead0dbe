import CoreData
import Measuring
import Scenarios
import Scheduling

/// All that an app does at once, each at a rate of its own, whether or not it comes through: imports in batches, requests for
/// objects that are deleted meanwhile, saves of single edits, pages that main fetches, and a list that a controller follows.
package final class AppWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "app"
  package static let summary =
    "Imports, requests, deletions, edits, pages and a controller, all at once at given rates."
  package static let hasFloor = false
  package static let keys = [
    Keys.importers.key, Keys.importsPerSecond.key, Keys.saveEvery.key, Keys.clients.key, Keys.requestsPerSecond.key,
    Keys.editsPerSecond.key, Keys.pageSize.key, Keys.pageEveryTicks.key, Keys.durationSeconds.key,
  ]

  /// Notes that are edited, in turn; no request asks for them.
  private static let editedNotes = 50

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let seconds: Double
  /// Notes that are there at the beginning: first those that are edited, then those that are asked for.
  private let stored: Int
  private let requests: Int
  /// The saves of each importer.
  private let batches: [[Range<Int>]]
  private let pages: PageReader
  private let pool: WorkPool
  private var list: AppList?
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    seconds = settings[Keys.durationSeconds]
    let words = settings[Keys.wordsPerNote]
    requests = Self.count(settings[Keys.requestsPerSecond], seconds)
    let stored = max(settings[Keys.notes], Self.editedNotes + requests)
    self.stored = stored
    let notesPerSave = (settings[Keys.saveEvery] + words) / (1 + words)
    let saves = Self.count(settings[Keys.importsPerSecond], seconds)
    batches = (0..<settings[Keys.importers]).map { importer in
      (0..<saves).map { save in
        let first = stored + 1 + (importer * saves + save) * notesPerSave
        return first..<first + notesPerSave
      }
    }
    notebook = VocabularyNotebook(
      notes: stored + batches.count * saves * notesPerSave, wordsPerNote: words, seed: session.seed)
    pages = PageReader(session)
    pool = WorkPool(label: "clients", width: batches.count + settings[Keys.clients] + 1)
  }

  /// How often something happens that has a rate.
  private static func count(_ rate: Double, _ seconds: Double) -> Int { Int((rate * seconds).rounded(.up)) }

  package func start() throws {
    try Preload.run(session, notebook, notes: 1..<stored + 1) { [self] identifiers in
      do {
        try use(identifiers)
      } catch {
        session.fail(error)
      }
    }
  }

  private func use(_ identifiers: [Int: NSManagedObjectID]) throws {
    let importers = try makeImporters()
    let edit = try makeEditor(identifiers)
    let ask = try makeRequesters(identifiers)
    session.startMeasuring()
    list = try session.strategy.mainContext.performAndWait { try AppList(session) }
    let pageEvery = session.settings[Keys.pageEveryTicks]
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [self] tick in
      session.sampleLog()
      if pageEvery > 0, tick.isMultiple(of: pageEvery) { pages.fetch(in: "app") }
    }
    begin = MonotonicClock.now()
    for (number, work) in (importers + ask + [edit]).enumerated() {
      pool.submit("client \(number + 1)") { [begin] in work(begin) }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      let durable = secondsSinceBegin
      session.strategy.whenMainIsCurrent { [self] in
        session.stopMeasuring()
        list?.end()
        session.setCompletion(untilDurable: durable, untilVisible: secondsSinceBegin)
        for phase in ["app", "import", "request", "update"] {
          session.setDuration(of: phase, seconds: secondsSinceBegin)
        }
        session.end()
      }
    }
  }

  private var secondsSinceBegin: Double { Double(MonotonicClock.now() - begin) / 1e9 }

  /// The work of one client, which is given the begin.
  private typealias Work = @Sendable (_ begin: UInt64) -> Void

  private func makeImporters() throws -> [Work] {
    let rate = session.settings[Keys.importsPerSecond] * Double(batches.count)
    return try batches.enumerated().map { [batches] number, own in
      let client = ImportClient(
        session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "importer \(number + 1)"),
        recorder: try session.makeRecorder(), phase: "import")
      return { begin in
        guard !own.isEmpty else { return }
        client.run(own, Arrivals(ratePerSecond: rate, client: number, of: batches.count, begin: begin))
      }
    }
  }

  private func makeEditor(_ identifiers: [Int: NSManagedObjectID]) throws -> Work {
    let rate = session.settings[Keys.editsPerSecond]
    let edits = Self.count(rate, seconds)
    let client = UpdateClient(
      session: session, writer: try session.strategy.makeWriter(named: "editor"), recorder: try session.makeRecorder())
    let notes = (1...Self.editedNotes).compactMap { number in
      identifiers[number].map { PageReader.HeldNote(number: Int64(number), id: $0) }
    }
    precondition(edits == 0 || notes.count == Self.editedNotes, "each edited note is in the store before")
    return { begin in
      guard edits > 0 else { return }
      var arrivals = Arrivals(ratePerSecond: rate, client: 0, of: 1, begin: begin)
      for edit in 0..<edits { client.update(notes[edit % notes.count], due: arrivals.waitForNext()) }
    }
  }

  private func makeRequesters(_ identifiers: [Int: NSManagedObjectID]) throws -> [Work] {
    let rate = session.settings[Keys.requestsPerSecond]
    let asked = (Self.editedNotes + 1..<Self.editedNotes + 1 + requests).compactMap { number in
      identifiers[number].map { RequestedNote(number: number, id: $0, words: notebook.wordNumbers(ofNote: number)) }
    }
    precondition(asked.count == requests, "each request has a note of its own")
    let clients = session.settings[Keys.clients]
    return try (0..<clients).map { number in
      let client = try RequestClient(session: session, number: number, isCareful: true)
      let own = stride(from: number, to: asked.count, by: clients).map { asked[$0] }
      return { begin in
        guard !own.isEmpty else { return }
        client.run(own, Arrivals(ratePerSecond: rate, client: number, of: clients, begin: begin))
      }
    }
  }
}

extension Keys {
  package static let importsPerSecond = Setting<Double>(
    "imports_per_s", 0...10_000, unit: "saves/s", default: "2",
    "Saves that each importer begins in a second, whether or not the one before is done.")
  package static let requestsPerSecond = Setting<Double>(
    "requests_per_s", 0...10_000, unit: "requests/s", default: "20",
    "Requests that all clients together make in a second; each object is deleted before, during or after its own.")
  package static let editsPerSecond = Setting<Double>(
    "edits_per_s", 0...10_000, unit: "saves/s", default: "10",
    "Saves of a single edit that begin in a second.")
}
