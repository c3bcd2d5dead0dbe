/// What a built-in merge policy does about one object whose row changed since it was read, or is gone: decided by its
/// state alone.
enum ConflictDecision: Equatable {
  /// The row is gone, and nothing is left to be written: the object goes as well.
  case letGo
  /// The row is gone, and is inserted again under its ID.
  case insertAgain
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

  /// - Parameters:
  ///   - policy: any but the one that fails.
  ///   - state: of the object; one that was inserted and has a row counts as updated by now.
  init(_ policy: NSMergePolicyType, _ state: ChangeState, hasRow: Bool) {
    precondition(policy != .errorMergePolicyType, "the error policy decides nothing for an object")
    precondition(!hasRow || !state.contains(.inserted), "an object with a row is not to be inserted")
    let keepsHere = policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
    guard hasRow else {
      self = keepsHere && state.isDirty && !state.contains(.deleted) ? .insertAgain : .letGo
      return
    }
    if !state.isDirty {
      // Only looked at because of `detectConflicts(for:)`.
      self = .takeRow
    } else if state.contains(.deleted) {
      self = keepsHere ? .deleteNewest : .revive
    } else {
      switch policy {
      case .mergeByPropertyStoreTrumpMergePolicyType: self = .merge(storeWins: true)
      case .mergeByPropertyObjectTrumpMergePolicyType: self = .merge(storeWins: false)
      case .overwriteMergePolicyType: self = .overwrite
      case .rollbackMergePolicyType, .errorMergePolicyType: self = .revive
      }
    }
  }
}
