import Checking
import CoreData

// S2.2, S2.4, S2.7, S2.8: what an object says of changed relationships, from both sides; a rollback of everything; equal values; how
// objects and IDs print themselves; and values that hooks set or put in the place of others.

extension RuleTrial {
  func changes() throws {
    let coordinator = try open()
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try root.performAndWait {
      populate(root, items: 5)
      try save(root)
    }
    for _ in 0..<3 { try lookAtMergedRelations(coordinator) }
    try editor.performAndWait { try lookAtRelations(editor) }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    try rollBackEverything(editor, coordinator)
    try setEqualValues(coordinator)
    try printObjects(coordinator)
    try tellStoresApart(coordinator)
    try setInHooks()
    try replaceValues()
  }

  // MARK: Relationships

  private typealias Links = [Int: [String: [Int]]]

  /// The members of every relationship of some objects, by number and name; in a block of the context.
  private func links(_ objects: [NSManagedObject]) -> Links {
    var links: Links = [:]
    for object in objects {
      let names = object.entity.relationshipsByName
      links[RulePicture.number(object)] = names.mapValues { RulePicture.members(of: object, $0) }
    }
    return links
  }

  /// The numbers of what a dictionary of values has for a relationship; nil where it has nothing.
  private func numbers(_ value: Any?, isOrdered: Bool) -> [Int]? {
    switch value {
    case nil: return nil
    case let one as NSManagedObject: return [RulePicture.number(one)]
    case let list as NSOrderedSet:
      let numbers = (list.array as? [NSManagedObject] ?? []).map(RulePicture.number)
      return isOrdered ? numbers : numbers.sorted()
    case let members as Set<NSManagedObject>: return members.map(RulePicture.number).sorted()
    case is NSNull: return []
    default: return [-1]
    }
  }

  /// Relationships are changed from either side; each object says what differs, and what was before; in a block of the context.
  private func lookAtRelations(_ context: NSManagedObjectContext) throws {
    let objects = try RulePicture.entities.flatMap { try all($0, context) }
    var saved = links(objects)
    var processed = saved
    for _ in 0..<(5 + draw(8)) {
      switch draw(8) {
      case 0:
        note("process changes")
        context.processPendingChanges()
        processed = links(objects)
      case 1:
        try save(context)
        saved = links(objects)
        processed = saved
      case 2:
        guard let object = pick(objects) else { continue }
        context.processPendingChanges()
        note("refresh \(RulePicture.number(object)), merging")
        context.refresh(object, mergeChanges: true)
        processed = links(objects)
      default: relateOne(objects)
      }
      let now = links(objects)
      for object in objects { try requireRelations(of: object, saved, processed, now) }
    }
    note("rollback")
    context.rollback()
    let left = links(objects)
    for (number, names) in saved.sorted(by: { $0.key < $1.key }) {
      for name in names.keys.sorted() {
        try require(left[number]?[name] ?? [], names[name] ?? [], .wrongValue, "\(name) of \(number) after a rollback")
      }
    }
    for object in objects {
      try require(
        [object.hasChanges, object.changedValues().isEmpty], [false, true], .wrongValue,
        "what \(RulePicture.number(object)) says of changes after a rollback")
    }
  }

