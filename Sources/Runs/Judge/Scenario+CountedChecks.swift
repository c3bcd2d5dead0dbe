import Checking
import Scenarios

extension Scenario {
  /// Checks that a cell needs to pass: those that the file names; where it names none, those that had something to check.
  ///
  /// All of them where none had, so that a cell which showed nothing does not pass.
  package func countedChecks(_ results: [CheckResult]) -> [String] {
    if checksAreNamed { return checks }
    let idle = Set(results.filter { $0.verdict == .notExercised }.map(\.name))
    let counted = checks.filter { !idle.contains($0) }
    return counted.isEmpty ? checks : counted
  }
}
