import Scheduling

/// An order with a column for each task, from the first time that one has to wait for another's step.
struct OrderTable {
  /// More than fits a screen or a log.
  private static let rowsMax = 60
  private static let stepsMax = 4
  private static let widthMax = 44

  private struct Row {
    let task: String
    var steps: [String] = []
    var isPreempted = false
  }

  private let rows: [Row]
  private let left: Int

  init(_ trace: [SimulationOutcome.Entry]) {
    var rows: [Row] = []
    for (number, entry) in trace.enumerated() {
      let subject = entry.step.subject.isEmpty || entry.step.point == "start" ? "" : " \(entry.step.subject)"
      if number == 0 || trace[number - 1].key != entry.key {
        if entry.preempted != nil, !rows.isEmpty { rows[rows.count - 1].isPreempted = true }
        rows.append(Row(task: entry.key))
      }
      rows[rows.count - 1].steps.append(entry.step.point + subject)
    }
    let first = max(0, (rows.firstIndex(where: \.isPreempted) ?? 0) - 1)
    self.rows = Array(rows[first...].prefix(Self.rowsMax))
    left = rows.count - self.rows.count
  }

  var text: String {
    var tasks: [String] = []
    for row in rows where !tasks.contains(row.task) { tasks.append(row.task) }
    var lines = [tasks]
    for row in rows { lines.append(tasks.map { $0 == row.task ? Self.text(row) : "" }) }
    let widths = tasks.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var text = lines.map { line in
      var padded = ""
      for (column, cell) in line.enumerated() {
        padded += cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while padded.last == " " { padded.removeLast() }
      return "  " + padded
    }
    if left > 0 { text.append("  … and \(left) more turns") }
    return text.joined(separator: "\n")
  }

  /// The last steps of a turn, which are near to the steps of others.
  private static func text(_ row: Row) -> String {
    let hidden = max(0, row.steps.count - stepsMax)
    var text = (hidden > 0 ? "… " : "") + row.steps.suffix(stepsMax).joined(separator: ", ")
    if text.count > widthMax { text = "… " + text.suffix(widthMax - 2) }
    return text + (row.isPreempted ? " ⇄" : "")
  }
}
