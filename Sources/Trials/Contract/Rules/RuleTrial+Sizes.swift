import Cells
import Checking
import CoreData

// S2.1, S2.4, S2.6, S3.1, S5.1, S5.2, S7.1, S7.2, S7.4, S7.5: as many objects, IDs, values of lists, members and changes as any part
// of the stack handles in one way, and one more, which it handles in another: each is there once, and none is missing.

extension RuleTrial {
  /// At each of them, or above it, some part of the stack works in another way.
  private static let sizes = [8, 9, 16, 17, 32, 33, 64, 65, 100, 101, 128, 129, 200, 201, 256, 257]
  private static let largeSizes = [1_000, 1_001, 1_000, 1_001, 4_096, 4_097]
  /// So many are not too many for whatever compares each with each.
  private static let fewMax = 257

  func sizes() throws {
    let coordinator = try open(history: chance(1, of: 3))
    let maker = context(coordinator, .mergeByPropertyObjectTrump)
    // Many take their time.
    let count = chance(1, of: 12) ? pick(Self.largeSizes) ?? 1_000 : size(Self.fewMax)
    note("\(count) objects")
    var ranks = try maker.performAndWait {
      let ranks = shuffled(Array(0..<count)).map { (insertMany(maker, rank: $0), $0) }
      try save(maker)
      return Dictionary(uniqueKeysWithValues: ranks)
    }
    let reader = context(coordinator, merges: true)
    precondition(ranks.count == count, "each object has a number of its own")
    let held = try reader.performAndWait { try all("Plain", reader) }
    try findEach(coordinator, ranks)
    try askInLists(reader, ranks)
    try changeMany(maker, reader, &ranks)
    try requestMany(maker, reader, &ranks)
    if count <= Self.fewMax {
      if !ranks.isEmpty { try undoMany(coordinator, ranks) }
      if chance(1, of: 2) { try listMany(coordinator) }
      if chance(1, of: 2) { try spreadWide() } else { try askInParts() }
    }
    if chance(1, of: 24) { try pushMany() }
    reader.performAndWait { withExtendedLifetime(held) {} }
  }

  private func size(_ most: Int) -> Int {
    precondition(most > 0, "of nothing there is no size")
    return pick((Self.sizes + Self.largeSizes).filter { $0 <= most }) ?? most
  }

