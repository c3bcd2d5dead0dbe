import Checking
import CoreData
import Scheduling

// S7.4, S5.2, S5.3, S4.2, S6.3: while an asynchronous fetch is out, and its read is held before it began or after it has its rows, the
// context saves, merges, takes pushes, changes and drops, and its store continues elsewhere, in any order: the answer is the state that the context has when the block is called.

extension RuleTrial {
  /// Where the thread that reads is held; nowhere with the last.
  private enum Hold: String, CaseIterable { case beforeRead = "store.beforeRead", afterRead = "store.afterRead", none }
  /// One step of the context, or of others.
  private enum Happening: CaseIterable {
    case change, insert, delete, save, push, others, othersElsewhere, batch, rollback, reset, look, move
  }

  func outstanding() throws {
    let coordinators = [try open(), try open()]
    let scene = OutstandingScene(pick(["Plain", "Item"]) ?? "Plain")
    let maker = context(coordinators[0])
    try maker.performAndWait {
      for place in 0..<10 { insertRanked(maker, scene, isOthers: place % 2 == 1) }
      try save(maker)
    }
    scene.save()
    for _ in 0..<5 { try holdFetch(scene, coordinators) }
  }

  // MARK: Fetches

  private func holdFetch(_ scene: OutstandingScene, _ coordinators: [NSPersistentStoreCoordinator]) throws {
    let hold = Simulation.isCurrent ? .none : pick(Hold.allCases) ?? .none
    let reader = context(coordinators[0], merges: chance(1, of: 2), .mergeByPropertyObjectTrump)
    let isKnown = chance(2, of: 3)
    let request = NSFetchRequest<NSManagedObject>(entityName: scene.entity)
    let least = draw(60)
    request.predicate = chance(3, of: 4) ? NSPredicate(format: "rank >= %ld", least) : nil
    if chance(1, of: 2) {
      request.sortDescriptors = ["rank", RuleModel.number].map {
        NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
      }
    }
    request.returnsObjectsAsFaults = chance(1, of: 2)
    let happenings = shuffled(
      (0..<(1 + draw(4))).map { _ in pick(Happening.allCases) ?? .save } + (chance(1, of: 2) ? [.move] : []))
    note(
      "an asynchronous fetch of \(scene.entity) where \(request.predicate.map { "\($0)" } ?? "all") is held at \(hold.rawValue), "
        + "\(isKnown ? "rows known" : "nothing known"); meanwhile \(happenings)")
    let (isHeld, mayEnd) = (Latch(label: "an asynchronous fetch is held"), Latch(label: "its context has done much"))
    let answers = (0..<(1 + draw(2))).map { _ in OutstandingAnswer() }
    try Checkpoint.watching({ place, _ in
      // The thread that reads is in no context's block. Other trials' may be held as well, no longer than this one.
      guard place.name == hold.rawValue, ThreadRecord.subject == nil else { return }
      isHeld.open()
      _ = mayEnd.wait(atMost: 20)
    }) {
      defer { mayEnd.open() }
      try reader.performAndWait {
        scene.held = [:]
        if isKnown { for object in try all(scene.entity, reader) { scene.held[RulePicture.number(object)] = object } }
        for answer in answers { _ = try reader.execute(answer.request(request)) }
        // Where no row is found none is held.
        if hold == .beforeRead || hold == .afterRead && scene.hasRank(atLeast: request.predicate == nil ? .min : least)
        {
          _ = isHeld.wait(atMost: 20)
        }
        for happening in happenings { try happen(happening, reader, scene, coordinators) }
        // Rules and changes that nothing has processed are the block's.
        if chance(1, of: 2) { reader.processPendingChanges() }
      }
    }
    let expected = scene.ranks(atLeast: request.predicate == nil ? .min : least)
    for answer in answers {
      answer.isOver.wait()
      try require(
        answer.problem, nil, .failedSave, "the error of an asynchronous fetch that was held at \(hold.rawValue)")
      try require(
        answer.ranks, expected, .readYourWrites,
        "an asynchronous fetch from \(least) that was held at \(hold.rawValue), while \(happenings)")
    }
    try requireRanked(reader, coordinators, scene, "after an asynchronous fetch beside \(happenings)")
  }

