import Scheduling

extension NSManagedObjectContext {
  // MARK: By itself

  final func addObserver(_ context: NSManagedObjectContext) { observers.add(context) }

  final func removeObserver(_ context: NSManagedObjectContext) { observers.remove(context) }

  /// A save of another context is to be merged here. Any thread.
  ///
  /// It waits in a list as well as on the queue, so that whoever enters the queue next sees it merged.
  final func arrive(_ record: SaveRecord) {
    guard queue.acceptsBlocks else { return }
    arrivals.withLock { $0.append(record) }
    queue.async { [weak self] in self?.mergeArrivals() }
  }

  /// Merges what arrived; on the context's queue.
  final func mergeArrivals() {
    let records = arrivals.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
    guard !records.isEmpty else { return }
    ServedWork.merge.run {
      for record in records { merge(record) }
    }
  }

  // MARK: By call

  /// Merges what another context saved: inserted objects become known as faults, registered ones are brought up to
  /// date under their unsaved changes, deleted ones are deleted; then `NSManagedObjectContextObjectsDidChange` tells.
  ///
  /// On this context's queue. A late notification, or one merged twice, does no harm.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    touch("mergeChanges(fromContextDidSave:)")
    guard notification.object as? NSManagedObjectContext !== self else { return }
    if let record = notification.userInfo?[SaveRecord.userInfoKey] as? SaveRecord {
      merge(record)
    } else {
      merge(recordFromObjects(of: notification))
    }
  }

  /// A notification that somebody built: only the objects' IDs are used.
  private final func recordFromObjects(of notification: Notification) -> SaveRecord {
    func entries(_ key: String) -> [SaveRecord.Entry] {
      let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
      return objects.map { object in
        let id = object.objectID
        return SaveRecord.Entry(key: id.key, layout: id.layout, row: nil)
      }
    }
    return SaveRecord(
      source: nil, model: model, inserted: entries(NSInsertedObjectsKey),
      updated: entries(NSUpdatedObjectsKey), deleted: entries(NSDeletedObjectsKey))
  }

  private final func merge(_ record: SaveRecord) {
    guard registry != nil, record.source != ObjectIdentifier(self) else { return }
    var told = ObjectChanges()
    for entry in record.deleted {
      guard let object = registered(key: entry.key, layout: entry.layout) else { continue }
      mergeDeletion(of: object)
      told.deleted.append(object)
    }
    for entry in record.inserted {
      if let object = mergeInsertion(entry) { told.inserted.append(object) }
    }
    for entry in record.updated {
      guard let object = registered(key: entry.key, layout: entry.layout), mergeUpdate(entry, into: object) else {
        continue
      }
      told.refreshed.append(object)
    }
    changes.clean()
    post(.NSManagedObjectContextObjectsDidChange, told.sets)
  }

  /// The newest row known for what was saved; nil when it is gone by now.
  ///
  /// A row missing in the cache was deleted since, or a newer one was listed in its place and released: the store knows.
  private final func newestRow(_ entry: SaveRecord.Entry) -> Row? {
    guard let saved = entry.row, let coordinator else { return nil }
    if let cached = coordinator.cachedRow(saved.identity, for: self) {
      return cached.version >= saved.version ? cached : saved
    }
    return try? coordinator.row(saved.identity, layout: entry.layout, for: self)
  }

  private final func mergeInsertion(_ entry: SaveRecord.Entry) -> NSManagedObject? {
    if let row = newestRow(entry) { return object(of: row) }
    // Gone since, unless the save went to the parent or came without rows: then a fault is all there is.
    guard entry.row == nil || parentContext != nil else { return nil }
    return object(
      for: RowReference(key: entry.key, entity: UInt16(truncatingIfNeeded: entry.layout.number)), in: entry.layout)
  }

  /// False when the object had nothing to take.
  private final func mergeUpdate(_ entry: SaveRecord.Entry, into object: NSManagedObject) -> Bool {
    guard object.state.isDisjoint(with: .gone) else { return false }
    guard object.values != nil else {
      if let row = newestRow(entry) { object.snapshot = row }
      return false
    }
    guard let row = newestRow(entry) ?? (entry.row == nil || parentContext != nil ? storedRow(for: object) : nil) else {
      return false
    }
    guard parentContext != nil || row.version > (object.snapshot?.version ?? 0) else { return false }
    object.take(row)
    return true
  }

  /// The object stays readable for whoever holds it, is marked deleted, and is no longer found here.
  private final func mergeDeletion(of object: NSManagedObject) {
    for property in object.layout.relationships {
      guard let inverse = property.relation.inverse else { continue }
      for target in registeredTargets(of: object, property) {
        if inverse.relation.isToMany {
          target.knownToMany(inverse)?.forget(object)
        } else if inverse.relation.position < target.relations.count {
          target.relations[inverse.relation.position] = .unknown
        }
      }
    }
    object.state.mergeDelete()
    changes.noteOther()
    registry?.objects.remove(object.identity, ifItIs: object)
  }

  /// The other side of a relationship, as far as this context has it in memory; nothing is read.
  private final func registeredTargets(
    of object: NSManagedObject, _ property: PropertyLayout
  ) -> ContiguousArray<NSManagedObject> {
    if property.relation.isToMany { return object.knownToMany(property)?.members?.objects ?? [] }
    guard case .reference(let reference)? = (object.values ?? object.snapshot)?[property.index] else { return [] }
    let layout = registry?.layout?.entity(number: Int(reference.entity)) ?? property.relation.destination
    return registered(key: reference.key, layout: layout).map { [$0] } ?? []
  }
}

extension ToMany {
  /// A change of this object's membership is no change any more; the store is asked who the members are.
  func reread(without object: NSManagedObject) {
    forget(object)
    forgetMembers()
  }

  /// The object is gone; that is no change of this side's.
  func forget(_ object: NSManagedObject) {
    members?.remove(object, keepingOrder: order != nil)
    added.remove(object, keepingOrder: order != nil)
    removed.remove(object)
    order?.forget(object)
  }
}