  func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropLast() { elements.swapAt(index, index + draw(elements.count - index)) }
    return elements
  }

  /// Inserts one of many, without a step of its own; in a block of the context.
  private func insertMany(_ context: NSManagedObjectContext, rank: Int) -> Int {
    let (object, number) = (NSEntityDescription.insertNewObject(forEntityName: "Plain", into: context), newNumber())
    object.setValuesForKeys([RuleModel.number: number, "rank": rank])
    return number
  }

  private func rank(_ object: NSManagedObject) -> Int { (object.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }

  /// The ranks that a context shows, by number, each object once.
  private func requireRanks(_ context: NSManagedObjectContext, _ expected: [Int: Int], _ what: String) throws {
    try context.performAndWait {
      let objects = try all("Plain", context)
      try require(
        objects.map(RulePicture.number), expected.keys.sorted(), .lostRecord,
        "the objects of \(expected.count), \(what)")
      for object in objects {
        let number = RulePicture.number(object)
        try require(
          rank(object), expected[number] ?? -1, .staleRead, "the rank of \(number) of \(expected.count), \(what)")
      }
    }
  }

  // MARK: Asking

  /// Every way to many objects leads to one for each ID.
  private func findEach(_ coordinator: NSPersistentStoreCoordinator, _ ranks: [Int: Int]) throws {
    let finder = context(coordinator)
    try finder.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Plain")
      request.resultType = .managedObjectIDResultType
      let ids = try finder.fetch(request)
      try require(Set(ids).count, ranks.count, .lostRecord, "how many IDs \(ranks.count) objects have")
      // Some are known before the others are found.
      let known = shuffled(Array(ids.indices)).prefix(size(ids.count)).map { finder.object(with: ids[$0]) }
      let batches = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      batches.fetchBatchSize = size(2 * ids.count)
      let whole = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      whole.returnsObjectsAsFaults = chance(1, of: 2)
      let found = try [finder.fetch(batches), finder.fetch(whole), ids.map { try finder.existingObject(with: $0) }]
      let objects = Dictionary(found[1].map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
      for (way, other) in (found + [known]).enumerated() {
        try require(
          other.count, way < 3 ? ids.count : known.count, .lostRecord,
          "how many of \(ids.count) objects way \(way) finds")
        for object in other {
          try require(
            objects[object.objectID] === object, true, .duplicateRecord, "whether way \(way) finds the object of an ID")
        }
      }
      try require(
        finder.registeredObjects.count, ids.count, .duplicateRecord, "how many of \(ids.count) objects are registered")
      withExtendedLifetime(found) {}
    }
    try requireRanks(finder, ranks, "found in several ways")
  }

  /// Predicates with long lists of values, IDs or conditions; in SQL, beside an unsaved change, and in memory.
  private func askInLists(_ reader: NSManagedObjectContext, _ saved: [Int: Int]) throws {
    try reader.performAndWait {
      let objects = try all("Plain", reader)
      let order = shuffled(Array(objects.indices))
      let chosen = order.prefix(size(order.count)).map { objects[$0] }
      var ranks = saved
      if chance(1, of: 2), let changed = pick(objects) {
        ranks[RulePicture.number(changed)] = -7
        changed.setValue(-7, forKey: "rank")
      }
      let list = chosen.map(RulePicture.number)
      // One that none has saved, and those of others.
      let values = list.dropLast().map { saved[$0] ?? 0 } + [-7]
      let (numbers, others) = (Set(list), Set(values))
      var questions: [(what: String, predicate: NSPredicate, isMet: (Int) -> Bool)] = [
        ("numbers", NSPredicate(format: "number IN %@", argumentArray: [list]), { numbers.contains($0) }),
        ("objects", NSPredicate(format: "SELF IN %@", argumentArray: [chosen]), { numbers.contains($0) }),
        ("IDs", NSPredicate(format: "SELF IN %@", argumentArray: [chosen.map(\.objectID)]), { numbers.contains($0) }),
        ("no numbers", NSPredicate(format: "NOT (number IN %@)", argumentArray: [list]), { !numbers.contains($0) }),
        ("ranks", NSPredicate(format: "rank IN %@", argumentArray: [values]), { others.contains(ranks[$0] ?? 0) }),
      ]
      if list.count <= Self.fewMax {
        let conditions = values.map { NSPredicate(format: "rank == %ld", $0) }
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: conditions)
        questions.append(("conditions", either, { others.contains(ranks[$0] ?? 0) }))
      }
      guard let question = pick(questions) else { return }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      request.predicate = question.predicate
      let expected = ranks.keys.filter(question.isMet).sorted()
      let what = "by \(list.count) \(question.what), of \(ranks.count) objects"
      note(what)
      try require(try reader.fetch(request).map(RulePicture.number).sorted(), expected, .wrongValue, "found \(what)")
      try require(try reader.count(for: request), expected.count, .wrongValue, "how many are found \(what)")
      // Each evaluation goes through the list.
      for object in some(objects, atMost: 20) {
        let number = RulePicture.number(object)
        try require(
          question.predicate.evaluate(with: object), question.isMet(number), .wrongValue,
          "whether \(number) is found in memory \(what)")
      }
      reader.rollback()
    }
  }

  // MARK: Changing

  /// Many are changed, deleted and inserted in one save, of a child now and then; who merges shows all of it.
  private func changeMany(
    _ maker: NSManagedObjectContext, _ reader: NSManagedObjectContext, _ ranks: inout [Int: Int]
  ) throws {
    precondition(
      maker !== reader && reader.automaticallyMergesChangesFromParent, "another context merges by itself what is saved")
    let editor = chance(1, of: 3) ? context(in: maker) : maker
    let order = shuffled(ranks.keys.sorted())
    let changed = order.prefix(size(order.count))
    let deleted = order.dropFirst(changed.count).prefix(size(order.count)) + (chance(1, of: 2) ? changed.prefix(1) : [])
    let inserted = size(order.count)
    precondition(Set(deleted).count == deleted.count, "no object is deleted twice")
    note("\(changed.count) change, \(deleted.count) are deleted, \(inserted) are new")
    let follower = try follow(reader, isWanted: ranks.count <= Self.fewMax)
    let log = NoticeLog(session.environment, maker)
    defer {
      reader.performAndWait { follower?.end() }
      log.end()
    }
    ranks = try editor.performAndWait {
      var ranks = ranks
      let objects = Dictionary(uniqueKeysWithValues: try all("Plain", editor).map { (RulePicture.number($0), $0) })
      for (place, number) in changed.enumerated() {
        objects[number]?.setValue(10_000 + place, forKey: "rank")
        ranks[number] = 10_000 + place
      }
      for number in deleted {
        objects[number].map(editor.delete)
        ranks[number] = nil
      }
      for place in 0..<inserted { ranks[insertMany(editor, rank: 20_000 + place)] = 20_000 + place }
      try save(editor)
      return ranks
    }
    if editor !== maker { try maker.performAndWait { try save(maker) } }
    let updated = changed.count - Set(changed).intersection(deleted).count
    let saved = log.removeAll().last { $0.name == "did-save" }
    try require(
      ["inserted", "updated", "deleted"].map { saved?.ids[$0]?.count ?? 0 }, [inserted, updated, deleted.count],
      .wrongNotification, "how many objects a save reports as inserted, updated and deleted")
    for (context, what) in [(reader, "once merged"), (maker, "where they were saved")] {
      try requireRanks(context, ranks, what)
    }
    try reader.performAndWait {
      guard let problem = try follower?.problemNow() else { return }
      try report(.controllerDivergence, "a controller of \(ranks.count)", expected: "a fresh fetch", seen: problem)
    }
  }

  private func follow(_ context: NSManagedObjectContext, isWanted: Bool) throws -> ControllerFollower? {
    guard isWanted else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
    request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: chance(1, of: 2))]
    return try context.performAndWait { try ControllerFollower(context, request) }
  }

  /// Batch requests about many IDs, which are merged by their IDs.
  private func requestMany(
    _ maker: NSManagedObjectContext, _ reader: NSManagedObjectContext, _ ranks: inout [Int: Int]
  ) throws {
    precondition(
      maker !== reader && reader.persistentStoreCoordinator === maker.persistentStoreCoordinator,
      "another context of the same coordinator hears of a request")
    let isDelete = chance(1, of: 2)
    let numbers = Set(shuffled(ranks.keys.sorted()).prefix(size(ranks.count)))
    let ids = try maker.performAndWait {
      let ids = try all("Plain", maker).filter { numbers.contains(RulePicture.number($0)) }.map(\.objectID)
      note("batch \(isDelete ? "delete" : "update") of \(ids.count)")
      let touched: Any?
      if isDelete {
        let request = NSBatchDeleteRequest(objectIDs: ids)
        request.resultType = .resultTypeObjectIDs
        touched = (try maker.execute(request) as? NSBatchDeleteResult)?.result
      } else {
        let request = NSBatchUpdateRequest(entityName: "Plain")
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        request.propertiesToUpdate = ["rank": -1]
        request.resultType = .updatedObjectIDsResultType
        touched = (try maker.execute(request) as? NSBatchUpdateResult)?.result
      }
      try require(
        (touched as? [NSManagedObjectID]).map(Set.init), Set(ids), .wrongValue,
        "the IDs of a batch request about \(ids.count)")
      return ids
    }
    for number in numbers { ranks[number] = isDelete ? nil : -1 }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [isDelete ? NSDeletedObjectIDsKey : NSUpdatedObjectIDsKey: ids], into: [reader, maker])
    for context in [reader, maker] { try requireRanks(context, ranks, "after a batch request") }
  }

  /// Many edits, and deletions, are undone and redone.
  private func undoMany(_ coordinator: NSPersistentStoreCoordinator, _ ranks: [Int: Int]) throws {
    precondition(!ranks.isEmpty, "some rows are left to change")
    let editor = context(coordinator)
    try editor.performAndWait {
      var edited = ranks
      let objects = try all("Plain", editor)
      let order = shuffled(Array(objects.indices))
      let (changed, deleted) = (order.prefix(size(order.count)), order.suffix(draw(order.count)))
      note("\(changed.count) change and \(deleted.count) are deleted, to be undone")
      recordForUndo(editor) {
        for place in changed {
          edited[RulePicture.number(objects[place])] = -2
          objects[place].setValue(-2, forKey: "rank")
        }
        for place in deleted {
          edited[RulePicture.number(objects[place])] = nil
          editor.delete(objects[place])
        }
      }
      for (step, expected) in [("an undo", ranks), ("a redo", edited), ("another undo", ranks)] {
        if step == "a redo" { editor.redo() } else { editor.undo() }
        editor.processPendingChanges()
        try requireRanks(editor, expected, "after \(step)")
      }
      editor.undoManager = nil
    }
  }

  /// A child pushes so many new objects that temporary IDs which nothing uses are forgotten: those that it holds, and that a sibling has
  /// read, lead to their objects still, and so do their permanent ones.
  private func pushMany() throws {
    let root = context(try open(at: newURL()))
    let children = [context(in: root), context(in: root)]
    var held: [[(object: NSManagedObject, id: NSManagedObjectID)]] = [[], []]
    for _ in 0..<2 {
      let count = 4_096 + draw(2)
      note("a child pushes \(count) objects, and holds some")
      try children[0].performAndWait {
        for place in 0..<count {
          let object = NSEntityDescription.insertNewObject(forEntityName: "Plain", into: children[0])
          object.setValuesForKeys([RuleModel.number: newNumber(), "rank": place % 512])
          if place % 512 == 7 { held[0].append((object, object.objectID)) }
        }
        try save(children[0])
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      request.predicate = NSPredicate(format: "rank == 7", argumentArray: [])
      held[1] += try children[1].performAndWait { try children[1].fetch(request).map { ($0, $0.objectID) } }
      try root.performAndWait { try save(root) }
      for (child, own) in zip(children, held) {
        try child.performAndWait {
          let found = try child.fetch(request)
          for (object, id) in own {
            try require(
              [child.registeredObject(for: id) === object, object.objectID == id, found.contains { $0 === object }],
              [true, true, true], .duplicateRecord, "whether \(id) is the ID of one object of \(child.name ?? "")")
          }
          try require(found.count, held[0].count, .lostRecord, "how many of the objects \(child.name ?? "") finds")
        }
      }
    }
    for (child, own) in zip(children, held) { child.performAndWait { withExtendedLifetime(own) {} } }
  }

  /// An ordered relationship with many members, of which some come, leave and move.
  private func listMany(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (editor, reader) = (context(coordinator), context(coordinator, merges: true))
    let count = size(Self.fewMax)
    note("a list of \(count)")
    let (box, id) = try editor.performAndWait {
      let box = insertNumbered("Box", editor)
      let items = (0..<count).map { _ in
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: editor)
        item.setValue(newNumber(), forKey: RuleModel.number)
        return item
      }
      box.setValue(NSOrderedSet(array: items), forKey: "list")
      try save(editor)
      return (box, box.objectID)
    }
    func numbers(_ box: NSManagedObject) -> [Int] {
      ((box.value(forKey: "list") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []).map(RulePicture.number)
    }
    let theirs = try reader.performAndWait { try reader.existingObject(with: id) }
    var expected = editor.performAndWait { numbers(box) }
    for _ in 0..<3 {
      expected = try editor.performAndWait {
        let list = box.mutableOrderedSetValue(forKey: "list")
        var members = (box.value(forKey: "list") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        for _ in 0..<(1 + draw(12)) where members.count > 1 {
          let (from, member) = (draw(members.count), members.remove(at: draw(members.count)))
          list.remove(member)
          guard chance(3, of: 4) else { continue }
          members.insert(member, at: min(from, members.count))
          list.insert(member, at: min(from, members.count - 1))
        }
        try save(editor)
        return members.map(RulePicture.number)
      }
      for (context, box) in [(editor, box), (reader, theirs)] {
        try require(
          context.performAndWait { numbers(box) }, expected, .incompatibleOrder,
          "a list of \(expected.count), once saved")
      }
      let fresh = freshContext(coordinator)
      try require(
        try fresh.performAndWait { numbers(try fresh.existingObject(with: id)) }, expected, .incompatibleOrder,
        "a list of \(expected.count), in a new context")
    }
  }
}
