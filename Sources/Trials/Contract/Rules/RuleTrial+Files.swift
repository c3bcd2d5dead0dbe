import Checking
import CoreData
import Scheduling

// S6.4, S6.17: a large value is as it was saved, for readers of the newest state and of an older one, while others replace or
// delete it.

extension RuleTrial {
  func files() throws {
    let hasHistory = chance(1, of: 3)
    let coordinator = try open(history: hasHistory)
    let other = chance(1, of: 2) ? coordinator : try open(history: hasHistory)
    let writer = context(other)
    try writer.performAndWait {
      for _ in 0..<4 { give(insert("Item", writer)) }
      try save(writer)
    }
    let pinned = context(coordinator)
    let faults = freshContext(coordinator)
    let saved = Locked<[Int: Set<Int>]>([:])
    for _ in 0..<(2 + draw(3)) {
      let before = try pin(pinned)
      try remember(writer, saved)
      if chance(1, of: 3) { try giveAll(writer, saved) }
      if chance(1, of: 2) { try refuse(context(coordinator), writer) }
      let reader = freshContext(coordinator)
      // A read beside the save.
      let problem = Locked<String?>(nil)
      faults.perform { Self.read(faults, saved, problem) }
      try writer.performAndWait {
        writer.refreshAllObjects()
        for item in some(try all("Item", writer), atMost: 3) {
          if chance(1, of: 5) {
            note("delete item \(RulePicture.number(item))")
            writer.delete(item)
          } else {
            give(item)
          }
        }
        if chance(1, of: 2) { give(insert("Item", writer)) }
      }
      try remember(writer, saved)
      try writer.performAndWait { try save(writer) }
      faults.performAndWait {}
      if let problem = problem.withLock({ $0 }) {
        try report(.dirtyRead, "a photo that is read beside a save", expected: "one that was saved", seen: problem)
      }
      try require(try picture(pinned), before, .generationChange, "in a context with a query generation")
      try require(try picture(reader), try picture(writer), .wrongValue, "in a new context after a save of photos")
    }
  }

  /// A drawn photo; in a block of the context.
  private func give(_ item: NSManagedObject) {
    let bytes = pick([nil, 3, 90_000, 120_000 + draw(1_000), 250_000])?.flatMap { $0 }
    note("photo of \(RulePicture.number(item)) = \(bytes.map { "\($0) bytes" } ?? "null")")
    let first = UInt8(draw(200))
    item.setValue(bytes.map { Data(repeating: first, count: $0) }, forKey: "photo")
  }

  /// A batch update gives several rows one large value: each has it for itself.
  private func giveAll(_ writer: NSManagedObjectContext, _ saved: Locked<[Int: Set<Int>]>) throws {
    let size = 150_000 + draw(1_000)
    note("a batch update gives each item a photo of \(size) bytes")
    try writer.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.propertiesToUpdate = ["photo": Data(repeating: 5, count: size)]
      _ = try writer.execute(request)
      writer.reset()
      writer.stalenessInterval = 0
      for item in try all("Item", writer) {
        try require((item.value(forKey: "photo") as? Data)?.count, size, .wrongValue, "a photo by a batch update")
      }
    }
    try remember(writer, saved)
  }

  /// A save that is refused leaves the photos that it would have replaced or deleted, also when later saves are carried out.
  private func refuse(_ refused: NSManagedObjectContext, _ writer: NSManagedObjectContext) throws {
    precondition(refused !== writer, "a save is refused for what another context has saved")
    func rank(_ item: NSManagedObject, _ value: Int) throws {
      item.setValue(value, forKey: "rank")
      try save(writer)
    }
    try refused.performAndWait {
      refused.mergePolicy = NSMergePolicy.error
      let items = some(try all("Item", refused), atMost: 3)
      guard let first = items.first else { return }
      for item in items { chance(1, of: 3) ? refused.delete(item) : give(item) }
      if !first.isDeleted { first.setValue(newNumber(), forKey: "rank") }
      try writer.performAndWait {
        writer.refreshAllObjects()
        let item = try writer.existingObject(with: first.objectID)
        let newer = newNumber()
        try rank(item, newer)
        let before = try RulePicture(writer)
        note("a save that a conflict refuses")
        let code = AnythingClient.error { try refused.save() }?.code
        try require(code, NSManagedObjectMergeError, .wrongWinner, "the error of a save over a newer row")
        try rank(item, newNumber())
        try rank(item, newer)
        writer.refreshAllObjects()
        try require(try RulePicture(writer), before, .lostRecord, "photos after a refused save and two others")
      }
      refused.reset()
    }
  }

  private func pin(_ context: NSManagedObjectContext) throws -> RulePicture {
    try context.performAndWait {
      context.reset()
      try context.setQueryGenerationFrom(.current)
      let seen = try RulePicture(context)
      context.refreshAllObjects()
      return seen
    }
  }

  /// The photos that the writer has, saved or about to be, may be read from now on.
  private func remember(_ writer: NSManagedObjectContext, _ saved: Locked<[Int: Set<Int>]>) throws {
    try writer.performAndWait {
      for item in try all("Item", writer) {
        let size = (item.value(forKey: "photo") as? Data)?.count ?? -1
        saved.withLock { _ = $0[RulePicture.number(item), default: []].insert(size) }
      }
    }
  }

  private static func read(
    _ context: NSManagedObjectContext, _ saved: Locked<[Int: Set<Int>]>, _ problem: Locked<String?>
  ) {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.returnsObjectsAsFaults = false
    do {
      for item in try context.fetch(request) {
        let photo = item.value(forKey: "photo") as? Data
        let (number, size) = (RulePicture.number(item), photo?.count ?? -1)
        let isKnown = saved.withLock { $0[number]?.contains(size) ?? false }
        let isWhole = photo.map { $0.allSatisfy { [first = $0.first] in $0 == first } } ?? true
        if !isKnown || !isWhole { problem.withLock { $0 = "\(size) bytes of item \(number)" } }
      }
    } catch {
      problem.withLock { $0 = "error \((error as NSError).code)" }
    }
    context.reset()
  }
}
