import Checking
import CoreData

// S6.11, S9.2: in drawn models what the store derives is what a loop derives, after each save and batch request, of contexts, children and
// another coordinator: of members that belong to several owners, change, move, are deleted, or go by a cascade.

extension RuleTrial {
  func sums() throws {
    let model = SummingModel(self)
    note(model.words)
    let url = newURL()
    let coordinators = [try open(model.model, at: url), try open(model.model, at: url)]
    var stamps: [URL: Date] = [:]
    let maker = context(coordinators[0])
    try maker.performAndWait {
      for entity in ["Team", "Team", "BigTeam", "Member", "Member", "Member", "BigMember", "BigMember"] {
        changeSummand(insertNumbered(entity, maker))
      }
      for _ in 0..<8 { try changeSummands(maker) }
      try save(maker)
    }
    for _ in 0..<(4 + draw(4)) {
      try requireSums(model, coordinators, &stamps)
      let coordinator = pick(coordinators) ?? coordinators[0]
      let root = freshContext(coordinator)
      note("\(root.name ?? "") of coordinator \(coordinator === coordinators[0] ? 0 : 1)")
      if chance(1, of: 3) {
        try changeByBatch(root)
      } else {
        let writer = chance(1, of: 4) ? context(in: root) : root
        try writer.performAndWait { for _ in 0..<(1 + draw(5)) { try changeSummands(writer) } }
        for context in writer === root ? [root] : [writer, root] { try context.performAndWait { try save(context) } }
      }
      root.performAndWait { root.refreshAllObjects() }
      try requireSums(model, root, "in the context that has changed it, after a refresh")
    }
    try requireSums(model, coordinators, &stamps)
    for coordinator in coordinators { try close(coordinator) }
  }

  // MARK: Changes

  private func changeSummand(_ object: NSManagedObject) {
    precondition(object.entity.attributesByName["size"] != nil, "teams and members have a size")
    for key in some(["text", "size", "weight"], atMost: 3) {
      let value: Any? =
        switch key {
        case "size": pick([nil, -3, 0, 1, 7, 70_000])?.flatMap { $0 }
        case "weight": pick([nil, 0.5, -2.25, 8])?.flatMap { $0 }
        default: pick([nil, "", "alpha", "Beta", "caf\u{e9}"])?.flatMap { $0 }
        }
      note("\(key) of \(RulePicture.number(object)) = \(RulePicture.text(value))")
      object.setValue(value, forKey: key)
    }
  }

  /// In a block of the context.
  private func changeSummands(_ context: NSManagedObjectContext) throws {
    let objects = try SummingModel.roots.flatMap { try all($0, context) }.filter { !$0.isDeleted }
    guard let object = pick(objects) else {
      return changeSummand(insertNumbered(pick(["BigTeam", "BigMember"]) ?? "BigTeam", context))
    }
    switch draw(10) {
    case 0, 1, 2: changeSummand(object)
    case 3 where objects.count > 4:
      note("delete \(RulePicture.number(object))")
      context.delete(object)
      if chance(1, of: 2) { context.processPendingChanges() }
    case 4:
      let new = insertNumbered(pick(["Team", "BigTeam", "Member", "BigMember"]) ?? "Team", context)
      changeSummand(new)
      relateSummand(new, objects)
    default: relateSummand(object, objects)
    }
  }

  /// Gives a drawn relationship of an object other members, all at once or one by one.
  private func relateSummand(_ object: NSManagedObject, _ objects: [NSManagedObject]) {
    let all = object.entity.relationshipsByName.values.sorted { $0.name < $1.name }
    guard let relationship = pick(all), let entity = relationship.destinationEntity?.name else { return }
    let candidates = objects.filter { candidate in
      // One that is its own friend is not listed twice.
      let isKind = candidate.entity.name == entity || candidate.entity.superentity?.name == entity
      return isKind && !candidate.isDeleted
        && (candidate !== object || relationship.inverseRelationship !== relationship)
    }
    let (number, name) = (RulePicture.number(object), relationship.name)
    guard relationship.isToMany else {
      let end = chance(1, of: 4) ? nil : pick(candidates)
      note("\(name) of \(number) = \(end.map(RulePicture.number) ?? 0)")
      return object.setValue(end, forKey: name)
    }
    let old = SummingModel.members(name, of: object)
    if let member = pick(old), chance(1, of: 4) {
      note("\(RulePicture.number(member)) leaves \(name) of \(number)")
      return relationship.isOrdered
        ? object.mutableOrderedSetValue(forKey: name).remove(member)
        : object.mutableSetValue(forKey: name).remove(member)
    }
    let members = some(candidates, atMost: 3)
    note("\(name) of \(number) = \(members.map(RulePicture.number))")
    object.setValue(relationship.isOrdered ? NSOrderedSet(array: members) : Set(members), forKey: name)
  }

