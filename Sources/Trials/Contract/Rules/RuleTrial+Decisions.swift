import Cells
import Checking
import CoreData

// S3.3, S3.4, S4.5, S5.1 to S5.3, S7.5: whatever a merge policy drops or keeps of two contexts' changes, everything around a row follows:
// both sides, join rows, lists and sums in the file; the context that saves, once it has merged what it met; a third one that merges by
// itself, and its controller; and a child.

extension RuleTrial {
  func decisions() throws {
    let coordinator = try open()
    let second = chance(1, of: 3) ? try open() : coordinator
    let maker = context(coordinator)
    try maker.performAndWait {
      populate(maker, items: 5 + draw(4))
      for _ in 0..<3 { try relateAnew(maker) }
      try save(maker)
    }
    try decideAround(coordinator, second)
    for _ in 0..<2 { try hearAgain(coordinator) }
  }

  /// After a policy has let others' changes win, a merge of their save, or a fetch that refreshes, names only what that changes here.
  private func hearAgain(_ coordinator: NSPersistentStoreCoordinator) throws {
    let policy = chance(2, of: 3) ? NSMergePolicy.rollback : .mergeByPropertyStoreTrump
    let (mine, theirs) = (context(coordinator, policy), context(coordinator))
    let held = try mine.performAndWait { try all("Item", mine) }
    let chosen = Set(held.indices.filter { _ in chance(2, of: 3) } + [0])
    note("others set ranks that a policy keeps")
    for (place, own) in [(theirs, chosen), (mine, Set(chosen.prefix(3)).union([held.count - 1]))] {
      try place.performAndWait {
        for (index, item) in try all("Item", place).enumerated() where own.contains(index) {
          item.setValue(newNumber(), forKey: "rank")
        }
      }
    }
    let saves = SaveLog(session.environment, of: theirs)
    defer { saves.end() }
    try theirs.performAndWait { try save(theirs) }
    try mine.performAndWait { try save(mine) }
    let before = try picture(mine)
    let log = NoticeLog(session.environment, mine)
    defer { log.end() }
    let isFetched = chance(1, of: 2)
    note(isFetched ? "fetch again" : "merge what was met")
    let named = try mine.performAndWait {
      if isFetched {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.shouldRefreshRefetchedObjects = true
        _ = try mine.fetch(request)
      } else {
        for save in saves.removeAll() { mine.mergeChanges(fromContextDidSave: save) }
      }
      return log.removeNamed().map { RulePicture.number(mine.object(with: $0)) }
    }
    let after = try picture(mine)
    try require(
      named.sorted().filter { before.objects[$0] == after.objects[$0] }, [], .wrongNotification,
      "objects that are as they were, and are named when they are \(isFetched ? "fetched" : "merged") again")
    try mine.performAndWait {
      try require(mine.hasChanges, false, .wrongValue, "changes after others' changes have won")
      withExtendedLifetime(held) {}
    }
  }

