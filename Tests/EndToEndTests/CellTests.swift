import Boundary
import Checking
import Foundation
import Reporting
import Scenarios
import Testing

/// One cell in a child of its own, and its files.
@Suite struct CellTests {
  /// The result of a cell.
  private struct Outcome {
    var status: Int32
    var errors: String
    var directory: String

    func measurement() throws -> CellMeasurement {
      let file = URL(fileURLWithPath: directory + "/" + CellMeasurement.fileName)
      return try JSONDecoder().decode(CellMeasurement.self, from: Data(contentsOf: file))
    }
  }

  private static let settings = [
    "merge_policy": "error", "merge": "async", "root_save": "each", "reset_after_save": "true", "notes": "20",
    "words_per_note": "2", "importers": "2", "save_every": "12", "update_rounds": "2", "clients": "2", "rounds": "1",
    "depth": "3", "fan_out": "1", "main_waits": "false", "tick_hz": "60", "page_size": "5", "page_every_ticks": "1",
  ]

  private func run(
    _ workload: String, _ strategy: String, in tool: Tool, _ changes: [String: String] = [:]
  ) throws -> Outcome {
    let directory = tool.folder + "/cell"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let request = CellRequest(
      key: CellKey(
        run: "test", cell: 0, scenario: workload, strategy: strategy, options: "", mergePolicy: "error", seed: 1,
        repetition: 0),
      workload: workload, settings: ScenarioSettings(Self.settings.merging(changes) { _, change in change }),
      directory: directory)
    let input = tool.folder + "/request.json"
    try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: input))
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["cell"]
    process.standardInput = FileHandle(forReadingAtPath: input)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, errors: text, directory: directory)
  }

  private static func keys(_ history: History, _ function: OperationFunction, entity: UInt16) -> [Int64] {
    history.operations.filter { $0.function == function && $0.type == .ok && $0.entity == entity }
      .flatMap { Array($0.keys) }.sorted()
  }

  @Test(arguments: [
    "notification-merge", "parent-child", "single-background-writer", "main-only", "nested-writer", "background-task",
    "thread-confinement", "dedicated-thread", "coordinator-per-thread", "history-merge", "batch-import",
    "model-actor", "async-perform",
  ])
  func aTinyImportLeavesItsWholeHistory(strategy: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let outcome = try run("import", strategy, in: tool)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let history = try History(cellDirectory: outcome.directory)
    #expect(Self.keys(history, .insert, entity: 1) == Array(1...20))
    #expect(Self.keys(history, .insert, entity: 2) == Array(1...40))
    #expect(history.operations.count { $0.function == .update && $0.type == .ok } == 4)
    // Once after the import, and after each round of updates.
    #expect(history.operations.count { $0.function == .drained && $0.type == .ok } == 3)
    #expect(history.operations.count { $0.function == .read && $0.type == .ok } == 10)
    let measurement = try outcome.measurement()
    #expect(measurement.isComplete)
    #expect(measurement.objects == 64)
    #expect(measurement.counters.guardedTouches > 0 && measurement.counters.heartbeats > 0)
    let durable = try #require(measurement.untilDurableSeconds)
    #expect(try #require(measurement.untilVisibleSeconds) >= durable)
    // Nothing is known of it under a sanitizer's allocator.
    let isCounted = measurement.allocatedBytes != nil
    #expect(measurement.recordingBytes == (isCounted ? 0 : nil), "recording allocates nothing")
  }

  @Test func aChildsPushComesBeforeItIsDurable() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let history = try History(cellDirectory: run("import", "parent-child", in: tool).directory)
    let operations = history.operations
    var pushes = 0
    for (step, push) in operations.enumerated() where push.function == .push && push.type == .ok && push.value == 0 {
      pushes += 1
      #expect(
        operations[step...].contains {
          $0.function == .insert && $0.type == .ok && $0.entity == push.entity && $0.keys == push.keys
        })
    }
    #expect(pushes > 0)
  }

  @Test func aParentThatNeverSavesMakesNothingDurable() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let outcome = try run("import", "parent-child", in: tool, ["root_save": "never"])
    let history = try History(cellDirectory: outcome.directory)
    #expect(Self.keys(history, .push, entity: 2) == Array(1...40))
    #expect(Self.keys(history, .insert, entity: 2).isEmpty)
    #expect(try outcome.measurement().untilDurableSeconds == nil)
  }

  @Test func mainsTimeIsSplitByWhatItIsSpentOn() throws {
    let tools = try [Tool(), Tool(), Tool(), Tool()]
    defer { for tool in tools { tool.remove() } }
    let parentChild = try #require(run("import", "parent-child", in: tools[0]).measurement().mainThread)
    #expect(parentChild.push > 0 && parentChild.save > 0 && parentChild.merge == 0)
    let notificationMerge = try #require(run("import", "notification-merge", in: tools[1]).measurement().mainThread)
    #expect(notificationMerge.merge > 0 && notificationMerge.push == 0 && notificationMerge.save == 0)
    let writer = try #require(run("import", "single-background-writer", in: tools[2]).measurement().mainThread)
    #expect(writer.merge > 0 && writer.push == 0 && writer.save == 0)
    let mainOnly = try #require(run("import", "main-only", in: tools[3]).measurement().mainThread)
    #expect(mainOnly.edit > 0 && mainOnly.save > 0 && mainOnly.merge == 0)
    for time in [parentChild, notificationMerge, writer, mainOnly] {
      #expect(time.total >= time.push + time.save + time.merge + time.fetch + time.edit)
    }
  }

  @Test func aDeadlockEndsTheCellWithItsReport() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let outcome = try run("nested-perform-and-wait", "notification-merge", in: tool, ["main_waits": "true"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reports = try LiveReportReader.violations(at: Evidence.reportsPath(in: outcome.directory))
    #expect(reports.map(\.kind) == [.deadlock])
    #expect(try !outcome.measurement().isComplete)
  }

  // main                          writer's thread or task
  // in a nested block, waits for its write
  //                               saves, waits until main has merged
  @Test(arguments: ["dedicated-thread", "background-task"])
  func aSynchronousMergeIsADeadlockWhileMainWaitsForTheWriter(strategy: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let outcome = try run("nested-perform-and-wait", strategy, in: tool, ["merge": "sync", "notes": "1"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let reports = try LiveReportReader.violations(at: Evidence.reportsPath(in: outcome.directory))
    #expect(reports.map(\.kind) == [.deadlock])
  }

  @Test func aCellThatCannotRunSaysWhy() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let outcome = try run("import", "guesswork", in: tool)
    #expect(outcome.status == 70)
    #expect(outcome.errors.contains("guesswork"))
  }
}
