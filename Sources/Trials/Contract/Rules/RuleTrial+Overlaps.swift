import Cells
import Checking
import CoreData
import Scheduling

// S7.1, S7.4, S7.5, S5.3: several users of one thing at a time, of which some are cancelled, released or switched off while the others
// continue as if they had been alone: asynchronous fetches, arrays in batches and controllers of one context, and contexts that merge.

extension RuleTrial {
  func overlaps() throws {
    let coordinator = try open()
    let writer = context(coordinator, .mergeByPropertyObjectTrump)
    try writer.performAndWait {
      populate(writer, items: 8 + draw(8))
      try save(writer)
    }
    let root = context(coordinator)
    let reader = chance(1, of: 4) ? context(in: root) : root
    for part in some(Array(0..<7), atMost: 1) + [draw(7)] {
      // Objects that a parent has read would be older than the file.
      for context in [reader, root] { context.performAndWait { context.reset() } }
      switch part {
      case 0: try fetchTogether(reader)
      case 1: try readTogether(reader)
      case 2: try followTogether(coordinator, writer)
      case 3: try mergeTogether(coordinator, writer)
      case 4: try pinTogether(coordinator, writer)
      case 5: try undoTogether(coordinator)
      default:
        try pushTogether(coordinator)
        try openTogether(coordinator, writer)
      }
    }
  }

