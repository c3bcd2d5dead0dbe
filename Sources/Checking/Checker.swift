/// Judges a cell's evidence for one way of being wrong; a pure function of that evidence.
package protocol Checker: Sendable {
  /// The check's name in scenario files.
  var name: String { get }

  /// The kinds of violation it can report; the kind of its name where a checker says nothing else.
  var kinds: [ViolationKind] { get }

  /// Judges the evidence; an `Unusable` that it throws becomes the verdict `unknown`.
  func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult
}

extension Checker {
  /// The kind that has the check's name.
  package var kinds: [ViolationKind] { ViolationKind(rawValue: name).map { [$0] } ?? [] }

  /// Judges the evidence.
  package func check(_ evidence: Evidence) -> CheckResult {
    do {
      let result = try judge(evidence)
      precondition(result.name == name, "\(name) gives the result of its own check")
      return CheckerMutant.mutated(result)
    } catch {
      return CheckerMutant.mutated(CheckResult(name: name, unknown: error.reason))
    }
  }
}
