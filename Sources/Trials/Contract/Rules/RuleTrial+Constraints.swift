import Cells
import Checking
import CoreData

// S3.5: after a save, no two objects have the same unique values, whatever changes places, goes, or comes in one save;
// a collision is refused, or decided by the policy, and the context then shows the file's values, and so does a child that it had them of.

extension RuleTrial {
  func constraints() throws {
    let first = try open()
    let second = chance(1, of: 2) ? first : try open()
    let (owner, other) = (context(first), freshContext(second))
    let editor = chance(1, of: 3) ? context(in: owner) : owner
    try owner.performAndWait {
      for label in Self.labels.prefix(3) { insert("Tag", owner).setValue(label, forKey: "label") }
      try save(owner)
    }
    for _ in 0..<(6 + draw(4)) {
      let policy = pick([.error, .mergeByPropertyStoreTrump] + Self.policies) ?? .error
      note("policy \(policy.mergeType.rawValue)")
      owner.performAndWait { owner.mergePolicy = policy }
      if chance(1, of: 3) { try labelElsewhere(other) }
      for context in editor === owner ? [owner] : [owner, editor] {
        context.performAndWait { if chance(1, of: 2) { context.refreshAllObjects() } else { context.reset() } }
      }
      let held = try editor.performAndWait {
        for _ in 0..<(1 + draw(4)) { try label(editor) }
        editor.processPendingChanges()
        let held = try all("Tag", editor)
        if editor !== owner { try save(editor) }
        return held
      }
      try saveLabels(owner, first, policy.mergeType)
      guard editor !== owner else { continue }
      editor.performAndWait { editor.refreshAllObjects() }
      try require(try picture(editor), try picture(owner), .staleRead, "in a child after its parent's save")
      editor.performAndWait { withExtendedLifetime(held) {} }
    }
    try permuteSeats()
  }

  /// Pairs of values that are unique together change places in one save, which the error policy allows.
  private func permuteSeats() throws {
    let coordinator = try open(SeatModel.shared, at: newURL())
    let (owner, reader) = (context(coordinator), freshContext(coordinator))
    let places = ["a", "a", "a", "b", "b"].enumerated().map { ($1, $0) }
    try owner.performAndWait {
      for (row, place) in places {
        let seat = NSEntityDescription.insertNewObject(forEntityName: "Seat", into: owner)
        seat.setValuesForKeys([RuleModel.number: newNumber(), "row": row, "place": place])
      }
      try save(owner)
    }
    for _ in 0..<3 {
      var rest = places
      let expected = try owner.performAndWait {
        let seats = try all("Seat", owner)
        for seat in seats {
          let (row, place) = rest.remove(at: draw(rest.count))
          seat.setValuesForKeys(["row": row, "place": place])
        }
        note("the places of \(seats.count) seats change")
        try save(owner)
        return try RulePicture(owner, ["Seat"])
      }
      reader.performAndWait { reader.reset() }
      try require(try picture(reader, ["Seat"]), expected, .lostUpdate, "in the file after places were exchanged")
    }
  }

  private static let labels = ["a", "b", "c", "d", "A", "caf\u{e9}", "cafe\u{301}", ""]

  /// Gives, takes or exchanges a label, or deletes its tag; in a block of the context.
  private func label(_ context: NSManagedObjectContext) throws {
    let tags = try all("Tag", context)
    let used = tags.compactMap { $0.value(forKey: "label") as? String }
    let label = chance(1, of: 6) ? nil : pick(chance(1, of: 3) ? used : Self.labels)
    guard let tag = pick(tags), chance(5, of: 6) else {
      note("label \(RulePicture.text(label)) of a new tag")
      return insert("Tag", context).setValue(label, forKey: "label")
    }
    let number = RulePicture.number(tag)
    switch draw(5) {
    case 0 where tags.count > 2:
      note("delete tag \(number)")
      context.delete(tag)
    case 1, 2:
      guard let other = pick(tags), other !== tag else { return }
      note("tags \(number) and \(RulePicture.number(other)) exchange their labels")
      let (old, new) = (tag.value(forKey: "label"), other.value(forKey: "label"))
      tag.setValue(new, forKey: "label")
      other.setValue(old, forKey: "label")
    default:
      note("label \(RulePicture.text(label)) of tag \(number), and a remark")
      tag.setValue(label, forKey: "label")
      tag.setValue("remark \(newNumber())", forKey: "remark")
    }
  }

