import RowStore

/// The save records of children that are still referenced: a late merge looks its objects up by the keys in them.
struct NamingRecords {
  private struct Reference {
    weak var record: SaveRecord?
  }

  /// Released records are dropped from the list each time it reaches this length.
  private static let sweepMin = 64

  private var references: [Reference] = []
  private var sweepAt = NamingRecords.sweepMin

  mutating func add(_ record: SaveRecord) {
    if references.count >= sweepAt {
      references.removeAll { $0.record == nil }
      sweepAt = max(Self.sweepMin, references.count * 2)
    }
    references.append(Reference(record: record))
  }

  /// The candidates that are named, and the records that were looked at.
  ///
  /// Complexity: O(*n*) for *n* objects in the records that are held.
  func keys(among candidates: Set<Int64>) -> (keys: Set<Int64>, records: [SaveRecord]) {
    let records = references.compactMap(\.record)
    var keys: Set<Int64> = []
    for record in records {
      for entries in [record.inserted, record.updated, record.deleted] {
        for entry in entries {
          if entry.key < 0, candidates.contains(entry.key) { keys.insert(entry.key) }
          entry.row?.forEachTemporaryKey { if candidates.contains($0) { keys.insert($0) } }
        }
      }
    }
    return (keys, records)
  }
}
