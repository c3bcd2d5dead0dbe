import Boundary
import Checking
import CoreData
import Measuring
import Scheduling

/// One client of a consistency workload: sends units of work to its writer, one after the other, and tries those again
/// that were refused.
///
/// Concurrency: used by one thread at a time.
final class KeyedClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// Attempts at one unit; with each somebody else's unit went through.
  static let attemptsMax = 10_000

  let session: CellSession
  /// From 1.
  let number: Int
  let recorder: WorkerRecorder
  /// A context of the strategy for background work, to read from.
  let reader: NSManagedObjectContext
  private let writer: any StrategyWriter
  /// Where units go one by one; nil where they run beside each other.
  private let gate: SerialQueue?
  private let thinkSeconds: Double
  var random: SeededRandom
  /// How many values the client has appended to lists, refused ones too.
  var appended: Int64 = 0

  init(_ session: CellSession, number: Int, gate: SerialQueue?) throws {
    self.session = session
    self.number = number
    self.gate = gate
    thinkSeconds = session.settings.number("think_ms") / 1e3
    recorder = try session.makeRecorder()
    reader = try session.strategy.makeReader(named: "reader \(number)")
    writer = try session.strategy.makeWriter(named: "client \(number)")
    random = SeededRandom(seed: session.seed).split(UInt64(1_000 + number))
  }

  var history: HistoryWriter { recorder.history }

  /// Number of a context in history records.
  func number(of context: NSManagedObjectContext) -> UInt32 { session.environment.number(of: context) }

  /// Does one unit of work, once.
  func commit(_ edit: (NSManagedObjectContext) throws -> Void) -> CommitFate {
    gate.map { gate in gate.sync { attempt(edit) } } ?? attempt(edit)
  }

  private func attempt(_ edit: (NSManagedObjectContext) throws -> Void) -> CommitFate {
    let begin = OperationStart.now()
    var isPushed = false
    var isDurable = false
    do {
      try writer.write(edit) { stage in
        switch stage {
        case .edited: break
        case .pushed: isPushed = true
        case .durable: isDurable = true
        }
      }
      recorder.record("write", in: "clients", since: begin)
      return isDurable ? .durable : .unknown(code: 0)
    } catch {
      recorder.recordFailure(of: "write", in: "clients")
      return CommitFate(error, wasPushed: isPushed)
    }
  }

  /// Waits as long as the scenario's clients think.
  func think() {
    if thinkSeconds > 0 { Pause.wait(seconds: ThinkTime.draw(mean: thinkSeconds, &random)) }
  }
}

extension CommitFate {
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
