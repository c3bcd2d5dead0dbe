/// Finds a short part of a sequence that still fails: delta debugging.
///
/// - SeeAlso: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28 (2002).
enum Shrinker {
  /// A part of `elements`, in their order, that still fails and fails no more when any one element is left out; or the
  /// shortest found by the time the limit is reached.
  ///
  /// - Parameters:
  ///   - triedMax: how many elements all the sequences tried may have together.
  ///   - fails: gives the same answer for the same sequence each time; true for `elements`.
  static func shortest<Element>(
    _ elements: [Element], triedMax: Int = 300_000, fails: ([Element]) -> Bool
  ) -> [Element] {
    var tried = 0
    return shortest(elements, tried: &tried, triedMax: triedMax) { fails($0) ? $0 : nil }
  }

  /// The same where a sequence that fails may use only part of its elements.
  ///
  /// - Parameters:
  ///   - tried: how many elements were tried, the sequences before this one included.
  ///   - failing: the elements that were used; nil for a sequence that does not fail.
  static func shortest<Element>(
    _ elements: [Element], tried: inout Int, triedMax: Int, failing: ([Element]) -> [Element]?
  ) -> [Element] {
    var current = elements
    var size = max(1, current.count / 2)
    while true {
      var isShorter = false
      // From the end, so that later steps, which need earlier ones, go first.
      var end = current.count
      while end > 0 {
        let start = max(0, end - size)
        var candidate = current
        candidate.removeSubrange(start..<end)
        tried += candidate.count
        guard tried <= triedMax else { return current }
        if !candidate.isEmpty, let used = failing(candidate) {
          current = used
          isShorter = true
        }
        end = min(start, current.count)
      }
      if size == 1, !isShorter { return current }
      if !isShorter || size > current.count { size = max(1, size / 2) }
    }
  }
}
