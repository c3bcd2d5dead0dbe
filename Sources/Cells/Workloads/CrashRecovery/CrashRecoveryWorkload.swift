import Boundary
import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// A process that saves is killed at random moments, again and again, and the next one continues with its store.
///
/// After each kill the file is checked without the stack: all acknowledged saves are there, nothing is half, the
/// file is whole. The next process reports its contents, through the stack. A kill loses no writes that the system
/// has, so a missing fsync cannot be seen here; the fault `power-loss` of a simulation shows it.
///
/// With `app` the processes are the extension of an app, which has the store open, saves after each kill, and in the end
/// shows the file's objects.
package final class CrashRecoveryWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched by the one thread that kills, and by main before and after it.
  package static let name = "crash-recovery"
  package static let summary =
    "A process is killed while it saves; all that was acknowledged is there, nothing is half."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.kills.key, Keys.killedAtATime.key, Keys.killWithinMilliseconds.key, Keys.killRate.key,
    Keys.app.key,
  ]

  /// A process that does not save within this time is stuck.
  private static let firstSaveSecondsMax: UInt64 = 20

  private let session: CellSession
  private let recorder: WorkerRecorder
  private let kills: Int
  private let killedAtATime: Int
  /// Of each process.
  private let clients: Int
  private let withinNanoseconds: UInt64
  private let folder: String
  /// Of the processes that save at the same time.
  private var requests: [CellRequest] = []
  /// Simulated processes that were started.
  private var started = 0
  /// The last one is the app's, if there is one.
  private var chains: [SaveChain]
  private let app: AppBesideKills?
  private var random: SeededRandom
  private let pool = WorkPool(label: "killer", width: 1)

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    kills = settings[Keys.kills]
    killedAtATime = settings[Keys.killedAtATime]
    withinNanoseconds = UInt64(settings[Keys.killWithinMilliseconds]) * 1_000_000
    recorder = try session.makeRecorder()
    clients = settings[Keys.clients]
    let total = clients * killedAtATime
    app = settings[Keys.app] ? try AppBesideKills(session) : nil
    chains = (0..<(app == nil ? total : total + 1)).map { SaveChain(client: Int64($0)) }
    random = SeededRandom(seed: session.seed).split(1)
    // Without an app a store of its own: one that this process has open too would never be recovered.
    folder = app == nil ? session.directory + "/killed" : session.sharedDirectory
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var storePath: String { folder + "/" + CellFiles.store }
  private func requestPath(_ index: Int) -> String { folder + "/killed-\(index + 1).json" }

  package func start() throws {
    var settings = session.settings
    // An extension deletes no history: it does not know how far the app has read.
    if app != nil { settings.values[Keys.historyPurgeEvery.key.name] = "0" }
    var request = CellRequest(
      key: session.key, workload: CrashSaver.workloadName, settings: settings, directory: folder)
    for index in 0..<killedAtATime {
      request.startedAs = ProcessShare(index: index, count: killedAtATime)
      requests.append(request)
      guard !Simulation.isCurrent else { continue }
      try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: requestPath(index)))
    }
    session.setStore(storePath)
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [app] tick in app?.tick(tick) }
    let begin = MonotonicClock.now()
    pool.submit("kill") { [self] in
      do {
        for first in stride(from: 0, to: kills, by: killedAtATime) {
          let begin = OperationStart.now()
          try kill(min(killedAtATime, kills - first))
          recorder.record("kill", in: "crash-recovery", since: begin)
        }
      } catch {
        session.fail(error)
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [session, app, storePath] in
      session.stopMeasuring()
      session.setDuration(of: "crash-recovery", seconds: Double(MonotonicClock.now() - begin) / 1e9)
      guard let app else { return session.end() }
      session.strategy.whenMainIsCurrent {
        do {
          try app.compare(with: ChainContents(storeAt: storePath))
        } catch {
          session.fail(error)
        }
        session.end()
      }
    }
  }

  /// Starts processes, kills each at a random moment after its first save, while the next ones save, and checks their
  /// files.
  private func kill(_ count: Int) throws {
    precondition(1...killedAtATime ~= count, "some of the processes that save at the same time are killed")
    let before = chains
    if Simulation.isCurrent {
      killSimulated(count, before)
    } else {
      let children = try (0..<count).map { try CrashProcess(requestPath: requestPath($0)) }
      for (index, child) in children.enumerated() { try kill(child, index * clients..<(index + 1) * clients, before) }
    }
    try look()
    guard let app, let own = chains.last else { return }
    // No save of the app's is under way when the next process is checked.
    try CrashSaver.saveOnce(own, app.writer) { _ = note($0, chains) }
  }

  private func kill(_ process: CrashProcess, _ clients: Range<Int>, _ before: [SaveChain]) throws {
    precondition(
      clients.upperBound <= chains.count && before.count == chains.count, "each client of a process has its chain")
    var child = process
    let limit = MonotonicClock.now() + Self.firstSaveSecondsMax * 1_000_000_000
    var isAlive = child.receiveMessages(until: limit) { note($0, before) }
    if isAlive {
      let moment = MonotonicClock.now() + random.next() % (withinNanoseconds + 1)
      isAlive = child.receiveMessages(until: moment) { message in
        _ = note(message, before)
        return false
      }
    }
    let end = child.kill { note($0, before) }
    guard end.signal == SIGKILL else {
      throw HarnessFailure(
        "the process that was to be killed ended by itself with signal \(end.signal), status \(end.status)")
    }
    guard clients.contains(where: { chains[$0].acknowledged > before[$0].acknowledged }) else {
      throw HarnessFailure("a process acknowledged no save within \(Self.firstSaveSecondsMax) s")
    }
    countKill(clients)
  }

  private func countKill(_ clients: Range<Int>) {
    session.count(\.kills)
    if clients.contains(where: { chains[$0].begun > chains[$0].acknowledged }) { session.count(\.killsInSaves) }
  }

  /// The same with simulated processes, each killed at a step that the policy chooses, from its start on.
  private func killSimulated(_ count: Int, _ before: [SaveChain]) {
    precondition(count <= requests.count, "each process that is started has its request")
    let processes = requests.prefix(count).map { request in
      started += 1
      // A killed process releases nothing.
      return CrashSaver.start(request, type(of: session.strategy), as: "extension \(started)") { [weak self] message in
        _ = self?.note(message, before)
      }
    }
    for (index, process) in processes.enumerated() {
      process.kill()
      countKill(index * clients..<(index + 1) * clients)
    }
  }

  /// Notes a message; whether it acknowledges a save.
  private func note(_ message: CrashMessage, _ before: [SaveChain]) -> Bool {
    let index = Int(message.client)
    switch message.kind {
    case .found:
      // The save that was found after the last kill.
      let known = before[index].acknowledged
      if message.save != known {
        report(
          Violation(
            kind: message.save < known ? .durabilityLost : .tornRead, subject: "client \(message.client)",
            expected: "the stack shows save \(known), as the file does", seen: "it shows save \(message.save)"))
      }
      return false
    case .begun:
      chains[index].begun = message.save
      return false
    case .acknowledged:
      chains[index].acknowledged = message.save
      session.countAcknowledged(Int(2 + SaveChain.wordsPerNote))
      return true
    }
  }

  /// Looks at the store of a process that is dead.
  private func look() throws {
    let condition = try StoreCondition(ofStoreAt: storePath)
    for damage in condition.damages { report(StoreCorruptionChecker.violation(damage)) }
    guard condition.isReadable else { throw HarnessFailure("the store is damaged, no process can continue with it") }
    let audit = ChainAudit(chains, try ChainContents(storeAt: storePath))
    for violation in audit.violations { report(violation) }
    for index in chains.indices {
      // The next process continues from the store's contents.
      let found = audit.found[chains[index].client] ?? 0
      chains[index].acknowledged = found
      chains[index].begun = found
    }
  }

  private func report(_ violation: Violation) { CellReports.report(violation) }
}

extension Keys {
  package static let kills = Setting<Int>(
    "kills", 1...1_000_000, unit: "kills", default: 500, quick: 40, "How often a process that saves is killed.")
  package static let killedAtATime = Setting<Int>(
    "killed_at_a_time", 1...16, unit: "processes", default: 1,
    "Processes that save at the same time, each with clients of its own, and are killed one after the other.")
  package static let killWithinMilliseconds = Setting<Int>(
    "kill_within_ms", 0...60_000, unit: "ms", default: 15,
    "A process is killed at a random moment so long after its first save at the latest.")
  package static let killRate = Setting<Double>(
    "kill_rate", 0...1, default: "0.01",
    "In a simulation: the probability, at each step, that a process is killed there.")
  package static let app = Setting<Bool>(
    "app", default: false,
    "Whether the killed processes are the extension of an app that has the store open and saves after each kill; its main "
      + "has to show what is in the file in the end, so the strategy has to follow the store's history.")
}