  /// A fetch of the context afterwards, and of the file.
  private func requireRanked(
    _ reader: NSManagedObjectContext, _ coordinators: [NSPersistentStoreCoordinator], _ scene: OutstandingScene,
    _ what: String
  ) throws {
    func ranks(_ context: NSManagedObjectContext) throws -> [Int: Int] {
      try context.performAndWait {
        let objects = try all(scene.entity, context)
        return Dictionary(objects.map { (RulePicture.number($0), OutstandingAnswer.rank($0)) }) { first, _ in first }
      }
    }
    try require(try ranks(reader), scene.current, .staleRead, "ranks in the context \(what)")
    reader.performAndWait {
      reader.rollback()
      scene.held = [:]
    }
    scene.drop()
    for coordinator in coordinators {
      try require(try ranks(freshContext(coordinator)), scene.saved, .lostUpdate, "ranks in the file \(what)")
    }
  }

  // MARK: Steps

  /// In a block of the reader; nothing of it reads, but for the look.
  private func happen(
    _ happening: Happening, _ reader: NSManagedObjectContext, _ scene: OutstandingScene,
    _ coordinators: [NSPersistentStoreCoordinator]
  ) throws {
    precondition(reader.parent == nil, "an asynchronous fetch of a child asks its parent")
    let own = scene.held.keys.sorted().filter { !scene.others.contains($0) && scene.current[$0] != nil }
    switch happening {
    case .change:
      for number in some(own, atMost: 3) {
        let rank = draw(100)
        note("rank of \(number) = \(rank)")
        scene.held[number]?.setValue(rank, forKey: "rank")
        scene.current[number] = rank
      }
    case .insert: insertRanked(reader, scene, isOthers: false)
    case .delete:
      guard let number = pick(own), let object = scene.held[number] else { return }
      note("delete \(number)")
      reader.delete(object)
      (scene.current[number], scene.held[number]) = (nil, nil)
    case .save:
      try save(reader)
      scene.save()
    case .push:
      let child = context(in: reader)
      try child.performAndWait {
        insertRanked(child, scene, isOthers: false)
        try save(child)
      }
    case .others: try saveOthers(reader, scene, coordinators[0])
    case .othersElsewhere: try saveOthers(reader, scene, coordinators[1])
    case .batch: try updateOthers(reader, scene, coordinators[0])
    case .rollback, .reset:
      note("\(happening)")
      if happening == .reset { reader.reset() } else { reader.rollback() }
      // New objects have no context any more.
      scene.held = happening == .reset ? [:] : scene.held.filter { $0.value.managedObjectContext != nil }
      scene.drop()
    case .look:
      note("look")
      reader.refreshAllObjects()
      for number in scene.held.keys.sorted() { _ = scene.held[number]?.value(forKey: "rank") }
    case .move: try moveAll(coordinators)
    }
  }

  /// All who have the file continue with a copy of it.
  private func moveAll(_ coordinators: [NSPersistentStoreCoordinator]) throws {
    guard !Simulation.isCurrent else { return }
    precondition(coordinators.count == 2, "two coordinators have the file")
    let stores = coordinators.flatMap { coordinator in coordinator.persistentStores.map { (coordinator, $0) } }
    guard let old = stores.first?.1.url else { return }
    let url = newURL()
    note("the store continues at \(url.lastPathComponent)")
    try coordinators[0].replacePersistentStore(at: url, withPersistentStoreFrom: old, ofType: NSSQLiteStoreType)
    for (coordinator, store) in stores {
      try require(
        coordinator.setURL(url, for: store), true, .wrongValue, "whether a store continues beside a read that is held")
    }
  }

  private func insertRanked(_ context: NSManagedObjectContext, _ scene: OutstandingScene, isOthers: Bool) {
    let (object, rank) = (insertNumbered(scene.entity, context), draw(100))
    object.setValue(rank, forKey: "rank")
    let number = RulePicture.number(object)
    if isOthers {
      scene.others.insert(number)
      scene.saved[number] = rank
    }
    scene.current[number] = rank
  }

