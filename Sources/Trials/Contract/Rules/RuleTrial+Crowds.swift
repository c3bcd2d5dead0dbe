import Cells
import Checking
import CoreData

// S3.3, S3.4: a save of many rows, close together or with gaps, of one entity or two, meets the few that others have changed or deleted: it
// names exactly those, writes nothing where it is refused, and overwrites nothing of others afterwards.

extension RuleTrial {
  /// At each of them, or above it, rows may be compared and written in another way.
  private static let crowdSizes = [8, 9, 64, 65, 100, 200, 300, 500]

  func crowds() throws {
    let first = try open()
    let second = chance(1, of: 2) ? try open() : first
    // Many rows are slow.
    let count = chance(1, of: 24) ? 1_000 : pick(Self.crowdSizes) ?? 8
    let policy = pick([.error, .error] + Self.policies) ?? .error
    let (mine, other) = (context(first, policy), freshContext(second))
    let base = try makeCrowd(first, count)
    let held = try mine.performAndWait {
      let objects = try crowd(mine)
      return Dictionary(uniqueKeysWithValues: objects.map { (RulePicture.number($0), $0) })
    }
    var (ours, touched) = mine.performAndWait { changeMany(mine, held, base) }
    let theirs = try other.performAndWait { try changeFew(other, base) }
    let met = touched.filter { theirs[$0] != base[$0] }
    note("\(met.sorted()) of \(touched.count) meet changes of others, by policy \(policy.mergeType.rawValue)")
    if policy.mergeType == .errorMergePolicyType, !met.isEmpty {
      try requireRefused(mine, held, met, ours, theirs)
      try requireCrowd(freshContext(first), theirs, .dirtyRead, "after a save that was refused")
      mine.performAndWait { mine.mergePolicy = pick(Self.policies.filter { $0 !== NSMergePolicy.error }) ?? .overwrite }
    }
    try mine.performAndWait {
      let kind = (mine.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
      for number in base.keys {
        guard touched.contains(number) else {
          ours[number] = theirs[number]
          continue
        }
        guard met.contains(number), let row = base[number] else { continue }
        ours[number] = CrowdRow.decide(kind, base: row, ours: ours[number], theirs: theirs[number])
      }
      note("save by policy \(kind.rawValue)")
      try save(mine)
      for (number, object) in held where touched.contains(number) {
        guard let row = ours[number] else { continue }
        try require(CrowdRow(object), row, .lostUpdate, "\(number) of \(count) in the context that saved them")
      }
      mine.refreshAllObjects()
    }
    try requireCrowd(freshContext(first), ours, .lostUpdate, "after a save of \(touched.count)")
    try requireCrowd(mine, ours, .staleRead, "in the context that saved \(touched.count), refreshed")
    mine.performAndWait { withExtendedLifetime(held) {} }
  }

  /// Saves some rows, of which some are deleted again: the keys of the others have gaps.
  private func makeCrowd(_ coordinator: NSPersistentStoreCoordinator, _ count: Int) throws -> [Int: CrowdRow] {
    precondition(count > 0, "a crowd has rows")
    let maker = context(coordinator)
    let (isMixed, gaps, start) = (chance(1, of: 2), draw(3), draw(count))
    note("\(count) rows\(isMixed ? " of two entities" : ""), with gaps of way \(gaps)")
    return try maker.performAndWait {
      var (rows, gone): ([Int: CrowdRow], [NSManagedObject]) = ([:], [])
      var place = 0
      while rows.count < count {
        let object = insertInCrowd(maker, isMixed && place % 2 == 1 ? "Tag" : "Plain")
        if gaps == 1 && place % 3 == 1 || gaps == 2 && start..<(start + 20) ~= place {
          gone.append(object)
        } else {
          rows[RulePicture.number(object)] = CrowdRow(object)
        }
        place += 1
      }
      try save(maker)
      guard !gone.isEmpty else { return rows }
      for object in gone { maker.delete(object) }
      try save(maker)
      return rows
    }
  }

  /// Inserts one of many, without a step of its own; in a block of the context.
  private func insertInCrowd(_ context: NSManagedObjectContext, _ entity: String) -> NSManagedObject {
    let (object, number) = (NSEntityDescription.insertNewObject(forEntityName: entity, into: context), newNumber())
    object.setValuesForKeys([RuleModel.number: number, CrowdRow.key(object): newNumber()])
    return object
  }

  /// All rows; in a block of the context.
  private func crowd(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try ["Plain", "Tag"].flatMap { entity in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.returnsObjectsAsFaults = false
      return try context.fetch(request)
    }
  }

  /// Others change and delete a few, and save; in a block of their context.
  ///
  /// - Returns: all rows afterwards.
  private func changeFew(_ context: NSManagedObjectContext, _ base: [Int: CrowdRow]) throws -> [Int: CrowdRow] {
    var rows = base
    let objects = try crowd(context).sorted { RulePicture.number($0) < RulePicture.number($1) }
    let edges = [0, 7, 8, 63, 64, objects.count - 1].filter { $0 < objects.count }
    // Seldom none: then nothing is in the way of the save.
    let count = chance(1, of: 6) ? 0 : 1 + draw(3)
    let places = shuffled(Array(objects.indices)).prefix(count) + some(edges, atMost: 2)
    for place in Set(places).sorted() {
      let (object, number) = (objects[place], RulePicture.number(objects[place]))
      let way = draw(object.entity.name == "Tag" ? 3 : 2)
      note("others \(["delete", "change", "change the remark of"][way]) \(number)")
      switch way {
      case 0: context.delete(object)
      case 1: object.setValue(newNumber(), forKey: CrowdRow.key(object))
      default: object.setValue("others \(newNumber())", forKey: "remark")
      }
      rows[number] = way == 0 ? nil : CrowdRow(object)
    }
    try save(context)
    return rows
  }

  /// All rows, some, or a part that is close together are changed, some are deleted, and some are new; in a block of the context.
  ///
  /// - Returns: all rows as this context has them, and those that it has changed or deleted.
  private func changeMany(
    _ context: NSManagedObjectContext, _ held: [Int: NSManagedObject], _ base: [Int: CrowdRow]
  ) -> (rows: [Int: CrowdRow], touched: Set<Int>) {
    precondition(held.count == base.count, "the context has read every row")
    let numbers = base.keys.sorted()
    let (way, start) = (draw(3), draw(numbers.count))
    let touched = [numbers, Array(shuffled(numbers).prefix(1 + start)), Array(numbers[start...])][way].sorted()
    let deleted = Set(some(touched, atMost: 6))
    var rows = base
    for number in touched {
      guard let object = held[number] else { continue }
      if deleted.contains(number) {
        context.delete(object)
        rows[number] = nil
      } else {
        object.setValue(newNumber(), forKey: CrowdRow.key(object))
        rows[number] = CrowdRow(object)
      }
    }
    let inserted = pick([0, 0, 1, 9, 65]) ?? 0
    for place in 0..<inserted {
      let object = insertInCrowd(context, place % 5 == 1 ? "Tag" : "Plain")
      rows[RulePicture.number(object)] = CrowdRow(object)
    }
    // A deletion reads the objects that it reaches before others save.
    context.processPendingChanges()
    note("\(touched.count) change, of which \(deleted.sorted()) are deleted; \(inserted) are new")
    return (rows, Set(touched))
  }

  /// The error policy names exactly the rows that others have changed or deleted, and the context has all of its changes still.
  private func requireRefused(
    _ context: NSManagedObjectContext, _ held: [Int: NSManagedObject], _ met: Set<Int>, _ ours: [Int: CrowdRow],
    _ theirs: [Int: CrowdRow]
  ) throws {
    precondition(!met.isEmpty, "a save is refused since it meets changes of others")
    try context.performAndWait {
      let lists = [context.insertedObjects.count, context.updatedObjects.count, context.deletedObjects.count]
      guard let error = AnythingClient.error({ try context.save() }) else {
        return try report(.lostUpdate, "a save that meets others' changes", expected: "is refused", seen: "succeeded")
      }
      guard error.code == NSManagedObjectMergeError else { throw error }
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
      let numbers = Dictionary(uniqueKeysWithValues: held.map { (ObjectIdentifier($1), $0) })
      func named(_ conflict: NSMergeConflict) -> Int { numbers[ObjectIdentifier(conflict.sourceObject)] ?? -1 }
      try require(
        conflicts.map(named).sorted(), met.sorted(), .wrongValue, "the rows that a refused save of \(held.count) names")
      try require(
        conflicts.filter { $0.newVersionNumber == 0 }.map(named).sorted(), met.filter { theirs[$0] == nil }.sorted(),
        .wrongValue, "the rows that it names as deleted")
      for (number, object) in held {
        guard let row = ours[number] else { continue }
        try require(CrowdRow(object), row, .lostUpdate, "\(number) after a save that was refused")
      }
      try require(
        [context.insertedObjects.count, context.updatedObjects.count, context.deletedObjects.count], lists, .lostUpdate,
        "how many objects are inserted, updated and deleted after a save that was refused")
    }
  }

  private func requireCrowd(
    _ context: NSManagedObjectContext, _ expected: [Int: CrowdRow], _ kind: ViolationKind, _ what: String
  ) throws {
    try context.performAndWait {
      let seen = Dictionary(
        try crowd(context).map { (RulePicture.number($0), CrowdRow($0)) }, uniquingKeysWith: { first, _ in first })
      session.count(\.valuesCompared, max(1, expected.count))
      let numbers = Set(seen.keys).union(expected.keys)
      guard let number = numbers.sorted().first(where: { seen[$0] != expected[$0] }) else { return }
      func text(_ row: CrowdRow?) -> String { row.map { "\($0)" } ?? "gone" }
      try report(kind, "row \(number), \(what)", expected: text(expected[number]), seen: text(seen[number]))
    }
  }
}

/// The values of a row.
private struct CrowdRow: Equatable, CustomStringConvertible {
  private var value: Int
  private var remark: String

  init(_ object: NSManagedObject) {
    value = (object.value(forKey: Self.key(object)) as? NSNumber)?.intValue ?? -1
    remark = object.entity.name == "Tag" ? RulePicture.text(object.value(forKey: "remark")) : ""
  }

  /// The attribute that all change.
  static func key(_ object: NSManagedObject) -> String { object.entity.name == "Tag" ? "weight" : "rank" }

  var description: String { "\(value) \(remark)" }

  /// The row after a policy's decision; nil where it is gone. Here only the value was changed.
  static func decide(_ policy: NSMergePolicyType, base: CrowdRow, ours: CrowdRow?, theirs: CrowdRow?) -> CrowdRow? {
    precondition(policy != .errorMergePolicyType, "the error policy decides nothing")
    let isOurs = policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
    guard let ours, let theirs else { return isOurs ? ours : theirs }
    guard policy == .overwriteMergePolicyType || policy == .rollbackMergePolicyType else {
      let isTheirs = !isOurs && theirs.value != base.value
      var row = theirs
      if !isTheirs { row.value = ours.value }
      return row
    }
    return isOurs ? ours : theirs
  }
}
