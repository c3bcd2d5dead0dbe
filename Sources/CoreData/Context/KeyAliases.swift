import Scheduling
import Synchronization
import RowStore

/// The two keys of objects that got a permanent ID while the temporary one may still be in use: shared by a root
/// context and all its descendants.
///
/// A child's objects keep their temporary IDs when the root saves, so every context of the tree has to find one object
/// under either key. Pairs that are no longer used are forgotten in rounds (``AliasRounds``), so that a child that lives long
/// costs the objects it holds, not all that it ever inserted. Thread-safe. Complexity: O(1) each; a load while no object has
/// two keys.
final class KeyAliases: PermanentKeys {
  private struct Keys {
    var permanent = KeyPages<RowIdentity>()
    var temporary = KeyPages<Int64>()
    var rounds = AliasRounds()
    var records = NamingRecords()

    /// Forgets the keys that no save record names either; the others wait for the next round.
    ///
    /// - Returns: records to be released outside the lock.
    mutating func forget(_ temporaryKeys: Set<Int64>) -> [SaveRecord] {
      guard !temporaryKeys.isEmpty else { return [] }
      let named = records.keys(among: temporaryKeys)
      for key in temporaryKeys {
        if named.keys.contains(key) {
          rounds.note(key)
        } else if let identity = permanent.remove(RowIdentity(temporary: key)) {
          temporary.remove(identity)
        }
      }
      return named.records
    }

    func deallocate() {
      permanent.deallocate()
      temporary.deallocate()
    }
  }

  private let keys = Locked(Keys())
  private let hasKeys = Atomic<Bool>(false)
  private let hasRound = Atomic<Bool>(false)
  private let descendants = Atomic<Int>(0)

  deinit { keys.withLock { $0.deallocate() } }

  /// Whether a child, at any depth, may hold temporary keys.
  var hasDescendants: Bool { descendants.load(ordering: .acquiring) > 0 }

  func addDescendant(_ context: NSManagedObjectContext) {
    descendants.add(1, ordering: .acquiringAndReleasing)
    let descendant = ObjectIdentifier(context)
    edit { $0.rounds.add(descendant) }
  }

  func removeDescendant(_ context: NSManagedObjectContext) {
    let left = descendants.subtract(1, ordering: .acquiringAndReleasing).newValue
    precondition(left >= 0, "a descendant that goes was added")
    let descendant = ObjectIdentifier(context)
    let records = edit { $0.forget($0.rounds.remove(descendant)) }
    withExtendedLifetime(records) {}
  }

  /// Whether any object has two keys.
  var areKnown: Bool { hasKeys.load(ordering: .acquiring) }

  /// How many objects have two keys.
  var count: Int { keys.withLock { $0.permanent.count } }

  /// Begins rounds for so many pairs at least.
  func setRoundMin(_ keysMin: Int) { keys.withLock { $0.rounds.keysMin = keysMin } }

  private func edit<Result: Sendable>(_ change: (inout Keys) -> Result) -> Result {
    keys.withLock { keys in
      let result = change(&keys)
      hasKeys.store(keys.permanent.count > 0, ordering: .releasing)
      hasRound.store(keys.rounds.isOpen, ordering: .releasing)
      return result
    }
  }

  /// Notes a child's save, which may name objects by temporary keys, and be merged late.
  func note(_ record: SaveRecord) { keys.withLock { $0.records.add(record) } }

  /// A temporary key, and the identity with the key that replaced it.
  typealias Pair = (temporary: Int64, identity: RowIdentity)

  /// Notes temporary keys that gave way to permanent ones.
  func note(_ pairs: ContiguousArray<Pair>) {
    guard !pairs.isEmpty else { return }
    keys.withLock { keys in
      for (temporary, identity) in pairs {
        precondition(temporary < 0 && identity.key > 0, "a key that was temporary is replaced by one that is not")
        keys.permanent.set(RowIdentity(temporary: temporary), identity)
        keys.temporary.set(identity, temporary)
        keys.rounds.note(temporary)
      }
    }
    hasKeys.store(true, ordering: .releasing)
  }

