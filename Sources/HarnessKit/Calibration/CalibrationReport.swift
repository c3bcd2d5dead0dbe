import Measuring
import Reporting

/// What a calibration found: how often the same thing was told apart, and how often a slowdown was found.
package struct CalibrationReport: Sendable {
  /// Share of comparisons of the same thing that may show a difference.
  package static let falseShareMax = 0.01
  /// Pairs of the same thing that may show a regression, of 40; in proportion for other numbers, but always one.
  package static let falsePairsMax = 1
  /// Share of slowed pairs in which the slowdown must be found.
  package static let foundShareMin = 0.9

  /// The results folder as it is shown.
  package var folder: String
  /// A row for each comparison of each pair.
  package private(set) var rows: [CalibrationRow] = []
  /// What the harness failed at.
  package private(set) var harnessFailures: [String] = []
  /// Whether Ctrl-C ended it.
  package var isInterrupted = false

  init(folder: String) { self.folder = folder }

  mutating func add(_ rows: [CalibrationRow], failures: [String]) {
    self.rows += rows
    harnessFailures += failures
  }

  /// Pairs of one kind: nil for the same thing.
  private func pairs(_ slowdown: Slowdown?) -> [[CalibrationRow]] {
    let own = rows.filter { $0.slowdown == (slowdown?.rawValue ?? "") }
    return Dictionary(grouping: own, by: \.pair).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Sentences that say what does not hold.
  package var failures: [String] {
    var failures = harnessFailures
    let same = pairs(nil)
    let comparisons = same.joined()
    let different = comparisons.count { $0.showsDifference }
    if Double(different) > Self.falseShareMax * Double(comparisons.count) {
      failures.append("the same thing was told apart in \(different) of \(comparisons.count) comparisons")
    }
    let alarmed = same.count { $0.contains { $0.verdict == .worse } }
    if alarmed > max(Self.falsePairsMax, same.count / 40) {
      failures.append("the same thing showed a regression in \(alarmed) of \(same.count) pairs")
    }
    for slowdown in Slowdown.allCases {
      let slowed = pairs(slowdown)
      let found = slowed.count { $0.contains { $0.verdict == .worse } }
      if Double(found) < Self.foundShareMin * Double(slowed.count) {
        failures.append("\(slowdown.rawValue) slowed down was found in \(found) of \(slowed.count) pairs")
      }
    }
    return failures
  }

  /// How it ended.
  package var ending: RunEnding {
    if !harnessFailures.isEmpty { return .harnessFailed }
    return failures.isEmpty ? .passed : .violated
  }

  /// A row for each kind of pair, and what does not hold; the folder is the last line.
  package func text(colour: Bool) -> String {
    var table = TextTable(columns: [
      .left("slowed"), .right("pairs"), .right("with a regression"), .right("comparisons"), .right("slower"),
      .right("faster"), .right("floor_ratio, median"), .right("main_thread_floor_ratio, median"),
    ])
    for kind in [nil] + Slowdown.allCases {
      let pairs = pairs(kind)
      guard !pairs.isEmpty else { continue }
      let all = pairs.joined()
      func shift(_ column: String) -> String {
        let together = all.filter { $0.strategy.isEmpty && $0.column == column }
        return Humane.ratio(Statistics.median(together.compactMap(\.ratio)))
      }
      table.append([
        kind.map { "\($0.rawValue), \(Humane.significant((pairs[0].first?.share ?? 0) * 100)) %" } ?? "nothing",
        String(pairs.count), String(pairs.count { $0.contains { $0.verdict == .worse } }), String(all.count),
        String(all.count { $0.verdict == .worse }), String(all.count { $0.verdict == .better }),
        shift("floor_ratio"), shift("main_thread_floor_ratio"),
      ])
    }
    let failed = failures.map { "not passed: \($0)\n" }.joined()
    let ended = isInterrupted ? "interrupted\n" : ""
    return table.rendered(colour: colour) + "\n" + failed + ended + folder + "\n"
  }
}
