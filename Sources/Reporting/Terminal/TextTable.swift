/// A table for the terminal: a header, a rule, rows; numbers to the right.
package struct TextTable: Sendable {
  /// A column's title and side.
  package struct Column: Sendable {
    let title: String
    let isRight: Bool

    /// For text.
    package static func left(_ title: String) -> Column { Column(title: title, isRight: false) }
    /// For numbers.
    package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
  }

  /// A text in the table; a string literal is one.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    let text: String
    let emphasis: Emphasis

    package init(_ text: String, _ emphasis: Emphasis = .plain) {
      self.text = text
      self.emphasis = emphasis
    }

    package init(stringLiteral value: String) { self.init(value) }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  /// Makes a table without rows.
  package init(columns: [Column]) { self.columns = columns }

  /// Appends a row; it has a cell for each column.
  package mutating func append(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// Appends a row of plain texts.
  package mutating func append(_ texts: [String]) { append(texts.map { Cell($0) }) }

  /// The table with a line end behind each line and no blanks before it.
  package func rendered(colour: Bool = false) -> String {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].text.count) }
    }
    let header = line(columns.map { Cell($0.title) }, widths, colour: false)
    let rule = line(widths.map { Cell(String(repeating: "─", count: $0)) }, widths, colour: false)
    return header + rule + rows.map { line($0, widths, colour: colour) }.joined()
  }

  private func line(_ cells: [Cell], _ widths: [Int], colour: Bool) -> String {
    var line = ""
    var pending = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { pending += "  " }
      let padding = String(repeating: " ", count: widths[index] - cell.text.count)
      if columns[index].isRight { pending += padding }
      if !cell.text.isEmpty {
        line += pending + cell.emphasis.applied(to: cell.text, colour: colour)
        pending = ""
      }
      if !columns[index].isRight { pending += padding }
    }
    return line + "\n"
  }
}
