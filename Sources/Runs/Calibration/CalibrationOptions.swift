import Scenarios

/// The options of `contextbench calibrate`.
package struct CalibrationOptions: Sendable {
  /// Executable, version, allocator, the folder for the results, and the baseline's executable of pairs; its scenarios
  /// are not used.
  package var run: RunOptions
  /// The scenario of the compared cells.
  package var scenario: Scenario
  /// A/A pairs.
  package var samePairs: Int
  /// Pairs for each share.
  package var slowedPairs: Int
  /// Shares of the whole cost by which candidates are slowed.
  package var shares: [Double]
  /// Cells of each strategy on either side of a pair.
  package var repetitions: Int
  /// Whether instructions are counted, and nothing is timed.
  package var countsInstructions: Bool

  package init(
    run: RunOptions, scenario: Scenario, samePairs: Int, slowedPairs: Int, shares: [Double], repetitions: Int,
    countsInstructions: Bool = false
  ) {
    precondition(samePairs >= 0 && slowedPairs >= 0 && repetitions > 0, "pairs are counted, and a pair has cells")
    precondition(shares.allSatisfy { $0 > 0 }, "a slowdown makes cells slower")
    precondition(Set(shares).count == shares.count, "each slowdown is tried by itself")
    self.run = run
    self.scenario = scenario
    self.samePairs = samePairs
    self.slowedPairs = slowedPairs
    self.shares = shares
    self.repetitions = repetitions
    self.countsInstructions = countsInstructions
  }

  /// The slowdown of each pair's head, nil for an A/A pair; mixed, so that other load on the machine does not hit
  /// one kind of pair alone.
  var trials: [Double?] {
    let kinds: [(share: Double?, count: Int)] = [(nil, samePairs)] + shares.map { ($0, slowedPairs) }
    // Each kind spread evenly over the whole.
    let placed = kinds.enumerated().flatMap { index, kind in
      (0..<kind.count).map { number in
        (place: (Double(number) + 0.5) / Double(kind.count), index: index, share: kind.share)
      }
    }
    precondition(placed.count == samePairs + slowedPairs * shares.count, "each pair has a place")
    return placed.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.share)
  }
}
