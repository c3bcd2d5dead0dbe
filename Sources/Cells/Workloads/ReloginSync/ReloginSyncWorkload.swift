import CoreData
import Measuring
import Scenarios
import Scheduling

/// A user signs in again: some workers delete all notes, with their words by cascade, while others import the same notes
/// anew.
package final class ReloginSyncWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one worker at a time.
  package static let name = "relogin-sync"
  package static let summary = "Workers delete everything by cascade while others import it anew."
  package static let hasFloor = false
  package static let keys = [
    Keys.importers.key, Keys.saveEvery.key, Keys.care.key, Keys.rounds.key, Keys.pageSize.key, Keys.pageEveryTicks.key,
    Keys.deleters.key,
  ]

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let plan: ImportPlan
  private let importers: [ImportClient]
  private let deleters: [SweepClient]
  private let deletions: ImportPlan
  private let pages: PageReader
  private let pool: WorkPool
  private let isCareful: Bool
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    let notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    self.notebook = notebook
    isCareful = settings[Keys.care] == .careful
    let notes = 1..<notebook.noteCount + 1
    let saveEvery = settings[Keys.saveEvery]
    plan = ImportPlan(
      notes: notes, wordsPerNote: notebook.wordsPerNote, importers: settings[Keys.importers], saveEvery: saveEvery)
    deletions = ImportPlan(
      notes: notes, wordsPerNote: notebook.wordsPerNote, importers: settings[Keys.deleters], saveEvery: saveEvery)
    importers = try plan.batches.indices.map { number in
      ImportClient(
        session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "importer \(number + 1)"),
        recorder: try session.makeRecorder(), phase: "sync")
    }
    deleters = try deletions.batches.indices.map { number in
      SweepClient(
        session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "deleter \(number + 1)"),
        recorder: try session.makeRecorder())
    }
    precondition(!importers.isEmpty && !deleters.isEmpty, "deleters wait for importers, and there are both")
    pages = PageReader(session)
    pool = WorkPool(label: "workers", width: importers.count + deleters.count)
  }

  package func start() throws {
    let pageEvery = session.settings[Keys.pageEveryTicks]
    try Preload.run(session, notebook, notes: 1..<notebook.noteCount + 1) { [self] _ in
      session.startMeasuring()
      session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [self] tick in
        session.sampleLog()
        if pageEvery > 0, tick.isMultiple(of: pageEvery) { pages.fetch(in: "sync") }
      }
      begin = MonotonicClock.now()
      login(round: 0)
    }
  }

  /// Deletes and imports everything once; on main, which is current.
  private func login(round: Int) {
    guard round < session.settings[Keys.rounds] else { return finish() }
    // By ID and before any import: notes fetched later may be new already.
    let old = identifiers()
    let isImporting = Latch(label: "each importer has saved")
    let waited = Locked(importers.count)
    for (number, importer) in importers.enumerated() {
      let batches = plan.batches[number]
      pool.submit("importer \(number + 1)") {
        importer.run(Array(batches.prefix(1)))
        let isLast = waited.withLock { count in
          count -= 1
          return count == 0
        }
        if isLast { isImporting.open() }
        importer.run(Array(batches.dropFirst()))
      }
    }
    for (number, deleter) in deleters.enumerated() {
      let batches = deletions.batches[number]
      pool.submit("deleter \(number + 1)") { [isCareful] in
        if isCareful {
          for batch in batches { deleter.delete(batch, old) }
        } else if let first = batches.first, let last = batches.last {
          isImporting.wait()
          deleter.deleteWhateverIsThere(first.lowerBound..<last.upperBound)
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.strategy.whenMainIsCurrent { [self] in login(round: round + 1) }
    }
  }

  /// The IDs of all notes by number; main forgets the objects.
  private func identifiers() -> [Int: [NSManagedObjectID]] {
    let main = session.strategy.mainContext
    do {
      let notes = try session.meter.measure(.harness) { try main.fetch(Note.request()) }
      defer { main.reset() }
      return Dictionary(grouping: notes) { Int($0.number) }.mapValues { $0.map(\.objectID) }
    } catch {
      session.fail(error)
    }
  }

  private func finish() {
    let visible = MonotonicClock.now()
    session.stopMeasuring()
    let durable = importers.compactMap(\.lastDurable) + deleters.compactMap(\.lastDurable)
    let isDurable = importers.allSatisfy { $0.undurableSaves == 0 } && deleters.allSatisfy { $0.undurableSaves == 0 }
    session.setCompletion(
      untilDurable: isDurable ? durable.max().map(seconds) : nil, untilVisible: isDurable ? seconds(visible) : nil)
    session.setDuration(of: "sync", seconds: seconds(visible))
    session.end()
  }

  private func seconds(_ moment: UInt64) -> Double { Double(moment - begin) / 1e9 }
}

extension Keys {
  package static let deleters = Setting<Int>(
    "deleters", 1...64, unit: "workers", default: 2,
    "Clients that delete at the same time, each a share of what was there.")
}
