/// Whether a closed store's file is whole: by SQLite, and by its own bookkeeping.
package struct StoreCondition: Sendable, Hashable {
  /// One thing that is wrong with the file.
  package struct Damage: Sendable, Hashable {
    /// The kind of damage.
    package enum Kind: Sendable, Hashable {
      /// SQLite's findings in pages and indexes.
      case integrity
      /// `Z_PRIMARYKEY`, `Z_METADATA`, or the `Z_PK`, `Z_ENT` and `Z_OPT` of rows.
      case bookkeeping
      /// The persistent history is not that of the rows.
      case history
    }

    package var kind: Kind
    /// Table, or the file.
    package var place: String
    /// The expected state.
    package var expected: String
    /// The observed state.
    package var seen: String
    /// How many rows it is about; at least 1.
    package var count: Int

    package init(_ kind: Kind, _ place: String, expected: String, seen: String, count: Int = 1) {
      precondition(count > 0, "a damage was found at least once")
      self.kind = kind
      self.place = place
      self.expected = expected
      self.seen = seen
      self.count = count
    }
  }

  /// Rows with bookkeeping that was checked.
  package let rows: Int
  /// Everything that is wrong.
  package let damages: [Damage]

  package init(rows: Int, damages: [Damage] = []) {
    precondition(rows >= 0, "rows are counted")
    self.rows = rows
    self.damages = damages
  }

  /// Whether SQLite found nothing, so that values read from the file are those that were written.
  package var isReadable: Bool { !damages.contains { $0.kind == .integrity } }
}
