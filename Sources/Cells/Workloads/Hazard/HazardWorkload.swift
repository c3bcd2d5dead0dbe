import Boundary
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One mistake with contexts, or the right way beside it, done round after round: the harness must catch the mistake.
package final class HazardWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by the script that main waits for.
  package static let name = "hazard"
  package static let summary = "One mistake with contexts, or the right way beside it, step after step."
  package static let hasFloor = false
  package static let keys = [Keys.care.key, Keys.rounds.key, Keys.hazard.key]

  private let session: CellSession
  private let hazard: Hazard
  private let rounds: Int
  private let notebook: VocabularyNotebook
  private let pool = WorkPool(label: "script", width: 1)
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    let hazard = try hazard(settings)
    let careful = settings[Keys.care] == .careful ? hazard.carefulSchema : nil
    return careful ?? hazard.schema ?? .notebook
  }

  private static func hazard(_ settings: ScenarioSettings) throws -> Hazard {
    let name = settings[Keys.hazard]
    guard let hazard = HazardCatalogue.hazard(named: name) else { throw HarnessFailure("there is no hazard \(name)") }
    return hazard
  }

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    hazard = try Self.hazard(settings)
    rounds = settings[Keys.rounds]
    notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
  }

  package func start() throws {
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    guard hazard.schema == nil else { return try begin([:]) }
    try Preload.run(session, notebook, notes: 1..<notebook.noteCount + 1) { [self] identifiers in
      do {
        try begin(identifiers)
      } catch {
        session.fail(error)
      }
    }
  }

  private func begin(_ identifiers: [Int: NSManagedObjectID]) throws {
    precondition(begin == 0, "a cell's workload begins once")
    let stage = try HazardStage(session, notebook, identifiers)
    session.startMeasuring()
    begin = MonotonicClock.now()
    play(stage, round: 0)
  }

  private func play(_ stage: HazardStage, round: Int) {
    precondition(0...rounds ~= round, "there is no round after the last one")
    guard round < rounds else {
      session.stopMeasuring()
      let seconds = Double(MonotonicClock.now() - begin) / 1e9
      session.setCompletion(untilDurable: seconds, untilVisible: seconds)
      session.setDuration(of: "hazard", seconds: seconds)
      return session.end()
    }
    let isCareful = session.settings[Keys.care] == .careful
    pool.submit("\(hazard.name), round \(round + 1)") { [self] in
      let begin = OperationStart.now()
      stage.round = round
      do {
        try (isCareful ? hazard.careful : hazard.careless)(stage)
      } catch {
        session.fail(error)
      }
      stage.recorder.record(hazard.name, in: "hazard", since: begin)
    }
    // Work that a round left to main is done before the next one begins.
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.strategy.whenMainIsCurrent { [self] in play(stage, round: round + 1) }
    }
  }
}

extension Keys {
  package static let hazard = Setting<String>(
    "hazard", .choice(HazardCatalogue.names), default: HazardCatalogue.names[0],
    "The mistake that is made, or with care: careful the one that is not.")
}
