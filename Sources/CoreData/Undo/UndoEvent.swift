import RowStore

/// The effect of one event on a context's objects, by object: enough to take it back.
struct UndoEvent {
  /// A value from before the event.
  enum OldValue {
    case slot(Slot)
    case object(NSManagedObject?)
    /// An object that is not in memory, and may be gone when it is asked for.
    case reference(RowReference)
  }

  /// One object that the event changed.
  struct Entry {
    let object: NSManagedObject
    let kind: EventKind
    var values: [(property: PropertyLayout, old: OldValue)] = []
    /// Changes of to-many relationships; of a deleted object all that it led to before are among the removed.
    var members: [(property: PropertyLayout, change: MembershipChange<NSManagedObject>)] = []
    /// Members of ordered relationships, in the order they had.
    var orders: [(property: PropertyLayout, members: ContiguousArray<NSManagedObject>)] = []
  }

  private(set) var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The part of `event` that can be taken back; before its objects are processed, while references still lead somewhere.
  init(_ event: PendingEvent, in context: NSManagedObjectContext) {
    var seen: Set<ObjectIdentifier> = []
    for object in event.objects where seen.insert(ObjectIdentifier(object)).inserted {
      guard let kind = EventKind(object.state, isRevived: event.isRevived(object)) else { continue }
      var entry = Entry(object: object, kind: kind)
      switch kind {
      case .inserted: break
      case .updated:
        entry.recordChanges(since: event.bases[ObjectIdentifier(object)], in: context)
        if entry.values.isEmpty, entry.members.isEmpty, entry.orders.isEmpty { continue }
      case .deleted:
        entry.recordChanges(since: event.bases[ObjectIdentifier(object)], in: context)
        entry.recordLinks(in: context)
      }
      entries.append(entry)
    }
  }
}

extension UndoEvent.OldValue {
  /// The object that a to-one value leads to; none where it was never saved and has left.
  fileprivate init(_ slot: Slot, _ property: PropertyLayout, in context: NSManagedObjectContext) {
    guard case .reference(let reference) = slot else {
      self = .object(nil)
      return
    }
    let isStored = context.tree.aliases.canonical(reference).key > 0
    self = context.known(slot, property).map { .object($0) } ?? (isStored ? .reference(reference) : .object(nil))
  }
}

extension UndoEvent.Entry {
  /// Properties that were set here and have other values than before; those that a merge brought are not the event's.
  fileprivate mutating func recordChanges(since base: StateBeforeEvent?, in context: NSManagedObjectContext) {
    guard let base, let row = base.row, let now = object.values else { return }
    for property in object.layout.properties where object.changed.contains(property.index) {
      switch property.kind {
      case .attribute:
        if row[property.index] != now[property.index] { values.append((property, .slot(row[property.index]))) }
      case .toOne:
        if row[property.index].canonical(context.tree.aliases) != now[property.index].canonical(context.tree.aliases) {
          values.append((property, UndoEvent.OldValue(row[property.index], property, in: context)))
        }
      case .toMany:
        let change = base.change(of: property, now: object)
        if !change.isEmpty { members.append((property, change)) }
        // Where the list was not read, only the store, or the parent, knows the places of the removed members.
        if property.relation.isOrdered, !change.removed.isEmpty { _ = object.members(property) }
        if let order = base.order(of: property, now: object) { orders.append((property, order)) }
      }
    }
  }

  /// Keeps all relationships of a deleted object, which loses them when it goes.
  fileprivate mutating func recordLinks(in context: NSManagedObjectContext) {
    if object.values == nil, let row = try? context.row(for: object) { object.fill(row) }
    guard let row = object.values else { return }
    for property in object.layout.relationships {
      if property.relation.isToMany {
        if property.relation.isOrdered, !orders.contains(where: { $0.property === property }),
          let members = object.knownToMany(property)?.members
        {
          orders.append((property, members.objects))
        }
        let known = Set(object.knownToMany(property)?.members?.objects ?? [])
        let position = members.firstIndex { $0.property === property }
        let came = position.map { members[$0].change.added } ?? []
        let before = position.map { members[$0].change.undone(on: known) } ?? known
        if let position { members.remove(at: position) }
        let change = MembershipChange(added: came, removed: ContiguousArray(before))
        if !change.isEmpty { members.append((property, change)) }
      } else if !values.contains(where: { $0.property === property }) {
        values.append((property, UndoEvent.OldValue(row[property.index], property, in: context)))
      }
    }
  }
}

extension PendingEvent {
  /// The record that takes the event back.
  func undoEvent(in context: NSManagedObjectContext) -> UndoEvent { UndoEvent(self, in: context) }
}
