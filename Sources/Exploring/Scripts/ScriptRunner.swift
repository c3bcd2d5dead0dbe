import Boundary
import Foundation
import Measuring

/// Repeats scripts, each in a run of its own, and reads their results.
package struct ScriptRunner {
  /// A cell that only repeats steps needs no warm-up, no heartbeat and no delays.
  private static let settings = ["warmup=0", "tick_hz=0", "jitter_rate=0"].flatMap { ["--set", $0] }

  private let executable: String
  /// Where scripts and their results are written.
  private let folder: String

  /// - Throws: `HarnessFailure` where no temporary folder can be made.
  package init(executable: String) throws(HarnessFailure) {
    self.executable = executable
    let url = FileManager.default.temporaryDirectory.appending(path: "contextbench-shrink-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("\(url.path): cannot be made: \(error.localizedDescription)")
    }
    folder = url.path
  }

  /// Removes the written files.
  package func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

  /// Whether the steps show the script's kind of violation: the run leaves a script of that kind then.
  package func shows(_ script: OperationScript) throws(HarnessFailure) -> Bool {
    let (file, results) = ("\(folder)/script.txt", "\(folder)/results")
    try? FileManager.default.removeItem(atPath: results)
    try script.write(to: file)
    _ = ToolOutput.of(executable, script.arguments(for: file) + Self.settings + ["--out", results, "--quiet"])
    let left = FileManager.default.enumerator(atPath: results)?.compactMap { $0 as? String } ?? []
    return left.contains { name in
      name.hasSuffix(".txt") && OperationScript(path: "\(results)/\(name)")?.kind == script.kind
    }
  }
}
