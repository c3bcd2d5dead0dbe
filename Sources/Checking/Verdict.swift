/// What a check, or a cell as the sum of its checks, can say.
public enum Verdict: String, Codable, Sendable, Hashable {
  /// What was checked held, and there was something to check.
  case held
  /// At least one violation.
  case violated
  /// The run never exercised the check; says nothing, and is not green.
  case notExercised = "not exercised"
  /// The check could not be made (unusable history or file); never green.
  case unknown
}