  /// Others move a member that this context moves, whatever of its boxes was read: both sides agree, and who is where the rows have it
  /// is no change of anyone.
  private func lookAtMergedRelations(_ coordinator: NSPersistentStoreCoordinator) throws {
    let theirs = context(coordinator)
    let others = try theirs.performAndWait {
      let made = ["Box", "Box", "Box", "Item", "Item"].map { insertNumbered($0, theirs) }
      for item in made[3...] { item.setValue(made[draw(3)], forKey: "box") }
      try save(theirs)
      return made
    }
    let saves = SaveLog(session.environment, of: theirs)
    defer { saves.end() }
    for _ in 0..<8 {
      let (mine, which) = (context(coordinator), 3 + draw(2))
      let held = try mine.performAndWait { try others.map { try mine.existingObject(with: $0.objectID) } }
      mine.performAndWait {
        for box in held[..<3] where chance(1, of: 3) { _ = (box.value(forKey: "items") as? NSSet)?.count }
      }
      for step in 0..<(2 + draw(4)) {
        if step % 2 == 1 {
          try theirs.performAndWait {
            move(others[which], to: others[draw(3)])
            try save(theirs)
          }
          mine.performAndWait { for save in saves.removeAll() { mine.mergeChanges(fromContextDidSave: save) } }
        } else {
          mine.performAndWait { move(held[which], to: chance(1, of: 4) ? nil : held[draw(3)]) }
        }
        if chance(1, of: 3) { mine.performAndWait { mine.processPendingChanges() } }
      }
      let saved = theirs.performAndWait { links(others) }
      try mine.performAndWait { try requireMoves(held, saved) }
    }
  }

  /// Moves a member from either side; in a block of the context.
  private func move(_ item: NSManagedObject, to box: NSManagedObject?) {
    note("item \(RulePicture.number(item)) to box \(box.map(RulePicture.number) ?? 0)")
    if let box, chance(1, of: 3) {
      box.mutableSetValue(forKey: "items").add(item)
    } else {
      item.setValue(box, forKey: "box")
    }
  }

  /// Each object says whether it is changed, and then both sides agree; in a block of the context.
  private func requireMoves(_ objects: [NSManagedObject], _ saved: Links) throws {
    precondition(saved.count == objects.count, "the same objects are in the file")
    // Before anything is read.
    let areChanged = objects.map(\.hasPersistentChangedValues)
    let now = links(objects)
    for (object, isChanged) in zip(objects, areChanged) {
      let (number, name) = (RulePicture.number(object), object.entity.name == "Box" ? "items" : "box")
      let (old, new) = (saved[number]?[name] ?? [], now[number]?[name] ?? [])
      if name == "box" {
        let owners = now.keys.sorted().filter { now[$0]?["items"]?.contains(number) == true }
        try require(owners, new, .asymmetricInverse, "the boxes that have item \(number), beside its own")
      }
      // A box that others give a member which is elsewhere here may say so or not.
      guard name == "box" || old == new else { continue }
      try require(
        isChanged, old != new, .wrongValue,
        "whether \(number) is changed, of which others have saved \(old), and \(name) is \(new)")
    }
  }

  /// Draws one change of a relationship; in a block of the context.
  private func relateOne(_ objects: [NSManagedObject]) {
    let names = ["items", "box", "list", "shelf", "tags", "cover", "covered"]
    guard let object = pick(objects), let name = pick(names.filter { object.entity.relationshipsByName[$0] != nil }),
      let relationship = object.entity.relationshipsByName[name], let destination = relationship.destinationEntity
    else { return }
    let candidates = objects.filter { $0.entity.isKindOf(entity: destination) }
    let members = some(candidates, atMost: relationship.isToMany ? 4 : 1)
    note("\(name) of \(RulePicture.number(object)) = \(members.map(RulePicture.number))")
    guard relationship.isToMany else { return object.setValue(members.first, forKey: name) }
    object.setValue(relationship.isOrdered ? NSOrderedSet(array: members) : Set(members), forKey: name)
  }

  private func requireRelations(
    of object: NSManagedObject, _ saved: Links, _ processed: Links, _ now: Links
  ) throws {
    precondition(saved.count == now.count && processed.count == now.count, "the same objects are looked at")
    let (number, relationships) = (RulePicture.number(object), object.entity.relationshipsByName)
    let (changed, event) = (object.changedValues(), object.changedValuesForCurrentEvent())
    for name in relationships.keys.sorted() {
      guard let isOrdered = relationships[name]?.isOrdered else { continue }
      let (old, before, new) = (
        saved[number]?[name] ?? [], processed[number]?[name] ?? [], now[number]?[name] ?? []
      )
      try require(
        numbers(changed[name], isOrdered: isOrdered), old == new ? nil : new, .wrongValue,
        "\(name) in changedValues of \(number)")
      try require(
        numbers(object.committedValues(forKeys: [name])[name], isOrdered: isOrdered), old, .wrongValue,
        "\(name) in committedValues of \(number)")
      if before != new {
        try require(
          numbers(event[name], isOrdered: isOrdered), before, .wrongValue,
          "\(name) in changedValuesForCurrentEvent of \(number)")
      }
    }
    let differs = relationships.keys.contains { saved[number]?[$0] != now[number]?[$0] }
    try require(
      object.hasPersistentChangedValues, differs, .wrongValue, "hasPersistentChangedValues of \(number)")
  }

