/// A column of a CSV file, declared once: its name, type, unit and meaning, and where in a row its value stands.
///
/// The header line, the values and the documentation all come from here.
package struct Column<Row>: Sendable {
  /// Name in the header; a unit stands last in it.
  package let name: String
  /// What its values are.
  package let type: ColumnType
  /// Unit of a number: `s`, `ns`, `bytes`, `1/s`; nil for a plain count and for text.
  package let unit: String?
  /// One line that says what it means.
  package let meaning: String
  /// The row's value; nil when it was not measured.
  package let value: @Sendable (Row) -> ColumnValue?

  private init(
    name: String, type: ColumnType, unit: String?, meaning: String, value: @escaping @Sendable (Row) -> ColumnValue?
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.meaning = meaning
    self.value = value
  }

  package static func text(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> String?) -> Self {
    Column(name: name, type: .text, unit: nil, meaning: meaning) { value($0).map(ColumnValue.text) }
  }

  package static func integer(
    _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Int?
  ) -> Self {
    Column(name: name, type: .integer, unit: unit, meaning: meaning) { value($0).map(ColumnValue.integer) }
  }

  package static func unsigned(
    _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> UInt64?
  ) -> Self {
    Column(name: name, type: .integer, unit: unit, meaning: meaning) { value($0).map(ColumnValue.unsigned) }
  }

  package static func number(
    _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
  ) -> Self {
    Column(name: name, type: .number, unit: unit, meaning: meaning) { value($0).map(ColumnValue.number) }
  }

  package static func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool?) -> Self {
    Column(name: name, type: .flag, unit: nil, meaning: meaning) { value($0).map(ColumnValue.flag) }
  }

  /// The same column in rows that contain this one's rows.
  package func inside<Outer>(_ part: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    let value = value
    return Column<Outer>(name: name, type: type, unit: unit, meaning: meaning) { value(part($0)) }
  }
}
