extension StoreLayout {
  /// The layout of the model that the shipped scenarios work on: notes, and the words in them.
  package static let notebook = StoreLayout(entities: [
    EntityLayout(number: 1, name: "Note", table: "ZNOTE", keyColumn: "ZNUMBER", revisionColumn: "ZREVISION"),
    EntityLayout(
      number: 2, name: "Word", table: "ZWORD", keyColumn: "ZNUMBER",
      references: [ReferenceLayout(name: "note", column: "ZNOTE", table: "ZNOTE", entities: [1], need: .required)]),
  ])
}
