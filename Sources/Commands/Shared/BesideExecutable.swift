import Foundation
import Measuring
import Reporting
import Scenarios

/// The baseline's executable, with cells beside those of this one.
struct BesideExecutable {
  let path: String

  /// The reason why it cannot run them; nil when none is known.
  func problem(allowsDebug: Bool) -> ScenarioProblem? {
    guard FileManager.default.isExecutableFile(atPath: path), let version else {
      return problem("is no contextbench", "Name the baseline's executable")
    }
    // A version with a remark behind the number is not comparable.
    if !allowsDebug, version.contains("(") {
      return problem(
        "is version \(version), whose timings mean nothing",
        "Build it with swift build -c release, or add --allow-debug")
    }
    return nil
  }

  /// The version that it prints; nil when it prints none.
  private var version: String? {
    precondition(!path.isEmpty, "an executable has a path")
    let line = ToolOutput.of(URL(fileURLWithPath: path).path, ["--version"])?.trimmingCharacters(
      in: .whitespacesAndNewlines)
    guard let line, line.first?.isNumber == true else { return nil }
    return line
  }

  private func problem(_ what: String, _ advice: String) -> ScenarioProblem {
    ScenarioProblem(source: "--against", key: path, what: what, advice: advice)
  }
}
