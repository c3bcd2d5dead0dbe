import Scheduling

extension RowCache {
  /// Looks at every listed row; any thread, at any time. Reads that end and commits wait meanwhile.
  ///
  /// Complexity: O(*n*) for *n* rows.
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  package func verifyInvariants() throws {
    try rows.verifyInvariants()
    // Meanwhile rows may go, but none comes.
    try writes.withLock { writes in
      try verify(writes)
      let living = rows.objects
      let hidden = Set(writes.hidden?.identities ?? [])
      for row in living { try verify(row, writes, hidden) }
      try BrokenInvariant.unless(!writes.isLost || living.isEmpty, "of a store that is gone no row is listed")
    }
  }

  private func verify(_ writes: Writes) throws {
    try BrokenInvariant.unless(writes.activeReads >= 0, "a read ends once")
    try BrokenInvariant.unless(
      writes.activeReads > 0 || writes.recent.isEmpty, "what was written is kept only for reads that are under way")
    try BrokenInvariant.unless(
      writes.recent.allCommits.allSatisfy { $0 <= writes.commit }, "no row is of a commit that is still to come")
  }

  private func verify(_ row: Row, _ writes: Writes, _ hidden: Set<RowIdentity>) throws {
    let identity = row.identity
    func require(_ condition: Bool, _ sentence: String) throws {
      try BrokenInvariant.unless(condition, "row \(identity.key) of \(row.layout.name): \(sentence)")
    }
    try require(rows.object(identity) === row, "a row is found under its identity")
    try require(row.cache === self, "a listed row knows its cache")
    try require(row.isFrozen, "a listed row never changes")
    try require(!hidden.contains(identity), "what a commit is about to replace is not listed")
    try require(writes.clock.age(of: row.confirmedAt) >= 0, "a row was read before now")
  }
}

extension WeakTable {
  /// Looks at every page and its places; any thread.
  ///
  /// Complexity: O(capacity).
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  package func verifyInvariants() throws { try storage.withLock { try $0.values.verifyInvariants() } }
}
