import Checking
import Foundation
import Testing

/// Cells of several processes on one store.
@Suite(.serialized) struct ProcessesTests {
  private static let long = """
    workload: soak
    strategies: [notification-merge]
    processes: 3
    clients: 3
    duration_s: 60
    notes: 20
    repetitions: 1
    checks: [lost-record]
    expect: {may: [inaccessible-fault, main-thread-stall]}

    """

  /// Starts a long cell and waits until its processes work; the first one is the others' parent.
  private func start(_ tool: Tool, _ changes: [String] = []) throws -> (run: Process, processes: [Int32]) {
    let run = try tool.start(
      ["run", try tool.write(Self.long, to: "a.yml"), "--allow-debug", "--out", "results", "--keep-store"]
        + changes.flatMap { ["--set", $0] })
    let first = try Tool.eventually { Tool.children(of: run.processIdentifier).first }
    // All have come to two meetings: before the clients begin, and when the store is filled.
    try Tool.eventually {
      ["", "/process-2", "/process-3"].allSatisfy { folder in
        (try? String(contentsOfFile: "\(tool.folder)/results/cells/0\(folder)/meetings.txt", encoding: .utf8)) == "2"
      } ? () : nil
    }
    let others = Tool.children(of: first)
    #expect(others.count == 2)
    return (run, [first] + others.sorted())
  }

  private func waitUntilGone(_ processes: [Int32]) throws {
    for process in processes {
      try Tool.eventually(withinSeconds: 5) { Self.isGone(process) ? () : nil }
    }
  }

  /// Stops a process where it holds no lock that others wait for: a writer stopped inside its transaction would make
  /// the other writers late too, and they would be named with it.
  private func stopOutsideATransaction(_ process: Int32) throws {
    try Tool.eventually { () throws -> Void? in
      kill(process, SIGSTOP)
      // Each thread stops when it is scheduled next.
      guard try Self.isStopped(process) else { return nil }
      let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
      let isWriting = locks.contains { lock in
        let fields = lock.split(separator: " ")
        return fields.contains("WRITE") && fields.contains(Substring(String(process)))
      }
      if isWriting { kill(process, SIGCONT) }
      return isWriting ? nil : ()
    }
  }

  /// Whether all threads of a process are stopped.
  private static func isStopped(_ process: Int32) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").allSatisfy { thread in
      try String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8).contains(") T ")
    }
  }

  /// Whether a process is dead; one that was not waited for yet is.
  private static func isGone(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
    return status.contains(") Z ")
  }

  @Test func clientsOfTwoProcessesShareOneHistory() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let text = """
      workload: counters
      strategies: [coordinator-per-thread]
      processes: 2
      clients: 3
      keys: 3
      operations_per_client: 20
      repetitions: 1
      checks: [lost-update, stale-read, read-your-writes, lost-record, failed-save]
      expect: {may: [main-thread-stall]}

      """
    let result = try tool.run(
      ["run", try tool.write(text, to: "a.yml"), "--allow-debug", "--keep-store", "--out", "results"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let history = try History(cellDirectory: tool.folder + "/results/cells/0")
    let raises = history.operations.filter { $0.function == .update && $0.type == .ok }
    #expect(raises.count == 60)
    // Each process numbers its workers in turn with the other.
    #expect(Set(raises.map { $0.process % 2 }) == [0, 1])
    // Both mains take over everything and look at the end.
    let drained = history.operations.filter { $0.function == .drained && $0.type == .ok && $0.process < 2 }
    #expect(Set(drained.map(\.process)) == [0, 1])
    let last = try #require(raises.map(\.time).max())
    #expect(drained.allSatisfy { $0.time > last })
    #expect(history.contextNames.contains("main of process 2"))
    let cell = try #require(try tool.rows("cells.csv", in: "results").first)
    // 3 rows beforehand, and one for each raise.
    #expect(cell["objects"] == "63")
    let writes = try tool.rows("timings.csv", in: "results").filter {
      $0["operation"] == "read" && $0["phase"] == "clients"
    }
    #expect(writes.first?["count"] == "60")
  }

  /// SIGSYS as an example of any signal that only the process itself raises, and that no handler takes.
  @Test func aStartedProcessThatDiesIsACrashWithItsName() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, processes) = try start(tool)
    kill(processes[2], SIGSYS)
    let result = try tool.finish(run)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let crash = try tool.rows("violations.csv", in: "results").first { $0["kind"] == "crash" }
    #expect(crash?["subject"] == "process 3 of 3")
    try waitUntilGone(processes)
  }

  @Test func aStartedProcessKilledFromOutsideBlamesNoStrategy() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, processes) = try start(tool)
    kill(processes[1], SIGKILL)
    let result = try tool.finish(run)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    let crash = try tool.rows("violations.csv", in: "results").first { $0["kind"] == "crash" }
    #expect(crash?["subject"] == "process 2 of 3, from outside")
    try waitUntilGone(processes)
  }

  @Test func aStartedProcessThatIsStoppedIsAHangWithItsNameAndStacks() throws {
    let tool = try Tool()
    defer { tool.remove() }
    // The limit counts from the start of the cell, and a loaded machine takes seconds to start three processes.
    let (run, processes) = try start(tool, ["timeout_s=20", "duration_s=2"])
    try stopOutsideATransaction(processes[1])
    // Stopped it cannot write its stacks; the others wait for it and can.
    let result = try tool.finish(run)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let hang = try tool.rows("violations.csv", in: "results").first { $0["kind"] == "hang" }
    #expect(hang?["subject"] == "process 2 of 3")
    #expect(hang?["seen"]?.contains("histories/0/stacks.txt") == true)
    for folder in ["", "/process-3"] {
      let stacks = try String(
        contentsOfFile: tool.folder + "/results/histories/0\(folder)/stacks.txt", encoding: .utf8)
      #expect(stacks.contains("Cells."))
    }
    try waitUntilGone(processes)
  }

  @Test func theFirstProcessTakesTheOthersAlong() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, processes) = try start(tool)
    kill(processes[0], SIGSYS)
    let result = try tool.finish(run)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let crash = try tool.rows("violations.csv", in: "results").first { $0["kind"] == "crash" }
    #expect(crash?["subject"] == "process 1 of 3")
    try waitUntilGone(processes)
  }

  @Test func ctrlCEndsAllProcesses() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (run, processes) = try start(tool)
    kill(run.processIdentifier, SIGINT)
    try waitUntilGone(processes)
    #expect(try tool.finish(run).status == 130)
  }
}
