import Checking
import Reporting

/// The result of a self-test, for its table and its exit code.
package struct SelftestReport: Sendable {
  /// The results folder as it is shown.
  package let folder: String
  /// A row a kind and proof.
  package private(set) var rows: [DetectionRow] = []
  /// Why it did not pass.
  package private(set) var problems: [String] = []
  /// How it ended: like the worst of its parts.
  package private(set) var ending: RunEnding = .passed
  /// Whether Ctrl-C ended it.
  package private(set) var isInterrupted = false

  /// A report without rows.
  init(folder: String) { self.folder = folder }

  /// Small cases of checkers and rules with a known outcome.
  private var cases = 0

  /// Adds the cases of checkers and rules.
  mutating func addCases(_ count: Int, problems: [String]) {
    precondition(count > 0 && cases == 0, "there are cases, which are looked at once")
    cases = count
    self.problems += problems
    if !problems.isEmpty { ending = max(ending, .violated) }
  }

  /// Adds rows of a stand-in.
  mutating func add(_ rows: [DetectionRow], problems: [String]) {
    self.rows += rows
    self.problems += problems
    if !problems.isEmpty || rows.contains(where: { !$0.holds }) { ending = max(ending, .violated) }
  }

  /// Adds the results of a hazard's cells.
  mutating func add(_ pair: HazardPair, _ report: RunReport, run: String) {
    rows += Detection(pair: pair, records: report.records, run: run).rows
    problems += [pair.problem, report.failures()].compactMap(\.self)
    ending = max(ending, report.ending, pair.problem == nil ? .passed : .violated)
    if report.isInterrupted { isInterrupted = true }
  }

  /// Sorts the rows by kind, and adds those of kinds without a proof, which fail it.
  mutating func close(requiring kinds: [ViolationKind], run: String) {
    for kind in kinds where !rows.contains(where: { $0.kind == kind.rawValue && $0.proof != .none }) {
      rows.append(DetectionRow(run: run, kind: kind.rawValue, proof: .none, name: ""))
      problems.append("\(kind.rawValue) has no proof: no hazard file must show it, and no stand-in is of it")
      ending = max(ending, .violated)
    }
    let order = Dictionary(
      ViolationKind.allCases.enumerated().map { ($0.element.rawValue, $0.offset) }
    ) { first, _ in first }
    func rank(_ row: DetectionRow) -> Int {
      row.kind.isEmpty ? .max : order[row.kind] ?? order.count
    }
    rows.sort { (rank($0), $0.kind, $0.proof.rawValue, $0.name) < (rank($1), $1.kind, $1.proof.rawValue, $1.name) }
  }

  /// The table, the failures, and a sentence; the results folder is the last line.
  ///
  /// - Parameter width: columns of the terminal, which the table fits; nil = as many as it takes.
  package func text(colour: Bool, width: Int? = nil) -> String {
    var table = TextTable(columns: [
      .left("kind"), .left("proof", dropped: 2), .left("by", dropped: 1), .right("caught"),
      .right("first after", dropped: 3), .right("false alarms"),
    ])
    for row in rows {
      let emphasis: Emphasis = row.holds ? .plain : .bad
      table.append([
        TextTable.Cell(row.kind.isEmpty ? "–" : row.kind, emphasis), TextTable.Cell(row.proof.rawValue, emphasis),
        TextTable.Cell(row.name), TextTable.Cell(row.caught.map { "\($0) of \(row.seeds)" } ?? "–", emphasis),
        TextTable.Cell(row.secondsToFirst.map(HumanReadable.seconds) ?? "–"),
        TextTable.Cell(row.carefulSeeds > 0 ? "\(row.falseAlarms) of \(row.carefulSeeds)" : "–", emphasis),
      ])
    }
    let shown = problems.map { $0.hasSuffix("\n") ? $0 : "not passed: \($0)\n" }.joined()
    return [table.rendered(colour: colour, width: width), shown, sentence].filter { !$0.isEmpty }.joined(
      separator: "\n") + folder
      + "\n"
  }

  private var sentence: String {
    if isInterrupted { return "interrupted\n" }
    let kinds = Set(rows.map(\.kind)).subtracting([""])
    let proven = kinds.count { kind in
      rows.contains { $0.kind == kind } && rows.allSatisfy { $0.kind != kind || $0.holds }
    }
    let ofCases = cases > 0 ? "\(cases) cases of checkers and rules looked at; " : ""
    return ofCases + "\(proven) of \(kinds.count) kinds caught in every seed, without a false alarm\n"
  }
}
