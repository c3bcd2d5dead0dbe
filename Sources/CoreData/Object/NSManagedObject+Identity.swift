import RowStore
import Synchronization

// How an object gets its key and its ID. Any thread may call these.

extension NSManagedObject {
  /// Whether the object was in no context so far.
  final var isUnclaimed: Bool {
    switch home {
    case .none, .model: true
    case .context, .former: false
    }
  }

  /// Gives an object that comes into a context a temporary key: that of its ID, where it was in no context so far and
  /// has an ID.
  ///
  /// - Returns: whether the key may be known already.
  final func renewKey() -> Bool {
    if isUnclaimed { return takeTemporaryKey() }
    key = TemporaryKeys.next()
    return false
  }

  /// Gives an object that was in no context so far its temporary key, unless it has one.
  ///
  /// - Returns: whether it had one.
  @discardableResult
  private final func takeTemporaryKey() -> Bool {
    key != 0
      || !keyStorage.compareExchange(expected: 0, desired: TemporaryKeys.next(), ordering: .relaxed).exchanged
  }

  /// Makes the ID for the key the object has now.
  @inline(never)
  final func makeIdentifier() -> NSManagedObjectID {
    guard let registry = home.registryOfID else { return makeUnclaimedIdentifier() }
    return registry.lock.withLock { _ in
      let old = UnsafeRawPointer(bitPattern: identifier.load(ordering: .relaxed))
        .map { Unmanaged<NSManagedObjectID>.fromOpaque($0) }
      if let id = old?.takeUnretainedValue(), id.key == key { return id }
      let id = NSManagedObjectID(
        key: key, layout: layout, store: registry.identities.identity(of: key), model: registry.model,
        replacing: old?.takeRetainedValue())
      identifier.store(UInt(bitPattern: Unmanaged.passRetained(id).toOpaque()), ordering: .releasing)
      return id
    }
  }

  /// Makes the temporary ID of an object that was in no context so far, which keeps it when it is inserted.
  ///
  /// No lock: an object without a context has none. Of several threads that ask for the first time one makes the ID.
  private final func makeUnclaimedIdentifier() -> NSManagedObjectID {
    takeTemporaryKey()
    let id = NSManagedObjectID(key: key, layout: layout, store: nil, model: layout.entity.managedObjectModel)
    let made = Unmanaged.passRetained(id)
    let (isFirst, old) = identifier.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isFirst, let other = UnsafeRawPointer(bitPattern: old) else { return id }
    made.release()
    return Unmanaged<NSManagedObjectID>.fromOpaque(other).takeUnretainedValue()
  }

  /// Uses `id`, which has the object's key, as the object's ID; before others see the object.
  final func adopt(_ id: NSManagedObjectID) {
    // The initialiser of a class may have asked for an ID before the object had its key.
    let old = UnsafeRawPointer(bitPattern: identifier.load(ordering: .relaxed))
    identifier.store(UInt(bitPattern: Unmanaged.passRetained(id).toOpaque()), ordering: .releasing)
    if let old { Unmanaged<NSManagedObjectID>.fromOpaque(old).release() }
  }
}
