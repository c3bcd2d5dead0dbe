import Checking
import CoreData

// S2.4, S2.6, S3.4, S4.1, S4.4, S5.2, S7.4, S10.1: of an object several properties of different kinds change at once: all of them arrive,
// and no other one, by pushes of children and grandchildren, merges, merge policies, undo, refreshes, the history and batch updates.

extension RuleTrial {
  /// How changes arrive.
  private enum Arrival: CaseIterable { case push, deepPush, merge, mergeBesideOwn, policy, undo, refresh, batch }

  func together() throws {
    let coordinator = try open(TogetherModel.shared, at: newURL(), history: true)
    var state = TogetherState()
    let maker = context(coordinator)
    try maker.performAndWait {
      for _ in 0..<2 { insertOwner(maker, &state) }
      try carryOut(state.owners.flatMap { drawChanges($0, TogetherModel.keys, state) }, maker, &state)
      try save(maker)
    }
    for arrival in shuffled(Arrival.allCases + [.push, .deepPush]) {
      note("changes arrive: \(arrival)")
      switch arrival {
      case .push: try pushTogether(1, coordinator, &state)
      case .deepPush: try pushTogether(2, coordinator, &state)
      case .merge: try mergeTogether(coordinator, &state, besideOwn: false)
      case .mergeBesideOwn: try mergeTogether(coordinator, &state, besideOwn: true)
      case .policy: try decideTogether(coordinator, &state)
      case .undo: try undoTogether(coordinator, &state)
      case .refresh: try refreshTogether(coordinator, &state)
      case .batch: try batchTogether(coordinator, &state)
      }
      try requireTogether(freshContext(coordinator), state, .lostUpdate, "in the file, by \(arrival)")
    }
    try close(coordinator)
  }

  // MARK: Ways

  private func pushTogether(
    _ depth: Int, _ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState
  ) throws {
    precondition(depth > 0, "a push is that of a child")
    var levels = [context(coordinator)]
    for _ in 0..<depth { levels.append(context(in: levels[levels.count - 1])) }
    let changes = drawChanges(state)
    for level in levels.dropLast() where chance(1, of: 2) {
      try requireTogether(level, state, .wrongValue, "before the push")
    }
    let held = try levels[depth].performAndWait { () -> [NSManagedObject] in
      let objects = try objects(levels[depth])
      try carryOut(changes, levels[depth], &state)
      return objects
    }
    for index in levels.indices.reversed() {
      try requireTogether(levels[index], state, .lostUpdate, "in context \(index) of \(depth + 1) that push")
      try levels[index].performAndWait { try save(levels[index]) }
    }
    levels[depth].performAndWait { withExtendedLifetime(held) {} }
    try requireRecorded(changes, coordinator)
  }