  /// Asynchronous fetches of one context that run at the same time: each that is not cancelled gives what a loop finds, and each block is
  /// called once.
  private func fetchTogether(_ reader: NSManagedObjectContext) throws {
    let bounds = (0..<(2 + draw(4))).map { _ in draw(5) - 1 }
    let cancelled = bounds.map { _ in chance(1, of: 3) }
    let latches = bounds.indices.map { Latch(label: "asynchronous fetch \($0) of several") }
    let answers = Locked<[[[Int]?]]>(bounds.map { _ in [] })
    note("asynchronous fetches of rank > \(bounds), of which \(cancelled) are cancelled")
    let expected = try reader.performAndWait {
      let items = try all("Item", reader)
      var waiting: [NSAsynchronousFetchResult<NSManagedObject>] = []
      for (index, bound) in bounds.enumerated() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "rank > %ld", bound)
        if chance(1, of: 4) { request.fetchBatchSize = 1 + draw(4) }
        let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          let found = result.finalResult.map { $0.map(RulePicture.number).sorted() }
          answers.withLock { $0[index].append(found) }
          latches[index].open()
        }
        let result = try reader.execute(later) as? NSAsynchronousFetchResult<NSManagedObject>
        if cancelled[index], let result { waiting.append(result) }
        // Now or later: none of them can end before this block does.
        if chance(1, of: 2) { waiting.popLast()?.cancel() }
      }
      for result in waiting { result.cancel() }
      return bounds.map { bound in
        items.filter { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 > bound }.map(RulePicture.number)
      }
    }
    for latch in latches { latch.wait() }
    reader.performAndWait {}
    for (index, answer) in answers.withLock({ $0 }).enumerated() {
      try require(
        answer, [cancelled[index] ? nil : expected[index]], .wrongValue,
        "the answers of asynchronous fetch \(index)\(cancelled[index] ? ", which was cancelled" : "")")
    }
  }

  /// Arrays in batches of one context, more than it keeps, of which some are released half-way: the others have their objects and values,
  /// and what two of them have is one object.
  private func readTogether(_ reader: NSManagedObjectContext) throws {
    try reader.performAndWait {
      let names = Dictionary(
        uniqueKeysWithValues: try all("Item", reader).map {
          (RulePicture.number($0), RulePicture.text($0.value(forKey: "name")))
        })
      reader.reset()
      guard !names.isEmpty else { return }
      var arrays: [(numbers: [Int], objects: [NSManagedObject])] = []
      for _ in 0..<(2 + draw(10)) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let (least, ascends) = (names.keys.sorted()[draw(names.count)], chance(1, of: 2))
        request.predicate = NSPredicate(format: "number >= %ld", least)
        request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: ascends)]
        request.fetchBatchSize = 1 + draw(5)
        if chance(1, of: 3) { request.relationshipKeyPathsForPrefetching = some(["box", "tags"], atMost: 2) }
        note("items from \(least) \(ascends ? "up" : "down"), in batches of \(request.fetchBatchSize)")
        let numbers = names.keys.filter { $0 >= least }.sorted()
        arrays.append((ascends ? numbers : numbers.reversed(), try reader.fetch(request)))
        for _ in 0..<draw(4) {
          guard let array = pick(arrays), let object = pick(array.objects) else { continue }
          _ = object.value(forKey: "name")
        }
        if arrays.count > 2, chance(1, of: 3) { arrays.remove(at: draw(arrays.count)) }
      }
      var known: [Int: NSManagedObject] = [:]
      for (numbers, objects) in arrays {
        try require(objects.count, numbers.count, .lostRecord, "how many objects an array of several has")
        for (number, object) in zip(numbers, objects) {
          try require(
            [RulePicture.number(object) == number, known[number, default: object] === object], [true, true],
            .wrongValue, "whether an array of several has \(number) in its place, and it is one object")
          try require(
            RulePicture.text(object.value(forKey: "name")), names[number], .wrongValue,
            "the name of \(number), in an array of several")
          known[number] = object
        }
      }
      reader.reset()
    }
  }

  /// Controllers of one context, of which some end, are released or fetch again, also while another one reports: each of the others lists
  /// what a fetch finds.
  private func followTogether(
    _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "the lists merge saves of their own coordinator")
    let lists = context(coordinator, merges: true, .mergeByPropertyObjectTrump)
    var followers: [ControllerFollower] = []
    defer { lists.performAndWait { for follower in followers { follower.end() } } }
    try lists.performAndWait {
      for number in 0..<(2 + draw(3)) {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = number % 2 == 0 ? nil : NSPredicate(format: "rank > 0")
        request.sortDescriptors = ["rank", RuleModel.number].map {
          NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
        }
        followers.append(try ControllerFollower(lists, request))
      }
    }
    for _ in 0..<(2 + draw(3)) {
      let (isInside, way) = (chance(1, of: 2), draw(3))
      note("a controller \(["ends", "is released", "fetches again"][way])\(isInside ? " as another one reports" : "")")
      var ending = followers.count > 1 ? followers.last : nil
      if ending != nil, way < 2 { followers.removeLast() }
      let end = {
        guard let follower = ending else { return }
        ending = nil
        if way == 0 { follower.end() }
        if way == 2 { try? follower.fetch() }
      }
      lists.performAndWait { if isInside { followers.first?.onChange = end } else { end() } }
      try writer.performAndWait {
        writer.refreshAllObjects()
        for _ in 0..<(1 + draw(3)) { try changeSomething(writer) }
        _ = insert("Item", writer)
        try save(writer)
      }
      try lists.performAndWait {
        lists.processPendingChanges()
        followers.first?.onChange = nil
        for follower in followers {
          guard let problem = try follower.problemNow() else { continue }
          try report(
            .controllerDivergence, "a controller beside one that ended", expected: "a fresh fetch", seen: problem)
        }
      }
    }
  }

  /// Contexts that merge the saves of one, of which some are switched off, released or busy: each of the others shows the newest values.
  private func mergeTogether(
    _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    precondition(writer.parent == nil, "a save of the writer is one of the file")
    let areChildren = chance(1, of: 3)
    var readers = (0..<(3 + draw(3))).map { _ in
      areChildren ? context(in: writer, merges: true) : context(coordinator, merges: true)
    }
    var held = try readers.map { reader in
      try reader.performAndWait {
        let items = try all("Item", reader)
        for item in items { _ = item.value(forKey: "rank") }
        return items
      }
    }
    for _ in 0..<(2 + draw(4)) {
      if readers.count > 1, chance(2, of: 3) {
        let place = draw(readers.count)
        let (reader, items) = (readers.remove(at: place), held.remove(at: place))
        let isReleased = chance(1, of: 2)
        note("\(reader.name ?? "") is \(isReleased ? "released" : "switched off")")
        reader.performAndWait {
          if !isReleased { reader.automaticallyMergesChangesFromParent = false }
          withExtendedLifetime(items) {}
        }
      }
      precondition(!readers.isEmpty && readers.count == held.count, "each reader that is left holds its objects")
      let (rank, busy) = (newNumber(), pick(readers))
      let number = try writer.performAndWait {
        let item = pick(try all("Item", writer))
        item?.setValue(rank, forKey: "rank")
        return item.map(RulePicture.number)
      }
      note("rank of \(number ?? 0) = \(rank)")
      func write() throws { try writer.performAndWait { try save(writer) } }
      // A child's block may not wait for the parent that waits for it.
      if let busy, !areChildren, chance(1, of: 2) { try busy.performAndWait { try write() } } else { try write() }
      for (reader, items) in zip(readers, held) {
        let seen = reader.performAndWait {
          items.first { RulePicture.number($0) == number }.flatMap { ($0.value(forKey: "rank") as? NSNumber)?.intValue }
        }
        try require(
          seen, rank, .staleRead, "the rank of \(number ?? 0) in \(reader.name ?? ""), beside others that merge")
      }
    }
    for (reader, items) in zip(readers, held) { reader.performAndWait { withExtendedLifetime(items) {} } }
  }
}
