import Cells
import Checking
import CoreData

// S3.1, S3.2: relationships that were set to what their save deletes are refused, each once, before any conflict is looked for; a
// save of nothing waits for no other.

extension RuleTrial {
  private struct Reference: Hashable, Comparable, CustomStringConvertible {
    let number: Int
    let key: String
    var description: String { "\(key) of \(number)" }

    static func < (one: Reference, other: Reference) -> Bool { (one.number, one.key) < (other.number, other.key) }
  }

  /// A box and a tag are deleted, and some items, new ones and others, are led to them again.
  func leadToDeleted(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, other) = (context(coordinator), context(coordinator))
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    try owner.performAndWait {
      populate(owner, items: 6)
      try save(owner)
      for _ in 0..<3 { _ = insert("Item", owner) }
      try save(owner)
    }
    for _ in 0..<2 {
      let before = try stored(coordinator)
      let (references, items) = try owner.performAndWait { try lead(owner) }
      let met = references.first { before.objects[$0.number] != nil }?.number
      if let met, chance(1, of: 2) {
        note("others change item \(met)")
        try other.performAndWait {
          other.reset()
          try all("Item", other).first { RulePicture.number($0) == met }?.setValue(newNumber(), forKey: "rank")
          try save(other)
        }
      }
      let stored = try stored(coordinator)
      try owner.performAndWait {
        for attempt in ["a", "a second"] {
          try check(AnythingClient.error { try owner.save() }, references, attempt)
          if references.isEmpty { break }
        }
      }
      if !references.isEmpty {
        try require(
          try self.stored(coordinator), stored, .dirtyRead, "in the file after a save that would lead nowhere")
      }
      try owner.performAndWait {
        note("mend, and save")
        for reference in references {
          guard let item = items.first(where: { RulePicture.number($0) == reference.number }) else { continue }
          guard reference.key == "tags" else {
            item.setValue(nil, forKey: reference.key)
            continue
          }
          let tags = (item.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
          item.setValue(NSOrderedSet(array: tags.filter { !$0.isDeleted }), forKey: "tags")
        }
        owner.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try save(owner)
        owner.mergePolicy = NSMergePolicy.error
        owner.refreshAllObjects()
        withExtendedLifetime(items) {}
      }
      try requireCurrent(owner, coordinator, .staleRead, "in a context after a mended save")
    }
  }

  /// Each reference is an error, and nothing else; in a block of the context.
  private func check(_ error: NSError?, _ references: [Reference], _ attempt: String) throws {
    let details = Self.parts(of: error)
    try require(
      details.map(\.code), references.map { _ in NSManagedObjectValidationError }, .danglingReference,
      "the errors of \(attempt) save of relationships that lead to what it deletes")
    let seen = details.map { detail in
      let object = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      let key = detail.userInfo[NSValidationKeyErrorKey] as? String
      return Reference(number: object.map(RulePicture.number) ?? -1, key: key ?? "nothing")
    }
    try require(
      seen.sorted(), references.sorted(), .danglingReference,
      "the relationships that \(attempt) save refuses, since they lead to what it deletes")
  }

  /// Deletes a box or a tag, and leads items there; in a block of the context.
  private func lead(_ context: NSManagedObjectContext) throws -> (references: [Reference], items: [NSManagedObject]) {
    let (boxes, tags) = (try all("Box", context), try all("Tag", context))
    if chance(1, of: 2) { _ = try RulePicture(context) }
    let box = boxes.count > 1 && chance(2, of: 3) ? pick(boxes) : nil
    let tag = tags.count > 1 && (box == nil || chance(1, of: 2)) ? pick(tags) : nil
    for object in [box, tag].compactMap({ $0 }) {
      note("delete \(RulePicture.number(object))")
      context.delete(object)
    }
    context.processPendingChanges()
    var references: [Reference] = []
    let alive = try all("Item", context)
    let items = some(alive, atMost: 3) + (chance(1, of: 2) ? [insert("Item", context)] : [])
    for (index, item) in items.enumerated() {
      let number = RulePicture.number(item)
      if let box {
        // One of them alone can be the cover.
        for key in ["box", "shelf"] + (index == 0 ? ["covered"] : []) where chance(1, of: 2) {
          note("\(key) of \(number) leads to what is deleted")
          item.setValue(box, forKey: key)
          references.append(Reference(number: number, key: key))
        }
      }
      if let tag, chance(1, of: 2) {
        note("tags of \(number) have what is deleted")
        item.mutableOrderedSetValue(forKey: "tags").add(tag)
        references.append(Reference(number: number, key: "tags"))
      }
    }
    precondition(Set(references).count == references.count, "a relationship of an item leads there once")
    return (references, items)
  }

  /// A save without changes opens no transaction: it does not wait for who has the file.
  func saveNothingBesideWriter() throws {
    let url = newURL()
    let (first, second) = (try open(at: url, [NSPersistentStoreTimeoutOption: 0.02]), try open(at: url))
    let owner = context(first)
    let held = try holdFile(of: second)
    note("a save without changes beside one that holds the file")
    let error = owner.performAndWait { () -> NSError? in
      if chance(1, of: 2) { owner.delete(insert("Box", owner)) }
      return AnythingClient.error { try owner.save() }
    }
    held.release()
    try require(error?.code, nil, .failedSave, "the error of a save without changes beside one that holds the file")
    for coordinator in [first, second] { try close(coordinator) }
  }
}
