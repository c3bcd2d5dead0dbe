import Measuring
import Reporting
import Scenarios

/// The findings of a calibration: how often an A/A comparison raised an alarm, and how often a slowdown was found.
package struct CalibrationReport: Sendable {
  /// Share of A/A comparisons that may show a difference, of those that could.
  package static let falseShareMax = 0.01
  /// A/A pairs of which one may raise an alarm; always one.
  package static let pairsForAnAlarm = 40
  /// The same of comparisons between runs.
  package static let runsForAnAlarm = 20
  /// Share of slowed pairs in which the slowdown must be found.
  package static let foundShareMin = 0.9

  /// The results folder as it is shown.
  package var folder: String
  /// A row for each comparison of each pair.
  package private(set) var rows: [CalibrationRow] = []
  /// Failures of the harness, in words.
  package private(set) var harnessFailures: [String] = []
  /// Whether Ctrl-C ended it.
  package var isInterrupted = false

  /// The slowdowns of candidates, each a row.
  private let shares: [Double]

  init(folder: String, shares: [Double] = []) {
    precondition(shares.allSatisfy { $0 > 0 }, "a slowdown makes cells slower; A/A pairs have none")
    self.folder = folder
    self.shares = shares
  }

  mutating func add(_ rows: [CalibrationRow], failures: [String]) {
    precondition(rows.allSatisfy { $0.share.map(shares.contains) ?? true }, "a slowdown that was tried is reported")
    self.rows += rows
    harnessFailures += failures
  }

  /// Comparisons that are reported together.
  private struct Kind: Equatable {
    var method = CalibrationRow.Method.beside
    /// Nil for A/A pairs.
    var share: Double?

    var percent: String? { share.map { HumanReadable.significant($0 * 100) + " %" } }

    var name: String {
      switch (percent, method) {
      case (let percent?, _): "a slowdown of \(percent)"
      case (nil, .beside): "A/A side by side"
      case (nil, .apart): "A/A between runs"
      }
    }
  }

  private var kinds: [Kind] { [Kind(), Kind(method: .apart)] + shares.map { Kind(share: $0) } }

  /// The comparisons of one kind, by pair.
  private func pairs(_ kind: Kind) -> [[CalibrationRow]] {
    let own = rows.filter { $0.method == kind.method && $0.share == kind.share }
    return Dictionary(grouping: own, by: \.pair).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The failed expectations, each a sentence.
  package var failures: [String] {
    harnessFailures
      + kinds.flatMap { kind in
        let pairs = pairs(kind)
        if kind.share != nil {
          let found = pairs.count { $0.contains(where: \.alarms) }
          return Double(found) < Self.foundShareMin * Double(pairs.count)
            ? ["\(kind.name) was found in \(found) of \(pairs.count) pairs"] : []
        }
        var failures: [String] = []
        let comparisons = pairs.joined().filter(\.canShow)
        if !pairs.isEmpty, !comparisons.contains(where: \.couldAlarm) {
          failures.append("\(kind.name): no comparison has enough cells to raise an alarm")
        }
        let different = comparisons.count { $0.showsDifference }
        if Double(different) > Self.falseShareMax * Double(comparisons.count) {
          failures.append("\(kind.name): \(different) of \(comparisons.count) comparisons show a difference")
        }
        let alarmed = pairs.count { $0.contains(where: \.alarms) }
        if alarmed > max(1, pairs.count / (kind.method == .beside ? Self.pairsForAnAlarm : Self.runsForAnAlarm)) {
          failures.append("\(kind.name) raised an alarm in \(alarmed) of \(pairs.count) pairs")
        }
        return failures
      }
  }

  /// How it ended.
  package var ending: RunEnding {
    if !harnessFailures.isEmpty { return .harnessFailed }
    return failures.isEmpty ? .passed : .violated
  }

  /// A row for each kind of pair, and the failed expectations; the folder is the last line.
  ///
  /// - Parameter width: columns of the terminal, which the table fits; nil = as many as it takes.
  package func text(colour: Bool, width: Int? = nil) -> String {
    var table = TextTable(columns: [
      .left("slower by"), .left("compared"), .right("pairs"), .right("alarms"),
      .right("could alarm", dropped: 4), .right("comparisons", dropped: 3), .right("slower", dropped: 1),
      .right("faster", dropped: 2), .right("until durable", dropped: 7), .right("CPU", dropped: 5),
      .right("main thread", dropped: 6), .right("instructions", dropped: 8),
    ])
    for kind in kinds {
      let pairs = pairs(kind)
      guard !pairs.isEmpty else { continue }
      let all = pairs.joined()
      // One strategy has no row of all strategies.
      let areSeveral = all.contains(where: \.strategy.isEmpty)
      func shift(_ columns: String...) -> TextTable.Cell {
        let together = all.filter { $0.strategy.isEmpty == areSeveral && columns.contains($0.column) }
        return TextTable.Cell(HumanReadable.ratio(Statistics.median(together.compactMap(\.ratio))))
      }
      table.append([
        TextTable.Cell(kind.percent ?? "nothing"),
        TextTable.Cell(kind.method == .beside ? "side by side" : "between runs"), TextTable.Cell(String(pairs.count)),
        TextTable.Cell(String(pairs.count { $0.contains(where: \.alarms) })),
        TextTable.Cell(String(all.count(where: \.couldAlarm))), TextTable.Cell(String(all.count)),
        TextTable.Cell(String(all.count { $0.verdict == .worse })),
        TextTable.Cell(String(all.count { $0.verdict == .better })), shift("until_durable_s", "floor_ratio"),
        shift("cpu_s"), shift("main_thread_s", "main_thread_floor_ratio"), shift("instructions"),
      ])
    }
    let failed = failures.map { "not passed: \($0)\n" }.joined()
    let ended = isInterrupted ? "interrupted\n" : ""
    return table.rendered(colour: colour, width: width) + "\n" + failed + ended + folder + "\n"
  }
}
