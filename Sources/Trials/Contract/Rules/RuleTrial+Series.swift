import Checking
import CoreData

// S2.6, S3.3, S4.1, S6.3, S7.1, S7.4, S10.1: long series at one place: insertions into a list, saves of one object, levels of contexts,
// coordinators of one file, transactions, and members of one owner. The last of a series is as right as the first.

extension RuleTrial {
  /// Where members come to a list.
  private enum Place: CaseIterable { case start, second, middle, end, beforeLast, behindLast, random }

  func series() throws {
    for _ in 0..<2 { try growList() }
    try saveOneOften()
    switch draw(5) {
    case 0: try pushThroughLevels()
    case 1: try alternate()
    case 2: try shareMany()
    default: try growList()
    }
  }

  // MARK: Lists

  /// Insertions at one place, with a move, an exchange or a removal between them, saved one by one or a few at a time.
  private func growList() throws {
    let url = newURL()
    let (coordinator, second) = (try open(at: url), try open(at: url))
    let root = context(coordinator)
    let editor = chance(1, of: 4) ? context(in: root) : root
    let (entity, name, members) = chance(1, of: 2) ? ("Box", "list", "Item") : ("Item", "tags", "Tag")
    let (place, every, count) = (pick(Place.allCases) ?? .middle, pick([1, 1, 2, 5]) ?? 1, 20 + draw(41))
    note("\(count) members come to the \(place) of \(entity).\(name), saved every \(every)")
    var (order, last): ([Int], Int?) = ([], nil)
    let owner = editor.performAndWait { () -> NSManagedObject in
      let owner = insertNumbered(entity, editor)
      for _ in 0..<draw(4) {
        let member = insertNumbered(members, editor)
        owner.mutableOrderedSetValue(forKey: name).add(member)
        order.append(RulePicture.number(member))
      }
      return owner
    }
    let spare = chance(1, of: 2)
    for step in 1...count {
      try editor.performAndWait {
        let list = owner.mutableOrderedSetValue(forKey: name)
        let index = index(place, order, last)
        let member = insertNumbered(members, editor)
        list.insert(member, at: index)
        order.insert(RulePicture.number(member), at: index)
        last = RulePicture.number(member)
        if chance(1, of: 8) { try disturb(list, &order, name) }
        if step % every == 0 || step == count { try save(editor) }
      }
      guard step % every == 0 || step == count else { continue }
      if editor !== root { try root.performAndWait { try save(root) } }
      if spare, chance(1, of: 6) { editor.performAndWait { editor.refresh(owner, mergeChanges: false) } }
      guard step == count || chance(1, of: 5) else { continue }
      for reader in [freshContext(second), freshContext(coordinator), editor] {
        try requireOrder(reader, entity, name, order, "after \(step) members came to its \(place)")
      }
    }
    editor.performAndWait { withExtendedLifetime(owner) {} }
    for coordinator in [coordinator, second] { try close(coordinator) }
  }

  private func index(_ place: Place, _ order: [Int], _ last: Int?) -> Int {
    precondition(Set(order).count == order.count, "a list has each member once")
    let known = last.flatMap { order.firstIndex(of: $0) } ?? order.count / 2
    return switch place {
    case .start: 0
    case .second: min(1, order.count)
    case .middle: order.count / 2
    case .end: order.count
    case .beforeLast: known
    case .behindLast: min(known + 1, order.count)
    case .random: draw(order.count + 1)
    }
  }

  /// One member moves, changes its place with another one, or leaves; in a block of the list's context.
  private func disturb(_ list: NSMutableOrderedSet, _ order: inout [Int], _ name: String) throws {
    guard order.count > 2 else { return }
    let (from, to) = (draw(order.count), draw(order.count))
    switch draw(3) {
    case 0:
      list.moveObjects(at: IndexSet(integer: from), to: to)
      order.insert(order.remove(at: from), at: to)
    case 1:
      list.exchangeObject(at: from, withObjectAt: to)
      order.swapAt(from, to)
    default:
      list.removeObject(at: from)
      order.remove(at: from)
    }
    note("\(name) is disturbed at \(from) and \(to)")
  }

