import Foundation
import Measuring
import Reporting
import Scenarios

/// The executable whose cells run beside those of this one.
struct BesideExecutable {
  let path: String

  /// What keeps it from that; nil when nothing is known.
  func problem(allowsDebug: Bool) -> ScenarioProblem? {
    guard FileManager.default.isExecutableFile(atPath: path), let version else {
      return problem("is no contextbench", "Name the baseline's executable")
    }
    // What follows the number is not comparable.
    if !allowsDebug, version.contains("(") {
      return problem(
        "is version \(version), whose timings mean nothing",
        "Build it with swift build -c release, or add --allow-debug")
    }
    return nil
  }

  /// What it prints of its version; nil when it prints none.
  private var version: String? {
    let line = ToolOutput.of(URL(fileURLWithPath: path).path, ["--version"])?.trimmingCharacters(
      in: .whitespacesAndNewlines)
    guard let line, line.first?.isNumber == true else { return nil }
    return line
  }

  private func problem(_ what: String, _ advice: String) -> ScenarioProblem {
    ScenarioProblem(source: "--against", key: path, what: what, advice: advice)
  }
}
