import Boundary
import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One client of a consistency workload: sends units of work to its writer, one after the other, and tries those again
/// that were refused.
///
/// Concurrency: used by one thread at a time.
final class KeyedClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// Attempts at one unit; with each, another client's unit went through.
  static let attemptsMax = 10_000

  let session: CellSession
  /// From 1.
  let number: Int
  let recorder: WorkerRecorder
  /// A context of the strategy for background work, to read from.
  let reader: NSManagedObjectContext
  private let units: UnitRecorder
  private let thinkSeconds: Double
  var random: SeededRandom
  /// How many values the client has appended to lists, refused ones too.
  var appended: Int64 = 0

  init(_ session: CellSession, number: Int) throws {
    precondition(0...64 ~= number, "a client has one of 64 numbers; 0 fills the store before")
    self.session = session
    self.number = number
    thinkSeconds = session.settings[Keys.thinkMilliseconds] / 1e3
    recorder = try session.makeRecorder()
    reader = try session.strategy.makeReader(named: "reader \(number)")
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: "client \(number)"), recorder: recorder, phase: "clients")
    random = SeededRandom(seed: session.seed).split(UInt64(1_000 + number))
  }

  var history: HistoryWriter { recorder.history }

  /// Number of a context in history records.
  func number(of context: NSManagedObjectContext) -> UInt32 { session.environment.number(of: context) }

  /// Does one unit of work, once.
  func commit(_ edit: (NSManagedObjectContext) throws -> Void) -> CommitOutcome {
    switch units.write("write", as: KeyedChanges.self, { context, _ in try edit(context) }) {
    case .durable: .durable
    case .open, .givenUp: .unknown(code: 0)
    case .failed(let error, let wasPushed): CommitOutcome(error, wasPushed: wasPushed)
    }
  }

  /// No changes: the workload records them itself, by the unit's fate.
  private struct KeyedChanges: UnitChanges {
    static let recordsFailedSaves = false
    var objectCount: Int { 0 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {}
  }

  /// Waits as long as the scenario's clients think.
  func think() {
    if thinkSeconds > 0 { Pause.wait(seconds: ThinkTime.draw(mean: thinkSeconds, &random)) }
  }
}

extension CommitOutcome {
  /// How the history records it.
  var type: OperationType {
    switch self {
    case .durable: .ok
    case .refused: .fail
    case .unknown: .info
    }
  }

  /// Whether another attempt is due.
  var isRefused: Bool { type == .fail }
}