  /// Another context gives a label that is free.
  private func labelElsewhere(_ other: NSManagedObjectContext) throws {
    try other.performAndWait {
      other.reset()
      let used = Set(try all("Tag", other).compactMap { $0.value(forKey: "label") as? String })
      guard let free = Self.labels.first(where: { !used.contains($0) }) else { return }
      note("elsewhere: label \(RulePicture.text(free)) of a new tag")
      insert("Tag", other).setValue(free, forKey: "label")
      try save(other)
    }
  }

  /// A save, which the error policy refuses exactly where labels collide.
  private func saveLabels(
    _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ policy: NSMergePolicyType
  ) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "the labels are saved to this file")
    let before = try stored(coordinator)
    let shown = try picture(owner)
    precondition(shown.objects.values.allSatisfy { $0["entity"] == "Tag" }, "only tags have labels")
    let (touched, deleted) = owner.performAndWait {
      let touched = owner.insertedObjects.union(owner.updatedObjects).map(RulePicture.number)
      return (Set(touched), Set(before.objects.keys).subtracting(shown.objects.keys))
    }
    // The file as it would be: objects touched here as this context has them, the rest as before.
    var after = before.objects.filter { $0.value["entity"] == "Tag" && !deleted.contains($0.key) }
    for number in touched { after[number] = shown.objects[number] }
    let labels = after.values.compactMap { $0["label"] }.filter { $0 != "null" }
    let collides = Set(labels).count < labels.count
    let error = owner.performAndWait { AnythingClient.error { try owner.save() } }
    if policy == .errorMergePolicyType {
      if let error, error.code != NSManagedObjectConstraintMergeError { throw error }
      try require(
        error != nil, collides, collides ? .duplicateRecord : .failedSave,
        "whether labels \(labels.sorted()) are refused")
    } else if let error {
      throw error
    }
    let file = try stored(coordinator)
    guard error == nil else {
      try require(file, before, .dirtyRead, "in the file after a save that was refused")
      try require(try picture(owner), shown, .lostUpdate, "in a context after a save that was refused")
      return owner.performAndWait { owner.rollback() }
    }
    let stored = file.objects.values.compactMap { $0["label"] }.filter { $0 != "null" }
    try require(stored.count, Set(stored).count, .duplicateRecord, "labels in the file")
    // A change that does not conflict is kept, whichever object gets the label.
    if policy != .rollbackMergePolicyType {
      for number in touched where before.objects[number] != nil && file.objects[number] != nil {
        try require(
          file.objects[number]?["remark"], shown.objects[number]?["remark"], .lostUpdate,
          "the remark of tag \(number) after a save")
      }
    }
    if !collides {
      for number in touched {
        try require(
          file.objects[number]?["label"], shown.objects[number]?["label"], .lostUpdate,
          "the label of tag \(number) after a save")
      }
    }
    try require(try picture(owner), file, .staleRead, "in a context after its save")
  }
}

/// Seats of which no two have one place in a row.
private enum SeatModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let seat = ModelParts.entity("Seat")
    seat.properties += [
      ModelParts.attribute("row", .stringAttributeType, isOptional: true),
      ModelParts.attribute("place", .integer32AttributeType, isOptional: true),
    ]
    seat.uniquenessConstraints = [["row", "place"]]
    let model = NSManagedObjectModel()
    model.entities = [seat]
    return model
  }
}
