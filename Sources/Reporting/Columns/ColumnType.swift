/// What the values of a column are.
package enum ColumnType: String, Sendable, CaseIterable {
  case text, integer, number, flag
}
