import Checking
import CoreData
import Scheduling

/// Sends one client's units of work to its writer, and records the outcome of each.
///
/// A unit is one edit with its save. Its changes are recorded as begun with the edit, and again when they are in the
/// file, when their outcome is unknown, or when they failed.
///
/// ```swift
/// let units = UnitRecorder(session, writer: writer, recorder: recorder, phase: "rename")
/// units.write("write") { context, unit in
///   unit.begin(Rename(book: number))
///   try rename(number, in: context)
/// }
/// ```
/// Concurrency: used by one thread at a time.
public struct UnitRecorder {
  /// The outcome of a unit.
  public enum End {
    /// It is in the file.
    case durable
    /// A parent context may have it, the file does not.
    case open
    /// The edit gave it up, and nothing is recorded.
    case givenUp
    /// It failed; a change that was pushed before is still in the parent, and may yet come to the file.
    case failed(any Error, wasPushed: Bool)
  }

  /// Thrown by an edit that takes its unit back before its save.
  public struct GivenUp: Error {
    /// Makes the error.
    public init() {}
  }

  /// One unit, while it is edited.
  public struct Unit<Changes: UnitChanges> {
    let recorder: WorkerRecorder
    /// Its changes; nil before it has begun.
    public var changes: Changes?

    /// Records that these changes began with the edit: before they are made, or at its end where only the edit finds
    /// them out.
    public mutating func begin(_ changes: Changes) {
      precondition(self.changes == nil, "a unit begins once, with all that it changes")
      changes.record(.invoke, code: 0, in: recorder)
      self.changes = changes
    }
  }

  private let acknowledge: (Int) -> Void
  private let fail: (any Error) -> Never
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder
  private let phase: String
  private let isExpected: (any Error) -> Bool
  private let queue: SerialQueue?

  /// Makes a recorder; with `units: serial` its units wait for those of the cell's other clients.
  ///
  /// - Parameters:
  ///   - phase: of the latencies that are counted.
  ///   - isExpected: whether a unit may fail with an error of this code; any other ends the cell, but that of a fault
  ///     which the scenario asks for. An `UnexpectedAnswer` ends it always.
  public init(
    _ session: CellSession, writer: any StrategyWriter, recorder: WorkerRecorder, phase: String,
    isExpected: @escaping (Int) -> Bool = { _ in true }
  ) {
    self.init(
      writer: writer, recorder: recorder, phase: phase,
      isExpected: { isExpected(($0 as NSError).code) || session.faults.explains($0) },
      acknowledge: session.countAcknowledged, fail: session.fail, queue: session.unitQueue)
  }

  /// Makes a recorder without a cell around it.
  init(
    writer: any StrategyWriter, recorder: WorkerRecorder, phase: String, isExpected: @escaping (any Error) -> Bool,
    acknowledge: @escaping (Int) -> Void, fail: @escaping (any Error) -> Never, queue: SerialQueue? = nil
  ) {
    self.queue = queue
    self.writer = writer
    self.recorder = recorder
    self.phase = phase
    self.isExpected = isExpected
    self.acknowledge = acknowledge
    self.fail = fail
  }

  /// Does one unit of work, once.
  ///
  /// - Parameters:
  ///   - name: of the operation that is counted.
  ///   - begin: when it began or was due.
  ///   - countsSuccess: whether a unit that does not fail is counted; false where the caller counts it.
  ///   - writer: nil = the client's own.
  ///   - edit: changes the objects, and names its changes; on the context's queue.
  ///   - reached: receives each stage with the changes, once that is recorded.
  @discardableResult
  public func write<Changes: UnitChanges>(
    _ name: String, since begin: OperationStart = .now(), countsSuccess: Bool = true,
    through writer: (any StrategyWriter)? = nil, as type: Changes.Type = Changes.self,
    _ edit: (NSManagedObjectContext, inout Unit<Changes>) throws -> Void,
    reached: (WriteStage, Changes?) -> Void = { _, _ in }
  ) -> End {
    func once() -> End { attempt(name, begin, countsSuccess, writer ?? self.writer, edit, reached) }
    return queue.map { $0.sync(once) } ?? once()
  }

  private func attempt<Changes: UnitChanges>(
    _ name: String, _ begin: OperationStart, _ countsSuccess: Bool, _ writer: any StrategyWriter,
    _ edit: (NSManagedObjectContext, inout Unit<Changes>) throws -> Void, _ reached: (WriteStage, Changes?) -> Void
  ) -> End {
    var unit = Unit<Changes>(recorder: recorder)
    var isPushed = false
    var isDurable = false
    do {
      try writer.write { context in
        try recorder.history.recordingUnit { try edit(context, &unit) }
      } reached: { stage in
        precondition(!isDurable, "a unit reaches nothing after the file")
        switch stage {
        case .edited: break
        case .pushed:
          isPushed = true
          unit.changes?.recordPush(in: recorder)
        case .durable:
          isDurable = true
          unit.changes?.record(.ok, code: 0, in: recorder)
          if let changes = unit.changes { acknowledge(changes.objectCount) }
        }
        reached(stage, unit.changes)
      }
    } catch is GivenUp {
      return .givenUp
    } catch {
      let code = (error as NSError).code
      guard isExpected(error), !(error is UnexpectedAnswer) else { fail(error) }
      recorder.recordFailure(of: name, in: phase)
      if Changes.recordsFailedSaves { recorder.record(.fail, .save, value: Int64(code)) }
      unit.changes?.record(isPushed ? .info : .fail, code: Int64(code), in: recorder)
      return .failed(error, wasPushed: isPushed)
    }
    // A change that only the parent has may yet come to the file.
    if !isDurable { unit.changes?.record(.info, code: 0, in: recorder) }
    if countsSuccess { recorder.record(name, in: phase, since: begin) }
    return isDurable ? .durable : .open
  }
}

extension UnitRecorder.End {
  /// Whether it is in the file.
  public var isDurable: Bool { if case .durable = self { true } else { false } }
}
