/// Rows that come back under their IDs (S2.1, S3.3).
extension ReferenceModel {
  /// Relationships to a gone object lead to the one that came back under its ID, once that matters.
  mutating func meetReturned(_ context: Int, _ name: Int) {
    if contexts[context].things[name]?.isGone == true, rowAbove(context, name) != nil { meet(context, name) }
  }

  /// The versions that rows which come back begin after. Which of several comes first is the stack's own affair.
  mutating func returningVersions(_ context: Int, _ inserted: [Int]) -> [Int: Int] {
    var versions: [Int: Int] = [:]
    let returning = inserted.enumerated().sorted {
      (versionsShown[$0.element] ?? 0, $0.offset) < (versionsShown[$1.element] ?? 0, $1.offset)
    }
    for (_, name) in returning {
      guard let thing = contexts[context].things[name], let base = thing.base else { continue }
      lastKeys[thing.entity, default: 0] += 1
      versions[name] = max(base.version, (lastKeys[thing.entity] ?? 0) * Self.versionsPerKey)
      if mutation == .versionsComeBack { versions[name] = base.version }
    }
    return versions
  }
}