  // MARK: Rollback

  /// Whatever was changed, deleted and inserted, processed or refused: a rollback shows what was saved, in the same objects.
  private func rollBackEverything(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(
      editor.persistentStoreCoordinator === coordinator, "what was not saved is missing in the editor's own file")
    let held = try editor.performAndWait { try RulePicture.entities.flatMap { try all($0, editor) } }
    let before = try picture(editor)
    let file = try stored(coordinator)
    try editor.performAndWait {
      var made: [NSManagedObject] = []
      for _ in 0..<(2 + draw(6)) {
        if chance(1, of: 3) { relateOne(held.filter { !$0.isDeleted }) } else { try changeSomething(editor) }
        made += editor.insertedObjects.filter { !made.contains($0) }.sorted {
          RulePicture.number($0) < RulePicture.number($1)
        }
        if chance(1, of: 4) { editor.processPendingChanges() }
        if chance(1, of: 5) { try refuse(editor) }
      }
      note("rollback")
      editor.rollback()
      try require(
        [
          editor.hasChanges, editor.insertedObjects.isEmpty, editor.updatedObjects.isEmpty,
          editor.deletedObjects.isEmpty,
        ],
        [false, true, true, true], .wrongValue, "what is left to save after a rollback")
      for object in made {
        try require(
          [object.managedObjectContext == nil, RulePicture.number(object) > 0], [true, true], .wrongValue,
          "whether an object that was never saved has left, and can be read, after a rollback")
      }
      for object in held {
        try require(
          [object.managedObjectContext === editor, object.isDeleted, object.hasChanges, object.isInserted],
          [true, false, false, false], .wrongValue, "what \(RulePicture.number(object)) is after a rollback")
      }
    }
    try require(
      try picture(editor).withoutDerived, before.withoutDerived, .wrongValue, "in a context after a rollback")
    try editor.performAndWait {
      for object in try RulePicture.entities.flatMap({ try all($0, editor) }) {
        try require(
          held.contains { $0 === object }, true, .duplicateRecord,
          "whether \(RulePicture.number(object)) is the object that it was before a rollback")
      }
      try save(editor)
    }
    if let parent = editor.parent {
      try require(
        parent.performAndWait { parent.hasChanges }, false, .dirtyRead, "changes of a parent of what was dropped")
    }
    try require(try stored(coordinator), file, .dirtyRead, "in the file after a rollback and a save")
  }

  /// A save that a value which no row can hold makes fail; in a block of the context.
  private func refuse(_ context: NSManagedObjectContext) throws {
    context.processPendingChanges()
    guard let item = pick(try all("Item", context)) else { return }
    note("a save that is refused")
    item.setValue(40_000, forKey: "level")
    // Others may have been refused before.
    let error = AnythingClient.error { try context.save() }
    try require(error == nil, false, .wrongValue, "whether a number that is too wide is saved")
  }

  // MARK: Equal values

