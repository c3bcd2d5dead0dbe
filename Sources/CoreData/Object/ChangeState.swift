/// The state of one object since its context was last saved, and since changes were last processed: a pure state machine.
///
/// *Unsaved* bits are for the next save; *pending* bits for the next `ObjectsDidChange`.
struct ChangeState: OptionSet, Hashable {
  let rawValue: UInt8

  static let inserted = ChangeState(rawValue: 1 << 0)
  static let updated = ChangeState(rawValue: 1 << 1)
  static let deleted = ChangeState(rawValue: 1 << 2)
  static let pendingInsert = ChangeState(rawValue: 1 << 3)
  static let pendingUpdate = ChangeState(rawValue: 1 << 4)
  static let pendingDelete = ChangeState(rawValue: 1 << 5)
  /// Gone: deleted and saved, merged away, or its row was not found.
  static let gone = ChangeState(rawValue: 1 << 6)

  /// Its context was reset: properties have their default values.
  static let wasReset = ChangeState(rawValue: 1 << 7)

  static let unsaved: ChangeState = [.inserted, .updated, .deleted]
  static let pending: ChangeState = [.pendingInsert, .pendingUpdate, .pendingDelete]

  /// Whether a save has something to do with the object.
  var isDirty: Bool { !isDisjoint(with: .unsaved) }

  /// Whether a further change has nothing to add: the object is unsaved, and pending as well.
  @inline(__always)
  var isNoted: Bool { !isDisjoint(with: .unsaved) && !isDisjoint(with: .pending) }

  /// The object came into the context.
  mutating func insert() { self = [.inserted, .pendingInsert] }

  /// A property was set.
  ///
  /// - Returns: the bits that became set: `.updated` when the object has to join the updated ones, `.pendingUpdate` when the
  ///   pending ones.
  mutating func update() -> ChangeState {
    // An object that is gone is never saved again, whatever is set.
    if contains(.gone) { return [] }
    var gained: ChangeState = []
    if isDisjoint(with: .unsaved) { gained.insert(.updated) }
    if isDisjoint(with: [.pendingInsert, .pendingUpdate, .pendingDelete]) { gained.insert(.pendingUpdate) }
    formUnion(gained)
    return gained
  }

  /// The object was deleted.
  ///
  /// - Returns: false when it was deleted already.
  mutating func delete() -> Bool {
    guard isDisjoint(with: [.deleted, .gone]) else { return false }
    insert(.deleted)
    insert(.pendingDelete)
    return true
  }

  /// The deletion was taken back before it was saved.
  ///
  /// - Parameter isChanged: whether the object has changed properties, perhaps since it was deleted.
  mutating func undelete(isChanged: Bool) {
    subtract([.deleted, .pendingDelete])
    insert(.pendingUpdate)
    if isChanged, !contains(.inserted) { insert(.updated) }
  }

  /// The values are the saved ones again.
  mutating func settle() { remove(.updated) }

  /// The pending bits were reported.
  mutating func process() { subtract(.pending) }

  /// The changes are in the store, or in the parent.
  mutating func save() {
    let isGone = contains(.deleted) || contains(.gone)
    self = isGone ? .gone : []
  }

  /// Unsaved changes were dropped; an object never saved is gone with them.
  mutating func rollback() {
    let isGone = contains(.inserted) || contains(.gone)
    self = isGone ? .gone : []
  }

  /// Another context deleted the row and posted so.
  mutating func mergeDelete() { self = .gone }

  /// Inserted and deleted since the last save: nothing to save, ever.
  var isVanishing: Bool { isSuperset(of: [.inserted, .deleted]) }

  /// The contradiction between the bits; nil when they go together. Complexity: O(1).
  var contradiction: String? {
    if contains(.gone), !isDisjoint(with: .unsaved) { return "an object that is gone has nothing to save" }
    if contains(.pendingInsert), !contains(.inserted) { return "a pending insert is an unsaved insert" }
    if contains(.pendingDelete), !contains(.deleted) { return "a pending delete is an unsaved delete" }
    if isSuperset(of: [.inserted, .updated]) { return "an inserted object is not also updated" }
    return nil
  }

  /// Complexity: O(1). Traps when the bits contradict each other.
  func checkInvariants() {
    if let contradiction { preconditionFailure(contradiction) }
  }
}