  private func requireOrder(
    _ reader: NSManagedObjectContext, _ entity: String, _ name: String, _ order: [Int], _ what: String
  ) throws {
    try reader.performAndWait {
      guard let owner = try all(entity, reader).first, let relationship = owner.entity.relationshipsByName[name] else {
        return try report(.lostRecord, "the owner of \(name), \(what)", expected: "there", seen: "gone")
      }
      try require(
        RulePicture.members(of: owner, relationship), order, .wrongValue,
        "the order of \(entity).\(name) in \(reader.name ?? ""), \(what)")
    }
  }

  // MARK: Versions and transactions

  /// One object is saved many times, by one context and by another, each of which is a transaction; who has its first version is in conflict.
  private func saveOneOften() throws {
    let url = newURL()
    let coordinators = [try open(at: url, history: true), try open(at: url, history: true)]
    let (maker, late) = (context(coordinators[0]), context(coordinators[0]))
    let id = try maker.performAndWait { () -> NSManagedObjectID in
      let object = insertPlain(maker, rank: 0)
      try save(maker)
      return object.objectID
    }
    let held = try late.performAndWait { () -> NSManagedObject in
      let object = try late.existingObject(with: id)
      _ = object.value(forKey: "rank")
      return object
    }
    var writers = [maker, context(coordinators[0]), context(coordinators[1])]
    if chance(1, of: 2) { writers = [maker] }
    let count = 20 + draw(60)
    note("\(count) saves of one object, by \(writers.count) contexts")
    for number in 1...count {
      guard let writer = pick(writers) else { continue }
      try writer.performAndWait {
        let objects = try all("Plain", writer)
        // Values that another one saved are merged first: who writes has the newest version.
        if writers.count > 1 { for object in objects { writer.refresh(object, mergeChanges: false) } }
        writer.stalenessInterval = 0
        try require(rank(try all("Plain", writer).first), number - 1, .staleRead, "the rank before save \(number)")
        objects.first?.setValue(number, forKey: "rank")
        try writer.save()
      }
    }
    for coordinator in coordinators {
      let reader = freshContext(coordinator)
      let seen = try reader.performAndWait { rank(try all("Plain", reader).first) }
      try require(seen, count, .lostUpdate, "the rank after \(count) saves")
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      let found = try reader.performAndWait { try reader.execute(request) as? NSPersistentHistoryResult }
      let transactions = found?.result as? [NSPersistentHistoryTransaction] ?? []
      try require(transactions.count, count + 1, .historyDivergence, "transactions of \(count + 1) saves")
      let numbers = transactions.map(\.transactionNumber)
      try require(numbers, numbers.sorted(), .historyDivergence, "the order of \(count + 1) transactions")
      let changes = transactions.flatMap { $0.changes ?? [] }.map(\.changeType)
      try require(
        changes.filter { $0 == .update }.count, count, .historyDivergence, "updates among \(changes.count) changes")
    }
    try late.performAndWait {
      held.setValue(-1, forKey: "rank")
      let code = AnythingClient.error { try late.save() }?.code
      try require(code, NSManagedObjectMergeError, .lostUpdate, "the error of a save \(count) versions late")
      late.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try save(late)
    }
    let reader = freshContext(coordinators[1])
    let seen = try reader.performAndWait { rank(try all("Plain", reader).first) }
    try require(seen, -1, .wrongWinner, "the rank by object trump, \(count) versions late")
    for coordinator in coordinators { try close(coordinator) }
  }

  private func rank(_ object: NSManagedObject?) -> Int { (object?.value(forKey: "rank") as? NSNumber)?.intValue ?? -9 }

  // MARK: Many of each

