import RowStore

/// Names an object across contexts and threads; compares and hashes by value.
///
/// Thread-safe.
/// - SeeAlso: Apple, "NSManagedObjectID".
open nonisolated class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  /// Positive in a store, with the store's tag in it; negative while temporary.
  final let key: Int64
  final let layoutReference: Unmanaged<EntityLayout>
  final var layout: EntityLayout { layoutReference.takeUnretainedValue() }
  /// `layout.rootNumber`, at hand for the identity map.
  private let rootNumber: Int32
  /// The store; nil while temporary.
  final let store: StoreIdentity?
  /// The model, which keeps `layout` alive, or a ``Replacement``.
  private let kept: AnyObject

  /// A permanent ID in the place of an object's temporary one: a reader of that on another thread may still have its address.
  private final class Replacement {
    let model: NSManagedObjectModel
    let replaced: NSManagedObjectID

    init(_ model: NSManagedObjectModel, _ replaced: NSManagedObjectID) {
      self.model = model
      self.replaced = replaced
    }
  }

  init(
    key: Int64, layout: EntityLayout, store: StoreIdentity?, model: NSManagedObjectModel,
    replacing replaced: NSManagedObjectID? = nil
  ) {
    self.key = key
    layoutReference = .passUnretained(layout)
    rootNumber = Int32(truncatingIfNeeded: layout.rootNumber)
    self.store = store
    kept = replaced.map { Replacement(model, $0) } ?? model
    super.init()
  }

  /// The ID of a row of that store.
  convenience init(key: Int64, layout: EntityLayout, store: StoreIdentity) {
    self.init(key: key, layout: layout, store: store, model: store.managedModel)
  }

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// The store that has the object, while its coordinator has it open; nil for a temporary ID.
  open var persistentStore: NSPersistentStore? { store?.store }

  /// The row's `Z_PK`; negative while temporary.
  package final var primaryKey: Int64 { store?.tag.primaryKey(key) ?? key }

  /// Whether the object was never saved to a store, nor given a permanent ID otherwise.
  open var isTemporaryID: Bool { key < 0 }

  /// `x-coredata://STORE-UUID/Entity/pN`, or `x-coredata:///Entity/tN` for a temporary ID, which means nothing elsewhere.
  open func uriRepresentation() -> URL {
    let text =
      store.map { $0.uri(key, layout) }
      ?? "x-coredata:///\(layout.name)/t\(-key)"
    guard let url = URL(string: text) else { preconditionFailure("\(text) is a URL: entity names are identifiers") }
    return url
  }

  final var reference: RowReference { RowReference(key: key, entity: UInt16(truncatingIfNeeded: layout.number)) }

  @inline(__always)
  final var identity: RowIdentity { RowIdentity(key: key, rootNumber: rootNumber) }

  /// Two IDs are equal when they name the same row of stores with the same UUID, or are the same temporary ID.
  ///
  /// The key has the store's tag.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other || (key == other.key && layout.root.name == other.layout.root.name)
  }

  open override var hash: Int { key.hashValue }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A number that is the same for equal IDs of a process, and the URI: `0x1000001 <x-coredata://…/Note/p1>`.
  open override var description: String {
    "0x\(String(UInt64(bitPattern: key), radix: 16)) <\(uriRepresentation().absoluteString)>"
  }
}

extension StoreIdentity {
  /// - Precondition: a coordinator opened the store.
  var managedModel: NSManagedObjectModel {
    guard let model = model as? NSManagedObjectModel else { preconditionFailure("a store's model is what opened it") }
    return model
  }

  /// The store, while it is open.
  var store: NSPersistentStore? {
    get { opened as? NSPersistentStore }
    set { opened = newValue }
  }
}
