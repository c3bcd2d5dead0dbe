/// The verdict of a check, or of a cell as the sum of its checks.
public enum Verdict: String, Codable, Sendable, Hashable {
  /// No violation, and the check was exercised.
  case held
  /// At least one violation.
  case violated
  /// The run never exercised the check; says nothing, and is not green.
  case notExercised = "not exercised"
  /// The check could not be made (unusable history or file); never green.
  case unknown
}

extension Verdict {
  /// The verdict of a cell from those of its checks: violated before unknown before not exercised before held.
  ///
  /// Without any check nothing was exercised.
  public static func combined(_ verdicts: some Sequence<Verdict>) -> Verdict {
    let seen = Set(
      verdicts.filter { verdict in !CheckerMutant.isActive("verdicts:\(verdict.rawValue.replacing(" ", with: "-"))") })
    if CheckerMutant.isActive("verdicts:empty") {
      return [.violated, .unknown, .notExercised].first(where: seen.contains) ?? .held
    }
    return [.violated, .unknown, .notExercised].first(where: seen.contains) ?? (seen.isEmpty ? .notExercised : .held)
  }
}
