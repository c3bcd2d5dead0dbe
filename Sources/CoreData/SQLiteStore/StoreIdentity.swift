import Scheduling

/// What the IDs of one store share: its UUID and, so that an ID can name its entity, its model.
final class StoreIdentity: @unchecked Sendable {
  // Sendable: the model is frozen, what opened the store behind a lock.

  let uuid: String
  /// What the keys of its objects have on top of their primary keys.
  let tag: StoreTag
  /// Kept, since rows point into its layouts.
  let model: any StoredModel

  private struct Opened {
    weak var store: AnyObject?
  }

  private let openedStore = Locked(Opened())

  /// Who has the store open; nil when it is closed.
  var opened: AnyObject? {
    get { openedStore.withLock { $0.store } }
    set { openedStore.withLock { $0.store = newValue } }
  }

  init(uuid: String, model: any StoredModel) {
    self.uuid = uuid
    tag = StoreTag(uuid: uuid)
    self.model = model
  }

  /// The URI of an object.
  func uri(_ key: Int64, _ entity: EntityLayout) -> String {
    "x-coredata://\(uuid)/\(entity.name)/p\(tag.primaryKey(key))"
  }
}
