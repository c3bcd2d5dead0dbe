import CoreData

/// Undo and redo (S2.4): an event is the changes between two processings; taking it back is a change like any
/// other, after which objects with the saved values again are clean.
///
/// Not specified, and so not drawn: undo of changes that something else came between, such as a merge, another context's save
/// of the same objects, a refresh, a merge policy or a gone row. Then the history is forgotten, here and in the stack.
extension ReferenceModel {
  /// The state of an object before an event, or after it.
  struct Image: Equatable {
    var isPresent = false
    /// A fault's values are those that it has when the event is over.
    var isFault = false
    var values: [Int?] = []
    /// Unsaved members that came and went, by property.
    var added: [Int: Set<Int>] = [:]
    var removed: [Int: Set<Int>] = [:]
  }

  /// The changes of an event, by object.
  struct Event {
    enum Kind {
      case inserted, updated, deleted
    }

    struct Entry {
      let name: Int
      let entity: Int
      let kind: Kind
      /// From before the event.
      var values: [Int?] = []
      /// To-one relationships that the event changed; of a deleted object all.
      var moved: [Int] = []
      /// Members that came and went with the event; of a deleted object, all that it had went.
      var came: [Int: Set<Int>] = [:]
      var went: [Int: Set<Int>] = [:]
      var version = 0
    }

    var entries: [Entry] = []
  }

  /// Events of a context.
  struct History {
    /// Before the event that is under way, in the order of the first change.
    var images: [(name: Int, image: Image)] = []
    var undoable: [Event] = []
    var redoable: [Event] = []
    /// Whether something came between that undo says nothing about.
    var isDisturbed = false
    var direction = Direction.none
  }

  enum Direction {
    case none, back, forth
  }

  // MARK: Recording

  /// The object is about to change.
  mutating func noteImage(_ context: Int, _ name: Int) {
    guard contexts[context].undoes, !contexts[context].history.images.contains(where: { $0.name == name }) else {
      return
    }
    contexts[context].history.images.append((name, image(context, name)))
  }

  private func image(_ context: Int, _ name: Int) -> Image {
    guard let thing = contexts[context].things[name], !thing.isDeleted, !thing.isGone else { return Image() }
    return Image(
      isPresent: true, isFault: thing.values == nil,
      values: thing.values ?? rowAbove(context, name)?.values
        ?? [Int?](repeating: nil, count: AtlasSchema.entities[thing.entity].properties.count),
      added: thing.many.compactMapValues { $0.added.isEmpty ? nil : $0.added },
      removed: thing.many.compactMapValues { $0.removed.isEmpty ? nil : $0.removed })
  }

  /// Ends the event that is under way.
  mutating func takeEvent(_ context: Int) -> Event {
    var event = Event()
    for (name, before) in contexts[context].history.images {
      guard let thing = contexts[context].things[name], !thing.isGone else { continue }
      let now = image(context, name)
      let kind: Event.Kind
      switch (before.isPresent, now.isPresent) {
      case (false, false): continue
      case (false, true): kind = .inserted
      case (true, true): kind = .updated
      case (true, false): kind = .deleted
      }
      var entry = Event.Entry(name: name, entity: thing.entity, kind: kind, version: thing.base?.version ?? 0)
      if kind == .inserted {
        event.entries.append(entry)
        continue
      }
      // Nothing is known of a fault that had no row already.
      guard thing.values != nil else {
        event.entries.append(entry)
        continue
      }
      entry.values = before.isFault ? thing.values ?? before.values : before.values
      entry.moved = AtlasSchema.entities[thing.entity].toOnes.filter {
        kind == .deleted || thing.changed.contains($0) && thing.values?[$0] != entry.values[$0]
      }
      // The event holds the targets that it led away.
      for index in entry.moved {
        if let target = entry.values[index], permanent.contains(target) { register(context, target) }
      }
      for index in AtlasSchema.entities[thing.entity].toManys {
        let many = thing.many[index] ?? Many()
        let (added, removed) = (before.added[index] ?? [], before.removed[index] ?? [])
        entry.came[index] = many.added.subtracting(added).union(removed.subtracting(many.removed))
        entry.went[index] = many.removed.subtracting(removed).union(added.subtracting(many.added))
        guard kind == .deleted else { continue }
        let before = (many.members ?? []).subtracting(entry.came[index] ?? []).union(entry.went[index] ?? [])
        entry.went[index] = before
      }
      let isSame =
        entry.came.values.allSatisfy(\.isEmpty) && entry.went.values.allSatisfy(\.isEmpty)
        && thing.changed.allSatisfy { Self.isMany(thing.entity, $0) || thing.values?[$0] == entry.values[$0] }
      if kind == .deleted || !isSame { event.entries.append(entry) }
    }
    contexts[context].history.images = []
    return event
  }

  private static func isMany(_ entity: Int, _ index: Int) -> Bool { property(entity, index).kind == .toMany }

