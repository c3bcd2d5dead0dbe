/// A table for the terminal: a header, a rule, rows; numbers to the right.
package struct TextTable: Sendable {
  /// A column's title and side.
  package struct Column: Sendable {
    let title: String
    let isRight: Bool
    /// Where the table does not fit, columns of the highest number go first; nil = stays.
    let dropped: Int?

    /// For text.
    package static func left(_ title: String, dropped: Int? = nil) -> Column {
      Column(title: title, isRight: false, dropped: dropped)
    }

    /// For numbers.
    package static func right(_ title: String, dropped: Int? = nil) -> Column {
      Column(title: title, isRight: true, dropped: dropped)
    }
  }

  /// A text in the table; a string literal is one.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    package let text: String
    let emphasis: Emphasis

    package init(_ text: String, _ emphasis: Emphasis = .plain) {
      self.text = text
      self.emphasis = emphasis
    }

    package init(stringLiteral value: String) { self.init(value) }
  }

  private var columns: [Column]
  private var rows: [[Cell]] = []

  /// Makes a table without rows.
  package init(columns: [Column]) {
    precondition(columns.contains { $0.dropped == nil }, "a table has a column that stays however narrow it gets")
    self.columns = columns
  }

  /// Appends a row; it has a cell for each column.
  package mutating func append(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// Appends a row of plain texts.
  package mutating func append(_ texts: [String]) { append(texts.map { Cell($0) }) }

  /// Columns are not made narrower than this, whatever the table's width.
  private static let columnWidthMin = 12
  /// Longer words may be broken before a column is left out.
  private static let wordWidthMax = 22
  private static let gap = 2

  /// The table with a line end behind each line and no blanks before it.
  ///
  /// - Parameter width: columns of the terminal that it has to fit, by leaving out less important columns (a line below names
  ///   them), and then by
  ///   breaking long texts between words, and words only where nothing else is left; numbers are never broken. Nil = a line
  ///   for each row, however long.
  /// - Parameter paddingMax: no column of such lines is filled up with blanks beyond this width, so that one long text does
  ///   not push all others far to the right.
  package func rendered(colour: Bool = false, width: Int? = nil, paddingMax: Int = .max) -> String {
    precondition(paddingMax >= 0, "blanks are added, not taken away")
    var widths = naturalWidths
    if let width {
      let narrow = fitting(width)
      if narrow.columns.count < columns.count {
        return narrow.rendered(colour: colour, width: width) + note(onWhatIsLeftOutOf: narrow, width)
      }
      shrink(&widths, to: width)
    } else {
      widths = widths.map { min($0, paddingMax) }
    }
    // Titles are broken as texts are: a table may have more columns than its width has room for their titles.
    func lines(_ cells: [Cell]) -> [[Cell]] { width == nil ? [cells] : broken(cells, widths) }
    let header = lines(columns.map { Cell($0.title) }).map { line($0, widths, colour: false) }.joined()
    let rule = line(widths.map { Cell(String(repeating: "─", count: $0)) }, widths, colour: false)
    return header + rule + rows.flatMap(lines).map { line($0, widths, colour: colour) }.joined()
  }

  /// Names the columns that a narrower table lacks.
  private func note(onWhatIsLeftOutOf narrow: TextTable, _ width: Int) -> String {
    let kept = narrow.columns.map(\.title)
    let titles = columns.map(\.title).filter { !kept.contains($0) }.joined(separator: ", ")
    return Self.lines(of: "too wide for \(width) columns, left out: \(titles)", width: width)
      .joined(separator: "\n") + "\n"
  }

  private var naturalWidths: [Int] {
    columns.indices.map { index in rows.reduce(columns[index].title.count) { max($0, $1[index].text.count) } }
  }

  /// How narrow columns of text can be without breaking a word.
  private var wordWidths: [Int] {
    columns.indices.map { index in
      rows.reduce(Self.columnWidthMin) { widest, row in
        max(widest, min(Self.wordWidthMax, Self.pieces(row[index].text).reduce(0) { max($0, $1.count) }))
      }
    }
  }

  /// The words of a text; a list such as `a=1;b=2` is one for each of its parts.
  private static func pieces(_ text: String) -> [Substring] {
    text.split(separator: " ").flatMap { word in
      var pieces: [Substring] = []
      var rest = word
      while let end = rest.firstIndex(of: ";") {
        pieces.append(rest[...end])
        rest = rest[rest.index(after: end)...]
      }
      return rest.isEmpty ? pieces : pieces + [rest]
    }
  }

  /// The table without as many of its less important columns as it is too wide; texts that can be broken count as narrow.
  private func fitting(_ width: Int) -> TextTable {
    var table = self
    while true {
      let widths = table.naturalWidths
      let words = table.wordWidths
      let least = table.columns.indices.reduce(Self.gap * (table.columns.count - 1)) { sum, index in
        let isBroken = !table.columns[index].isRight && index > 0
        return sum + (isBroken ? min(widths[index], words[index]) : widths[index])
      }
      let droppable = table.columns.indices.filter { table.columns[$0].dropped != nil }
      guard least > width,
        let last = droppable.max(by: { (table.columns[$0].dropped ?? 0) < (table.columns[$1].dropped ?? 0) })
      else { return table }
      table.columns.remove(at: last)
      for row in table.rows.indices { table.rows[row].remove(at: last) }
    }
  }

  /// Narrows the widest columns of text where a table is too wide, at first as far as words stay whole; the first
  /// column, which has the rows' names, only when no other has anything left.
  private func shrink(_ widths: inout [Int], to width: Int) {
    let room = width - Self.gap * (columns.count - 1)
    let words = wordWidths
    while widths.reduce(0, +) > room {
      let texts = widths.indices.filter { !columns[$0].isRight && widths[$0] > Self.columnWidthMin }
      let others = texts.filter { $0 > 0 }
      let whole = others.filter { widths[$0] > words[$0] }
      let candidates = !whole.isEmpty ? whole : others.isEmpty ? texts : others
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }

  /// The lines of a row with texts that may be longer than their columns are wide.
  private func broken(_ cells: [Cell], _ widths: [Int]) -> [[Cell]] {
    precondition(cells.count == widths.count, "a row has a cell for each column")
    let texts = zip(cells, widths).map { cell, width in
      cell.text.count <= width ? [cell.text] : Self.lines(of: cell.text, width: width)
    }
    return (0..<(texts.map(\.count).max() ?? 1)).map { line in
      zip(cells, texts).map { cell, lines in Cell(line < lines.count ? lines[line] : "", cell.emphasis) }
    }
  }

  /// A text in lines of that width; a word that is longer is cut, behind a semicolon if it has one there.
  package static func lines(of text: String, width: Int) -> [String] {
    precondition(width > 0, "a line has room for a character of a long word")
    var lines: [String] = []
    for var word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
        continue
      }
      while word.count > width {
        let line = word.prefix(width)
        let end = line.lastIndex(of: ";").map(line.index(after:)) ?? line.endIndex
        lines.append(String(word[..<end]))
        word = word[end...]
      }
      lines.append(String(word))
    }
    precondition(lines.allSatisfy { $0.count <= width }, "no line is wider than its room")
    return lines
  }

  private func line(_ cells: [Cell], _ widths: [Int], colour: Bool) -> String {
    var line = ""
    var pending = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { pending += String(repeating: " ", count: Self.gap) }
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.text.count))
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
