import RowStore

/// Permanent keys for a context's objects.
struct KeyAllotment {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// The permanent keys that objects with these temporary ones have got already, else new ones from the store.
  func keys(_ wanted: ContiguousArray<WantedKey>) throws -> ContiguousArray<Int64> {
    guard let known = context.tree.aliases.permanent(for: wanted) else { return try allotted(wanted) }
    var keys = known
    let missing = keys.indices.filter { keys[$0] == 0 }
    guard !missing.isEmpty else { return keys }
    let new = try allotted(ContiguousArray(missing.map { wanted[$0] }))
    precondition(new.count == missing.count, "each object gets a key")
    for (index, key) in zip(missing, new) { keys[index] = key }
    return keys
  }

  private func allotted(_ wanted: ContiguousArray<WantedKey>) throws -> ContiguousArray<Int64> {
    guard let parentContext = context.parentContext else {
      return try context.coordinator?.allotKeys(wanted, for: context) ?? []
    }
    return try parentContext.queue.sync { try ParentAnswers(of: parentContext).permanentKeys(wanted) }
  }

  /// Objects with temporary keys have permanent ones from now on.
  ///
  /// - Parameters:
  ///   - isAliased: whether others may still use the temporary ones: a descendant, or a row of this context.
  ///   - key: gives the permanent key of the object at a place.
  func makePermanent(_ objects: ContiguousArray<NSManagedObject>, isAliased: Bool, _ key: (Int) -> Int64) {
    guard let registry = context.registry, !objects.isEmpty else { return }
    if context.tree.assignments.isUsed { context.tree.assignments.forget(objects.map(\.key)) }
    var pairs: ContiguousArray<KeyAliases.Pair> = []
    if isAliased { pairs.reserveCapacity(objects.count) }
    registry.objects.edit { entries in
      var index = 0
      objects.forEachBorrowed { object in
        let temporary = object.key
        let permanent = key(index)
        index += 1
        guard temporary < 0 else { return }
        entries.remove(object.identity, ifItIs: object)
        object.key = permanent
        entries.set(object.identity, object)
        if isAliased { pairs.append((temporary, object.identity)) }
      }
    }
    if isAliased { context.tree.aliases.note(pairs) }
  }
}

/// A temporary key that is to be replaced.
struct WantedKey {
  let key: Int64
  /// Alive as long as the model.
  let layoutReference: Unmanaged<EntityLayout>
  var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  var identity: RowIdentity { RowIdentity(key: key, rootNumber: 0) }
}
