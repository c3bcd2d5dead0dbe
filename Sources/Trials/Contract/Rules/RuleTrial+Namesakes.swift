import Checking
import CoreData

// S2.1, S2.3, S2.6, S3.3, S7.1, S7.2, S7.4, S8.1, S8.2: objects of several tables have the same keys. Whatever is done with one of them,
// as a fault of which nothing was read too, is not done with another: rules, sides, batch deletes, merges, conflicts, IDs and prefetched rows.

extension RuleTrial {
  private enum NamesakeWay: CaseIterable {
    case delete, batchDelete, update, compare, prefetch, insert, refresh, relate
  }

  func namesakes() throws {
    let model = NamesakesModel(self)
    note(model.words)
    let coordinator = try open(model.model, at: newURL())
    var scene = NamesakesScene(model)
    try insertNamesakes(context(coordinator), 4 + draw(2), model, &scene)
    let listener = context(coordinator, merges: true)
    var held = try listener.performAndWait { try NamesakesModel.roots.flatMap { try all($0, listener) } }
    for way in shuffled(NamesakeWay.allCases + [.delete, .delete, .batchDelete]) where scene.numbers.count > 2 {
      note("namesakes: \(way)")
      let what = "after \(way) among namesakes"
      switch way {
      case .delete: try deleteNamesakes(coordinator, &scene)
      case .batchDelete: try batchDeleteNamesakes(coordinator, listener, &scene)
      case .update: try updateNamesakes(coordinator, &scene)
      case .compare: try compareNamesakes(context(coordinator), scene)
      case .prefetch: try prefetchNamesakes(freshContext(coordinator), model, scene)
      case .insert: try insertNamesakes(context(coordinator), 1, model, &scene)
      case .refresh: try refreshNamesakes(context(coordinator), &scene)
      case .relate: try relateNamesakes(coordinator, model, &scene)
      }
      try require(
        try picture(freshContext(coordinator), NamesakesModel.roots), scene.picture, .orphanRecord,
        "\(what), in the file")
      try require(
        try picture(listener, NamesakesModel.roots), scene.picture, .staleRead, "\(what), in a context that merges")
      held = try listener.performAndWait { try NamesakesModel.roots.flatMap { try all($0, listener) } }
    }
    listener.performAndWait { withExtendedLifetime(held) {} }
    try close(coordinator)
  }

  // MARK: Making

  /// As many objects of each table, so that each key is given out in all of them.
  private func insertNamesakes(
    _ maker: NSManagedObjectContext, _ count: Int, _ model: NamesakesModel, _ scene: inout NamesakesScene
  ) throws {
    try maker.performAndWait {
      var objects: [Int: NSManagedObject] = [:]
      for _ in 0..<count {
        for root in shuffled(NamesakesModel.roots) {
          let entity = root == "Bee" && chance(1, of: 3) ? "BigBee" : root
          let object = insertNumbered(entity, maker)
          let number = RulePicture.number(object)
          object.setValue(number * 10, forKey: "rank")
          scene.links.insert(number, entity)
          (objects[number], scene.ranks[number]) = (object, number * 10)
        }
      }
      for relationship in model.leading {
        for number in objects.keys.sorted() where chance(2, of: 3) {
          try relateNamesake(number, relationship, objects, &scene)
        }
      }
      try save(maker)
      for (number, object) in objects { scene.ids[number] = object.objectID }
    }
  }

  /// Gives an object other members by a relationship that it has; in a block of the context.
  private func relateNamesake(
    _ number: Int, _ relationship: NSRelationshipDescription, _ objects: [Int: NSManagedObject],
    _ scene: inout NamesakesScene
  ) throws {
    let (name, root) = (relationship.name, relationship.destinationEntity?.name)
    guard scene.links.kind(of: number) == relationship.entity.name, let object = objects[number] else { return }
    let candidates = objects.keys.sorted().filter { scene.links.kind(of: $0) == root }
    // Now and then it leads to those that were made with it, which have its key.
    let place = objects.keys.sorted().filter { scene.links.kind(of: $0) == relationship.entity.name }.firstIndex(
      of: number)
    let namesake = chance(1, of: 2) ? place.flatMap { $0 < candidates.count ? candidates[$0] : nil } : nil
    let members = namesake.map { [$0] } ?? some(candidates, atMost: relationship.isToMany ? 3 : 1)
    note("\(name) of \(number) = \(members)")
    let ends = members.compactMap { objects[$0] }
    precondition(ends.count == members.count, "each member is at hand")
    if relationship.isToMany {
      object.setValue(relationship.isOrdered ? NSOrderedSet(array: ends) : Set(ends), forKey: name)
    } else {
      object.setValue(ends.first, forKey: name)
    }
    scene.links.set(name, of: number, to: members)
  }

  // MARK: Ways