  /// Others change, insert and delete rows of their own, which the reader merges.
  private func saveOthers(
    _ reader: NSManagedObjectContext, _ scene: OutstandingScene, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let writer = context(coordinator)
    let log = SaveLog(session.environment, of: writer)
    defer { log.end() }
    try writer.performAndWait {
      let rows = try all(scene.entity, writer).filter { scene.others.contains(RulePicture.number($0)) }
      for row in some(rows, atMost: 2) {
        let (number, rank) = (RulePicture.number(row), draw(100))
        note("elsewhere: rank of \(number) = \(rank)")
        row.setValue(rank, forKey: "rank")
        (scene.saved[number], scene.current[number]) = (rank, rank)
      }
      if chance(1, of: 2) { insertRanked(writer, scene, isOthers: true) }
      if rows.count > 3, let row = pick(rows), chance(1, of: 2) {
        let number = RulePicture.number(row)
        note("elsewhere: delete \(number)")
        writer.delete(row)
        (scene.saved[number], scene.current[number], scene.held[number]) = (nil, nil, nil)
        scene.others.remove(number)
      }
      try save(writer)
    }
    let isHeard = reader.automaticallyMergesChangesFromParent && coordinator === reader.persistentStoreCoordinator
    if isHeard, chance(2, of: 3) { return }
    let isByIDs = chance(1, of: 2)
    note("merge\(isByIDs ? " by IDs" : "")")
    for save in log.removeAll() {
      guard isByIDs else {
        reader.mergeChanges(fromContextDidSave: save)
        continue
      }
      var lists: [AnyHashable: Any] = [:]
      for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
        let objects = save.userInfo?[key] as? Set<NSManagedObject> ?? []
        lists[key] = listed(objects.map(\.objectID))
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: lists, into: [reader])
    }
  }

  /// A batch update of others' rows, which the reader merges.
  private func updateOthers(
    _ reader: NSManagedObjectContext, _ scene: OutstandingScene, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let (owner, rank) = (context(coordinator), draw(100))
    let numbers = some(scene.others.sorted(), atMost: 3)
    note("batch update of \(numbers): rank \(rank), merged")
    let request = NSBatchUpdateRequest(entityName: scene.entity)
    request.predicate = NSPredicate(format: "number IN %@", argumentArray: [numbers])
    request.propertiesToUpdate = ["rank": rank]
    request.resultType = .updatedObjectIDsResultType
    let ids = try owner.performAndWait {
      (try owner.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
    }
    try require(ids.count, numbers.count, .wrongValue, "the rows of a batch update")
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [reader])
    for number in numbers { (scene.saved[number], scene.current[number]) = (rank, rank) }
  }
}

/// Ranks by numbers, in the file and in the context that reads.
///
/// Concurrency: used by the trial's thread alone.
private final class OutstandingScene {
  let entity: String
  var saved: [Int: Int] = [:]
  var current: [Int: Int] = [:]
  /// Numbers of the rows that others change; the reader changes the rest.
  var others: Set<Int> = []
  /// The objects that the reader has, by number.
  var held: [Int: NSManagedObject] = [:]

  init(_ entity: String) { self.entity = entity }

  func save() { saved = current }

  func drop() { current = saved }

  func ranks(atLeast least: Int) -> [Int: Int] { current.filter { $0.value >= least } }

  func hasRank(atLeast least: Int) -> Bool { saved.contains { $0.value >= least } }
}

/// The arguments that a block was called with.
private final class OutstandingAnswer: Sendable {
  let isOver = Latch(label: "the block of an asynchronous fetch that was held")
  private let found = Locked<(ranks: [Int: Int], problem: String?)>(([:], nil))

  var ranks: [Int: Int] { found.withLock { $0.ranks } }
  var problem: String? { found.withLock { $0.problem } }

  static func rank(_ object: NSManagedObject) -> Int { (object.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }

  func request(_ fetch: NSFetchRequest<NSManagedObject>) -> NSAsynchronousFetchRequest<NSManagedObject> {
    NSAsynchronousFetchRequest(fetchRequest: fetch) { [self] result in
      let objects = result.finalResult ?? []
      let ranks = Dictionary(objects.map { (RulePicture.number($0), Self.rank($0)) }) { first, _ in first }
      let problem = result.operationError.map { "\($0)" } ?? (ranks.count < objects.count ? "an object twice" : nil)
      found.withLock { $0 = (ranks, problem) }
      isOver.open()
    }
  }
}
