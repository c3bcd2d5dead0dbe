import Cells
import Checking
import CoreData

// S1.5, S2.1 to S2.3, S2.8, S8.2, S8.3: one object for an ID in a context, IDs that mean the same everywhere, faults that fire
// once, an object's own changes, and its state after a delete.

extension RuleTrial {
  func identity() throws {
    let (first, second) = (try open(), try open())
    let writer = context(first)
    try writer.performAndWait {
      populate(writer, items: 6)
      try save(writer)
    }
    try writer.performAndWait { try checkNew(writer) }
    let file = try stored(first)
    for _ in 0..<3 {
      try lookUp(first, second, file)
      try lookAtChanges(first)
      try leave(first)
    }
    try deleteElsewhere(first)
    try stay(first)
    try lookAtPrimitives(first)
    try joinLoose(first)
  }

  // MARK: Values that are not there

  /// Values of an object that was never saved, and of one that a reset or a rollback has left.
  private func stay(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    let loose = try owner.performAndWait {
      guard let entity = NSEntityDescription.entity(forEntityName: "Item", in: owner) else {
        preconditionFailure("items are of the model")
      }
      let loose = NSManagedObject(entity: entity, insertInto: nil)
      let id = loose.objectID
      loose.setValue(newNumber(), forKey: RuleModel.number)
      loose.setValue("loose", forKey: "name")
      try require(
        [id.isTemporaryID, loose.managedObjectContext == nil, owner.hasChanges], [true, true, false], .wrongValue,
        "what an object without a context is")
      owner.insert(loose)
      try require(loose.objectID, id, .wrongValue, "the ID of an object that was made without a context")
      try require(
        RulePicture.text(loose.value(forKey: "name")), "loose", .lostUpdate, "a value that was set before the insertion"
      )
      note("refresh an object that was never saved")
      owner.refresh(loose, mergeChanges: false)
      try require(
        RulePicture.text(loose.value(forKey: "name")), "loose", .lostUpdate,
        "a value of an unsaved object after a refresh")
      try save(owner)
      try require(
        owner.registeredObject(for: loose.objectID) === loose, true, .duplicateRecord,
        "whether it is registered once saved")
      return loose
    }
    let id = owner.performAndWait { loose.objectID }
    try other.performAndWait {
      let item = try other.existingObject(with: id)
      item.setValue("changed", forKey: "name")
      let new = insert("Item", other)
      if chance(1, of: 2) {
        note("reset")
        other.reset()
        try require(
          [
            item.managedObjectContext == nil, new.managedObjectContext == nil, other.hasChanges,
            other.registeredObjects.isEmpty,
          ],
          [true, true, false, true], .wrongValue, "what is left of a context's objects after a reset")
        try require(
          RulePicture.text(item.value(forKey: "rank")), "3", .wrongValue, "a value of an object that a reset has left")
      } else {
        note("rollback")
        other.rollback()
        try require(
          [item.managedObjectContext === other, new.managedObjectContext == nil, other.hasChanges],
          [true, true, false],
          .wrongValue, "what is left of a context's changes after a rollback")
      }
      let found = try other.existingObject(with: id)
      try require(
        RulePicture.text(found.value(forKey: "name")), "loose", .wrongValue, "a value after changes were dropped")
    }
    owner.performAndWait { withExtendedLifetime(loose) {} }
  }

