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
