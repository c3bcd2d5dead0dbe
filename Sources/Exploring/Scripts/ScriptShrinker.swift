import Boundary

/// Makes a script smaller that shows a violation: fewer steps, then fewer edits of each, as long as it shows the same kind.
///
/// - SeeAlso: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 2002.
package struct ScriptShrinker {
  private let isOver: () -> Bool
  private let shows: (OperationScript) throws(HarnessFailure) -> Bool

  /// - Parameters:
  ///   - isOver: whether the time is up.
  ///   - shows: whether a script shows its kind of violation.
  package init(until isOver: @escaping () -> Bool, shows: @escaping (OperationScript) throws(HarnessFailure) -> Bool) {
    (self.isOver, self.shows) = (isOver, shows)
  }

  /// Makes it smaller until nothing helps any more, or time is up.
  ///
  /// - Precondition: the script shows its kind.
  /// - Returns: the smallest script that was found; the given one where none is smaller.
  package func shrink(_ script: OperationScript) throws(HarnessFailure) -> OperationScript {
    var best = script
    while !isOver() {
      let before = best.steps
      best.steps = try least(of: best.steps) { steps throws(HarnessFailure) in
        var smaller = best
        smaller.steps = steps
        return try shows(smaller)
      }
      for place in best.steps.indices where best.steps[place].edits.count > 1 {
        best.steps[place].edits = try least(of: best.steps[place].edits) { edits throws(HarnessFailure) in
          guard !edits.isEmpty else { return false }
          var smaller = best
          smaller.steps[place].edits = edits
          return try shows(smaller)
        }
      }
      if best.steps == before { break }
    }
    precondition(best.steps.count <= script.steps.count, "a script did not grow")
    return best
  }

  /// Leaves out parts as long as `holds`: halves first, single ones last.
  private func least<Part>(
    of parts: [Part], _ holds: ([Part]) throws(HarnessFailure) -> Bool
  ) throws(HarnessFailure) -> [Part] {
    var best = parts
    var size = max(1, parts.count / 2)
    while true {
      let before = best.count
      var place = 0
      while place < best.count, !isOver() {
        let fewer = Array(best[..<place] + best[min(place + size, best.count)...])
        precondition(fewer.count < best.count, "each try leaves out a part")
        if try holds(fewer) { best = fewer } else { place += size }
      }
      if isOver() || size == 1 && best.count == before { return best }
      size = max(1, size / 2)
    }
  }
}
