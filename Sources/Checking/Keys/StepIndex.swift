/// Finds the steps of a history that contain a key in their key ranges.
///
/// An implicit interval tree: steps sorted by their lower bounds, each subtree with its highest upper bound.
struct StepIndex: Sendable {
  private struct Entry {
    var keys: Range<Int64>
    var step: Int
    /// Highest upper bound in the subtree of which this is the root.
    var reach: Int64
  }

  private var entries: [Entry] = []

  /// Indexes operations of a history by their keys.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ steps: some Sequence<Int>, of history: History) {
    entries = steps.compactMap { step in
      let keys = history.operations[step].keys
      return keys.isEmpty ? nil : Entry(keys: keys, step: step, reach: keys.upperBound)
    }
    entries.sort { ($0.keys.lowerBound, $0.step) < ($1.keys.lowerBound, $1.step) }
    let reach = settle(0, entries.count)
    precondition(entries.allSatisfy { $0.reach <= reach }, "the whole tree reaches as far as its parts")
  }

  var isEmpty: Bool { entries.isEmpty }

  /// How many steps there are.
  var count: Int { entries.count }

  /// The steps with ranges that overlap `keys`, in no particular order.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* steps found.
  func steps(overlapping keys: Range<Int64>) -> [Int] {
    var found: [Int] = []
    if !keys.isEmpty { collect(keys, 0, entries.count, into: &found) }
    return found
  }

  /// The steps with ranges that contain `key`.
  func steps(containing key: Int64) -> [Int] { steps(overlapping: key..<key + 1) }

  private mutating func settle(_ low: Int, _ high: Int) -> Int64 {
    guard low < high else { return .min }
    let middle = (low + high) / 2
    let reach = max(entries[middle].keys.upperBound, settle(low, middle), settle(middle + 1, high))
    entries[middle].reach = reach
    return reach
  }

  private func collect(_ keys: Range<Int64>, _ low: Int, _ high: Int, into found: inout [Int]) {
    guard low < high else { return }
    let middle = (low + high) / 2
    let entry = entries[middle]
    precondition(entry.reach >= entry.keys.upperBound, "an entry reaches as far as its own keys")
    guard entry.reach > keys.lowerBound else { return }
    collect(keys, low, middle, into: &found)
    guard entry.keys.lowerBound < keys.upperBound else { return }
    if entry.keys.upperBound > keys.lowerBound { found.append(entry.step) }
    collect(keys, middle + 1, high, into: &found)
  }
}
