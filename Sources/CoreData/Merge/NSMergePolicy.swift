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

/// Decides what a save does about rows that changed since they were read.
///
/// - SeeAlso: Apple, "NSMergePolicy".
open class NSMergePolicy: NSObject, @unchecked Sendable {
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

  /// Changes the objects so that their save can go on; called on the saving context's queue.
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
      resolve(conflict)
      conflict.sourceObject.registry?.contextOnQueue?.changes.noteOther()
    }
  }

  private func resolve(_ conflict: NSMergeConflict) {
    let object = conflict.sourceObject
    let keepsHere = mergeType == .mergeByPropertyObjectTrumpMergePolicyType || mergeType == .overwriteMergePolicyType
    guard let row = conflict.row else { return object.resolveMissingRow(keepsHere: keepsHere) }
    if object.state.contains(.deleted) {
      if keepsHere { object.snapshot = row } else { object.reviveFrom(row) }
      return
    }
    switch mergeType {
    case .errorMergePolicyType: break
    case .mergeByPropertyStoreTrumpMergePolicyType: object.merge(row, storeWins: true)
    case .mergeByPropertyObjectTrumpMergePolicyType: object.merge(row, storeWins: false)
    case .overwriteMergePolicyType: object.overwrite(row)
    case .rollbackMergePolicyType: object.reviveFrom(row)
    }
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

extension NSManagedObject {
  /// The row was deleted elsewhere while this object changed, or was deleted here too.
  fileprivate final func resolveMissingRow(keepsHere: Bool) {
    if state.contains(.deleted) || !keepsHere {
      // Nothing is left to do in the store.
      registry?.objects.remove(identity, ifItIs: self)
      state = .gone
      return
    }
    // Inserted again under its ID: the whole object is new to the store.
    reservedKey = key
    state.subtract(.updated)
    state.insert(.inserted)
    registry?.contextOnQueue?.changes.reinsert(self)
  }

  /// Takes the row's values; what changed here is dropped, and a deletion is taken back.
  fileprivate final func reviveFrom(_ row: Row) {
    for property in layout.relationships where changed.contains(property.index) { forgetMove(property) }
    state = []
    changed = .empty
    relations = []
    snapshot = row
    if values != nil { values = row }
  }

  /// A move to another object was dropped: the to-many relationships on both ends no longer know of it.
  private final func forgetMove(_ property: PropertyLayout) {
    guard case .toOne = property.kind, let inverse = property.relation.inverse, inverse.relation.isToMany,
      let context = registry?.contextOnQueue
    else { return }
    for row in [values, snapshot] {
      guard case .reference(let reference)? = row?[property.index] else { continue }
      context.object(for: reference, in: property.relation.destination).knownToMany(inverse)?.reread(without: self)
    }
  }

  /// Property by property; where only one side changed a property, that side's value stays.
  fileprivate final func merge(_ row: Row, storeWins: Bool) {
    if storeWins, let snapshot {
      for property in layout.properties
      where changed.contains(property.index) && row[property.index] != snapshot[property.index] {
        forgetMove(property)
        changed.remove(property.index)
        if property.relation != nil, property.relation.position < relations.count {
          relations[property.relation.position] = .unknown
        }
      }
    }
    take(row)
  }

  /// The whole object as it is here, changed or not.
  fileprivate final func overwrite(_ row: Row) {
    if values == nil { values = snapshot }
    snapshot = row
    for property in layout.properties {
      if case .toMany = property.kind { continue }
      changed.insert(property.index)
    }
  }
}
