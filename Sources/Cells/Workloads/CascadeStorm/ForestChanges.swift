import Checking

/// The inserts and deletes of one unit of work in a forest, by logical key.
struct ForestChanges: UnitChanges {
  /// One object.
  struct Row: Hashable {
    var entity: UInt16
    var number: Int64
    /// Number of the folder it belongs to; 0 for none.
    var owner: Int64 = 0
  }

  private(set) var inserted: [Row] = []
  private(set) var deleted: [Row] = []

  var objectCount: Int { inserted.count + deleted.count }

  mutating func insert(_ entity: UInt16, _ number: Int64, in owner: Int64 = 0) {
    precondition(number > 0 && owner >= 0, "rows count from 1")
    inserted.append(Row(entity: entity, number: number, owner: owner))
  }

  mutating func delete(_ entity: UInt16, _ number: Int64) {
    deleted.append(Row(entity: entity, number: number))
  }

  /// Records every row.
  func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
    let history = recorder.history
    for row in inserted {
      history.record(type, .insert, entity: row.entity, key: row.number, value: type == .fail ? code : row.owner)
    }
    for row in deleted { history.record(type, .delete, entity: row.entity, key: row.number, value: code) }
  }
}
