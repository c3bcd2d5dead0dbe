/// The outcome of a save of one row by the merge policy, when the row changed since it was read.
///
/// A model of the contract, apart from the stack: optimistic locking and Apple's five policies.
/// - SeeAlso: Apple, "NSMergePolicy".
struct MergeOracle: Sendable {
  /// Apple's policies, by their names in scenario files.
  enum Policy: String, Sendable {
    case error
    case storeTrump = "store-trump"
    case objectTrump = "object-trump"
    case overwrite
    case rollback
  }

  /// A save of one row.
  struct Edit: Sendable {
    /// The properties' values that the context had read.
    var seen: [Int64]
    /// The values to save; nil to delete the row.
    var saved: [Int64]?
    /// Whether it goes to a parent context: there the child's changes win, and no version is compared.
    var isPush: Bool
  }

  /// The outcome of a save.
  enum Outcome: Sendable, Equatable {
    /// The store has these values afterwards; nil for no row.
    case saved([Int64]?)
    /// Refused; the store is as it was.
    case refused
    /// The contract does not say.
    case unspecified
  }

  /// The error of a save that the file did not take, whatever the rows are: `NSPersistentStoreSaveError`.
  static let brokenSaveCode: Int64 = 134_030

  let policy: Policy

  /// Whether the row changed since it was read.
  static func isConflict(_ edit: Edit, with stored: [Int64]?) -> Bool { stored != edit.seen }

  /// The row in the store after `edit`, with `stored` before it.
  func outcome(of edit: Edit, with stored: [Int64]?) -> Outcome {
    precondition(
      (stored ?? edit.seen).count == edit.seen.count && (edit.saved ?? edit.seen).count == edit.seen.count,
      "a row, what was seen of it and what was saved have the same properties")
    if edit.isPush { return outcomeOfPush(edit, stored) }
    guard Self.isConflict(edit, with: stored) else { return .saved(edit.saved) }
    let keepsHere = policy == .objectTrump || policy == .overwrite
    switch (policy, stored, edit.saved) {
    case (.error, _, _): return .refused
    // Deleted here: the delete wins, or the row as it is by now. Deleted there: inserted again, or dropped.
    case (_, let stored?, nil): return .saved(keepsHere ? nil : stored)
    case (_, nil, let saved): return .saved(keepsHere ? saved : nil)
    case (.overwrite, _, let saved?): return .saved(saved)
    case (.rollback, let stored?, _): return .saved(stored)
    case (_, let stored?, let saved?):
      return .saved(
        stored.indices.map { index in
          let isChangedHere = saved[index] != edit.seen[index]
          let isChangedThere = stored[index] != edit.seen[index]
          if isChangedHere, isChangedThere { return keepsHere ? saved[index] : stored[index] }
          return isChangedHere ? saved[index] : stored[index]
        })
    }
  }

  private func outcomeOfPush(_ edit: Edit, _ stored: [Int64]?) -> Outcome {
    guard let stored else { return .unspecified }
    guard let saved = edit.saved else { return .saved(nil) }
    return .saved(stored.indices.map { saved[$0] != edit.seen[$0] ? saved[$0] : stored[$0] })
  }
}
