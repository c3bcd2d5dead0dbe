import RowStore

/// How a merge policy decides; raw values are Apple's.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails with 133020.
  case errorMergePolicyType = 0
  /// Property by property: the store's value where both changed it.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property: this context's value where both changed it.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The whole object as it is here.
  case overwriteMergePolicyType = 3
  /// The whole object as it is in the store.
  case rollbackMergePolicyType = 4
}

/// Resolves a save's conflicts with rows that changed since they were read.
///
/// - SeeAlso: Apple, "NSMergePolicy".
open nonisolated class NSMergePolicy: NSObject, @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  /// How this policy decides.
  public final let mergeType: NSMergePolicyType

  /// Makes a policy.
  public init(merge ty: NSMergePolicyType) {
    mergeType = ty
    super.init()
  }

  /// The save fails with 133020.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// The store's value where both changed a property.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// This context's value where both changed a property.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// The whole object as it is here.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// The whole object as it is in the store.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// Changes the objects so that their save can continue: gives every kind of conflict to its own method.
  ///
  /// Called on the saving context's queue, inside the save's transaction.
  /// - Throws: as those methods, when the save has to fail; the context then has all its changes as before the save.
  open func resolve(mergeConflicts list: [Any]) throws {
    let stale = list.compactMap { $0 as? NSMergeConflict }
    if !stale.isEmpty { try resolve(optimisticLockingConflicts: stale) }
    let rivals = list.compactMap { $0 as? NSConstraintConflict }
    if !rivals.isEmpty { try resolve(constraintConflicts: rivals) }
  }

  /// Resolves conflicts of objects with rows that changed since they were read.
  ///
  /// - Throws: 133020 with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`, when the save has to fail.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType != .errorMergePolicyType else {
      throw NSError.coreData(
        NSManagedObjectMergeError,
        "\(list.count) of the objects to save changed in the store since they were read: "
          + list.prefix(3).map(\.description).joined(separator: ", "),
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    for conflict in list {
      // An object that goes has no context any more.
      let context = conflict.sourceObject.registry?.contextOnQueue
      resolve(conflict)
      context?.changes.markStale()
    }
  }

  private func resolve(_ conflict: NSMergeConflict) {
    let object = conflict.sourceObject
    guard let row = conflict.row else {
      return mergeType.insertsAgain(object.state) ? object.insertAgain() : object.acceptDeletion()
    }
    if object.state.contains(.inserted) { object.becomeUpdated() }
    switch ConflictDecision(mergeType, object.state) {
    case .takeRow: object.take(row)
    case .deleteNewest: object.take(row)
    case .revive: object.reviveFrom(row)
    case .merge(let storeWins):
      object.dropEqualChanges()
      object.merge(row, storeWins: storeWins)
    case .overwrite: object.overwrite(row)
    case .fail: break
    }
  }

  /// Makes one object of those that a uniqueness constraint does not allow side by side.
  ///
  /// A row of the store keeps its ID: an inserted object that collides with it goes, its members of to-many relationships go
  /// over, and with object trump the values set on it (with overwrite all values) are written to the row. A saved object that
  /// was given the values of another row gets its old ones back with store trump and rollback; with object trump and overwrite
  /// the other row is deleted under its delete rules.
  /// - Throws: 133021 with the conflicts under `NSPersistentStoreSaveConflictsErrorKey`, when the save has to fail.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType != .errorMergePolicyType else {
      throw NSError.coreData(
        NSManagedObjectConstraintMergeError,
        "\(list.count) uniqueness constraints do not allow the objects to save: "
          + list.prefix(3).map(\.description).joined(separator: ", "),
        userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
    for conflict in list { try ConstraintResolution(conflict, mergeType)?.carryOut() }
  }
}

/// `NSMergePolicy.error`, under Apple's C name.
public let NSErrorMergePolicy: NSMergePolicy = .error
/// `NSMergePolicy.mergeByPropertyStoreTrump`, under Apple's C name.
public let NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy = .mergeByPropertyStoreTrump
/// `NSMergePolicy.mergeByPropertyObjectTrump`, under Apple's C name.
public let NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy = .mergeByPropertyObjectTrump
/// `NSMergePolicy.overwrite`, under Apple's C name.
public let NSOverwriteMergePolicy: NSMergePolicy = .overwrite
/// `NSMergePolicy.rollback`, under Apple's C name.
public let NSRollbackMergePolicy: NSMergePolicy = .rollback
