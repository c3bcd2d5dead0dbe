import RowStore

extension NSManagedObjectContext {
  /// Fills a fault with the row that the cache has at hand; false where that is not all there is to do.
  @inline(__always)
  final func realisesAtOnce(_ object: NSManagedObject) -> Bool {
    guard parentContext == nil, reading.batches.isEmpty, stalenessInterval < 0,
      let cache = reading.usualCache.map(Unmanaged.passUnretained),
      object.state.isDisjoint(with: [.gone, .wasReset]), object.key > 0
    else { return false }
    if hasNewestRow(object) {
      use.faults.add()
      object.fillFromSnapshot()
      return true
    }
    guard let row = cache._withUnsafeGuaranteedRef({ $0.listedRow(of: object) }), object.canHold(row) else {
      return false
    }
    use.faults.add()
    object.fill(row)
    return true
  }

  /// Whether the object has the newest row at hand, as far as a look without a lock tells.
  @inline(__always)
  final func hasNewestRow(_ object: NSManagedObject) -> Bool {
    guard stalenessInterval < 0, let cache = reading.usualCache.map(Unmanaged.passUnretained) else { return false }
    return object.snapshotReference?._withUnsafeGuaranteedRef { row in
      cache._withUnsafeGuaranteedRef { row.isNewest(in: $0) } && object.canHold(row)
    } ?? false
  }

  /// Fills a fault, because `property` was read; returns its values.
  final func realise(_ object: NSManagedObject, triggeredBy property: PropertyLayout?) -> Row {
    use.faults.add()
    if let row = held.returned(object) {
      object.values = row
      return row
    }
    if !reading.batches.isEmpty, object.snapshot == nil { Prefetching(in: self).readBatch(of: object) }
    do {
      if let row = try row(for: object) {
        object.fill(row)
        // `awakeFromFetch` may have set properties.
        return object.values ?? row
      }
    } catch {
      return FaultWithoutRow(object, property, in: self).fill(unreadable: error)
    }
    if object.state.contains(.gone), let last = object.snapshot {
      // Its deletion was merged while it was a fault: the last values are at hand.
      object.values = last
      return last
    }
    if reading.evaluation.depth > 0 {
      reading.evaluation.foundGone = object
      return object.nothing
    }
    return FaultWithoutRow(object, property, in: self).fill()
  }

  /// The row of an object, for callers that cannot receive the error of a failing store; nil too when it cannot be read, and then
  /// nothing can be saved.
  final func storedRow(for object: NSManagedObject) -> Row? {
    do {
      return try row(for: object)
    } catch {
      reading.unreadable.record(error, in: self)
      return nil
    }
  }

  /// The newest row this context may see: from the parent's object, the coordinator's row cache, or the store.
  ///
  /// Nil too where the row under its ID is one of another entity.
  final func row(for object: NSManagedObject) throws -> Row? {
    guard let row = try rowOfAnyEntity(for: object), object.canHold(row) else { return nil }
    return row
  }

  @inline(__always)
  private final func rowOfAnyEntity(for object: NSManagedObject) throws -> Row? {
    if object.state.contains(.gone) { return nil }
    if let parentContext {
      if let row = inbox.rowsAtHand?.row(of: object, in: self) { return row }
      return try ParentAnswers(of: parentContext).serve(self) { try $0.row(key: object.key, layout: object.layout) }
    }
    guard object.key > 0 else { return nil }
    if stalenessInterval < 0, let usualCache = reading.usualCache, let row = object.snapshot,
      row.isNewest(in: usualCache)
    {
      return row
    }
    guard let reader = try reader else { return nil }
    if turn.depth > 0 { turn.burst.count() }
    let row = try reader.row(
      object.identity, layout: object.layout, maxAge: stalenessInterval, isOneOfMany: turn.burst.isOpen)
    if let cache = row?.cache, cache !== reading.usualCache, reading.state == nil { reading.usualCache = cache }
    return row
  }
}