  mutating func record(_ context: Int, _ event: Event) {
    guard !event.entries.isEmpty else { return }
    switch contexts[context].history.direction {
    case .none:
      contexts[context].history.undoable.append(event)
      contexts[context].history.redoable = []
      return
    case .back: contexts[context].history.redoable.append(event)
    case .forth: contexts[context].history.undoable.append(event)
    }
    for entry in event.entries { settle(context, entry.name) }
  }

  /// An object that has the saved values again is clean.
  private mutating func settle(_ context: Int, _ name: Int) {
    guard mutation != .undoneStaysDirty, let thing = contexts[context].things[name], thing.isUpdated,
      !thing.isDeleted, !thing.changed.contains(where: thing.isReallyChanged)
    else { return }
    contexts[context].things[name]?.changed = []
    contexts[context].things[name]?.isUpdated = false
    contexts[context].updates.removeAll { $0 == name }
  }

  /// Nothing can be undone any more.
  mutating func forgetHistory(_ context: Int) {
    if contexts[context].undoes { process(context) }
    contexts[context].history = History()
  }

  /// Another context's save came between the events of contexts that know its objects.
  mutating func disturbHistories(of reported: PostedSave) {
    for number in contexts.indices where contexts[number].undoes && number != reported.context {
      if (reported.inserted + reported.updated + reported.deleted).contains(where: {
        contexts[number].things[$0] != nil
      }) {
        contexts[number].history.isDisturbed = true
      }
    }
  }

  // MARK: Taking back

  mutating func undo(_ context: Int) {
    process(context)
    guard let event = contexts[context].history.undoable.popLast() else { return }
    revert(context, event, .back)
  }

  mutating func redo(_ context: Int) {
    process(context)
    guard let event = contexts[context].history.redoable.popLast() else { return }
    revert(context, event, .forth)
  }

  private mutating func revert(_ context: Int, _ event: Event, _ direction: Direction) {
    contexts[context].history.direction = direction
    defer { contexts[context].history.direction = .none }
    var restored: [Event.Entry] = []
    var takenOut: [Int] = []
    for entry in event.entries {
      switch (entry.kind, usable(context, entry.name)) {
      case (.inserted, true): takenOut.append(entry.name)
      case (.inserted, false): break
      case (.updated, true): restored.append(entry)
      case (.updated, false): break
      case (.deleted, _):
        // The object under that ID is another one here; unless it is a fault, it stays.
        if usable(context, entry.name) {
          guard contexts[context].things[entry.name]?.values == nil else { break }
          contexts[context].things[entry.name] = nil
        }
        bringBack(context, entry)
        if usable(context, entry.name), !entry.values.isEmpty { restored.append(entry) }
      }
    }
    for entry in restored {
      for index in AtlasSchema.entities[entry.entity].attributes
      where contexts[context].things[entry.name]?.values?[index] != entry.values[index] {
        set(context, entry.name, index, entry.values[index])
      }
      for index in entry.moved {
        restoreToOne(context, entry.name, index, entry.values[index])
      }
    }
    for entry in restored {
      for index in AtlasSchema.entities[entry.entity].toManys {
        restoreMembers(context, entry.name, index, entry.came[index] ?? [], entry.went[index] ?? [])
      }
    }
    for name in takenOut { leaveAndDelete(context, name) }
    process(context)
  }

  private mutating func bringBack(_ context: Int, _ entry: Event.Entry) {
    noteImage(context, entry.name)
    if contexts[context].things[entry.name]?.isDeleted == true {
      contexts[context].things[entry.name]?.isDeleted = false
      contexts[context].things[entry.name]?.isDeletionPending = false
      contexts[context].unsettled.sidesMayDiffer = true
      contexts[context].deletions.removeAll { $0 == entry.name }
      contexts[context].things[entry.name]?.isUpdated = true
      contexts[context].updates.append(entry.name)
      return
    }
    // A list that no delete rule reached has it still: it is a member only where that is restored.
    for (other, thing) in contexts[context].things {
      for index in thing.many.keys where thing.many[index]?.members?.contains(entry.name) == true {
        contexts[context].things[other]?.many[index]?.drop(entry.name)
      }
    }
    insert(context, entry.entity, entry.name)
    contexts[context].things[entry.name]?.isBroughtBack = true
    guard var values = entry.values.isEmpty ? contexts[context].things[entry.name]?.values : entry.values else {
      return
    }
    for index in AtlasSchema.entities[entry.entity].relationships { values[index] = nil }
    contexts[context].things[entry.name]?.values = values
    guard entry.version > 0 else { return }
    contexts[context].things[entry.name]?.base = Row(entity: entry.entity, version: entry.version, values: values)
  }