  /// The permanent key that took the place of a temporary one.
  @inline(__always)
  func permanent(for temporary: Int64) -> Int64? {
    guard hasKeys.load(ordering: .acquiring) else { return nil }
    return keys.withLock { $0.permanent[RowIdentity(temporary: temporary)]?.key }
  }

  /// The same for each of them, in their order; 0 for one without, nil where no object has two keys.
  func permanent(for wanted: ContiguousArray<WantedKey>) -> ContiguousArray<Int64>? {
    guard hasKeys.load(ordering: .acquiring) else { return nil }
    return keys.withLock { keys in
      ContiguousArray(wanted.map { keys.permanent[RowIdentity(temporary: $0.key)]?.key ?? 0 })
    }
  }

  /// The temporary key under which a descendant may list the object.
  @inline(__always)
  func temporary(for identity: RowIdentity) -> Int64? {
    guard hasKeys.load(ordering: .acquiring) else { return nil }
    return keys.withLock { $0.temporary[identity] }
  }

  /// Begins a round where one is due, or without descendants forgets all keys: the root saved all its changes, so that nothing
  /// of its own has a temporary key any more.
  func rootSaved() {
    guard hasKeys.load(ordering: .acquiring) else { return }
    edit { keys in
      if hasDescendants {
        keys.rounds.beginIfDue()
      } else {
        keys.deallocate()
        (keys.permanent, keys.temporary) = (KeyPages(), KeyPages())
        keys.rounds = AliasRounds(keysMin: keys.rounds.keysMin)
      }
    }
  }

  // MARK: Keys that descendants use

  /// Whether a round is under way.
  @inline(__always)
  var isRoundOpen: Bool { hasRound.load(ordering: .acquiring) }

  /// Has a context say which temporary keys it still uses, once in each round; on its queue, between operations.
  ///
  /// One with unsaved changes, or with merges to come, waits.
  /// - Complexity: O(*n*) for *n* registered objects, once a round; else a load.
  @inline(__always)
  func settle(_ context: NSManagedObjectContext) {
    guard isRoundOpen, context.parentContext != nil else { return }
    settleOpenRound(context)
  }

  @inline(never)
  private func settleOpenRound(_ context: NSManagedObjectContext) {
    let descendant = ObjectIdentifier(context)
    guard context.changes.isEmpty, !context.hasUndoManager, context.inbox.isEmpty,
      let candidates = keys.withLock({ $0.rounds.awaits(descendant) ? $0.rounds.candidates : nil }),
      let registry = context.registry
    else { return }
    var used: Set<Int64> = []
    // A holder of one that was found gone may ask for the object that is back under its ID.
    let objects = registry.objects.objects + context.held.livingGone
    for object in objects {
      object.forEachTemporaryKey { if candidates.contains($0) { used.insert($0) } }
    }
    let records = edit { $0.forget($0.rounds.settle(descendant, uses: used, visited: objects.count)) }
    withExtendedLifetime(records) {}
  }

  /// Notes a key that a descendant gets, in its own right or as another one gets it.
  func use(_ key: Int64, by descendant: ObjectIdentifier) {
    keys.withLock { $0.rounds.use(key, by: descendant) }
  }
}

extension RowIdentity {
  /// The identity of an object with a temporary key, for which no entity is needed.
  fileprivate init(temporary key: Int64) { self.init(key: key, rootNumber: 0) }
}

extension NSManagedObject {
  /// Calls `body` for each temporary key by which the object or its rows name an object.
  fileprivate final func forEachTemporaryKey(_ body: (Int64) -> Void) {
    if key < 0 { body(key) }
    values?.forEachTemporaryKey(body)
    if snapshot !== values { snapshot?.forEachTemporaryKey(body) }
  }
}

extension Row {
  /// Calls `body` for each temporary key among the references.
  func forEachTemporaryKey(_ body: (Int64) -> Void) {
    for index in layoutReference._withUnsafeGuaranteedRef({ $0.toOneSlots }) {
      if case .reference(let reference) = self[index], reference.key < 0 { body(reference.key) }
    }
  }
}
