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

    /// The steps, such as `enter, main-block ×3`.
    var stepsText: String {
      var runs: [(step: String, count: Int)] = []
      for step in steps {
        if runs.last?.step == step {
          runs[runs.count - 1].count += 1
        } else {
          runs.append((step, 1))
        }
      }
      return runs.map { $0.count > 1 ? "\($0.step) ×\($0.count)" : $0.step }.joined(separator: ", ")
    }

    var text: String { ([stepsText] + operations.map { "[\($0)]" }).joined(separator: ", ") }
  }

  private let rows: [Row]
  /// Steps before the first and after the last row, which one task does for itself.
  private let before: Int
  private let after: Int
  private let marks: [Int: String]

  /// Makes the table of a schedule's steps, from where its first preemption is prepared to the last recorded operation.
  ///
  /// - Parameters:
  ///   - critical: numbers of the two steps with the deciding order, where they are known.
  ///   - seen: number of the operation that is the violation, which is the last one then: nothing after both matters.
  package init(_ steps: [ScheduleStep], critical: (Int, Int)? = nil, seen: Int? = nil) {
    if let critical {
      precondition(
        steps.indices.contains(critical.0) && steps.indices.contains(critical.1), "the two steps are of this schedule")
    }
    precondition(critical.map { $0.0 < $0.1 } ?? true, "the first of the two steps comes first")
    let firstPreemption = steps.firstIndex(where: \.isPreemption) ?? 0
    // From the task's own beginning on.
    let begun = steps[..<firstPreemption].lastIndex { $0.point == "start" } ?? 0
    let first = steps.isEmpty ? 0 : begun
    let seenAt = critical.flatMap { pair in
      seen.flatMap { Self.place(of: $0, in: steps) }.map { max($0, pair.0, pair.1) }
    }
    let last = max(seenAt ?? steps.lastIndex { !$0.operations.isEmpty } ?? steps.count - 1, firstPreemption)
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
    precondition(
      rows.reduce(before + after) { $0 + $1.steps.count } == steps.count,
      "each step is in a row, or before the first, or after the last")
  }

  /// The step with an operation of the history.
  private static func place(of operation: Int, in steps: [ScheduleStep]) -> Int? {
    var before = 0
    return steps.firstIndex { step in
      before += step.operations.count
      return operation < before
    }
  }

  /// The tasks of some rows, in the order in which they come.
  private static func tasks(of rows: some Sequence<Row>) -> [String] {
    var tasks: [String] = []
    for row in rows where !tasks.contains(row.task) { tasks.append(row.task) }
    return tasks
  }

  /// For the terminal.
  ///
  /// - Parameter linesMax: rows of a longer one are left out at its begin, where nothing is wrong yet; the last row stays.
  package func text(width: Int?, linesMax: Int = .max) -> String {
    for first in rows.indices {
      let text = text(from: first, width: width)
      if first == rows.count - 1 || text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) <= linesMax { return text }
    }
    return ""
  }

  private func text(from first: Int, width: Int?) -> String {
    let tasks = Self.tasks(of: rows[first...])
    var table = TextTable(columns: [.left("")] + tasks.map { TextTable.Column.left($0) })
    for (number, row) in rows.enumerated().dropFirst(first) {
      table.append([mark(number)] + tasks.map { $0 == row.task ? row.text : "" })
    }
    let before = before + rows[..<first].reduce(0) { $0 + $1.steps.count }
    let note = before == 0 ? "" : "… \(before) steps before\(first > 0 ? "; replay shows them" : "")\n"
    return note + table.rendered(width: width)
  }

  /// For documents.
  package var document: SchedulesDocument.Interleaving {
    let tasks = Self.tasks(of: rows)
    return SchedulesDocument.Interleaving(
      tasks: tasks,
      steps: rows.enumerated().map { number, row in
        guard let column = tasks.firstIndex(of: row.task) else { preconditionFailure("a task of a row has a column") }
        return SchedulesDocument.Step(
          mark: mark(number), column: column, text: row.stepsText, operations: row.operations)
      }, before: before, after: after)
  }

  private func mark(_ number: Int) -> String { marks[number] ?? (rows[number].isPreemption ? "⇄" : "") }
}