  /// Values that objects have anyway, set again, make them dirty, and their rows no newer.
  private func setEqualValues(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (setter, other) = (context(coordinator), context(coordinator))
    try setter.performAndWait {
      let item = pick(try all("Item", setter))
      guard let item else { return }
      let id = item.objectID
      let theirs = try other.performAndWait {
        let theirs = try other.existingObject(with: id)
        _ = RulePicture.properties(of: theirs)
        return theirs
      }
      let entity = item.entity
      let keys = entity.propertiesByName.keys.sorted().filter {
        !RuleModel.derived.contains($0) && !["mark", "photo"].contains($0)
      }
      for key in some(keys, atMost: 6) + ["rank"] {
        note("\(key) of \(RulePicture.number(item)) is set to what it is")
        item.setValue(item.value(forKey: key), forKey: key)
        if chance(1, of: 3) { setter.processPendingChanges() }
      }
      try require(
        [item.hasChanges, item.isUpdated, item.hasPersistentChangedValues, item.changedValues().isEmpty],
        [true, true, false, true], .wrongValue, "what an object is that was given the values that it has")
      try save(setter)
      try require(
        [item.hasChanges, setter.hasChanges], [false, false], .wrongValue, "changes after a save of nothing new")
      try other.performAndWait {
        theirs.setValue(newNumber(), forKey: "rank")
        let error = AnythingClient.error { try other.save() }
        try require(error?.code, nil, .failedSave, "the error of a save after another one of equal values")
      }
    }
  }

  // MARK: Texts and IDs

  /// Objects and IDs print themselves, and nothing is read for it.
  private func printObjects(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (reader, other) = (context(coordinator), context(coordinator))
    try reader.performAndWait {
      guard let object = pick(try RulePicture.entities.flatMap { try all($0, reader) }) else { return }
      let (id, uri) = (object.objectID, object.objectID.uriRepresentation().absoluteString)
      let number = RulePicture.number(object)
      try require(
        "\(object)".contains("number = \(number)"), true, .wrongValue, "whether a text of \(object) has its number")
      reader.refresh(object, mergeChanges: false)
      let text = "\(object)"
      try require(
        [object.isFault, text.contains(uri), text.contains(object.entity.name ?? "?")], [true, true, true], .wrongValue,
        "whether a fault stays one as it is printed, with its ID and its entity: \(text)")
      let theirs = other.performAndWait { other.object(with: id).objectID }
      try require("\(theirs)", "\(id)", .wrongValue, "the text of an ID in another context")
      try require("\(id)".contains(uri), true, .wrongValue, "whether the text of \(id) has its URI")
      let entity = object.entity.name ?? "?"
      let store = id.persistentStore?.identifier ?? "none"
      let key = uri.split(separator: "/").last ?? ""
      try require(uri, "x-coredata://\(store)/\(entity)/\(key)", .wrongValue, "a URI")
      try require(
        key.first == "p" && Int(key.dropFirst()) != nil, true, .wrongValue, "whether a URI ends with its key: \(uri)")
    }
  }

  /// Objects of two stores that have the same key have other IDs, each of which leads to its own object.
  private func tellStoresApart(_ coordinator: NSPersistentStoreCoordinator) throws {
    let second = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: newURL(), options: nil)
    let stores = coordinator.persistentStores
    let writer = context(coordinator)
    let pairs: [(NSManagedObjectID, Int)] = try writer.performAndWait {
      let boxes = (0..<4).map { _ in insert("Box", writer) }
      for (index, box) in boxes.enumerated() { writer.assign(box, to: index % 2 == 0 ? second : stores[0]) }
      try save(writer)
      return boxes.map { ($0.objectID, RulePicture.number($0)) }
    }
    try require(Set(pairs.map(\.0)).count, 4, .wrongValue, "how many IDs four objects of two stores have")
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      for (index, (id, number)) in pairs.enumerated() {
        try require(
          id.persistentStore === (index % 2 == 0 ? second : stores[0]), true, .wrongValue,
          "whether the ID of \(number) names its store")
        guard let again = coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) else {
          return try report(.wrongValue, "the ID of a URI of one of two stores", expected: "\(id)", seen: "none")
        }
        try require(again, id, .wrongValue, "the ID of a URI of one of two stores")
        try require(
          RulePicture.number(try fresh.existingObject(with: again)), number, .wrongValue, "the object of that ID")
      }
    }
    try coordinator.remove(second)
  }
}
