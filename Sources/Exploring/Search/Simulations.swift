import Boundary
import Foundation
import Measuring
import Reporting
import Runs

/// Starts the child processes that simulate cells, and reads their findings.
package struct Simulations: Sendable {
  /// A child that is at work for so much longer than it was asked to has met a wait that no simulation sees.
  private static let graceSeconds = 60.0

  package let executable: String
  package let interruption: Interruption
  /// Folder for the children's folders.
  private let scratch: ScratchFolder

  /// Makes the folder.
  package init(executable: String, interruption: Interruption) throws(HarnessFailure) {
    self.executable = executable
    self.interruption = interruption
    scratch = try ScratchFolder("explore")
  }

  /// A place for the orders that children tried, one after the other; it begins with those of another place. Nil without one.
  package func makeOrders(as first: String?) throws(HarnessFailure) -> String? {
    precondition(first.map { $0.hasPrefix(scratch.path) } ?? true, "orders of children are below one folder")
    guard let first else { return nil }
    let path = makeOrders()
    // A child that broke has left none.
    guard FileManager.default.fileExists(atPath: first) else { return path }
    do {
      try FileManager.default.copyItem(atPath: first, toPath: path)
    } catch {
      throw HarnessFailure("\(first): cannot be copied: \(error)")
    }
    return path
  }

  /// The same without any orders.
  package func makeOrders() -> String { scratch.path + "/" + UUID().uuidString + ".orders" }

  /// Removes all that the children left.
  package func cleanUp() { scratch.remove() }

  /// How a child ended.
  package enum End: Sendable {
    case reported(SimulationReport)
    /// In this schedule, if it had begun one.
    case broken(schedule: Int?, SimulationBreak)
    case interrupted
  }

  /// Why a child left no report.
  package struct SimulationBreak: Sendable {
    package let isHang: Bool
    package let text: String
  }

  /// Runs a request in a child of its own.
  ///
  /// - Throws: `HarnessFailure` when the child cannot be started, or its harness failed.
  package func run(_ request: SimulationRequest) async throws -> End {
    precondition(request.directory.isEmpty, "a child has its folder made here")
    var request = request
    request.directory = scratch.path + "/" + UUID().uuidString
    let folder = request.directory
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: folder + "/request.json"))
    } catch {
      throw HarnessFailure("\(ReportingError(writing: folder, error))")
    }
    let child = ChildProcess(
      executable: executable, arguments: ["simulate", "--parent", String(getpid())],
      inputPath: folder + "/request.json", outputPath: folder + "/output.txt",
      environment: InstructionCounter.environment,
      timeoutSeconds: request.seconds + Self.graceSeconds)
    let end = try await child.run(interruption)
    if end == .interrupted { return .interrupted }
    let result = URL(fileURLWithPath: folder + "/" + CellMeasurement.fileName)
    if end == .exited(0), let data = try? Data(contentsOf: result),
      let report = try? JSONDecoder().decode(SimulationReport.self, from: data)
    {
      return .reported(report)
    }
    let output = ((try? String(contentsOfFile: folder + "/output.txt", encoding: .utf8)) ?? "")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if end == .exited(CellExit.failureStatus) { throw HarnessFailure(output.isEmpty ? "no message" : output) }
    let number = ScheduleMark(in: folder).read()
    let last = output.split(separator: "\n").last.map { ": \($0)" } ?? ""
    return .broken(
      schedule: number, SimulationBreak(isHang: end == .timedOut, text: "the process ended (\(end))\(last)"))
  }
}
