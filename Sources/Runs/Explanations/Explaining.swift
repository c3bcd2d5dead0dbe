import Checking
import Scenarios

/// Explains kinds of violations by their names.
package enum Explaining {
  /// The explanation as it is printed, or what is wrong with the name.
  package static func text(ofKindNamed name: String) -> Result<String, ScenarioProblem> {
    if let kind = ViolationKind(rawValue: name) { return .success(Explanation.text(of: kind)) }
    return .failure(
      ScenarioProblem(
        source: "explain", key: name, what: "is no kind of violation",
        advice: NearestName.advice(for: name, in: ViolationKind.allCases.map(\.rawValue))))
  }
}
