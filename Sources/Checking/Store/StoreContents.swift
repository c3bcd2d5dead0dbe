/// What a closed store's file holds, as far as checkers look at it.
package struct StoreContents: Sendable, Hashable {
  /// The rows by the entity's number.
  package let rows: [UInt16: EntityRows]

  /// The relationships that the layout has.
  package let references: [ReferenceRows]

  package init(rows: [UInt16: EntityRows], references: [ReferenceRows] = []) {
    self.rows = rows
    self.references = references
  }
}
