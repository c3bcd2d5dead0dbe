/// One value of a row, by its type; how it looks in CSV follows from that.
package enum ColumnValue: Sendable, Hashable {
  case text(String)
  case integer(Int)
  case unsigned(UInt64)
  /// A measured number. One that is not finite counts as not measured.
  case number(Double)
  case flag(Bool)

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
