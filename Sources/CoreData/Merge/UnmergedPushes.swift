import RowStore

/// The pushes of a child to its parent before it merged earlier saves of that parent: those saves are older than the pushes,
/// and say nothing of them.
struct UnmergedPushes {
  private struct Pushed {
    /// How many saves of the parent there were.
    let save: UInt32
    /// The parent's row of the object after the push; nil for a deletion.
    let row: Row?
  }

  private var pushed: [RowIdentity: Pushed] = [:]

  mutating func note(_ identity: RowIdentity, after save: UInt32, row: Row?) {
    pushed[identity] = Pushed(save: save, row: row)
  }

  private func pushed(_ identity: RowIdentity, since save: UInt32) -> Pushed? {
    guard !pushed.isEmpty, let known = pushed[identity], Int32(bitPattern: known.save &- save) >= 0 else { return nil }
    return known
  }

  /// The row to take because of a save: the one pushed since, with all of the parent's values, or that of the save; nil for a
  /// row deleted since.
  func row(_ entry: SavedRow, of save: UInt32) -> Row? {
    if let known = pushed(entry.identity, since: save) { return known.row }
    return entry.row
  }

  /// Whether the object was changed by a push since that save.
  func hasRow(_ identity: RowIdentity, of save: UInt32) -> Bool { pushed(identity, since: save)?.row != nil }
}

/// The rows for a child that merges a save of its parent while the parent's queue is taken.
final class RowsAtHand {
  private let record: SaveRecord
  private let save: UInt32
  private let unmergedPushes: UnmergedPushes
  /// Whether the child has read nothing from its parent since the save.
  private let isNewest: Bool
  /// Whether a row was wanted and missing.
  var isOneMissing = false
  private lazy var rows = Dictionary(
    [record.inserted, record.updated].joined().compactMap { entry in
      unmergedPushes.row(entry, of: save).map { (entry.identity, $0) }
    }, uniquingKeysWith: { $1 })

  init(_ record: SaveRecord, _ save: UInt32, _ unmergedPushes: UnmergedPushes, isNewest: Bool) {
    (self.record, self.save, self.unmergedPushes, self.isNewest) = (record, save, unmergedPushes, isNewest)
  }

  /// The row for a fault of that context: the newer of the row that was read and that of the save; nil where there is neither.
  func row(of fault: NSManagedObject, in context: NSManagedObjectContext) -> Row? {
    if !isNewest, let row = fault.snapshot { return row }
    return savedRow(of: fault, in: context) ?? fault.snapshot
  }

  /// Whether the fault has the row that its parent has: that of the save. A row read before may be older, for the parent may
  /// have merged since.
  func isSure(of fault: NSManagedObject, in context: NSManagedObjectContext) -> Bool {
    isNewest && savedRow(of: fault, in: context) != nil
  }

  private func savedRow(of fault: NSManagedObject, in context: NSManagedObjectContext) -> Row? {
    context.tree.aliases.identities(of: fault.key, fault.layout).lazy.compactMap { self.rows[$0] }.first
  }
}

extension Push {
  /// Notes the pushes of `child` to `parent`, which holds still meanwhile.
  func noteAhead(of child: NSManagedObjectContext, in parent: NSManagedObjectContext) {
    for object in inserted + updated + deleted {
      let row = parent.registered(key: object.key, layout: object.layout).flatMap { own -> Row? in
        guard own.state.isDisjoint(with: [.deleted, .gone]) else { return nil }
        return try? ParentAnswers(of: parent).row(key: object.key, layout: object.layout)
      }
      for identity in child.tree.aliases.identities(of: object.key, object.layout) {
        child.inbox.unmergedPushes.note(identity, after: parent.saves.begun, row: row)
      }
    }
  }
}

extension KeyAliases {
  /// The identities that an object has in the family of contexts.
  fileprivate func identities(of key: Int64, _ layout: EntityLayout) -> [RowIdentity] {
    let identity = RowIdentity(key: key, layout: layout)
    let other = key < 0 ? permanent(for: key) : temporary(for: identity)
    return [identity] + (other.map { [RowIdentity(key: $0, layout: layout)] } ?? [])
  }
}
