import CoreData
import Measuring
import Scheduling

/// Blocks that wait for blocks of other contexts, to a depth and fan-out, with work in each.
///
/// One direction after the other, since two directions at once can deadlock: from main into private contexts, from
/// private contexts into main, and A → B → A between private ones.
package final class NestedPerformAndWaitWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "nested-perform-and-wait"
  package static let summary = "performAndWait inside performAndWait across contexts, with work in each block."
  package static let hasFloor = false

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let preloaded: Int
  private let rounds: Int
  private let mainWaits: Bool
  private let pool: WorkPool
  /// The clients of the background, and last the one of the main thread.
  private var clients: [NestingClient] = []
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    let clientCount = settings.integer("clients")
    preloaded = settings.integer("notes")
    rounds = settings.integer("rounds")
    mainWaits = settings.boolean("main_waits")
    pool = WorkPool(label: "clients", width: clientCount)
    let written = rounds * (clientCount * 2 + 1)
    notebook = VocabularyNotebook(
      notes: preloaded + written, wordsPerNote: settings.integer("words_per_note"), seed: session.seed)
    let supply = Locked(preloaded)
    for number in 0...clientCount {
      let label = number < clientCount ? "client \(number + 1)" : "main"
      clients.append(
        try NestingClient(
          session: session, notebook: notebook, name: label, recorder: session.makeRecorder(), preloaded: preloaded,
          nextNote: {
            supply.withLock { last in
              last += 1
              return last
            }
          }))
    }
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings.integer("tick_hz")) { [session] _ in session.sampleLog() }
    try Preload.run(session, notebook, notes: 1..<preloaded + 1) { [self] _ in
      session.startMeasuring()
      begin = MonotonicClock.now()
      nest(round: 0)
    }
  }

  private func nest(round: Int) {
    guard round < rounds else { return finish() }
    clients[clients.count - 1].nest(.mainToPrivate)
    onPool(.privateToMain) { [self] in
      onPool(.amongPrivate) { [self] in
        // A turn of the run loop between the rounds, so that main gets its ticks.
        SerialQueue.main.async { [self] in nest(round: round + 1) }
      }
    }
  }

  /// Lets all background clients nest in one direction; `next` runs on main when they are done.
  private func onPool(_ direction: NestingDirection, then next: @escaping @Sendable () -> Void) {
    let group = WaitGroup(label: "clients nesting \(direction.rawValue)")
    for client in clients.dropLast() {
      group.run(client.name, on: pool) { client.nest(direction) }
    }
    if mainWaits {
      // The mistake this option is there for: main waits for blocks that wait for main.
      group.wait()
      next()
    } else {
      group.notify(on: .main, next)
    }
  }

  private func finish() {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    session.strategy.whenMainIsCurrent { [session, begin] in
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "nest", seconds: visible)
      session.end()
    }
  }
}
