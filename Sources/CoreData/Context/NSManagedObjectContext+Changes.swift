import Synchronization
import RowStore

extension NSManagedObjectContext {
  // MARK: Noting

  /// Notes that an object gained unsaved or pending changes.
  final func note(_ gained: ChangeState, of object: NSManagedObject) {
    changes.recordUpdate(gained, object)
    // A clean object's old values are in its snapshot, where changedValuesForCurrentEvent() looks.
    if gained.contains(.pendingUpdate), hasUndoManager || !gained.contains(.updated) { changes.recordBase(of: object) }
    enqueuePassOutsideBlocks()
  }

  /// Changes made to a main queue context outside any block are processed at the end of the main queue's turn.
  final func enqueuePassOutsideBlocks() {
    guard concurrencyType == .mainQueueConcurrencyType, turn.depth == 0, !turn.isPassEnqueued, !saves.isUnderWay else {
      return
    }
    turn.isPassEnqueued = true
    queue.async { [weak self] in
      guard let self else { return }
      turn.isPassEnqueued = false
      ChangeProcessing(of: self).finishEvent()
    }
  }

  /// Makes `object` part of this context: it is saved by the next save, and has a temporary ID until then.
  ///
  /// - Precondition: the object belongs to no other context, and its entity is one of this context's model.
  public final func insert(_ object: NSManagedObject) {
    touch("insert")
    guard let registry = registryReference else {
      preconditionFailure("\(label) has neither a coordinator nor a parent; objects cannot be inserted")
    }
    if let other = object.registryReference {
      if other.toOpaque() != registry.toOpaque() { ContextWatch.refuse(object, in: self, "insert(_:)") }
      return
    }
    precondition(
      object.layoutReference._withUnsafeGuaranteedRef { $0.modelIdentifier }
        == registry._withUnsafeGuaranteedRef { $0.modelIdentifier },
      "\(object.layout.name) is an entity of another model than \(label)'s")
    let isKnown = object.renewKey()
    object.enter(registry.takeUnretainedValue())
    // A fault that was made of the ID alone gives way.
    if isKnown, let other = registered(key: object.key, layout: object.layout) { GoneObjects(in: self).giveUp(other) }
    if object.state.contains(.gone) { object.becomeNew() }
    if object.values == nil { object.values = object.makeInitialValues() }
    if !object.relations.isEmpty { object.nameInRelationships() }
    object.state.insert()
    registry._withUnsafeGuaranteedRef { register(object, in: $0) }
    changes.recordInsert(object)
    enqueuePassOutsideBlocks()
    object.awakeFromInsert()
  }

  /// Marks `object` as deleted; its row goes with the next save, and delete rules are followed then or when changes are
  /// processed.
  ///
  /// - Precondition: the object belongs to this context.
  public final func delete(_ object: NSManagedObject) {
    touch("delete")
    if object.registry !== registry { ContextWatch.refuse(object, in: self, "delete(_:)") }
    guard object.state.isDisjoint(with: [.deleted, .gone]), !held.isPreparing(object) else { return }
    held.returnAll()
    held.beginPreparing(object)
    object.prepareForDeletion()
    held.endPreparing()
    if hasUndoManager || object.state.isDirty { changes.recordBaseUnlessPending(object) }
    guard object.state.delete() else { return }
    changes.recordDelete(object)
    enqueuePassOutsideBlocks()
  }

  // MARK: Reading

  /// Objects that the next save will insert.
  public final var insertedObjects: Set<NSManagedObject> {
    touch("insertedObjects")
    changes.clean()
    return Set(changes.inserted)
  }

  /// Objects with changes that the next save will write.
  public final var updatedObjects: Set<NSManagedObject> {
    touch("updatedObjects")
    changes.clean()
    return Set(changes.updated)
  }

  /// Objects that the next save will delete, and those that a merge has deleted since the last save.
  public final var deletedObjects: Set<NSManagedObject> {
    touch("deletedObjects")
    changes.clean()
    return Set(changes.deleted.filter { !$0.state.isVanishing } + held.livingMergedDeletions)
  }

  /// Every object of the context that is alive. Complexity: O(*n*).
  public final var registeredObjects: Set<NSManagedObject> {
    touch("registeredObjects")
    return Set((registry?.objects.objects ?? []) + held.livingMergedDeletions)
  }

  /// Whether a save has anything to do.
  public final var hasChanges: Bool {
    touch("hasChanges")
    if changes.isEmpty { return false }
    changes.clean()
    return !changes.isEmpty
  }

  // MARK: Processing

  /// Follows the delete rules of deleted objects, and posts `NSManagedObjectContextObjectsDidChange` with the changes since the
  /// last time.
  public final func processPendingChanges() {
    touch("processPendingChanges")
    // Where delete rules could not be followed the changes stay pending, and the next save throws.
    _ = try? ChangeProcessing(of: self).run()
  }
}

extension NSManagedObject {
  /// Relationships that were set before the object had a key: its row names those that have one by now, and the rows of
  /// those that lead to it name it.
  fileprivate final func nameInRelationships() {
    guard let row = values else { return }
    for property in layout.relationships {
      switch relations[property.relation.position] {
      case .one(let other):
        if other.key != 0 { row[property.index] = .reference(other.reference) }
        other.name(self, in: property.relation.inverse)
      case .many(let toMany): for other in toMany.additions { other.name(self, in: property.relation.inverse) }
      case .none, .unknown: break
      }
    }
  }

  private final func name(_ object: NSManagedObject, in property: PropertyLayout?) {
    guard let property, !property.relation.isToMany, property.relation.position < relations.count,
      case .one(let other) = relations[property.relation.position], other === object, let values
    else { return }
    let row = values.isFrozen ? values.mutableCopy() : values
    row[property.index] = .reference(object.reference)
    self.values = row
  }

  /// Makes a new object of one that has left its context: it keeps its attributes, and nothing of its row.
  fileprivate final func becomeNew() {
    // A fault still has the row that was deleted.
    let row = (values ?? snapshot)?.mutableCopy() ?? makeInitialValues()
    row.version = 0
    for index in layout.toOneIndices { row[index] = .null }
    (values, snapshot, relations) = (row, nil, .unread)
    for property in layout.properties where !row[property.index].isNull { changed.insert(property.index) }
  }
}

/// Temporary primary keys: negative, unique in the process.
enum TemporaryKeys {
  private static let last = Atomic<Int64>(0)

  static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }
}
