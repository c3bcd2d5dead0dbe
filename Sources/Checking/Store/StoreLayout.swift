/// Which tables and columns of a store's file carry the logical keys, revisions and relationships that checkers look at.
package struct StoreLayout: Codable, Sendable, Hashable {
  /// The entities that are checked; their numbers are those in history records.
  package var entities: [EntityLayout]

  /// The join tables that are checked.
  package var joins: [JoinLayout]
  /// Whether the rows' versions, `Z_OPT`, are read.
  package var readsVersions = false
  /// The entities of which the rows' owners are read.
  package var ownedEntities: Set<UInt16> = []

  package init(entities: [EntityLayout], joins: [JoinLayout] = []) {
    precondition(Set(entities.map(\.number)).count == entities.count, "an entity's number is its own")
    precondition(Set(entities.map(\.name)).count == entities.count, "an entity's name is its own")
    self.entities = entities
    self.joins = joins
  }

  /// The entity of a number, as in history records.
  package func entity(_ number: UInt16) -> EntityLayout? { entities.first { $0.number == number } }

  /// The entity's name, or its number as text.
  func name(_ number: UInt16) -> String { entity(number)?.name ?? "entity \(number)" }
}

extension StoreLayout {
  /// The layout of the model that the shipped scenarios work on: notes, and the words in them.
  package static let notebook = StoreLayout(entities: [
    EntityLayout(number: 1, name: "Note", table: "ZNOTE", keyColumn: "ZNUMBER", revisionColumn: "ZREVISION"),
    EntityLayout(
      number: 2, name: "Word", table: "ZWORD", keyColumn: "ZNUMBER",
      references: [ReferenceLayout(name: "note", column: "ZNOTE", table: "ZNOTE", entities: [1], need: .required)]),
  ])
}
