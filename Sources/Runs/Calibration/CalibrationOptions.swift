import Scenarios

/// What `contextbench calibrate` was asked for.
package struct CalibrationOptions: Sendable {
  /// Executable, version, allocator and the folder for the results; its scenarios are not used.
  package var run: RunOptions
  /// The scenario whose cells are compared.
  package var scenario: Scenario
  /// A/A pairs.
  package var samePairs: Int
  /// Pairs for each slowdown.
  package var slowedPairs: Int
  /// Share of its own time by which the slowed place takes longer.
  package var share: Double
  /// Cells of each strategy on either side of a pair.
  package var repetitions: Int

  package init(
    run: RunOptions, scenario: Scenario, samePairs: Int, slowedPairs: Int, share: Double, repetitions: Int
  ) {
    self.run = run
    self.scenario = scenario
    self.samePairs = samePairs
    self.slowedPairs = slowedPairs
    self.share = share
    self.repetitions = repetitions
  }

  /// What each pair's head is slowed by, nil for an A/A pair; mixed, so that what else the machine does is not
  /// on one kind of pair.
  var trials: [Slowdown?] {
    let kinds: [(slowdown: Slowdown?, count: Int)] =
      [(nil, samePairs)] + Slowdown.allCases.map { ($0, slowedPairs) }
    // Each kind spread evenly over the whole.
    let placed = kinds.enumerated().flatMap { index, kind in
      (0..<kind.count).map { number in
        (place: (Double(number) + 0.5) / Double(kind.count), index: index, slowdown: kind.slowdown)
      }
    }
    return placed.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.slowdown)
  }
}
