import RowStore

/// Finds out which temporary keys are no longer used, in rounds: the keys of a round can go once each descendant has
/// said, after it began, which of them it still uses.
///
/// A descendant says so once a round, on its queue; keys that it gets from its parent afterwards are added.
struct AliasRounds {
  /// Number of keys that makes a round worth its cost.
  static let keysMin = 4_096

  /// Keys at least for a round: tests ask for more rounds.
  var keysMin: Int
  /// Keys that came up since the last round began, and those that it found in use.
  private var waiting: [Int64] = []
  /// Keys of the round that is under way; empty between rounds.
  private(set) var candidates: Set<Int64> = []
  private var descendants: Set<ObjectIdentifier> = []
  /// Candidates still in use, by the descendant that reported them.
  private var used: [ObjectIdentifier: Set<Int64>] = [:]
  /// Objects that descendants looked at in the last round: a round must be worth them.
  private var visited = 0

  init(keysMin: Int = AliasRounds.keysMin) { self.keysMin = keysMin }

  var isOpen: Bool { !candidates.isEmpty }

  mutating func add(_ descendant: ObjectIdentifier) {
    descendants.insert(descendant)
    // A new descendant has nothing yet.
    if isOpen { used[descendant] = [] }
  }

  /// The keys that can go because of that.
  mutating func remove(_ descendant: ObjectIdentifier) -> Set<Int64> {
    descendants.remove(descendant)
    used[descendant] = nil
    return finished()
  }

  mutating func note(_ key: Int64) { waiting.append(key) }

  /// Begins a round where enough keys wait, and there is a descendant to answer.
  ///
  /// - Precondition: the root has no unsaved changes.
  mutating func beginIfDue() {
    guard !isOpen, !descendants.isEmpty, waiting.count >= max(keysMin, visited) else { return }
    candidates = Set(waiting)
    precondition(used.isEmpty, "nothing was said of a round that begins")
    waiting = []
    visited = 0
  }

  /// Whether that descendant still has to look.
  func awaits(_ descendant: ObjectIdentifier) -> Bool { isOpen && used[descendant] == nil }

  /// A descendant looked at so many objects and found these keys in use; the keys that can go because of that.
  mutating func settle(_ descendant: ObjectIdentifier, uses keys: Set<Int64>, visited: Int) -> Set<Int64> {
    guard isOpen, descendants.contains(descendant) else { return [] }
    used[descendant] = keys
    self.visited += visited
    return finished()
  }

  /// Notes a key that a descendant, which may have looked already, gets from its parent.
  mutating func use(_ key: Int64, by descendant: ObjectIdentifier) {
    guard candidates.contains(key) else { return }
    used[descendant]?.insert(key)
  }

  private mutating func finished() -> Set<Int64> {
    precondition(used.count <= descendants.count, "only descendants say which keys they use")
    guard isOpen, used.count == descendants.count else { return [] }
    let kept = used.values.reduce(into: Set<Int64>()) { $0.formUnion($1) }
    let unused = candidates.subtracting(kept)
    waiting += kept
    candidates = []
    used = [:]
    return unused
  }
}
