/// Finds the name that was probably meant.
package enum NearestName {
  /// The candidate nearest to `name`, or nil when none is near enough to be a slip of the keyboard.
  ///
  /// - Complexity: O(*c* · *n*²) for *c* candidates of *n* letters.
  static func of(_ name: String, in candidates: [String]) -> String? {
    let near = candidates.map { (name: $0, distance: distance(name, $0)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= limit(of: name) else { return nil }
    return near.name
  }

  /// Advice for an unknown name: the nearest one, or all of them.
  package static func advice(for name: String, in candidates: [String]) -> String {
    if let near = of(name, in: candidates) { return "Did you mean \(near)?" }
    return "Known: " + candidates.joined(separator: ", ")
  }

  /// Candidates that are named where there are many.
  private static let shownMax = 3

  /// Advice for an unknown name among many: the nearest ones, and where all of them are listed.
  ///
  /// Of a path, such as `hazards/deadlock`, the last part alone may be meant.
  ///
  /// - Parameter command: lists the candidates.
  package static func advice(for name: String, in candidates: [String], listedBy command: String) -> String {
    precondition(!candidates.isEmpty, "there is a name that is the nearest")
    let ranked = candidates.map { candidate -> (name: String, distance: Int) in
      let last = candidate.split(separator: "/").last.map(String.init) ?? candidate
      return (candidate, min(distance(name, candidate), distance(name, last)))
    }.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    let near = ranked.filter { $0.distance <= limit(of: name) }.prefix(shownMax).map(\.name)
    let nearest = ranked.prefix(shownMax).map(\.name).joined(separator: ", ")
    switch near.count {
    case 0: return "The nearest are \(nearest); \(command) shows all"
    case 1: return "Did you mean \(near[0])?"
    default: return "Did you mean \(near.dropLast().joined(separator: ", ")) or \(near[near.count - 1])?"
    }
  }

  /// As many slips are taken for slips of the keyboard.
  private static func limit(of name: String) -> Int { max(2, name.count / 3) }

  /// Letters to insert, drop, replace or swap with their neighbour to come from `a` to `b`.
  static func distance(_ a: String, _ b: String) -> Int {
    let (left, right) = (Array(a.lowercased().unicodeScalars), Array(b.lowercased().unicodeScalars))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var rows = [Array(0...right.count)]
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        let replaced = rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        var best = min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
