import Foundation
import Scenarios

/// This executable.
enum Executable {
  /// Its absolute path.
  static let path: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return link ?? CommandLine.arguments[0]
  }()

  /// The reader of its scenario files.
  static let loader = ScenarioLoader(vocabulary: .registered, executable: path)

  /// Why a scenario's workload has no rows to work with, such as those of a model of the user's; nil when it has.
  static func unusableRows(of scenario: Scenario) -> ScenarioProblem? {
    let workload = loader.vocabulary.workload(named: scenario.settings[Keys.workload])
    do {
      _ = try workload?.layout(scenario.settings)
      return nil
    } catch {
      return ScenarioProblem(
        source: scenario.path, key: Keys.model.key.name, what: "\(error)",
        advice: "Give a model that data can be made for")
    }
  }
}
