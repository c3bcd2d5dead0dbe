/// The rows of a closed store's file, as far as checkers read them.
package struct StoreContents: Sendable, Hashable {
  /// The rows by the entity's number.
  package let rows: [UInt16: EntityRows]

  /// The relationships that the layout has.
  package let references: [ReferenceRows]
  /// By the entity's number, the rows' versions by primary key; empty when the layout does not read them.
  package let versions: [UInt16: [Int64: Int64]]

  package init(rows: [UInt16: EntityRows], references: [ReferenceRows] = [], versions: [UInt16: [Int64: Int64]] = [:]) {
    self.rows = rows
    self.references = references
    self.versions = versions
  }
}
