import Foundation
import Scheduling

/// The common part of one store's IDs: its UUID and, so that an ID can name its entity, its model.
package final class StoreIdentity: @unchecked Sendable {
  // Sendable: the model is frozen, the open store is behind a lock.

  package let uuid: String
  /// The part of its objects' keys above the primary keys.
  package let tag: StoreTag
  /// Kept, since rows point into its layouts.
  package let model: any StoredModel

  private struct Opened {
    package weak var store: AnyObject?
  }

  private let openedStore = Locked(Opened())

  /// The open store; nil when it is closed.
  package var opened: AnyObject? {
    get { openedStore.withLock { $0.store } }
    set { openedStore.withLock { $0.store = newValue } }
  }

  package init(uuid: String, model: any StoredModel) {
    self.uuid = uuid
    tag = StoreTag(uuid: uuid)
    self.model = model
  }

  /// The URI of an object.
  package func uri(_ key: Int64, _ entity: EntityLayout) -> String {
    precondition(tag.owns(key), "a store names its own rows")
    return "x-coredata://\(uuid)/\(entity.name)/p\(tag.primaryKey(key))"
  }
}

/// Identities of the stores that a coordinator opened, shared by their IDs, also after a store was closed. Thread-safe.
package final class StoreIdentities: Sendable {
  private let identities = Locked<[StoreTag: StoreIdentity]>([:])

  package init() {}

  package func note(_ identity: StoreIdentity) { identities.withLock { $0[identity.tag] = identity } }

  /// Nil for a temporary key, and for one of a store that was never open here.
  package func identity(of key: Int64) -> StoreIdentity? {
    key < 0 ? nil : identities.withLock { $0[StoreTag.of(key)] }
  }
}
