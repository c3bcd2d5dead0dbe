@testable import CoreData
@testable import RowStore

/// The persistent history of a store so far, replayed from an empty store.
struct ReplayedHistory {
  /// The last transaction that was replayed.
  fileprivate var token: NSPersistentHistoryToken?
  /// The rows that are there, with how often each was updated.
  fileprivate var updates: [RowIdentity: Int] = [:]
  /// Rows that came back after they were deleted, with versions of their own.
  fileprivate var returned: Set<RowIdentity> = []
  fileprivate var gone: Set<RowIdentity> = []
  /// The rows as they were when they were compared last.
  fileprivate var rows: [Int: ReferenceModel.Row] = [:]
}

extension Driver {
  /// Replays the new transactions of the history: they have to give the model's rows, and to name the changes in them.
  func compareHistory(_ model: ReferenceModel) throws {
    guard world.keepsHistory else { return }
    let context = stacks[0].context("history")
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: replayed.token)
    let result = try context.performAndWait { try context.execute(request) as? NSPersistentHistoryResult }
    var named: [RowIdentity: Set<String>] = [:]
    var isNew: Set<RowIdentity> = []
    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
      for change in transaction.changes ?? [] {
        let row = RowIdentity(key: change.changedObjectID.key, layout: change.changedObjectID.layout)
        try replay(change, of: row)
        if change.changeType == .insert { isNew.insert(row) }
        named[row, default: []].formUnion(change.updatedProperties?.map(\.name) ?? [])
      }
      replayed.token = transaction.token
    }
    for (name, row) in model.store {
      guard let id = ids[name] else { throw Difference("no ID of #\(name)") }
      let identity = RowIdentity(key: id.key, layout: id.layout)
      guard let updates = replayed.updates[identity] else { throw Difference("history: #\(name) is missing") }
      guard updates + 1 >= row.version || replayed.returned.contains(identity) else {
        throw Difference("history: #\(name) was updated \(updates) times, and its version is \(row.version)")
      }
      guard let before = replayed.rows[name], !isNew.contains(identity) else { continue }
      for (index, value) in row.values.enumerated() where value != before.values[index] {
        let property = AtlasSchema.entities[row.entity].properties[index].name
        guard named[identity]?.contains(property) != true else { continue }
        throw Difference("history: the change of #\(name).\(property) is missing")
      }
    }
    guard replayed.updates.count == model.store.count else {
      throw Difference("history: gives \(replayed.updates.count) rows, expected \(model.store.count)")
    }
    replayed.rows = model.store
  }

  private func replay(_ change: NSPersistentHistoryChange, of row: RowIdentity) throws {
    let isThere = replayed.updates[row] != nil
    guard isThere == (change.changeType != .insert) else {
      throw Difference("history: \(change) of a row that is \(isThere ? "there" : "not there")")
    }
    switch change.changeType {
    case .insert:
      replayed.updates[row] = 0
      if replayed.gone.contains(row) { replayed.returned.insert(row) }
    case .update: replayed.updates[row, default: 0] += 1
    case .delete:
      replayed.updates[row] = nil
      replayed.gone.insert(row)
    }
  }
}
