import Checking

/// A type that a column's values can have.
protocol ColumnScalar: Sendable {
  static var columnType: ColumnType { get }
  /// The form of such a value, for messages: `a whole number`.
  static var form: String { get }
  var columnValue: ColumnValue { get }
  /// Reads the form that ``ColumnValue/csvText`` writes; nil for anything else.
  init?(csvText: String)
}

extension ColumnScalar {
  static func read(_ text: String) throws(FieldProblem) -> Self {
    guard let value = Self(csvText: text) else {
      throw FieldProblem(text.isEmpty ? "is empty, and needs \(form)" : "\(text) is not \(form)")
    }
    return value
  }
}

extension String: ColumnScalar {
  static var columnType: ColumnType { .text }
  static var form: String { "text" }
  var columnValue: ColumnValue { .text(self) }
  init?(csvText: String) { self = csvText }
}

extension Int: ColumnScalar {
  static var columnType: ColumnType { .integer }
  static var form: String { "a whole number" }
  var columnValue: ColumnValue { .integer(self) }
  init?(csvText: String) { self.init(csvText) }
}

extension UInt64: ColumnScalar {
  static var columnType: ColumnType { .integer }
  static var form: String { "a whole number from 0" }
  var columnValue: ColumnValue { .unsigned(self) }
  init?(csvText: String) { self.init(csvText) }
}

extension Double: ColumnScalar {
  static var columnType: ColumnType { .number }
  static var form: String { "a finite number" }
  var columnValue: ColumnValue { .number(self) }
  init?(csvText: String) {
    guard let number = Double(csvText), number.isFinite else { return nil }
    self = number
  }
}

extension Bool: ColumnScalar {
  static var columnType: ColumnType { .flag }
  static var form: String { "yes or no" }
  var columnValue: ColumnValue { .flag(self) }
  init?(csvText: String) {
    switch csvText {
    case "yes": self = true
    case "no": self = false
    default: return nil
    }
  }
}

/// The problem of one field of a CSV file.
struct FieldProblem: Error, Sendable, Hashable {
  let what: String
  var remedy = "Take the file as contextbench wrote it"

  init(_ what: String) { self.what = what }

  /// The file has the columns of another version.
  static func version(_ text: String) -> FieldProblem {
    var problem = FieldProblem("is \(text), and this contextbench reads version \(CellKey.schemaVersion)")
    problem.remedy = "Read the file with the contextbench that wrote it, or run again with this one"
    return problem
  }
}
