import Cells
import Checking
import CoreData

// S2.2, S5.1 to S5.3, S7.5: saves of several contexts, of which each is about rows that the one before has inserted: a context that merges
// by itself, at once or after the last, and one that merges by hand in any order, have all of it, and report it.

extension RuleTrial {
  func chains() throws {
    let coordinator = try open()
    let roots = (0..<2).map { _ in context(coordinator, .mergeByPropertyObjectTrump) }
    let writers = roots + [context(in: roots[0])]
    try roots[0].performAndWait {
      populate(roots[0], items: 3 + draw(4))
      try save(roots[0])
    }
    let (receiver, late) = (context(coordinator, merges: true, .mergeByPropertyObjectTrump), context(coordinator))
    let held = try [receiver, late].map { reader in
      try reader.performAndWait {
        _ = try RulePicture(reader)
        return try RulePicture.entities.flatMap { try all($0, reader) }
      }
    }
    let follower = try receiver.performAndWait { try ControllerFollower(receiver, chained()) }
    let logs = roots.map { SaveLog(session.environment, of: $0) }
    let notices = NoticeLog(session.environment, receiver)
    defer {
      receiver.performAndWait { follower.end() }
      for log in logs { log.end() }
      notices.end()
    }
    for _ in 0..<2 {
      let isOwn = chance(1, of: 2)
      if isOwn {
        try receiver.performAndWait {
          note("unsaved in the context that merges by itself:")
          connect(insert("Item", receiver), try all("Box", receiver), try all("Tag", receiver))
        }
      }
      let isBusy = chance(1, of: 2)
      note("a chain of saves\(isBusy ? ", in one block of the context that merges" : "")")
      let chain = try isBusy ? receiver.performAndWait { try write(writers) } : write(writers)
      try hear(chain, receiver, follower, notices)
      try receiver.performAndWait { if isOwn { try save(receiver) } }
      let file = try stored(coordinator).withoutDerived
      try require(
        try picture(receiver).withoutDerived, file, .staleRead,
        "in a context that merges by itself, after a chain of saves")
      let saves = logs.flatMap { $0.removeAll() }
      let order = chance(1, of: 2) ? some(saves, atMost: saves.count) + saves : saves.reversed()
      late.performAndWait {
        for save in order { late.mergeChanges(fromContextDidSave: save) }
        // Its own save is one that the other context has not heard of.
        if isOwn { late.refreshAllObjects() }
      }
      try require(
        try picture(late).withoutDerived, file, .staleRead, "in a context that merges a chain of saves in another order"
      )
    }
    withExtendedLifetime(held) {}
  }

  /// Items by a value that the others of a chain may change.
  private func chained() -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = pick([nil, NSPredicate(format: "rank > 0"), NSPredicate(format: "box != nil")])?.flatMap { $0 }
    request.sortDescriptors = ["rank", RuleModel.number].map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    return request
  }

  /// The context that merges has every object of the chain, reports it as inserted, and lists what a fetch finds.
  private func hear(
    _ chain: [Int], _ receiver: NSManagedObjectContext, _ follower: ControllerFollower, _ notices: NoticeLog
  ) throws {
    precondition(receiver.automaticallyMergesChangesFromParent, "the chain arrives by itself")
    try receiver.performAndWait {
      receiver.processPendingChanges()
      let named = notices.removeAll().filter { $0.name == "did-change" }
      let inserted = named.reduce(into: Set()) { $0.formUnion($1.ids["inserted"] ?? []) }
      let new = try RulePicture.entities.flatMap { try all($0, receiver) }.filter {
        chain.contains(RulePicture.number($0))
      }
      try require(
        new.map(RulePicture.number).sorted(), chain.sorted(), .lostRecord,
        "the objects of a chain of saves, once merged")
      for object in new {
        try require(
          [inserted.contains(object.objectID), object.objectID.isTemporaryID], [true, false], .missedNotification,
          "whether \(RulePicture.number(object)) was reported as inserted, and has a temporary ID")
      }
      guard let problem = try follower.problemNow() else { return }
      try report(
        .controllerDivergence, "a controller after a chain of saves", expected: "a fresh fetch", seen: problem)
    }
  }

  // MARK: Writing

  /// Some saves, each about the objects of the one before; in one of the contexts each, of which the last is a child.
  ///
  /// - Returns: the numbers of the new objects that are there in the end.
  private func write(_ writers: [NSManagedObjectContext]) throws -> [Int] {
    precondition(writers.last?.parent === writers.first, "the last context is a child of the first")
    var chain: [(entity: String, number: Int)] = [("Box", 0)]
    for _ in 0..<(2 + draw(4)) {
      guard let writer = pick(writers), let last = chain.last else { continue }
      for level in [writer.parent, writer].compactMap({ $0 }) { level.performAndWait { level.refreshAllObjects() } }
      try writer.performAndWait {
        let before = try all(last.entity, writer).first { last.number == 0 || RulePicture.number($0) == last.number }
        guard let before else {
          return try report(
            .lostRecord, "\(last.entity) \(last.number) in another context", expected: "there", seen: "missing")
        }
        chain += try follow(before, last.entity, writer).map { (last.entity == "Item" ? "Tag" : "Item", $0) }
        if chain.count > 4, chance(1, of: 3) {
          let gone = chain.remove(at: 1)
          note("delete \(gone.number)")
          try all(gone.entity, writer).first { RulePicture.number($0) == gone.number }.map(writer.delete)
        }
        try save(writer)
      }
      if let parent = writer.parent { try parent.performAndWait { try save(parent) } }
    }
    return chain.dropFirst().map(\.number)
  }

  /// New objects that lead to one that another context has inserted, which changes as well; in a block of the context.
  private func follow(
    _ before: NSManagedObject, _ entity: String, _ context: NSManagedObjectContext
  ) throws -> [Int] {
    let new = insert(entity == "Item" ? "Tag" : "Item", context)
    let number = RulePicture.number(before)
    note("\(RulePicture.number(new)) leads to \(entity) \(number)")
    switch entity {
    case "Box":
      new.setValue(before, forKey: pick(["box", "shelf", "covered"]) ?? "box")
      if chance(1, of: 2) { before.mutableOrderedSetValue(forKey: "list").insert(new, at: 0) }
    case "Item":
      before.mutableOrderedSetValue(forKey: "tags").add(new)
      // It moves as well.
      if chance(1, of: 2), let box = pick(try all("Box", context)) { before.setValue(box, forKey: "box") }
      if chance(1, of: 2) { set("rank", of: before) }
    default: new.setValue(NSOrderedSet(array: [before]), forKey: "tags")
    }
    return [RulePicture.number(new)]
  }
}