  /// Two contexts change what both have read, and save; all that hear of it agree with the file.
  private func decideAround(_ coordinator: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws
  {
    let policy = pick(Self.policies) ?? .error
    let (mine, theirs) = (context(coordinator, policy), context(second))
    let (child, third) = (context(in: mine, merges: true), context(coordinator, merges: true))
    for context in [mine, child, third] { CellReports.allowInaccessibleFaults(in: [context.name ?? ""]) }
    let held = try [mine, child, third].map { reader in
      try reader.performAndWait {
        _ = try RulePicture(reader)
        return try RulePicture.entities.flatMap { try all($0, reader) }
      }
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = ["rank", RuleModel.number].map { NSSortDescriptor(key: $0, ascending: true) }
    let follower = try third.performAndWait { try ControllerFollower(third, request) }
    let saves = SaveLog(session.environment, of: theirs)
    defer {
      third.performAndWait { follower.end() }
      saves.end()
      withExtendedLifetime(held) {}
    }
    let isUndone = chance(1, of: 2)
    note("\(isUndone ? "to be undone, " : "")here:")
    try mine.performAndWait { isUndone ? try recordForUndo(mine) { try changeAround(mine) } : try changeAround(mine) }
    note("there:")
    try theirs.performAndWait { try changeAround(theirs) }
    try theirs.performAndWait { try save(theirs) }
    let file = try stored(coordinator)
    note("save by policy \(policy.mergeType.rawValue)")
    if let error = mine.performAndWait({ AnythingClient.error { try mine.save() } }) {
      // Who leads to what others have deleted is refused by any policy.
      let codes = Set(Self.parts(of: error).map(\.code))
      let isMet = policy.mergeType == .errorMergePolicyType
      guard codes.isSubset(of: isMet ? [1_550, NSManagedObjectMergeError] : [1_550]) else { throw error }
      return try require(try stored(coordinator), file, .dirtyRead, "in the file after a save that was refused")
    }
    try mine.performAndWait {
      try require(mine.hasChanges, false, .unpersistedSave, "changes after a save by policy")
      try requireLaws(mine, isProcessed: true, "after a save by policy")
    }
    let theirSaves = saves.removeAll()
    if second !== coordinator {
      third.performAndWait { for save in theirSaves { third.mergeChanges(fromContextDidSave: save) } }
    }
    try requireAround(mine, child, third, follower, theirSaves, try stored(coordinator).withoutDerived)
    if isUndone { try undoDecided(mine, third, coordinator) }
  }

  /// Changes some objects, and what the rows of others are about; in a block of the context.
  private func changeAround(_ context: NSManagedObjectContext) throws {
    for _ in 0..<(1 + draw(4)) { if chance(1, of: 3) { try relateAnew(context) } else { try changeSomething(context) } }
    context.processPendingChanges()
  }

  /// The edits that a policy has decided about are undone, and saved: both sides agree, and so do the file and who hears of it.
  private func undoDecided(
    _ mine: NSManagedObjectContext, _ third: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(
      [mine, third].allSatisfy { $0.persistentStoreCoordinator === coordinator }, "both contexts read this file")
    note("undo, and save")
    let error: NSError? = try mine.performAndWait {
      mine.undo()
      mine.processPendingChanges()
      try requireLaws(mine, isProcessed: true, "after an undo of edits that a policy has decided about")
      return AnythingClient.error { try mine.save() }
    }
    if let error { throw error }
    let file = try stored(coordinator).withoutDerived
    for (context, what) in [(mine, "the context that undid"), (third, "a third one")] {
      try require(
        try picture(context).withoutDerived, file, .staleRead, "in \(what) edits that a policy has decided about")
    }
    mine.performAndWait { mine.undoManager = nil }
  }

  /// The context that has saved merges what it met before, and the others have heard of both saves.
  private func requireAround(
    _ mine: NSManagedObjectContext, _ child: NSManagedObjectContext, _ third: NSManagedObjectContext,
    _ follower: ControllerFollower, _ theirs: [Notification], _ file: RulePicture
  ) throws {
    precondition(child.parent === mine, "the child is of the context that saves")
    try require(try picture(third).withoutDerived, file, .staleRead, "in a third context, after a save by policy")
    try third.performAndWait {
      guard let problem = try follower.problemNow() else { return }
      try report(
        .controllerDivergence, "a controller after a save by policy", expected: "a fresh fetch", seen: problem)
    }
    note("the saving context merges what it met")
    mine.performAndWait { for save in theirs { mine.mergeChanges(fromContextDidSave: save) } }
    try require(
      try picture(mine).withoutDerived, file, .staleRead, "in a context that saved by policy, and merged what it met")
    try mine.performAndWait {
      try require(mine.hasChanges, false, .wrongValue, "changes after a merge of what a policy has decided about")
    }
    child.performAndWait { child.refreshAllObjects() }
    try require(try picture(child).withoutDerived, file, .staleRead, "in a child of it, refreshed")
    try child.performAndWait { try requireLaws(child, isProcessed: true, "after a save of its parent by policy") }
  }

  /// Draws one change of what the rows of others are about: covers, orders, and members by the whole; in a block of the context.
  private func relateAnew(_ context: NSManagedObjectContext) throws {
    let (boxes, items, tags) = (try all("Box", context), try all("Item", context), try all("Tag", context))
    guard let box = pick(boxes), let item = pick(items) else { return }
    let members = some(items, atMost: 4)
    note("of \(RulePicture.number(box)), with \(RulePicture.number(item)) and \(members.map(RulePicture.number)):")
    switch draw(5) {
    case 0:
      note("its cover")
      box.setValue(item, forKey: "cover")
    case 1:
      note("its items")
      box.setValue(Set(members), forKey: "items")
    case 2:
      note("its list")
      box.setValue(NSOrderedSet(array: members), forKey: "list")
    case 3:
      let (list, shown) = (box.mutableOrderedSetValue(forKey: "list"), box.value(forKey: "list") as? NSOrderedSet)
      note("the first of its list moves to the end")
      guard let first = shown?.firstObject else { return }
      list.remove(first)
      list.add(first)
    default:
      guard let tag = pick(tags) else { return }
      note("the items of tag \(RulePicture.number(tag))")
      tag.setValue(Set(members), forKey: "items")
    }
  }
}
