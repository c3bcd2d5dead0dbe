import Cells
import Checking
import CoreData
import Scheduling

// S7.5: a controller's list equals a fresh fetch, and its reports turn the old list into the new one, whether or not the
// context knew the objects that changed, and also where its delegate changes something.

extension RuleTrial {
  func controllers() throws {
    try moveBorders()
    for _ in 0..<2 { try checkUnchanged() }
    let coordinator = try open(history: chance(1, of: 3))
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 4 + draw(8))
      try save(writer)
    }
    let lists = context(coordinator, merges: chance(2, of: 3), .mergeByPropertyObjectTrump)
    let follower = try lists.performAndWait { try follow(lists) }
    defer { lists.performAndWait { follower.end() } }
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    precondition(writer !== lists, "a controller's context hears of another one")
    for _ in 0..<(6 + draw(10)) {
      try controllerEvent(writer, lists, follower)
      let save = saves.removeLast()
      if !lists.automaticallyMergesChangesFromParent, let save {
        lists.performAndWait { lists.mergeChanges(fromContextDidSave: save) }
      }
      try lists.performAndWait {
        lists.processPendingChanges()
        guard let problem = try follower.problemNow() else { return }
        try report(.controllerDivergence, "the controller", expected: "a fresh fetch", seen: problem)
      }
      session.count(\.valuesCompared)
    }
  }

  /// A save checks unchanged objects, to which a policy gives newer rows, or none: the list follows.
  private func checkUnchanged() throws {
    let coordinator = try open(at: newURL())
    let policies: [NSMergePolicy] = [.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback]
    let (lists, writer) = (context(coordinator, pick(policies) ?? .rollback), context(coordinator))
    try writer.performAndWait {
      for rank in 0..<6 { insertPlain(writer, rank: rank) }
      try save(writer)
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
    request.sortDescriptors = ["rank", RuleModel.number].map { NSSortDescriptor(key: $0, ascending: true) }
    request.returnsObjectsAsFaults = false
    try lists.performAndWait {
      let follower = try ControllerFollower(lists, request)
      defer { follower.end() }
      let objects = try lists.fetch(request)
      precondition(objects.count == 6, "the list has all of them")
      let checked = some(Array(objects.dropFirst()), atMost: 4)
      for object in checked { lists.detectConflicts(for: object) }
      let ids = checked.map(\.objectID)
      try writer.performAndWait {
        for id in ids {
          let object = try writer.existingObject(with: id)
          let deletes = chance(1, of: 4)
          note("others \(deletes ? "delete" : "change") \(RulePicture.number(object))")
          if deletes { writer.delete(object) } else { object.setValue(draw(9), forKey: "rank") }
        }
        try save(writer)
      }
      objects[0].setValue(draw(9), forKey: "rank")
      try save(lists)
      guard let problem = try follower.problemNow() else { return }
      try report(
        .controllerDivergence, "a controller of objects that a save checks", expected: "a fresh fetch", seen: problem)
    }
  }

  /// Sections by another key than the objects are sorted by: runs of one name, of which the ends move.
  private func moveBorders() throws {
    let coordinator = try open(at: file.deletingLastPathComponent().appendingPathComponent("borders.sqlite"))
    let lists = context(coordinator, merges: true)
    let writer = chance(1, of: 3) ? lists : context(coordinator)
    var names = ["a", "a", "b", "b", "b", "d", "d", "e"]
    try writer.performAndWait {
      for name in names { insert("Item", writer).setValue(name, forKey: "name") }
      try save(writer)
    }
    let follower = try lists.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
      if chance(1, of: 4) { request.fetchBatchSize = 3 }
      return try ControllerFollower(lists, request, sections: "name")
    }
    defer { lists.performAndWait { follower.end() } }
    for _ in 0..<(2 + draw(4)) {
      try writer.performAndWait {
        let items = try all("Item", writer)
        for _ in 0..<(1 + draw(3)) {
          let border = 1 + draw(names.count - 1)
          guard names[border] != names[border - 1] else { continue }
          // Either side of a border takes the other's name, or a name of its own.
          let place = border - draw(2)
          let name = chance(1, of: 4) ? "f\(newNumber())" : names[place == border ? border - 1 : border]
          note("item \(place) moves from section \(names[place]) to \(name)")
          names[place] = name
          items[place].setValue(name, forKey: "name")
        }
        if writer !== lists || chance(1, of: 2) { try save(writer) }
      }
      try lists.performAndWait {
        lists.processPendingChanges()
        guard let problem = try follower.problemNow() else { return }
        try report(
          .controllerDivergence, "a controller with sections by another key", expected: "a fresh fetch", seen: problem)
      }
    }
  }

  /// A follower of a drawn request; in a block of the context.
  private func follow(_ context: NSManagedObjectContext) throws -> ControllerFollower {
    let request = NSFetchRequest<NSManagedObject>(entityName: pick(["Item", "Item", "SpecialItem"]) ?? "Item")
    request.predicate = pick([
      nil, NSPredicate(format: "rank > 1"), NSPredicate(format: "name BEGINSWITH[c] 'a'"),
      NSPredicate(format: "isNew == YES AND rank < 3"), NSPredicate(format: "box != nil"),
      NSPredicate(format: "weight == nil OR weight > 0"), NSPredicate(format: "NOT (name IN {'alpha', 'Z'})"),
      NSPredicate(format: "tags.@count > 1"),
    ])?.flatMap { $0 }
    // The number of a box is always the same: an item moves when it gets another box.
    let sections = pick(["name", "isNew", "box.number", nil, nil])?.flatMap { $0 }
    let others = some(["rank", "name", "weight", "shelf.number"], atMost: 2)
    let keys = (sections.map { [$0] } ?? []) + others + [RuleModel.number]
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: $0 == sections || chance(1, of: 2)) }
    if chance(1, of: 4) { request.fetchBatchSize = 3 }
    note(
      "controller of \(request.entityName ?? "") where \(request.predicate.map { "\($0)" } ?? "TRUEPREDICATE"), by \(keys), "
        + "sections by \(sections ?? "nothing"), batches of \(request.fetchBatchSize)")
    let follower = try ControllerFollower(context, request, sections: sections)
    guard chance(1, of: 3) else { return follower }
    let processes = chance(1, of: 2)
    let deletes = chance(1, of: 3)
    note(
      "the delegate raises a rank at the end of each second change\(deletes ? ", or inserts and deletes" : "")"
        + "\(processes ? ", and has that processed" : "")")
    var raises = 0
    follower.onChange = { [weak follower, unowned context] in
      raises += 1
      guard raises < 12, raises.isMultiple(of: 2), let object = follower?.first else { return }
      object.setValue(raises, forKey: "rank")
      if deletes {
        // In the middle of a change, so without a draw.
        let new = NSEntityDescription.insertNewObject(forEntityName: object.entity.name ?? "", into: context)
        new.setValuesForKeys([RuleModel.number: 10_000 + raises, "rank": raises % 4])
        if raises.isMultiple(of: 4) { context.delete(object) }
      }
      if processes { context.processPendingChanges() }
    }
    return follower
  }

  private func controllerEvent(
    _ writer: NSManagedObjectContext, _ lists: NSManagedObjectContext, _ follower: ControllerFollower
  ) throws {
    switch draw(12) {
    case 0..<6:
      try writer.performAndWait {
        writer.refreshAllObjects()
        for _ in 0..<(1 + draw(4)) { try changeSomething(writer) }
        try save(writer)
      }
    case 6, 7:
      try lists.performAndWait {
        note("in the controller's context:")
        for _ in 0..<(1 + draw(2)) { try changeSomething(lists) }
        if chance(1, of: 2) { lists.processPendingChanges() }
      }
    case 8:
      try lists.performAndWait {
        note("save the controller's context")
        try lists.save()
      }
    case 9, 10:
      try lists.performAndWait {
        note("changes and a rollback in the controller's context:")
        for _ in 0..<(1 + draw(2)) { try changeSomething(lists) }
        if let item = pick(try all("Item", lists)), chance(1, of: 2) { lists.delete(item) }
        lists.processPendingChanges()
        lists.rollback()
      }
    default:
      try lists.performAndWait {
        note("reset the controller's context, and fetch")
        lists.reset()
        try follower.fetch()
      }
    }
  }
}

/// The saves of a context that were not checked yet.
final class SaveLog: Sendable {
  // Sendable: merging reads the IDs of its objects only, which any thread may.
  private struct Saved: @unchecked Sendable {
    let notification: Notification
  }

  private let environment: StrategyEnvironment
  private let saved = Locked<[Saved]>([])
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(_ environment: StrategyEnvironment, of context: NSManagedObjectContext) {
    self.environment = environment
    token = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: context) { [saved] notification in
      let notification = Saved(notification: notification)
      saved.withLock { $0.append(notification) }
    }
  }

  /// The latest save since the last call; the ones before are forgotten.
  func removeLast() -> Notification? { removeAll().last }

  /// The saves since the last call.
  func removeAll() -> [Notification] {
    saved.withLock { saved in
      defer { saved = [] }
      return saved.map(\.notification)
    }
  }

  func end() { environment.removeObserver(token) }
}
