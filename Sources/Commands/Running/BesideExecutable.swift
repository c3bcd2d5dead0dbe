import Foundation
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
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationReason == .exit, process.terminationStatus == 0, line.first?.isNumber == true else {
      return nil
    }
    return line
  }

  private func problem(_ what: String, _ advice: String) -> ScenarioProblem {
    ScenarioProblem(source: "--against", key: path, what: what, advice: advice)
  }
}