  /// Primitive values are no changes, and read nothing.
  private func lookAtPrimitives(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      guard let item = pick(try all("Item", owner)) else { return }
      owner.refresh(item, mergeChanges: false)
      _ = item.primitiveValue(forKey: "name")
      try require(item.isFault, true, .wrongValue, "whether an object is a fault after a primitive value was read")
      let name = RulePicture.text(item.value(forKey: "name"))
      item.setPrimitiveValue("primitive", forKey: "name")
      try require(
        RulePicture.text(item.value(forKey: "name")), "primitive", .wrongValue, "a primitive value that was set")
      try require(
        [item.hasChanges, owner.hasChanges], [false, false], .wrongValue, "changes after a primitive value was set")
      owner.refresh(item, mergeChanges: false)
      try require(
        RulePicture.text(item.value(forKey: "name")), name, .wrongValue, "a value after a primitive one was dropped")
      item.setValue(item.value(forKey: "rank"), forKey: "rank")
      try require(
        [item.hasChanges, item.hasPersistentChangedValues, item.changedValues().isEmpty], [true, false, true],
        .wrongValue,
        "what an object is that was given an equal value")
    }
  }

  // MARK: IDs and faults

  /// A new object under its temporary and its permanent ID; in a block of the context.
  private func checkNew(_ context: NSManagedObjectContext) throws {
    let item = insert("Item", context)
    let temporary = item.objectID
    try require(
      [temporary.isTemporaryID, item.isInserted, item.isUpdated, item.hasChanges], [true, true, false, true],
      .wrongValue, "what a new object is")
    if chance(1, of: 2) { try context.obtainPermanentIDs(for: [item]) }
    let early = item.objectID
    try save(context)
    if !early.isTemporaryID { try require(item.objectID, early, .wrongValue, "the ID that was obtained before a save") }
    try require(
      [item.objectID.isTemporaryID, item.isInserted, item.hasChanges], [false, false, false], .wrongValue,
      "what a saved object is")
    if context.registeredObject(for: item.objectID) !== item {
      try report(.duplicateRecord, "a saved object", expected: "registered under its ID", seen: "another or none")
    }
  }

  /// Every way to an object leads to one object, and IDs mean the same in other contexts and coordinators.
  private func lookUp(
    _ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator, _ file: RulePicture
  ) throws {
    precondition(first !== second, "an ID is looked up in another coordinator, too")
    let reader = context(first)
    let entity = pick(RulePicture.entities) ?? "Item"
    let ids = try reader.performAndWait {
      reader.reset()
      return try all(entity, reader).map(\.objectID)
    }
    guard let id = pick(ids) else { return }
    let uri = id.uriRepresentation()
    try require(first.managedObjectID(forURIRepresentation: uri), id, .wrongValue, "the ID of a URI")
    try requireNone(under: id, first, second)
    for coordinator in [first, second] {
      let other = context(coordinator)
      let inner = chance(1, of: 2) ? context(in: other) : other
      guard let own = coordinator.managedObjectID(forURIRepresentation: uri) else {
        return try report(.wrongValue, "the ID of a URI in another coordinator", expected: "\(uri)", seen: "none")
      }
      try require(own.uriRepresentation(), uri, .wrongValue, "the URI of an ID in another coordinator")
      try inner.performAndWait {
        try require(
          inner.registeredObject(for: own) == nil, true, .wrongValue,
          "whether an object is registered before it was asked for")
        let object = inner.object(with: own)
        try require(object.isFault, true, .wrongValue, "whether object(with:) gives a fault")
        _ = (object.objectID, object.entity, object.hasChanges, object.isFault)
        try require(
          [object.isFault, object.isInserted, object.isUpdated, object.isDeleted], [true, false, false, false],
          .wrongValue, "what a fault is")
        let found = try inner.existingObject(with: own)
        let fetched = try all(entity, inner).first { $0.objectID == own }
        for (way, other) in [
          ("existingObject", found), ("registeredObject", inner.registeredObject(for: own)), ("a fetch", fetched),
        ]
        where other !== object {
          try report(
            .duplicateRecord, "\(entity) by \(way)", expected: "the object of object(with:)", seen: "\(other as Any)")
        }
        try require(
          [own.hashValue, Set([own, object.objectID]).count], [object.objectID.hashValue, 1], .wrongValue,
          "the hash of an ID")
        let number = RulePicture.number(object)
        try requireNoFaults(of: object, file.objects[number] ?? [:])
        try require(
          RulePicture.properties(of: object), file.objects[number] ?? [:], .wrongValue, "\(entity) \(number) by its ID")
        try readMembers(of: object, number)
        inner.refresh(object, mergeChanges: false)
        try require(object.isFault, true, .wrongValue, "whether a refreshed object is a fault")
        try require(
          RulePicture.properties(of: object), file.objects[number] ?? [:], .wrongValue,
          "\(entity) \(number), read again")
      }
    }
  }

  /// No object has the key of another in a store that is not open, or in another entity.
  private func requireNone(
    under id: NSManagedObjectID, _ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator
  ) throws {
    let uri = id.uriRepresentation()
    let strange = URL(string: uri.absoluteString.replacingOccurrences(of: uri.host ?? "", with: UUID().uuidString))
    if let strange {
      try require(
        first.managedObjectID(forURIRepresentation: strange) == nil, true, .wrongValue, "the ID of a URI of no store")
    }
    if id.entity.name == "Item" {
      let text = uri.absoluteString.replacingOccurrences(of: "/Item/", with: "/SpecialItem/")
      let wrong = URL(string: text).flatMap(second.managedObjectID(forURIRepresentation:))
      let other = context(second)
      let code = other.performAndWait {
        AnythingClient.error { try wrong.map { _ = try other.existingObject(with: $0) } }?.code
      }
      try require(
        code, wrong.map { _ in NSManagedObjectReferentialIntegrityError }, .wrongValue,
        "the error of an ID that calls an item a special one")
    }
  }

  /// There is nothing to read of a relationship that leads nowhere; in a block of the context.
  private func requireNoFaults(of object: NSManagedObject, _ row: [String: String]) throws {
    try require(object.isFault, false, .wrongValue, "whether existingObject realises")
    for (name, relationship) in object.entity.relationshipsByName where !relationship.isToMany && row[name] == "[]" {
      try require(
        object.hasFault(forRelationshipNamed: name), false, .wrongValue,
        "whether \(name) of \(RulePicture.number(object)), which leads nowhere, is a fault")
    }
  }

  /// The IDs of members are those of the objects; in a block of the context.
  private func readMembers(of object: NSManagedObject, _ number: Int) throws {
    for (name, relationship) in object.entity.relationshipsByName where relationship.isToMany {
      let listed = Set(object.objectIDs(forRelationshipNamed: name))
      let members = object.value(forKey: name)
      let objects =
        (members as? NSOrderedSet)?.array as? [NSManagedObject] ?? Array(members as? Set<NSManagedObject> ?? [])
      try require(listed, Set(objects.map(\.objectID)), .wrongValue, "objectIDs of \(name) of \(number)")
      try require(
        object.hasFault(forRelationshipNamed: name), false, .wrongValue, "whether \(name) is a fault after it was read")
    }
  }

  // MARK: Changes

  /// An object's own changes are exactly those made to it.
  private func lookAtChanges(_ coordinator: NSPersistentStoreCoordinator) throws {
    let editor = context(coordinator)
    try editor.performAndWait {
      guard let item = pick(try all("Item", editor)) else { return }
      let names = ["name", "rank", "weight", "isNew", "madeAt", "price"]
      func texts() -> [String: String] { RulePicture.properties(of: item).filter { names.contains($0.key) } }
      func texts(_ values: [String: Any]) -> [String: String] {
        values.mapValues { RulePicture.text($0 is NSNull ? nil : $0) }
      }
      let saved = texts()
      var processed = saved
      for _ in 0..<(3 + draw(5)) {
        if chance(1, of: 3) {
          editor.processPendingChanges()
          processed = texts()
        } else {
          set(pick(names) ?? "rank", of: item)
        }
        let now = texts()
        try require(texts(item.changedValues()), now.filter { saved[$0.key] != $0.value }, .wrongValue, "changedValues")
        try require(texts(item.committedValues(forKeys: names)), saved, .wrongValue, "committedValues")
        try require(item.hasPersistentChangedValues, now != saved, .wrongValue, "hasPersistentChangedValues")
        let event = texts(item.changedValuesForCurrentEvent())
        for name in names where now[name] != processed[name] {
          try require(
            event[name] ?? "nothing", processed[name] ?? "", .wrongValue, "\(name) in changedValuesForCurrentEvent")
        }
      }
      if chance(1, of: 2) { editor.rollback() } else { editor.refresh(item, mergeChanges: false) }
      try require(texts(), saved, .wrongValue, "values after changes were dropped")
      try require(
        [item.hasChanges, editor.hasChanges], [false, false], .wrongValue, "changes after they were dropped")
    }
  }

  // MARK: Leaving

  /// A clean object that nothing holds leaves its context; one with changes stays, and so does every one where the context retains.
  private func leave(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let (retains, changes) = (chance(1, of: 3), chance(1, of: 3))
    note("an object is left: retained \(retains), changed \(changes)")
    owner.performAndWait { owner.retainsRegisteredObjects = retains }
    let id: NSManagedObjectID? = try owner.performAndWait {
      guard let item = pick(try all("Item", owner)) else { return nil }
      if changes { item.setValue(newNumber(), forKey: "rank") }
      return item.objectID
    }
    guard let id else { return }
    if retains { try retainFetched(coordinator) }
    try owner.performAndWait {
      try require(
        owner.registeredObject(for: id) != nil, retains || changes, .wrongValue,
        "whether an object that nothing holds is registered")
      owner.rollback()
      try require(
        owner.registeredObject(for: id) != nil, retains, .wrongValue, "whether it is registered after a rollback")
    }
  }

  /// A context that retains its objects has those of every fetch, small or large, as faults or read.
  private func retainFetched(_ coordinator: NSPersistentStoreCoordinator) throws {
    let keeper = context(coordinator)
    try keeper.performAndWait {
      keeper.retainsRegisteredObjects = true
      for _ in 0..<12 { insertPlain(keeper) }
      try save(keeper)
      keeper.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      (request.fetchLimit, request.returnsObjectsAsFaults) = (1 + draw(12), chance(1, of: 2))
      let count = try keeper.fetch(request).count
      try require(
        keeper.registeredObjects.count, count, .wrongValue, "objects of a fetch that a context retains")
    }
  }

  /// Another context deletes a row: one that has read it keeps its values, a fault is inaccessible, and asking for it throws.
  private func deleteElsewhere(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (keeper, faults, writer) = (context(coordinator), context(coordinator), context(coordinator))
    // The fault that is read after its row is gone is meant.
    CellReports.allowInaccessibleFaults(in: [faults.name ?? ""])
    let kept = try keeper.performAndWait { try all("Item", keeper) }
    guard let index = kept.isEmpty ? nil : draw(kept.count) else { return }
    let item = kept[index]
    let (id, values) = keeper.performAndWait { (item.objectID, RulePicture.properties(of: item)) }
    let fault = faults.performAndWait { faults.object(with: id) }
    try writer.performAndWait {
      let deleted = try writer.existingObject(with: id)
      note("delete item \(RulePicture.number(deleted))")
      writer.delete(deleted)
      try require([deleted.isDeleted, deleted.hasChanges], [true, true], .wrongValue, "what a deleted object is")
      try save(writer)
      try require(deleted.isDeleted, false, .wrongValue, "isDeleted after the save")
      try require(
        deleted.managedObjectContext == nil, true, .wrongValue, "whether a deleted object has left its context")
      let code = AnythingClient.error { _ = try writer.existingObject(with: id) }?.code
      try require(
        code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord, "existingObject of a deleted object")
    }
    try keeper.performAndWait {
      try require(
        RulePicture.text(item.value(forKey: "name")), values["name"] ?? "", .wrongValue, "a value of a row that is gone"
      )
      let found = try keeper.existingObject(with: id)
      if found !== item {
        try report(.duplicateRecord, "a realised object without a row", expected: "itself", seen: "another")
      }
    }
    try faults.performAndWait {
      try require(
        RulePicture.text(fault.value(forKey: "name")), "null", .wrongValue, "a value of a fault without a row")
      try require(fault.isDeleted, true, .wrongValue, "isDeleted of a fault without a row")
      try save(faults)
    }
    try require(
      try stored(coordinator).objects.keys.contains(keeper.performAndWait { RulePicture.number(item) }),
      false,
      .resurrectedRecord, "a deleted item in the file")
  }
}
