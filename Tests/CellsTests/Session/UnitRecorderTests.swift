import Checking
import CoreData
import Foundation
import Testing

@testable import Cells

struct UnitRecorderTests {
  /// A writer that reaches some stages, and then throws or not.
  private final class ScriptedWriter: StrategyWriter {
    private let stages: [WriteStage]
    private let error: NSError?

    init(_ stages: [WriteStage], error: NSError? = nil) {
      self.stages = stages
      self.error = error
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      try edit(NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
      for stage in stages { reached(stage) }
      if let error { throw error }
    }
  }

  /// Notes the records that it is asked for.
  private final class Notes {
    var reported: [String] = []
    var acknowledged = 0
  }

  private struct Change: UnitChanges {
    let notes: Notes
    var objectCount: Int { 3 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      notes.reported.append(code == 0 ? "\(type)" : "\(type) \(code)")
    }

    func recordPush(in recorder: WorkerRecorder) { notes.reported.append("push") }
  }

  private func units(_ writer: ScriptedWriter, _ recorder: WorkerRecorder, _ notes: Notes) -> UnitRecorder {
    UnitRecorder(
      writer: writer, recorder: recorder, phase: "phase", isExpected: { ($0 as NSError).code == 7 },
      acknowledge: { notes.acknowledged += $0 }, fail: { fatalError("\($0)") })
  }

  @Test(arguments: [
    ([WriteStage.edited, .durable], false, ["invoke", "ok"]),
    ([.edited, .pushed, .durable], false, ["invoke", "push", "ok"]),
    ([.edited, .pushed], false, ["invoke", "push", "info"]),
    ([.edited], true, ["invoke", "fail 7"]), ([.edited, .pushed], true, ["invoke", "push", "info 7"]),
  ])
  func whatBecomesOfAUnitIsRecorded(stages: [WriteStage], fails: Bool, reported: [String]) throws {
    let (recorder, notes) = (try TestRecorder.make(), Notes())
    let writer = ScriptedWriter(stages, error: fails ? NSError(domain: "test", code: 7) : nil)
    var seen: [WriteStage] = []
    let end = units(writer, recorder, notes).write("write") { _, unit in
      unit.begin(Change(notes: notes))
    } reached: { stage, changes in
      #expect(changes != nil)
      seen.append(stage)
    }
    #expect(notes.reported == reported && seen == stages)
    #expect(end.isDurable == stages.contains(.durable) && notes.acknowledged == (end.isDurable ? 3 : 0))
    let latencies = try #require(recorder.latencies.first)
    #expect(latencies.operation.name == "write" && latencies.recorder.count == (fails ? 0 : 1))
    #expect(recorder.history.count == (fails ? 1 : 0), "the failed save")
  }

  private struct Keyed: UnitChanges {
    var objectCount: Int { 1 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      recorder.record(type, .update, entity: 1, key: 1)
    }
  }

  @Test func aUnitThatFindsOutAtItsEndWhatItChangesBeganWithItsEdit() throws {
    let path = FileManager.default.temporaryDirectory.path + "/unit-\(UUID().uuidString).bin"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = WorkerRecorder(history: try HistoryWriter(path: path, process: 1), role: .worker)
    var read: UInt64 = 0
    units(ScriptedWriter([.edited, .durable]), recorder, Notes()).write("write") { _, unit in
      read = HistoryWriter.now()
      unit.begin(Keyed())
    }
    recorder.history.finish()
    let operations = try HistoryReader.operations(at: path)
    #expect(operations.map(\.type) == [.invoke, .ok] && operations[0].time <= read && operations[1].time >= read)
  }

  @Test func aWrongAnswerIsNoFailureThatIsExpected() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let units = UnitRecorder(
        writer: ScriptedWriter([]), recorder: try TestRecorder.make(), phase: "phase", isExpected: { _ in true },
        acknowledge: { _ in }, fail: { exit($0 is UnexpectedAnswer ? 3 : 4) })
      units.write("write", as: Keyed.self) { _, _ in
        throw UnexpectedAnswer(subject: "row 1", expected: "its row", seen: "no row")
      }
    }
  }

  @Test func aUnitThatIsGivenUpLeavesNoTrace() throws {
    let (recorder, notes) = (try TestRecorder.make(), Notes())
    let end = units(ScriptedWriter([.edited]), recorder, notes).write("write", as: Change.self) { _, _ in
      throw UnitRecorder.GivenUp()
    }
    guard case .givenUp = end else {
      Issue.record("\(end)")
      return
    }
    #expect(notes.reported.isEmpty && recorder.latencies.isEmpty && recorder.history.count == 0)
  }

  @Test func aUnitThatNeverBeganIsCountedAndNotRecorded() throws {
    let (recorder, notes) = (try TestRecorder.make(), Notes())
    units(ScriptedWriter([.edited, .durable]), recorder, notes).write("write", as: Change.self) { _, _ in }
    #expect(notes.reported.isEmpty && notes.acknowledged == 0 && recorder.latencies.count == 1)
  }
}