  /// A change goes through many levels of contexts, up to the file.
  private func pushThroughLevels() throws {
    let coordinator = try open(at: newURL())
    var levels = [context(coordinator)]
    for _ in 0..<(6 + draw(8)) { levels.append(context(in: levels[levels.count - 1])) }
    note("\(levels.count) levels")
    try levels[0].performAndWait {
      populate(levels[0], items: 4)
      try save(levels[0])
    }
    for _ in 0..<3 {
      let lowest = levels[levels.count - 1]
      try lowest.performAndWait {
        for _ in 0..<(1 + draw(3)) { try changeSomething(lowest) }
        lowest.processPendingChanges()
      }
      let expected = try picture(lowest).withoutDerived
      for level in levels.reversed() {
        try level.performAndWait { try save(level) }
        if let parent = level.parent, chance(1, of: 3) {
          try require(try picture(parent).withoutDerived, expected, .lostUpdate, "in a level that was pushed to")
        }
      }
      try require(try stored(coordinator).withoutDerived, expected, .lostUpdate, "in the file, through all levels")
      for level in levels { level.performAndWait { level.refreshAllObjects() } }
    }
    try close(coordinator)
  }

  /// Many coordinators of one file change it in turns, and each sees what all have saved.
  private func alternate() throws {
    let url = newURL()
    let coordinators = try (0..<(4 + draw(5))).map { _ in try open(at: url) }
    note("\(coordinators.count) coordinators take turns")
    var expected = RulePicture([:])
    for coordinator in coordinators + shuffled(coordinators) {
      let writer = freshContext(coordinator)
      try require(try picture(writer).withoutDerived, expected, .staleRead, "before a coordinator's turn")
      try writer.performAndWait {
        for _ in 0..<2 { try changeSomething(writer) }
        writer.processPendingChanges()
        try save(writer)
      }
      expected = try picture(writer).withoutDerived
    }
    for coordinator in coordinators {
      try require(try stored(coordinator).withoutDerived, expected, .staleRead, "after all turns")
      try close(coordinator)
    }
  }

  /// More members of one owner, and IDs of one request, than are handled at once.
  private func shareMany() throws {
    let coordinator = try open(at: newURL())
    let (maker, count) = (context(coordinator), pick([499, 500, 501, 512, 999, 1_000, 1_001]) ?? 501)
    note("\(count) members of one list")
    let ids = try maker.performAndWait { () -> [NSManagedObjectID] in
      let box = insertNumbered("Box", maker)
      let items = (0..<count).map { _ in
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: maker)
        item.setValue(newNumber(), forKey: RuleModel.number)
        return item
      }
      box.setValue(NSOrderedSet(array: shuffled(items)), forKey: "list")
      box.setValue(Set(items), forKey: "items")
      try save(maker)
      return (box.value(forKey: "list") as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.objectID } ?? []
    }
    try require(ids.count, count, .lostRecord, "members of a list of \(count)")
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
      request.relationshipKeyPathsForPrefetching = chance(1, of: 2) ? ["list", "items"] : nil
      let box = try reader.fetch(request).first
      let list = (box?.value(forKey: "list") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
      try require(list.map(\.objectID) == ids, true, .wrongValue, "whether \(count) members are in their order")
      let members = box?.value(forKey: "items") as? Set<NSManagedObject> ?? []
      try require(members == Set(list), true, .asymmetricInverse, "whether \(count) members are those of the list")
      let strays = list.filter { $0.value(forKey: "box") as? NSManagedObject !== box || RulePicture.number($0) < 0 }
      try require(strays.count, 0, .asymmetricInverse, "members of \(count) that lead elsewhere")
      let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
      items.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
      try require(try reader.fetch(items).count, count, .lostRecord, "objects in a list of \(count) IDs")
      items.predicate = NSPredicate(format: "NOT (SELF IN %@)", argumentArray: [Array(ids.dropLast())])
      try require(try reader.count(for: items), 1, .wrongValue, "objects that are not in a list of \(count - 1) IDs")
    }
    precondition(count > 3, "some members are left")
    let doomed = Array(shuffled(ids).prefix(count - 3))
    try maker.performAndWait {
      note("batch delete of \(doomed.count)")
      _ = try maker.execute(NSBatchDeleteRequest(objectIDs: doomed))
    }
    let gone = Set(doomed)
    let left = ids.filter { !gone.contains($0) }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let list =
        (try all("Box", fresh).first?.value(forKey: "list") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
      try require(
        list.map(\.objectID) == left, true, .wrongValue, "whether the members that are left are in their order")
    }
    try close(coordinator)
  }
}
