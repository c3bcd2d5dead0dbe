import CoreData
import Measuring
import Scenarios
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
  package static let keys = [
    Keys.clients.key, Keys.rounds.key, Keys.depth.key, Keys.fanOut.key, Keys.mainWaits.key, Keys.care.key,
  ]

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
    let clientCount = settings[Keys.clients]
    preloaded = settings[Keys.notes]
    rounds = settings[Keys.rounds]
    mainWaits = settings[Keys.mainWaits]
    pool = WorkPool(label: "clients", width: clientCount)
    let written = rounds * (clientCount * 2 + 1)
    notebook = VocabularyNotebook(
      notes: preloaded + written, wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    let noteCount = notebook.noteCount
    let supply = Locked(preloaded)
    for number in 0...clientCount {
      let label = number < clientCount ? "client \(number + 1)" : "main"
      clients.append(
        try NestingClient(
          session: session, notebook: notebook, name: label, recorder: session.makeRecorder(), preloaded: preloaded,
          nextNote: {
            supply.withLock { last in
              precondition(last < noteCount, "each block that writes has a note")
              last += 1
              return last
            }
          }))
    }
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    try Preload.run(session, notebook, notes: 1..<preloaded + 1) { [self] _ in
      session.startMeasuring()
      begin = MonotonicClock.now()
      nest(round: 0)
    }
  }

  private func nest(round: Int) {
    guard round < rounds else { return finish() }
    precondition(clients.count > 1, "the last client is main's, behind those of the background")
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

extension Keys {
  package static let depth = Setting<Int>(
    "depth", 1...64, unit: "levels", default: 4, "How many performAndWait blocks are nested in each other.")
  package static let fanOut = Setting<Int>(
    "fan_out", 1...64, unit: "blocks", default: 3, "Blocks that each block of a level starts.")
  package static let mainWaits = Setting<Bool>(
    "main_waits", default: false,
    "Whether main waits for the background blocks, which wait for main: a mistake to catch.")
}
