import Scheduling
import Synchronization

/// The two keys of objects that got a permanent ID while somebody may still use the temporary one: shared by a root
/// context and all its descendants.
///
/// A child's objects keep their temporary IDs when the root saves, so every context of the tree has to find one object
/// under either key. Thread-safe. Complexity: O(1) each; a load while no object has two keys.
final class KeyAliases: Sendable {
  private struct Keys {
    var permanent: [Int64: Int64] = [:]
    var temporary: [RowIdentity: Int64] = [:]
  }

  private let keys = Locked(Keys())
  private let hasKeys = Atomic<Bool>(false)
  private let descendants = Atomic<Int>(0)

  /// Whether a child, at any depth, may hold temporary keys.
  var hasDescendants: Bool { descendants.load(ordering: .acquiring) > 0 }

  func addDescendant() { descendants.add(1, ordering: .acquiringAndReleasing) }

  func removeDescendant() { descendants.subtract(1, ordering: .acquiringAndReleasing) }

  /// Whether any object has two keys.
  var areKnown: Bool { hasKeys.load(ordering: .acquiring) }

  /// `temporary` gave way to the key of `identity`.
  func note(_ temporary: Int64, _ identity: RowIdentity) {
    keys.withLock { keys in
      keys.permanent[temporary] = identity.key
      keys.temporary[identity] = temporary
    }
    hasKeys.store(true, ordering: .releasing)
  }

  /// The permanent key that took the place of a temporary one.
  @inline(__always)
  func permanent(for temporary: Int64) -> Int64? {
    guard hasKeys.load(ordering: .acquiring) else { return nil }
    return keys.withLock { $0.permanent[temporary] }
  }

  /// The temporary key under which a descendant may list the object.
  @inline(__always)
  func temporary(for identity: RowIdentity) -> Int64? {
    guard hasKeys.load(ordering: .acquiring) else { return nil }
    return keys.withLock { $0.temporary[identity] }
  }

  /// The permanent key where there is one.
  func canonical(_ reference: RowReference) -> RowReference {
    guard reference.key < 0, let permanent = permanent(for: reference.key) else { return reference }
    return RowReference(key: permanent, entity: reference.entity)
  }

  /// The root saved, so that nothing of its own has a temporary key any more: without descendants nobody asks again.
  func rootSaved() {
    guard hasKeys.load(ordering: .acquiring), !hasDescendants else { return }
    keys.withLock { $0 = Keys() }
    hasKeys.store(false, ordering: .releasing)
  }
}

extension Slot {
  /// With the permanent key of a reference, where there is one.
  func canonical(_ aliases: KeyAliases?) -> Slot {
    guard case .reference(let reference) = self, reference.key < 0, let aliases else { return self }
    return .reference(aliases.canonical(reference))
  }
}
