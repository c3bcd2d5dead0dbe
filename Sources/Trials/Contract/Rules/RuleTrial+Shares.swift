import Cells
import Checking
import CoreData

// S2.2, S2.4, S4.3, S6.3, S6.12, S6.17: query generations of one coordinator, contexts of one undo manager, children of one parent and
// coordinators of one file, of which one moves, ends or is released while the others continue.

extension RuleTrial {
  /// Contexts with query generations: each keeps its state, whatever becomes of the others.
  func pinTogether(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "states are shared by contexts of one coordinator")
    var pins: [(reader: NSManagedObjectContext, state: RulePicture)] = []
    for _ in 0..<(4 + draw(5)) {
      try writer.performAndWait {
        writer.refreshAllObjects()
        for _ in 0..<(1 + draw(2)) { try changeSomething(writer) }
        try save(writer)
      }
      let way = pins.isEmpty ? 0 : draw(5)
      let place = draw(max(1, pins.count))
      note(
        ["a new state", "a new state", "\(place) moves", "\(place) is released", "\(place) hands its state on"][way])
      switch way {
      case 0, 1:
        let reader = context(coordinator)
        try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
        pins.append((reader, try picture(reader)))
      case 2:
        let reader = pins[place].reader
        let isReset = chance(1, of: 2)
        try reader.performAndWait {
          if isReset { reader.reset() } else { try reader.setQueryGenerationFrom(.current) }
          reader.refreshAllObjects()
        }
        pins[place].state = try picture(reader)
        try require(pins[place].state, try stored(coordinator), .staleRead, "in a context that has moved")
      case 3: pins.remove(at: place)
      default:
        let (old, reader) = (pins[place].reader, context(coordinator))
        guard let token = old.performAndWait({ old.queryGenerationToken }) else { continue }
        try reader.performAndWait { try reader.setQueryGenerationFrom(token) }
        pins[place].reader = reader
      }
      guard let pin = pick(pins) else { continue }
      pin.reader.performAndWait { pin.reader.refreshAllObjects() }
      try require(try picture(pin.reader), pin.state, .generationChange, "in one of \(pins.count) contexts with states")
    }
  }

  // MARK: Undo

  /// Two contexts have one undo manager. Edits of both may be in one group; when those of one are removed, in any way and while others
  /// are undone, those of the other stay.
  func undoTogether(_ coordinator: NSPersistentStoreCoordinator) throws {
    let contexts = (0..<2).map { _ in context(coordinator) }
    let manager = UndoManager()
    manager.groupsByEvent = false
    let objects = try contexts.map { context in
      try context.performAndWait {
        let object = insertPlain(context, rank: 0)
        try save(context)
        context.undoManager = manager
        return object
      }
    }
    defer { for context in contexts { context.performAndWait { context.undoManager = nil } } }
    /// In blocks of both: the manager's operations are those of either.
    func inBoth<Result>(_ body: () throws -> Result) rethrows -> Result {
      try contexts[0].performAndWait { try contexts[1].performAndWait(body) }
    }
    // Each group sets ranks of some, in the order of the groups.
    var groups: [[Int: Int]] = []
    let (last, undone) = inBoth {
      for _ in 0..<(3 + draw(4)) {
        let chosen = [[0], [1], [0, 1]][draw(3)]
        let rank = newNumber()
        note("ranks of \(chosen) = \(rank)")
        manager.beginUndoGrouping()
        for index in chosen {
          objects[index].setValue(rank, forKey: "rank")
          contexts[index].processPendingChanges()
        }
        manager.endUndoGrouping()
        groups.append(Dictionary(uniqueKeysWithValues: chosen.map { ($0, rank) }))
      }
      let undone = chance(1, of: 2) ? 0 : draw(groups.count + 1)
      note("undo \(undone)")
      for _ in 0..<undone {
        manager.undo()
        for context in contexts { context.processPendingChanges() }
      }
      return (draw(3), undone)
    }
    var stays = [0, 1]
    var parts = [Array(groups.dropLast(undone)), Array(groups.suffix(undone))]
    if last < 2 {
      let (context, way) = (contexts[last], draw(4))
      note("context \(last) \(["is reset", "has no undo any more", "is rolled back", "has its actions removed"][way])")
      context.performAndWait {
        switch way {
        case 0: context.reset()
        case 1: context.undoManager = nil
        case 2: context.rollback()
        default: manager.removeAllActions(withTarget: context)
        }
      }
      stays.remove(at: last)
      // A group that had nothing else is none.
      parts = parts.map { groups in groups.compactMap { group in group[1 - last].map { [1 - last: $0] } } }
    }
    try inBoth { try walk(parts[0] + parts[1], from: parts[0].count, by: manager, stays.map { ($0, objects[$0]) }) }
  }

  /// Undoes and redoes groups of ranks; in blocks of the objects' contexts.
  ///
  /// - Parameter objects: those that still have undo, with their numbers in the groups.
  private func walk(
    _ groups: [[Int: Int]], from start: Int, by manager: UndoManager, _ objects: [(index: Int, object: NSManagedObject)]
  ) throws {
    precondition(0...groups.count ~= start, "as many are done as there are, at most")
    var place = start
    for _ in 0..<(2 + draw(6)) {
      let isUndo = chance(2, of: 3)
      try require(
        [manager.canUndo, manager.canRedo], [place > 0, place < groups.count], .wrongValue,
        "what can be undone, and redone, of two contexts")
      note(isUndo ? "undo" : "redo")
      if isUndo { manager.undo() } else { manager.redo() }
      for (_, object) in objects { object.managedObjectContext?.processPendingChanges() }
      place = isUndo ? max(0, place - 1) : min(groups.count, place + 1)
      for (index, object) in objects {
        try require(
          (object.value(forKey: "rank") as? NSNumber)?.intValue, groups[..<place].compactMap { $0[index] }.last ?? 0,
          .wrongValue, "the rank of context \(index) after \(place) of \(groups.count) groups of one undo manager")
      }
    }
  }

  // MARK: Children

  /// Children of one parent insert and push; some are released, reset or rolled back: what they have pushed stays, and the others have
  /// their objects under the same IDs.
  func pushTogether(_ coordinator: NSPersistentStoreCoordinator) throws {
    let root = context(coordinator)
    var children = (0..<(2 + draw(2))).map { _ in context(in: root) }
    var objects = children.map { _ in [(number: Int, object: NSManagedObject, id: NSManagedObjectID)]() }
    var pushed: [Int] = []
    for _ in 0..<(4 + draw(5)) {
      let place = draw(children.count)
      let child = children[place]
      switch draw(6) {
      case 0 where children.count > 1:
        let isReset = chance(1, of: 2)
        note("\(child.name ?? "") \(isReset ? "is reset" : "is rolled back"), and released")
        child.performAndWait { isReset ? child.reset() : child.rollback() }
        children.remove(at: place)
        objects.remove(at: place)
      case 1: try root.performAndWait { try save(root) }
      default:
        try child.performAndWait {
          let new = (0..<(1 + draw(3))).map { _ in insertPlain(child, rank: place) }
          for object in new where chance(1, of: 3) { try child.obtainPermanentIDs(for: [object]) }
          objects[place] += new.map { (number: RulePicture.number($0), object: $0, id: $0.objectID) }
          guard chance(2, of: 3) else { return child.rollback() }
          pushed += new.map(RulePicture.number)
          try save(child)
        }
        objects[place].removeAll { !pushed.contains($0.number) }
      }
      for (child, own) in zip(children, objects) {
        try child.performAndWait {
          for (number, object, id) in own {
            try require(
              [
                object.managedObjectContext === child, child.object(with: id) === object,
                RulePicture.number(object) == number,
              ],
              [true, true, true], .duplicateRecord,
              "whether \(number) is one object of a child, beside others that ended")
          }
        }
      }
    }
    try root.performAndWait { try save(root) }
    let file = freshContext(coordinator)
    let numbers = try file.performAndWait { try all("Plain", file).map(RulePicture.number) }
    try require(
      numbers.filter(pushed.contains), pushed.sorted(), .lostRecord, "what children have pushed, of which some ended")
    root.performAndWait { withExtendedLifetime(objects) {} }
  }

  // MARK: Coordinators

  /// Two coordinators of one file: one closes it while the other has a state and half an array in batches: both continue.
  func openTogether(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "the other coordinators hear nothing of the writer")
    let second = try open()
    let (pinned, other) = (context(coordinator), context(second, .mergeByPropertyObjectTrump))
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    let (state, reader) = (try picture(pinned), freshContext(coordinator))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.fetchBatchSize = 1 + draw(3)
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
    let found = try reader.performAndWait {
      let found = try reader.fetch(request)
      _ = found.first.map(RulePicture.number)
      return found
    }
    try other.performAndWait {
      for item in some(try all("Item", other), atMost: 4) { item.setValue(newNumber(), forKey: "weight") }
      insertPlain(other)
      try save(other)
    }
    note("the other coordinator closes the file")
    try close(second)
    let numbers = state.objects.filter { $0.value["entity"]?.hasSuffix("Item") ?? false }.keys.sorted()
    try reader.performAndWait {
      try require(
        found.map(RulePicture.number), numbers, .lostRecord, "an array in batches, once another coordinator has closed")
    }
    pinned.performAndWait { pinned.refreshAllObjects() }
    try require(try picture(pinned), state, .generationChange, "in a state, once another coordinator has closed")
    try writer.performAndWait {
      writer.refreshAllObjects()
      for _ in 0..<2 { try changeSomething(writer) }
      try save(writer)
    }
    let third = try open()
    try require(
      try stored(third), try stored(coordinator), .unpersistedSave,
      "in a third coordinator, once another one has closed")
    try close(third)
  }
}