extension RowCache {
  /// The newest row of the object, where it is one of this cache's store and the cache lists it.
  @inline(__always)
  fileprivate func listedRow(of object: NSManagedObject) -> Row? {
    isInUse && identity.tag.owns(object.key) ? row(object.identity) : nil
  }
}

extension NSManagedObject {
  /// A row without values.
  final var nothing: Row {
    let row = Row.make(layout, key: key, version: 0)
    row.freeze()
    return row
  }

  /// Fills the fault; the caller keeps the context alive.
  final func fill(_ row: consuming Row) {
    adoptSnapshot(row)
    values = row
    finishFilling()
  }

  /// The same with the row that the fault has.
  @inline(__always)
  final func fillFromSnapshot() {
    values = snapshot
    finishFilling()
  }

  /// Whether the object has an `awakeFromFetch()` of its own.
  @inline(__always)
  final var isAwakened: Bool {
    layoutReference._withUnsafeGuaranteedRef { layout in
      let part = Unmanaged.passUnretained(layout.objects)
      return part._withUnsafeGuaranteedRef { $0.awakensFromFetch || type(of: self) != $0.objectClass }
    }
  }

  @inline(__always)
  private final func finishFilling() {
    markSeenSaves()
    if isAwakened { awaken() }
  }

  @inline(never)
  private final func awaken() {
    setTransientDefaults()
    guard let context = registry?.contextReference, !layoutReference._withUnsafeGuaranteedRef({ $0.hasTransients })
    else { return withoutTracking { awakeFromFetch() } }
    context._withUnsafeGuaranteedRef { $0.turn.untracked += 1 }
    awakeFromFetch()
    context._withUnsafeGuaranteedRef { $0.turn.untracked -= 1 }
  }

  /// Whether it had no row when its deletion was followed: the row that comes later under its ID is another's, and stays.
  @inline(__always)
  final var isDeletedWithoutRow: Bool { snapshot == nil && state.contains(.deleted) && !state.contains(.pendingDelete) }

  /// Whether a row can be this object's: one of its entity, or of an entity that inherits from it.
  ///
  /// Only a broken file, or one that something else has written, has another row under the object's ID. It has other
  /// properties.
  @inline(__always)
  final func canHold(_ row: Row) -> Bool {
    row.layoutReference.toOpaque() == layoutReference.toOpaque() || row.layout.isKind(of: layout)
  }

  /// Whether the object has what a row of the store says. One that no context held may have been read again since, as another
  /// instance; values of derived attributes change without the version.
  final func hasStored(_ row: Row) -> Bool {
    guard let snapshot, snapshot !== row else { return snapshot != nil }
    return snapshot.version == row.version && snapshot.hasValues(of: row)
  }

  /// Puts the row at a fault's hand; members and targets prefetched beside an older one are forgotten.
  @inline(__always)
  final func adoptSnapshot(_ row: Row) {
    if isDeletedWithoutRow || !canHold(row) { return }
    if state.contains(.deleted), snapshot !== row { noteOvertakenDeletion() }
    if !relations.isEmpty, snapshot !== row { forgetPrefetched() }
    snapshot = row
  }

  /// Forgets the members and targets read for a fault; the next access reads again.
  final func forgetPrefetched() {
    for (position, relation) in relations.enumerated() {
      switch relation {
      case .many(let toMany): toMany.forgetMembers()
      case .one, .none: relations[position] = .unknown
      case .unknown: break
      }
    }
  }

  /// Calls code that may set properties without a change: neither the object nor any other of its context becomes dirty.
  ///
  /// Persistent properties set there are saved along with a later change, so that the file and the row cache have the same
  /// values.
  @inline(__always)
  final func withoutTracking(_ body: () -> Void) {
    guard let context = registry?.contextOnQueue else { return body() }
    let changedBefore = changed.mask
    context.turn.untracked += 1
    body()
    context.turn.untracked -= 1
    for index in layout.transientIndices where !changedBefore.contains(index) { changed.remove(index) }
  }
}
