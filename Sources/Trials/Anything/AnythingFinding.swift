import Checking

/// The kind of violation of a difference, by its subject and place.
enum AnythingFinding {
  /// Where something is seen that is not as it has to be.
  enum Place {
    /// The file, after an acknowledged save.
    case file
    /// A context that has heard of everything.
    case context
    /// A context right after its own change.
    case change
  }

  /// - Parameters:
  ///   - past: earlier states of the file, to tell old values from wrong ones.
  static func kind(
    _ difference: ObjectGraph.Difference, _ place: Place, _ expected: ObjectGraph, _ seen: ObjectGraph,
    past: [ObjectGraph]
  ) -> ViolationKind {
    precondition(
      expected.nodes[difference.name] != nil || seen.nodes[difference.name] != nil,
      "a difference is of an object that one of both has")
    switch (difference.what, place) {
    case (.isMissing, .file): return .lostRecord
    case (.isThere, .file): return past.contains { $0.nodes[difference.name] != nil } ? .resurrectedRecord : .wrongValue
    case (.entity, _), (.order, .file), (.order, .change): return .wrongValue
    case (.isMissing, _), (.isThere, _):
      return place == .context && isOld(difference, seen, past) ? .staleRead : .wrongValue
    case (.value, .file), (.relationship, .file):
      if isOneSided(difference, seen) { return .asymmetricInverse }
      return isOld(difference, seen, past) ? .lostUpdate : .wrongValue
    case (_, .context):
      if isOld(difference, seen, past) { return .staleRead }
      return isOneSided(difference, seen) ? .asymmetricInverse : .wrongValue
    case (_, .change): return isOneSided(difference, seen) ? .asymmetricInverse : .wrongValue
    }
  }

  private static func isOneSided(_ difference: ObjectGraph.Difference, _ seen: ObjectGraph) -> Bool {
    guard case .relationship(let relationship) = difference.what else { return false }
    let inverse = seen.model.relationship(relationship).inverse
    return seen.asymmetries.contains { pair in
      pair.name == difference.name && pair.relationship == relationship
        || pair.other == difference.name && pair.relationship == inverse
    }
  }

  /// Whether the object is as in an earlier state of the file.
  private static func isOld(_ difference: ObjectGraph.Difference, _ seen: ObjectGraph, _ past: [ObjectGraph]) -> Bool {
    past.contains { state in
      let (old, new) = (state.nodes[difference.name], seen.nodes[difference.name])
      return switch difference.what {
      case .isMissing: old == nil
      case .isThere: old != nil
      case .entity: false
      case .value(let attribute): old != nil && old?.values[attribute] == new?.values[attribute]
      case .relationship(let relationship), .order(let relationship):
        old != nil && old?.ones[relationship] == new?.ones[relationship]
          && old?.members(relationship) == new?.members(relationship)
      }
    }
  }
}