  /// Deletes objects, faults of which nothing was read or others, in a root or a child.
  private func deleteNamesakes(_ coordinator: NSPersistentStoreCoordinator, _ scene: inout NamesakesScene) throws {
    let root = chance(1, of: 2) ? freshContext(coordinator) : context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    let doomed = [pick(scene.numbers) ?? 0] + some(scene.numbers, atMost: 1)
    let known = chance(1, of: 2) ? [] : some(scene.numbers, atMost: 6)
    let (before, gone) = (scene, scene.delete(Array(Set(doomed)).sorted()))
    note("delete \(doomed) while \(known) are known, which reaches \(gone)")
    try editor.performAndWait {
      var held: [NSManagedObject] = []
      for number in known {
        guard let id = before.ids[number] else { continue }
        let object = editor.object(with: id)
        _ = object.value(forKey: "rank")
        held.append(object)
      }
      for number in Set(doomed).sorted() {
        guard let id = before.ids[number] else { continue }
        editor.delete(editor.object(with: id))
      }
      editor.processPendingChanges()
      for number in before.numbers {
        guard let id = before.ids[number] else { continue }
        try require(
          editor.registeredObject(for: id)?.isDeleted ?? false, gone.contains(number), .wrongValue,
          "whether \(number) is deleted, once \(doomed) were")
      }
      if chance(1, of: 2) {
        try require(
          try RulePicture(editor, NamesakesModel.roots), scene.picture, .asymmetricInverse,
          "in the context that deletes \(doomed)")
      }
      try save(editor)
      withExtendedLifetime(held) {}
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    try requireGone(gone, before, context(coordinator))
  }

  /// Those that are gone are not found by their IDs, and all others are.
  private func requireGone(_ gone: [Int], _ before: NamesakesScene, _ reader: NSManagedObjectContext) throws {
    try reader.performAndWait {
      for number in shuffled(before.numbers) {
        guard let id = before.ids[number] else { continue }
        var found: NSManagedObject?
        let error = AnythingClient.error { found = try reader.existingObject(with: id) }
        if let found {
          try require(
            RulePicture.number(found), number, .wrongValue, "the number of the object with the ID of \(number)")
          try require(
            found.entity.name, before.links.entities[number], .wrongValue,
            "the entity of the object with the ID of \(number)")
        }
        try require(
          error?.code, gone.contains(number) ? NSManagedObjectReferentialIntegrityError : nil,
          gone.contains(number) ? .resurrectedRecord : .lostRecord, "existingObject of \(number), once \(gone) are gone"
        )
      }
    }
  }

  private func batchDeleteNamesakes(
    _ coordinator: NSPersistentStoreCoordinator, _ listener: NSManagedObjectContext, _ scene: inout NamesakesScene
  ) throws {
    let owner = context(coordinator)
    guard let first = pick(scene.numbers), let root = scene.links.kind(of: first) else { return }
    let doomed = [first] + some(scene.numbers.filter { scene.links.kind(of: $0) == root && $0 != first }, atMost: 1)
    let (before, gone) = (scene, scene.delete(doomed))
    note("batch delete of \(doomed), which reaches \(gone)")
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: root)
    fetch.predicate = NSPredicate(format: "number IN %@", argumentArray: [doomed])
    let request =
      chance(1, of: 2)
      ? NSBatchDeleteRequest(objectIDs: doomed.compactMap { before.ids[$0] })
      : NSBatchDeleteRequest(fetchRequest: fetch)
    _ = try owner.performAndWait { try owner.execute(request) }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSDeletedObjectIDsKey: gone.compactMap { before.ids[$0] },
        NSUpdatedObjectIDsKey: scene.numbers.compactMap { scene.ids[$0] },
      ], into: [listener])
    try requireGone(gone, before, context(coordinator))
  }

  /// Two contexts give ranks to different objects, many of them namesakes: neither save is in conflict.
  private func updateNamesakes(_ coordinator: NSPersistentStoreCoordinator, _ scene: inout NamesakesScene) throws {
    let numbers = shuffled(scene.numbers)
    let half = numbers.count / 2
    let editors = [(context(coordinator), numbers[..<half]), (context(coordinator), numbers[half...])]
    var held: [NSManagedObject] = []
    for (editor, numbers) in editors {
      editor.performAndWait {
        for number in numbers {
          guard let id = scene.ids[number] else { continue }
          let (object, rank) = (editor.object(with: id), newNumber())
          object.setValue(rank, forKey: "rank")
          scene.ranks[number] = rank
          held.append(object)
        }
      }
    }
    note("one context gives ranks to \(editors[0].1), another one to \(editors[1].1)")
    for (editor, _) in editors { try editor.performAndWait { try save(editor) } }
    withExtendedLifetime(held) {}
  }

  /// IDs and objects in sets, dictionaries, URIs and conditions.
  private func compareNamesakes(_ reader: NSManagedObjectContext, _ scene: NamesakesScene) throws {
    let numbers = scene.numbers
    let ids = numbers.compactMap { scene.ids[$0] }
    try require(Set(ids).count, numbers.count, .wrongValue, "different IDs of namesakes")
    try require(
      Set(ids.map { $0.uriRepresentation() }).count, numbers.count, .wrongValue, "different URIs of namesakes")
    try reader.performAndWait {
      let objects = shuffled(numbers).compactMap { scene.ids[$0] }.map { reader.object(with: $0) }
      try require(Set(objects).count, numbers.count, .wrongValue, "different objects of namesakes")
      for object in objects {
        let found = reader.persistentStoreCoordinator?.managedObjectID(
          forURIRepresentation: object.objectID.uriRepresentation())
        try require(found, object.objectID, .wrongValue, "the ID of a namesake by its URI")
        try require(
          reader.registeredObject(for: object.objectID) === object, true, .wrongValue, "whether a namesake is itself")
      }
      let byID = Dictionary(uniqueKeysWithValues: objects.map { ($0.objectID, RulePicture.number($0)) })
      for number in numbers {
        try require(scene.ids[number].flatMap { byID[$0] }, number, .wrongValue, "a namesake by its ID")
      }
      let chosen = some(numbers, atMost: 8)
      for entity in NamesakesModel.roots {
        let own = chosen.filter { scene.links.kind(of: $0) == entity }.sorted()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(
          format: "SELF IN %@", argumentArray: [chosen.compactMap { scene.ids[$0] }.map { reader.object(with: $0) }])
        let found = try reader.fetch(request).map(RulePicture.number).sorted()
        try require(found, own, .wrongValue, "\(entity)s among \(chosen)")
        try require(try reader.count(for: request), own.count, .wrongValue, "the count of \(entity)s among \(chosen)")
      }
    }
  }

  /// Every relationship of a table is prefetched, and then read: of rows, and of faults of them.
  private func prefetchNamesakes(
    _ reader: NSManagedObjectContext, _ model: NamesakesModel, _ scene: NamesakesScene
  ) throws {
    try reader.performAndWait {
      for entity in shuffled(NamesakesModel.roots) {
        let relationships = model.relationships(entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = relationships.flatMap { first in
          [first.name]
            + model.relationships(first.destinationEntity?.name ?? "").prefix(1).map { "\(first.name).\($0.name)" }
        }
        request.returnsObjectsAsFaults = chance(1, of: 2)
        if chance(1, of: 3) { request.fetchBatchSize = 2 }
        for object in try reader.fetch(request) {
          let number = RulePicture.number(object)
          for relationship in relationships {
            try require(
              RulePicture.members(of: object, relationship), scene.links.members(relationship.name, of: number),
              .wrongValue, "\(relationship.name) of \(entity) \(number), prefetched")
          }
        }
      }
    }
  }

  /// Some objects are changed, others become faults, or are refreshed and keep their changes: each by itself.
  private func refreshNamesakes(_ editor: NSManagedObjectContext, _ scene: inout NamesakesScene) throws {
    try editor.performAndWait {
      let objects = Dictionary(
        uniqueKeysWithValues: try NamesakesModel.roots.flatMap { try all($0, editor) }.map {
          (RulePicture.number($0), $0)
        })
      for number in some(scene.numbers, atMost: scene.numbers.count) {
        let rank = newNumber()
        objects[number]?.setValue(rank, forKey: "rank")
        guard let object = objects[number], !chance(1, of: 3) else {
          if let object = objects[number] { editor.refresh(object, mergeChanges: false) }
          continue
        }
        scene.ranks[number] = rank
        if chance(1, of: 2) { editor.refresh(object, mergeChanges: true) }
      }
      for number in scene.numbers {
        let rank = objects[number]?.value(forKey: "rank") as? Int
        try require(rank, scene.ranks[number], .lostUpdate, "the rank of \(number) beside refreshes of its namesakes")
      }
      try save(editor)
    }
  }

  /// Sides are set of faults of which nothing was read.
  private func relateNamesakes(
    _ coordinator: NSPersistentStoreCoordinator, _ model: NamesakesModel, _ scene: inout NamesakesScene
  ) throws {
    let editor = freshContext(coordinator)
    try editor.performAndWait {
      let objects = Dictionary(
        uniqueKeysWithValues: scene.numbers.compactMap { number in
          scene.ids[number].map { (number, editor.object(with: $0)) }
        })
      for _ in 0..<(2 + draw(4)) {
        guard let relationship = pick(model.leading),
          let number = pick(scene.numbers.filter { scene.links.kind(of: $0) == relationship.entity.name })
        else { continue }
        try relateNamesake(number, relationship, objects, &scene)
      }
      if chance(1, of: 2) {
        try require(
          try RulePicture(editor, NamesakesModel.roots), scene.picture, .asymmetricInverse, "where sides were set")
      }
      try save(editor)
    }
  }
}
