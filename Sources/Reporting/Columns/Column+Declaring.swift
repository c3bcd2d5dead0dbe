import Checking

extension Column {
  /// Text; an optional one is nil when the field is empty.
  package static func text(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<Row, String> & Sendable
  ) -> Self { required(name, nil, meaning, path) }

  package static func text(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<Row, String?> & Sendable
  ) -> Self { optional(name, nil, meaning, path) }

  /// Text that is one of a fixed set.
  package static func text<Choice: RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<Row, Choice> & Sendable
  ) -> Self {
    Column(
      name: name, type: .text, unit: nil, meaning: meaning, value: { .text($0[keyPath: path].rawValue) },
      reading: .stored { text, row throws(FieldProblem) in
        row[keyPath: path] = try choice(text)
      })
  }

  /// The same where there may be none.
  package static func text<Choice: RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<Row, Choice?> & Sendable
  ) -> Self {
    Column(
      name: name, type: .text, unit: nil, meaning: meaning, value: { $0[keyPath: path].map { .text($0.rawValue) } },
      reading: .stored { text, row throws(FieldProblem) in
        row[keyPath: path] = text.isEmpty ? nil : try choice(text)
      })
  }

  private static func choice<Choice: RawRepresentable<String>>(_ text: String) throws(FieldProblem) -> Choice {
    guard let choice = Choice(rawValue: text) else { throw FieldProblem("\(text) is not among its values") }
    return choice
  }

  package static func integer(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, Int> & Sendable
  ) -> Self { required(name, unit, meaning, path) }

  package static func integer(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, Int?> & Sendable
  ) -> Self { optional(name, unit, meaning, path) }

  package static func unsigned(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, UInt64> & Sendable
  ) -> Self { required(name, unit, meaning, path) }

  package static func unsigned(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, UInt64?> & Sendable
  ) -> Self { optional(name, unit, meaning, path) }

  /// A measured number; one that is not finite is written as not measured.
  package static func number(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, Double?> & Sendable
  ) -> Self { optional(name, unit, meaning, path) }

  package static func number(
    _ name: String, unit: String? = nil, _ meaning: String, _ path: any WritableKeyPath<Row, Double> & Sendable
  ) -> Self { required(name, unit, meaning, path) }

  package static func flag(
    _ name: String, _ meaning: String, _ path: any WritableKeyPath<Row, Bool> & Sendable
  ) -> Self { required(name, nil, meaning, path) }

  /// A number that follows from other columns.
  package static func derived(
    _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
  ) -> Self {
    Column(
      name: name, type: .number, unit: unit, meaning: meaning, value: { value($0).map(ColumnValue.number) },
      reading: .derived)
  }

  /// A flag that follows from other columns.
  package static func derived(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool
  ) -> Self {
    Column(name: name, type: .flag, unit: nil, meaning: meaning, value: { .flag(value($0)) }, reading: .derived)
  }

  /// The version of the columns, the same in every row; no other is read.
  package static var schemaVersion: Self {
    Column(
      name: "schema_version", type: .integer, unit: nil,
      meaning: "version of the columns; raised when one changes its meaning",
      value: { _ in .integer(CellKey.schemaVersion) },
      reading: .stored { text, _ throws(FieldProblem) in
        guard text == String(CellKey.schemaVersion) else { throw FieldProblem.version(text) }
      })
  }

  private static func required<Value: ColumnScalar>(
    _ name: String, _ unit: String?, _ meaning: String, _ path: any WritableKeyPath<Row, Value> & Sendable
  ) -> Self {
    Column(
      name: name, type: Value.columnType, unit: unit, meaning: meaning, value: { $0[keyPath: path].columnValue },
      reading: .stored { text, row throws(FieldProblem) in row[keyPath: path] = try Value.read(text) })
  }

  private static func optional<Value: ColumnScalar>(
    _ name: String, _ unit: String?, _ meaning: String, _ path: any WritableKeyPath<Row, Value?> & Sendable
  ) -> Self {
    Column(
      name: name, type: Value.columnType, unit: unit, meaning: meaning, value: { $0[keyPath: path]?.columnValue },
      reading: .stored { text, row throws(FieldProblem) in
        row[keyPath: path] = text.isEmpty ? nil : try Value.read(text)
      })
  }
}