  private mutating func restoreToOne(_ context: Int, _ name: Int, _ index: Int, _ old: Int?) {
    realise(context, name)
    guard let thing = contexts[context].things[name] else { return }
    let property = Self.property(thing.entity, index)
    // The old target may be gone, or have left the context.
    if let old, permanent.contains(old) { register(context, old) }
    if let old, usable(context, old) { realise(context, old) }
    let target = old.flatMap { usable(context, $0) ? $0 : nil }
    let current = thing.values?[index]
    if let target, Self.property(property.destination, property.inverse).kind == .toMany {
      realiseMany(context, target, property.inverse)
    }
    if current != target { set(context, name, index, target) }
    guard Self.property(property.destination, property.inverse).kind == .toOne else {
      if let current, current != target { setMember(context, current, property.inverse, name, false) }
      if let target { setMember(context, target, property.inverse, name, true) }
      return
    }
    if let current, current != target {
      realise(context, current)
      if contexts[context].things[current]?.values?[property.inverse] == name {
        set(context, current, property.inverse, nil)
      }
    }
    guard let target else { return }
    realise(context, target)
    let rival = contexts[context].things[target]?.values?[property.inverse]
    guard rival != name else { return }
    if let rival { set(context, rival, index, nil) }
    set(context, target, property.inverse, name)
  }

  private mutating func restoreMembers(
    _ context: Int, _ name: Int, _ index: Int, _ came: Set<Int>, _ went: Set<Int>
  ) {
    guard let entity = entityOf[name] else { return }
    let property = Self.property(entity, index)
    if Self.property(property.destination, property.inverse).kind == .toOne {
      for member in came.union(went).sorted() {
        if usable(context, member) { realise(context, member) }
        let isHere = usable(context, member) && contexts[context].things[member]?.values?[property.inverse] == name
        setMember(context, name, index, member, isHere)
      }
      return
    }
    for member in came.sorted() {
      setMember(context, name, index, member, false)
      setMember(context, member, property.inverse, name, false)
      if usable(context, member) { matchPair(context, name, index, member) }
    }
    for member in went.sorted() where usable(context, member) {
      setMember(context, name, index, member, true)
      setMember(context, member, property.inverse, name, true)
      matchPair(context, name, index, member)
    }
  }

  /// Copies an unsaved change of one side of a pair to the other side.
  private mutating func matchPair(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    let inverse = Self.property(entityOf[name] ?? 0, index).inverse
    let sides = [(name, index, member), (member, inverse, name)]
    func many(_ side: (Int, Int, Int)) -> Many? { contexts[context].things[side.0]?.many[side.1] }
    for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
      let isUnchanged = many(side)?.added.contains(side.2) != true && many(side)?.removed.contains(side.2) != true
      let unknown = makeMany(entityOf[side.0] ?? 0, side.1)
      if isUnchanged, many(other)?.added.contains(other.2) == true {
        contexts[context].things[side.0]?.many[side.1, default: unknown].noteLostAbove(side.2)
      } else if isUnchanged, many(other)?.removed.contains(other.2) == true {
        contexts[context].things[side.0]?.many[side.1, default: unknown].remove(side.2)
      } else {
        continue
      }
      note(context, side.0, side.1)
    }
  }

  /// On one side only.
  private mutating func setMember(_ context: Int, _ owner: Int, _ index: Int, _ member: Int, _ isWanted: Bool) {
    guard usable(context, owner) else {
      if !isWanted, contexts[context].things[owner]?.isDeleted == true {
        contexts[context].things[owner]?.many[index]?.drop(member)
      }
      return
    }
    // A gone object is a member no more, though a list that was read has it still.
    if contexts[context].things[member]?.isGone == true {
      contexts[context].things[owner]?.many[index]?.drop(member)
      return
    }
    realiseMany(context, owner, index)
    guard members(context, owner, index).contains(member) != isWanted else { return }
    if isWanted { putIn(context, owner, index, member) } else { takeOut(context, owner, index, member) }
  }

  /// Deletes an inserted object again: it leads nowhere then, and no delete rule is followed.
  private mutating func leaveAndDelete(_ context: Int, _ name: Int) {
    guard let entity = entityOf[name] else { return }
    for index in AtlasSchema.entities[entity].relationships {
      let property = Self.property(entity, index)
      guard property.kind == .toMany else {
        restoreToOne(context, name, index, nil)
        continue
      }
      realiseMany(context, name, index)
      for member in members(context, name, index).sorted() {
        setMember(context, name, index, member, false)
        guard usable(context, member) else { continue }
        if Self.property(property.destination, property.inverse).kind == .toMany {
          setMember(context, member, property.inverse, name, false)
        } else {
          realise(context, member)
          if contexts[context].things[member]?.values?[property.inverse] == name {
            set(context, member, property.inverse, nil)
          }
        }
      }
    }
    delete(context, name)
  }
}

extension ReferenceModel.History {
  /// Every object that could come back.
  var names: [Int] { images.map(\.name) + (undoable + redoable).flatMap { $0.entries.map(\.name) } }
}
