import Foundation
import Scenarios

/// This executable.
enum Executable {
  /// Its absolute path.
  static let path: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return link ?? CommandLine.arguments[0]
  }()

  /// What reads scenario files for it.
  static let loader = ScenarioLoader(
    vocabulary: .registered, library: ScenarioLoader.libraryPath(executable: path))
}
