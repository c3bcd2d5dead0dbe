import Scheduling
import RowStore

/// The open stores of a coordinator, in the order in which they were opened. Thread-safe.
final class StoreList: Sendable {
  /// A store, with its current SQLite store, which reads and writes it.
  struct Entry: @unchecked Sendable {
    // Sendable: both are.
    let store: NSPersistentStore
    var sqlite: SQLiteStore
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    /// The one store where there is no other; looked at first.
    var only: SQLiteStore?
  }

  private let state = Locked(State())
  /// Of the stores that are open or were.
  let identities = StoreIdentities()

  // MARK: Changing

  func add(_ store: NSPersistentStore, _ sqlite: SQLiteStore) {
    note(store, sqlite)
    change { $0.append(Entry(store: store, sqlite: sqlite)) }
  }

  func remove(_ store: NSPersistentStore) {
    store.sqlite.identity.store = nil
    change { $0.removeAll { $0.store === store } }
  }

  /// Gives the store another database.
  func replace(_ store: NSPersistentStore, _ sqlite: SQLiteStore) {
    note(store, sqlite)
    change { entries in
      for index in entries.indices where entries[index].store === store { entries[index].sqlite = sqlite }
    }
  }

  /// Puts a store in the place of another.
  func exchange(_ old: NSPersistentStore, _ new: NSPersistentStore, _ sqlite: SQLiteStore) {
    precondition(old !== new, "another store has the place of the old one")
    old.sqlite.identity.store = nil
    note(new, sqlite)
    change { entries in
      for index in entries.indices where entries[index].store === old {
        entries[index] = Entry(store: new, sqlite: sqlite)
      }
    }
  }

  private func note(_ store: NSPersistentStore, _ sqlite: SQLiteStore) {
    sqlite.identity.store = store
    identities.note(sqlite.identity)
    store.watchChanges(of: sqlite)
  }

  private func change(_ body: (inout [Entry]) -> Void) {
    let left = state.withLock { state in
      let before = state.entries
      body(&state.entries)
      state.only = state.entries.count == 1 ? state.entries[0].sqlite : nil
      // A store that was moved continues with its cache.
      return before.filter { entry in !state.entries.contains { $0.sqlite.cache === entry.sqlite.cache } }
    }
    // No context finds rows of a store that is gone any more.
    for entry in left { entry.sqlite.cache.retire() }
  }

  // MARK: Finding

  var all: [Entry] { state.withLock { $0.entries } }

  var persistentStores: [NSPersistentStore] { all.map(\.store) }

  /// The store that has the object of a permanent key; nil when it is not open here.
  @inline(__always)
  func store(of key: Int64) -> SQLiteStore? {
    state.withLock { state in
      if let only = state.only { return only.tag.owns(key) ? only : nil }
      return state.entries.first { $0.sqlite.tag.owns(key) }?.sqlite
    }
  }

  func store(tagged tag: StoreTag) -> SQLiteStore? {
    state.withLock { $0.entries.first { $0.sqlite.tag == tag }?.sqlite }
  }

  func sqlite(of store: NSPersistentStore) -> SQLiteStore? {
    state.withLock { $0.entries.first { $0.store === store }?.sqlite }
  }

  /// The identity of an open store, which its IDs share.
  func identity(uuid: String) -> StoreIdentity? {
    all.first { $0.sqlite.identity.uuid.caseInsensitiveCompare(uuid) == .orderedSame }?.sqlite.identity
  }
}