  /// A context that has read all of it merges what another one has saved, perhaps beside changes of other properties.
  private func mergeTogether(
    _ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState, besideOwn: Bool
  ) throws {
    let way = draw(4)
    let (writer, listener) = (
      context(coordinator), context(coordinator, merges: way == 0, .mergeByPropertyObjectTrump)
    )
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let (theirs, own) = besideOwn ? drawDisjoint(state) : (drawChanges(state), [])
    var before = state
    let held = try listener.performAndWait { () -> [NSManagedObject] in
      let objects = try objects(listener)
      for object in objects { _ = RulePicture.properties(of: object) }
      try carryOut(own, listener, &before)
      if chance(1, of: 2) { listener.processPendingChanges() }
      return objects
    }
    try writer.performAndWait {
      try carryOut(theirs, writer, &state)
      try save(writer)
    }
    note("merge, way \(way)")
    let notification = saves.removeLast()
    listener.performAndWait {
      if way == 1, let notification { listener.mergeChanges(fromContextDidSave: notification) }
      if way == 3 { listener.refreshAllObjects() }
    }
    if way == 2, let notification {
      let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: updated.map(\.objectID)], into: [listener])
    }
    state.record(own)
    try requireTogether(listener, state, .staleRead, "in a context that merges, beside \(own.count) changes")
    try listener.performAndWait {
      try save(listener)
      withExtendedLifetime(held) {}
    }
  }

  /// Two contexts change different properties of the same objects: property by property both are kept.
  private func decideTogether(_ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState) throws {
    let isObject = chance(1, of: 2)
    let policy: NSMergePolicy = isObject ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
    let (mine, other) = (context(coordinator, policy), context(coordinator))
    let (theirs, own) = drawDisjoint(state)
    var unsaved = state
    let held = try mine.performAndWait { () -> [NSManagedObject] in
      let objects = try objects(mine)
      for object in objects { _ = RulePicture.properties(of: object) }
      try carryOut(own, mine, &unsaved)
      return objects
    }
    try other.performAndWait {
      try carryOut(theirs, other, &state)
      try save(other)
    }
    try mine.performAndWait { try save(mine) }
    state.record(own)
    mine.performAndWait { mine.refreshAllObjects() }
    try requireTogether(mine, state, .wrongWinner, "in a context by the policy of which both are kept")
    mine.performAndWait { withExtendedLifetime(held) {} }
  }

  private func undoTogether(_ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState) throws {
    let root = context(coordinator)
    let changes = drawChanges(state)
    guard !changes.isEmpty else { return }
    let before = state
    let held = try root.performAndWait { try objects(root) }
    precondition(!held.isEmpty, "an undo is about objects that are there")
    try root.performAndWait { try recordForUndo(root) { try carryOut(changes, root, &state) } }
    for (step, expected) in [("undo", before), ("redo", state)] {
      note(step)
      root.performAndWait {
        if step == "undo" { root.undoManager?.undo() } else { root.undoManager?.redo() }
        root.processPendingChanges()
      }
      try requireTogether(root, expected, .wrongValue, "after an \(step)")
    }
    try root.performAndWait { try save(root) }
    try requireRecorded(changes, coordinator)
    if chance(1, of: 2) {
      try requireTogether(freshContext(coordinator), state, .lostUpdate, "in the file, before an undo")
      note("undo what is saved")
      try root.performAndWait {
        root.undoManager?.undo()
        try save(root)
      }
      state = before
    }
    root.performAndWait {
      root.undoManager = nil
      withExtendedLifetime(held) {}
    }
  }

  private func refreshTogether(_ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState) throws {
    let root = context(coordinator)
    let changes = drawChanges(state)
    try root.performAndWait {
      try carryOut(changes, root, &state)
      if chance(1, of: 2) { root.processPendingChanges() }
      let objects = shuffled(try objects(root))
      if chance(1, of: 3) { root.refreshAllObjects() }
      for object in some(objects, atMost: objects.count) { root.refresh(object, mergeChanges: true) }
    }
    try requireTogether(root, state, .lostUpdate, "after a refresh that keeps changes")
    try root.performAndWait { try save(root) }
    try requireRecorded(changes, coordinator)
  }

  /// A batch update changes what it can: attributes, and to-one relationships that are of many, or of no, inverse.
  private func batchTogether(_ coordinator: NSPersistentStoreCoordinator, _ state: inout TogetherState) throws {
    guard let owner = pick(state.owners) else { return }
    let changes = drawChanges(owner, TogetherModel.attributes + ["group", "lone"], state)
    precondition(!changes.isEmpty, "there is always another value for an attribute")
    let editor = context(coordinator)
    note("batch update of \(changes.map(\.words))")
    try editor.performAndWait {
      let peers = try numbered(editor)
      var properties: [AnyHashable: Any] = [:]
      for change in changes {
        properties[change.key] = NSNull()
        if let value = change.value { properties[change.key] = value }
        if let id = change.members?.first.flatMap({ peers[$0]?.objectID }) { properties[change.key] = id }
      }
      let request = NSBatchUpdateRequest(entityName: "Owner")
      request.predicate = NSPredicate(format: "number == %ld", owner)
      request.propertiesToUpdate = properties
      _ = try editor.execute(request)
    }
    state.record(changes)
    try requireRecorded(changes, coordinator)
  }

  // MARK: Changes

  private func insertOwner(_ context: NSManagedObjectContext, _ state: inout TogetherState) {
    let numbers = (["Owner"] + (0..<4).map { _ in "Peer" }).map { entity in
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      let number = newNumber()
      object.setValue(number, forKey: RuleModel.number)
      return number
    }
    note("an owner \(numbers[0]) with peers \(numbers.dropFirst())")
    state.insert(numbers[0], Array(numbers.dropFirst()))
  }

  /// Changes of some properties of one owner, or of each.
  private func drawChanges(_ state: TogetherState) -> [TogetherChange] {
    let owners = chance(1, of: 2) ? state.owners : [pick(state.owners)].compactMap { $0 }
    return owners.flatMap { drawChanges($0, shuffled(TogetherModel.keys).filter { _ in chance(3, of: 5) }, state) }
  }

  /// Changes by two hands, which have no property in common.
  private func drawDisjoint(_ state: TogetherState) -> (theirs: [TogetherChange], own: [TogetherChange]) {
    let owner = pick(state.owners) ?? 0
    let keys = shuffled(TogetherModel.keys)
    let count = 1 + draw(keys.count - 1)
    let all = drawChanges(owner, keys, state).map { change in (change, keys.prefix(count).contains(change.key)) }
    return (all.filter(\.1).map(\.0), all.filter { !$0.1 }.map(\.0))
  }

  /// Another value for each key.
  private func drawChanges(_ owner: Int, _ keys: [String], _ state: TogetherState) -> [TogetherChange] {
    keys.compactMap { key in
      let old = state.text(key, of: owner)
      guard let relationship = TogetherModel.relationship(key) else {
        let number = newNumber()
        let values: [String: Any] = ["level": number, "since": Date(timeIntervalSinceReferenceDate: Double(number))]
        let value = chance(1, of: 6) && old != "null" ? nil : values[key] ?? "text \(number)"
        return TogetherChange(owner: owner, key: key, value: value)
      }
      for _ in 0..<8 {
        let drawn = some(state.peers[owner] ?? [], atMost: relationship.isToMany ? 4 : 1)
        let members = relationship.isOrdered ? drawn : drawn.sorted()
        if "\(members)" != old { return TogetherChange(owner: owner, key: key, members: members) }
      }
      return nil
    }
  }

  /// Makes changes, in a block of the context.
  private func carryOut(
    _ changes: [TogetherChange], _ context: NSManagedObjectContext, _ state: inout TogetherState
  ) throws {
    let known = try numbered(context)
    for change in changes {
      guard let owner = known[change.owner] else { continue }
      note(change.words)
      guard let relationship = TogetherModel.relationship(change.key), let numbers = change.members else {
        owner.setValue(change.value, forKey: change.key)
        continue
      }
      let members = numbers.compactMap { known[$0] }
      let isByStep = chance(1, of: 2)
      if !relationship.isToMany {
        owner.setValue(members.first, forKey: change.key)
      } else if relationship.isOrdered, isByStep {
        let list = owner.mutableOrderedSetValue(forKey: change.key)
        list.removeAllObjects()
        for member in members { list.add(member) }
      } else if relationship.isOrdered {
        owner.setValue(NSOrderedSet(array: members), forKey: change.key)
      } else if isByStep {
        let set = owner.mutableSetValue(forKey: change.key)
        for case let member as NSManagedObject in set.allObjects where !members.contains(member) { set.remove(member) }
        for member in members { set.add(member) }
      } else {
        owner.setValue(Set(members), forKey: change.key)
      }
    }
    state.record(changes)
  }

  // MARK: Looking

  private func objects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try TogetherModel.entities.flatMap { try all($0, context) }
  }

  private func numbered(_ context: NSManagedObjectContext) throws -> [Int: NSManagedObject] {
    Dictionary(try objects(context).map { (RulePicture.number($0), $0) }) { first, _ in first }
  }

  private func requireTogether(
    _ context: NSManagedObjectContext, _ state: TogetherState, _ kind: ViolationKind, _ what: String
  ) throws {
    try require(try picture(context, TogetherModel.entities), state.picture, kind, what)
  }

  /// The last transaction names the attributes and the to-one relationships of each owner that have changed, and no others.
  private func requireRecorded(_ changes: [TogetherChange], _ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = context(coordinator)
    let columns = Set(TogetherModel.attributes + ["group", "lone", "pair"])
    let named: [Int: Set<String>] = try reader.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      let result = (try reader.execute(request) as? NSPersistentHistoryResult)?.result
      let last = (result as? [NSPersistentHistoryTransaction])?.last?.changes ?? []
      var named: [Int: Set<String>] = [:]
      for change in last where change.changedObjectID.entity.name == "Owner" {
        let number = RulePicture.number(try reader.existingObject(with: change.changedObjectID))
        named[number] = Set((change.updatedProperties ?? []).map(\.name)).intersection(columns)
      }
      return named
    }
    for (owner, own) in Dictionary(grouping: changes, by: \.owner).sorted(by: { $0.key < $1.key }) {
      try require(
        named[owner] ?? [], Set(own.map(\.key)).intersection(columns), .historyDivergence,
        "the properties of owner \(owner) that the history names as changed")
    }
  }
}
