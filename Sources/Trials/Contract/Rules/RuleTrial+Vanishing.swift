import Cells
import Checking
import CoreData

// S2.6, S3.1: an object that obtained a permanent ID, and is deleted before its first save, is none for any save.

extension RuleTrial {
  private enum VanishingStep {
    case deleteElsewhere, saveElsewhere, move(item: Int, box: Int), refresh(box: Int, merging: Bool), read(box: Int)
    case process
  }

  /// One trace beside others' deletions in two stores: a new object is deleted at its end, which in one of them has a permanent ID.
  func vanishBeforeSave() throws {
    let coordinators = try (0..<2).map { _ in try open(at: newURL()) }
    precondition(coordinators.count == 2, "one trace runs in two stores")
    for _ in 0..<3 {
      let story: [VanishingStep] = [
        .deleteElsewhere, .move(item: 0, box: 1), .saveElsewhere, .refresh(box: 0, merging: true), .read(box: 0),
      ]
      var steps = story.filter { _ in chance(7, of: 8) }
      for _ in 0..<draw(4) {
        let (item, box) = (draw(2), draw(2))
        let other: [VanishingStep] = [
          .move(item: item, box: box), .refresh(box: box, merging: chance(1, of: 2)), .read(box: box), .process,
        ]
        steps.insert(pick(other) ?? .process, at: draw(steps.count + 1))
      }
      note("\(steps), and a new object that is deleted before the save")
      let states = try coordinators.enumerated().map { try follow(steps, obtains: $0 == 1, $1) }
      try require(
        states[1], states[0], .wrongValue, "a context that has deleted a new object, which had a permanent ID")
    }
    for coordinator in coordinators { try close(coordinator) }
  }

  /// - Returns: what the context says of its objects before its save and after it.
  private func follow(
    _ steps: [VanishingStep], obtains: Bool, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [String] {
    let (owner, other) = (context(coordinator), context(coordinator))
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    let (boxes, items) = try owner.performAndWait {
      let (boxes, items) = (
        (0..<2).map { _ in insert("Box", owner) }, (0..<2).map { _ in insertNumbered("Item", owner) }
      )
      boxes[0].mutableSetValue(forKey: "items").addObjects(from: items)
      try save(owner)
      return (boxes, items)
    }
    precondition(boxes.count == 2 && items.count == 2, "steps are about two of each")
    let id = owner.performAndWait { items[0].objectID }
    let row = try other.performAndWait { try other.existingObject(with: id) }
    for step in steps {
      switch step {
      case .deleteElsewhere: other.performAndWait { other.delete(row) }
      case .saveElsewhere: try other.performAndWait { try other.save() }
      case .move(let item, let box):
        owner.performAndWait { boxes[box].mutableSetValue(forKey: "items").add(items[item]) }
      case .refresh(let box, let merging):
        owner.performAndWait { owner.refresh(boxes[box], mergeChanges: merging) }
      case .read(let box): owner.performAndWait { _ = (boxes[box].value(forKey: "items") as? NSSet)?.count }
      case .process: owner.performAndWait { owner.processPendingChanges() }
      }
    }
    return try owner.performAndWait {
      let vain = insertNumbered("Tag", owner)
      if obtains { try owner.obtainPermanentIDs(for: [vain]) }
      owner.delete(vain)
      let code = AnythingClient.error { try owner.save() }?.code ?? 0
      let names = Dictionary(uniqueKeysWithValues: (boxes + items).enumerated().map { (ObjectIdentifier($1), $0) })
      let states = (boxes + items).map { object in
        let members = object.changedValues().sorted { $0.key < $1.key }.map { key, value in
          let objects = value as? Set<NSManagedObject> ?? Set([value as? NSManagedObject].compactMap { $0 })
          return "\(key) \(objects.map { names[ObjectIdentifier($0)] ?? -1 }.sorted())"
        }
        return "\(object.isUpdated) \(object.isDeleted) \(members)"
      }
      owner.reset()
      return ["error \(code)"] + states
    }
  }
}
