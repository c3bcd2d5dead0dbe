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

  /// What is reported together.
  private struct Kind: Equatable {
    var method = CalibrationRow.Method.beside
    /// Nil for the same thing.
    var slowdown: Slowdown?

    static let all = [Kind(), Kind(method: .apart)] + Slowdown.allCases.map { Kind(slowdown: $0) }

    var name: String {
      switch (slowdown, method) {
      case (let slowdown?, _): "\(slowdown.rawValue) slowed down"
      case (nil, .beside): "the same thing, side by side,"
      case (nil, .apart): "the same thing, as two runs,"
      }
    }
  }

  /// The comparisons of one kind, by pair.
  private func pairs(_ kind: Kind) -> [[CalibrationRow]] {
    let own = rows.filter { $0.method == kind.method && $0.slowdown == (kind.slowdown?.rawValue ?? "") }
    return Dictionary(grouping: own, by: \.pair).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Sentences that say what does not hold.
  package var failures: [String] {
    harnessFailures
      + Kind.all.flatMap { kind in
        let pairs = pairs(kind)
        let alarmed = pairs.count { $0.contains { $0.verdict == .worse } }
        if kind.slowdown != nil {
          return Double(alarmed) < Self.foundShareMin * Double(pairs.count)
            ? ["\(kind.name) was found in \(alarmed) of \(pairs.count) pairs"] : []
        }
        var failures: [String] = []
        let comparisons = pairs.joined()
        let different = comparisons.count { $0.showsDifference }
        if Double(different) > Self.falseShareMax * Double(comparisons.count) {
          failures.append("\(kind.name) was told apart in \(different) of \(comparisons.count) comparisons")
        }
        if alarmed > max(Self.falsePairsMax, pairs.count / 40) {
          failures.append("\(kind.name) showed a regression in \(alarmed) of \(pairs.count) pairs")
        }
        return failures
      }
  }

  /// How it ended.
  package var ending: RunEnding {
    if !harnessFailures.isEmpty { return .harnessFailed }
    return failures.isEmpty ? .passed : .violated
  }

  /// A row for each kind of pair, and what does not hold; the folder is the last line.
  package func text(colour: Bool) -> String {
    var table = TextTable(columns: [
      .left("slowed"), .left("compared"), .right("pairs"), .right("with a regression"), .right("comparisons"),
      .right("slower"), .right("faster"), .right("until durable, all"), .right("CPU, all"), .right("main thread, all"),
      .right("merging on main, all"),
    ])
    for kind in Kind.all {
      let pairs = pairs(kind)
      guard !pairs.isEmpty else { continue }
      let all = pairs.joined()
      func shift(_ columns: String...) -> TextTable.Cell {
        let together = all.filter { $0.strategy.isEmpty && columns.contains($0.column) }
        return TextTable.Cell(Humane.ratio(Statistics.median(together.compactMap(\.ratio))))
      }
      table.append([
        TextTable.Cell(
          kind.slowdown.map { "\($0.rawValue), \(Humane.significant((pairs[0].first?.share ?? 0) * 100)) %" }
            ?? "nothing"),
        TextTable.Cell(kind.method == .beside ? "side by side" : "as two runs"), TextTable.Cell(String(pairs.count)),
        TextTable.Cell(String(pairs.count { $0.contains { $0.verdict == .worse } })), TextTable.Cell(String(all.count)),
        TextTable.Cell(String(all.count { $0.verdict == .worse })),
        TextTable.Cell(String(all.count { $0.verdict == .better })), shift("until_durable_s", "floor_ratio"),
        shift("cpu_s"), shift("main_thread_s", "main_thread_floor_ratio"), shift("main_thread_merge_s"),
      ])
    }
    let failed = failures.map { "not passed: \($0)\n" }.joined()
    let ended = isInterrupted ? "interrupted\n" : ""
    return table.rendered(colour: colour) + "\n" + failed + ended + folder + "\n"
  }
}
