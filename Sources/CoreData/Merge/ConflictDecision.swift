/// The decision of a built-in merge policy on one object with a row that changed since it was read: by its state alone.
enum ConflictDecision: Equatable {
  /// The object has no changes to keep, and takes the row.
  case takeRow
  /// The row is deleted, in the version it has now.
  case deleteNewest
  /// The whole row wins: changes are dropped, and a deletion is taken back.
  case revive
  /// Property by property; the winner is asked where both sides changed one.
  case merge(storeWins: Bool)
  /// The whole object is written as it is here.
  case overwrite
  /// The save fails.
  case fail

  /// - Parameter state: of the object; one that was to be inserted, and has a row, counts as updated by now.
  init(_ policy: NSMergePolicyType, _ state: ChangeState) {
    switch policy {
    case .errorMergePolicyType: self = .fail
    // Only looked at because of `detectConflicts(for:)`.
    case _ where !state.isDirty: self = .takeRow
    case _ where state.contains(.deleted): self = policy.keepsHere ? .deleteNewest : .revive
    case .mergeByPropertyStoreTrumpMergePolicyType: self = .merge(storeWins: true)
    case .mergeByPropertyObjectTrumpMergePolicyType: self = .merge(storeWins: false)
    case .overwriteMergePolicyType: self = .overwrite
    case .rollbackMergePolicyType: self = .revive
    }
  }
}

extension NSMergePolicyType {
  /// Whether the context's values win over the store's.
  var keepsHere: Bool { self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType }

  /// Whether an object that was deleted elsewhere is inserted again under its ID; else nothing is left to be written, and it
  /// goes as well.
  func insertsAgain(_ state: ChangeState) -> Bool { keepsHere && state.isDirty && !state.contains(.deleted) }
}