  /// An update of values or of owners, or a deletion, past the contexts.
  private func changeByBatch(_ owner: NSManagedObjectContext) throws {
    precondition(owner.parent == nil, "a batch request goes to the store")
    try owner.performAndWait {
      let entity = pick(["Team", "Member", "BigTeam", "BigMember"]) ?? "Team"
      let objects = try all(entity, owner)
      let chosen = some(objects, atMost: 3)
      guard !chosen.isEmpty else { return }
      let numbers = chosen.map(RulePicture.number)
      guard chance(2, of: 3) else {
        note("batch delete of \(numbers)")
        _ = try owner.execute(NSBatchDeleteRequest(objectIDs: chosen.map(\.objectID)))
        return
      }
      let request = NSBatchUpdateRequest(entityName: entity)
      request.predicate = NSPredicate(format: "number IN %@", argumentArray: [numbers])
      // The members of a list have places as well.
      let toOne = objects.first?.entity.relationshipsByName.values.sorted { $0.name < $1.name }.first {
        !$0.isToMany && $0.inverseRelationship?.isToMany == true && $0.inverseRelationship?.isOrdered == false
          && $0.entity.name.map(entity.hasSuffix) == true
      }
      let end = try toOne?.destinationEntity?.name.flatMap { pick(try all($0, owner)) }
      if let toOne, let end, chance(1, of: 2) {
        note("batch update of \(entity) \(numbers): \(toOne.name) = \(RulePicture.number(end))")
        request.propertiesToUpdate = [toOne.name: end.objectID]
      } else {
        let (key, value) =
          pick([("size", draw(40) as Any), ("size", NSNull()), ("text", "batch \(draw(9))"), ("weight", 1.5)])
          ?? ("size", 1)
        note("batch update of \(entity) \(numbers): \(key) = \(RulePicture.text(value is NSNull ? nil : value))")
        request.propertiesToUpdate = [key: value]
      }
      _ = try owner.execute(request)
    }
  }

  // MARK: Checks

  private func requireSums(
    _ model: SummingModel, _ coordinators: [NSPersistentStoreCoordinator], _ stamps: inout [URL: Date]
  ) throws {
    for coordinator in coordinators { try requireSums(model, freshContext(coordinator), "in the file") }
    let reader = freshContext(coordinators[0])
    let now = try reader.performAndWait {
      let objects = try SummingModel.roots.flatMap { try all($0, reader) }
      return objects.map { object in
        (object.objectID.uriRepresentation(), RulePicture.number(object), object.value(forKey: "stamp") as? Date)
      }
    }
    for (row, number, stamp) in now {
      try require(stamp != nil, true, .wrongValue, "whether \(number) has the time of its last save")
      let isOlder = stamp.flatMap { stamp in stamps[row].map { stamp < $0 } } ?? false
      try require(isOlder, false, .wrongValue, "whether the time of the last save of \(number) went back")
      stamps[row] = stamp
    }
  }

  private func requireSums(_ model: SummingModel, _ reader: NSManagedObjectContext, _ what: String) throws {
    try reader.performAndWait {
      for object in try SummingModel.roots.flatMap({ try all($0, reader) }) {
        for (name, value) in model.derived(object) {
          try require(
            RulePicture.text(object.value(forKey: name)), RulePicture.text(value), .wrongValue,
            "\(name) of \(object.entity.name ?? "") \(RulePicture.number(object)) \(what)")
        }
      }
    }
  }
}
