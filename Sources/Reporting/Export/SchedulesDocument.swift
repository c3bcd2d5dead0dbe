/// Saved schedules for readers: the violations of each, the command that repeats it, and its interleaving.
package struct SchedulesDocument: Sendable {
  /// One row of an interleaving: the steps of a task before another one runs.
  package struct Step: Sendable {
    /// ① and ② for the critical pair, ⇄ where a task that could have continued was stopped.
    let mark: String
    /// Which task.
    let column: Int
    /// The names of its steps.
    let text: String
    /// The recorded operations meanwhile: reads and writes.
    let operations: [String]

    package init(mark: String, column: Int, text: String, operations: [String]) {
      self.mark = mark
      self.column = column
      self.text = text
      self.operations = operations
    }
  }

  /// An interleaving with a column for each task.
  package struct Interleaving: Sendable {
    let tasks: [String]
    let steps: [Step]
    /// Steps before the first and after the last, which are left out.
    let before: Int
    let after: Int

    /// - Precondition: each step's column is one of the tasks.
    package init(tasks: [String], steps: [Step], before: Int, after: Int) {
      precondition(steps.allSatisfy { tasks.indices.contains($0.column) }, "each step belongs to a task")
      precondition(before >= 0 && after >= 0, "what is left out is a number of steps")
      self.tasks = tasks
      self.steps = steps
      self.before = before
      self.after = after
    }

    /// The omitted steps, in words.
    var omissions: String {
      [(before, "before"), (after, "after")].filter { $0.0 > 0 }
        .map { "\($0.0) \($0.0 == 1 ? "step" : "steps") \($0.1)" }.joined(separator: ", ")
    }
  }

  /// One schedule.
  package struct Entry: Sendable {
    let title: String
    /// The violations, a sentence for each.
    let seen: [String]
    /// Names and values: scenario, strategy, how it was found.
    let facts: [(name: String, value: String)]
    /// The command that brings it back.
    let command: String
    /// Nil where it is too long to be read.
    let interleaving: Interleaving?
    /// The deciding steps, or why there is nothing to see.
    let note: String?

    package init(
      title: String, seen: [String], facts: [(name: String, value: String)], command: String,
      interleaving: Interleaving?, note: String?
    ) {
      precondition(!command.isEmpty, "a schedule has a command that brings it back")
      self.title = title
      self.seen = seen
      self.facts = facts
      self.command = command
      self.interleaving = interleaving
      self.note = note
    }
  }

  let title: String
  /// The extent of the search: a header and rows; empty for schedules alone.
  let cells: [[String]]
  let entries: [Entry]

  package init(title: String, cells: [[String]], entries: [Entry]) {
    precondition(cells.allSatisfy { $0.count == cells[0].count }, "a row has a field for each title")
    self.title = title
    self.cells = cells
    self.entries = entries
  }

  static let legend =
    "① and ②: the critical pair; in the other order it does not happen. ⇄: a task that could have continued was stopped here."

  // MARK: Markdown

  /// As Markdown.
  package var markdown: String {
    var lines = ["# \(MarkdownExport.escaped(title))", ""]
    if let header = cells.first { lines += Self.table(header, Array(cells.dropFirst())) + [""] }
    if entries.isEmpty { lines += ["No schedule was saved.", ""] }
    for entry in entries { lines += Self.lines(entry) }
    if entries.contains(where: { $0.interleaving != nil }) { lines += [Self.legend, ""] }
    return lines.joined(separator: "\n")
  }

  private static func lines(_ entry: Entry) -> [String] {
    var lines = ["## \(MarkdownExport.escaped(entry.title))", ""]
    lines += entry.seen.map { "- \(MarkdownExport.escaped($0))" }
    lines += entry.facts.map { "- \($0.name): \(MarkdownExport.escaped($0.value))" }
    lines += ["", "```sh", entry.command, "```", ""]
    if let interleaving = entry.interleaving {
      let rows = interleaving.steps.map { step in
        [step.mark] + interleaving.tasks.indices.map { $0 == step.column ? Self.text(step) : "" }
      }
      lines += table([""] + interleaving.tasks, rows) + [""]
      if !interleaving.omissions.isEmpty { lines += ["Left out: \(interleaving.omissions).", ""] }
    }
    if let note = entry.note { lines += [MarkdownExport.escaped(note), ""] }
    return lines
  }

  private static func text(_ step: Step) -> String {
    ([step.text] + step.operations.map { "[\($0)]" }).joined(separator: ", ")
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.map(MarkdownExport.escaped).joined(separator: " | ") + " |" }
    return [line(header), "|" + header.map { _ in "---|" }.joined()] + rows.map(line)
  }
}
