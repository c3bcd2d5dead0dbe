/// A column of a CSV file, declared once: its name, type, unit and meaning, and where a row has its value.
///
/// The header line, the values, the documentation and the reading of files all come from here.
package struct Column<Row>: Sendable {
  /// Name in the header; it ends with the unit.
  package let name: String
  /// The type of its values.
  package let type: ColumnType
  /// Unit of a number: `s`, `ns`, `bytes`, `1/s`; nil for a plain count and for text.
  package let unit: String?
  /// Its meaning, in one line.
  package let meaning: String
  /// The row's value; nil when it was not measured.
  package let value: @Sendable (Row) -> ColumnValue?
  /// How a field's text gets into a row.
  let reading: Reading
  /// Whether files of this schema version may lack it, since it was added later: then it was not measured.
  private(set) var isAddedLater = false

  /// The same column, which older files of this schema version do not have.
  package func addedLater() -> Column {
    var column = self
    column.isAddedLater = true
    return column
  }

  /// The handling of a field when a row is read.
  enum Reading: Sendable {
    /// Puts the field's text into the row.
    case stored(@Sendable (String, inout Row) throws(FieldProblem) -> Void)
    /// The value follows from other columns; the field must agree with them.
    case derived
  }

  init(
    name: String, type: ColumnType, unit: String?, meaning: String, value: @escaping @Sendable (Row) -> ColumnValue?,
    reading: Reading
  ) {
    precondition(!name.isEmpty && CSV.quoted(name) == name, "a column's name is read by any tool as it is: \(name)")
    precondition(unit == nil || type == .integer || type == .number, "a unit is that of a number: \(name)")
    precondition(!meaning.isEmpty && !meaning.contains("\n"), "a column has its meaning in one line: \(name)")
    self.name = name
    self.type = type
    self.unit = unit
    self.meaning = meaning
    self.value = value
    self.reading = reading
  }

  /// The same column in rows that contain this one's rows.
  package func inside<Outer>(_ part: any WritableKeyPath<Outer, Row> & Sendable) -> Column<Outer> {
    let value = value
    let reading: Column<Outer>.Reading =
      switch reading {
      case .derived: .derived
      case .stored(let take): .stored { text, row throws(FieldProblem) in try take(text, &row[keyPath: part]) }
      }
    return Column<Outer>(
      name: name, type: type, unit: unit, meaning: meaning, value: { value($0[keyPath: part]) }, reading: reading)
  }

  /// The same column in rows that may lack this one's rows; an empty field leaves them out.
  package func inside<Outer>(
    _ part: any WritableKeyPath<Outer, Row?> & Sendable, empty: @escaping @Sendable () -> Row
  ) -> Column<Outer> {
    let value = value
    let reading: Column<Outer>.Reading =
      switch reading {
      case .derived: .derived
      case .stored(let take):
        .stored { text, row throws(FieldProblem) in
          guard !text.isEmpty else { return }
          var inner = row[keyPath: part] ?? empty()
          try take(text, &inner)
          row[keyPath: part] = inner
        }
      }
    return Column<Outer>(
      name: name, type: type, unit: unit, meaning: meaning, value: { $0[keyPath: part].flatMap(value) },
      reading: reading)
  }
}

/// The documentation of every CSV file, made from the declaration of its columns.
package enum ColumnDocumentation {
  /// All files, one below the other.
  ///
  /// - Parameter width: columns of the terminal that it has to fit; nil = a line for each column.
  package static func text(width: Int? = nil) -> String {
    let empty = "An empty field means \"not measured\": a percentile of too small a sample, memory under a sanitizer.\n"
    return [
      Table<CellRow>.cells.documentation(width: width), Table<TimingRow>.timings.documentation(width: width),
      Table<ViolationRow>.violations.documentation(width: width),
      Table<DetectionRow>.detections.documentation(width: width), empty,
    ].joined(separator: "\n")
  }
}

/// The types of column values.
package enum ColumnType: String, Sendable, CaseIterable {
  case text, integer, number, flag
}

/// One value of a row, by its type; how it looks in CSV follows from that.
package enum ColumnValue: Sendable, Hashable {
  case text(String)
  case integer(Int)
  case unsigned(UInt64)
  /// A measured number. One that is not finite counts as not measured.
  case number(Double)
  case flag(Bool)

  /// The value as a number; nil for text, flags, and a number that is not finite.
  package var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .unsigned(let unsigned): Double(unsigned)
    case .number(let number): number.isFinite ? number : nil
    case .text, .flag: nil
    }
  }

  /// The value's text in CSV before quoting: numbers shortest without losing a bit, flags as `yes` and `no`; nil for a
  /// number that is not finite.
  package var csvText: String? {
    switch self {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .unsigned(let unsigned): String(unsigned)
    case .number(let number): number.isFinite ? String(number) : nil
    case .flag(let flag): flag ? "yes" : "no"
    }
  }
}
