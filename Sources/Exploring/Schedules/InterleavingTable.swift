import Boundary
import Reporting
import Runs

/// An interleaving with a column for each task: its steps, and their reads and writes.
package struct InterleavingTable: Sendable {
  /// One row: steps of one task without another's in between.
  private struct Row {
    let task: String
    var steps: [String]
    var operations: [String]
    let isPreemption: Bool
  }

  private let tasks: [String]
  private let rows: [Row]
  /// Steps before the first and after the last row, which one task does for itself.
  private let before: Int
  private let after: Int
  private let marks: [Int: String]

  /// Makes the table of a schedule's steps, from where its first preemption is prepared to the last recorded operation.
  ///
  /// - Parameter critical: numbers of the two steps with the deciding order, where they are known.
  package init(_ steps: [ScheduleStep], critical: (Int, Int)? = nil) {
    if let critical {
      precondition(
        steps.indices.contains(critical.0) && steps.indices.contains(critical.1), "the two steps are of this schedule")
    }
    let firstPreemption = steps.firstIndex(where: \.isPreemption) ?? 0
    // From the task's own beginning on.
    let begun = steps[..<firstPreemption].lastIndex { $0.point == "start" } ?? 0
    let first = steps.isEmpty ? 0 : begun
    let last = max(steps.lastIndex { !$0.operations.isEmpty } ?? steps.count - 1, firstPreemption)
    before = first
    after = steps.isEmpty ? 0 : steps.count - 1 - last
    var rows: [Row] = []
    var marks: [Int: String] = [:]
    for (number, step) in steps.enumerated() where number >= first && number <= last {
      let isCritical = number == critical?.0 || number == critical?.1
      let text = step.subject.isEmpty || step.subject == step.task ? step.point : "\(step.point) (\(step.subject))"
      if let row = rows.last, row.task == step.task, row.operations.isEmpty, !isCritical, marks[rows.count - 1] == nil {
        rows[rows.count - 1].steps.append(text)
        rows[rows.count - 1].operations = step.operations
      } else {
        rows.append(
          Row(task: step.task, steps: [text], operations: step.operations, isPreemption: step.isPreemption))
        if isCritical { marks[rows.count - 1] = number == critical?.0 ? "①" : "②" }
      }
    }
    self.rows = rows
    self.marks = marks
    var tasks: [String] = []
    for row in rows where !tasks.contains(row.task) { tasks.append(row.task) }
    self.tasks = tasks
  }

  private func text(_ row: Row) -> String {
    (row.steps + row.operations.map { "[\($0)]" }).joined(separator: ", ")
  }

  /// For the terminal.
  package func text(width: Int?) -> String {
    var table = TextTable(columns: [.left("")] + tasks.map { TextTable.Column.left($0) })
    for (number, row) in rows.enumerated() {
      table.append([mark(number)] + tasks.map { $0 == row.task ? text(row) : "" })
    }
    var lines = table.rendered(width: width)
    if before > 0 { lines = "… \(before) steps before\n" + lines }
    if after > 0 { lines += "… \(after) steps after\n" }
    return lines
  }

  /// For documents.
  package var document: SchedulesDocument.Interleaving {
    SchedulesDocument.Interleaving(
      tasks: tasks,
      steps: rows.enumerated().map { number, row in
        SchedulesDocument.Step(
          mark: mark(number), column: tasks.firstIndex(of: row.task) ?? 0, text: row.steps.joined(separator: ", "),
          operations: row.operations)
      }, before: before, after: after)
  }

  private func mark(_ number: Int) -> String { marks[number] ?? (rows[number].isPreemption ? "⇄" : "") }
}
