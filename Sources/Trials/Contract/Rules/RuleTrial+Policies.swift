import Cells
import Checking
import CoreData

// S3.3, S3.4, S5.2: two contexts change objects and relationships of every kind; a save meets the other's save of the same
// objects and no others; property by property the policy decides, or a merge before the save has brought the other's below.

extension RuleTrial {
  func policies() throws {
    let first = try open()
    let second = chance(2, of: 3) ? first : try open()
    let maker = context(first)
    try maker.performAndWait {
      populate(maker, items: 6)
      try save(maker)
    }
    for _ in 0..<(2 + draw(3)) { try meet(first, second) }
  }

  /// The changes that a context is to save, by the numbers of its objects.
  private struct RuleChanges {
    var changed: [Int: [String: String]] = [:]
    var deleted: Set<Int> = []
    var inserted: Set<Int> = []

    var touched: Set<Int> { deleted.union(changed.keys) }

    /// In a block of the context.
    init(_ context: NSManagedObjectContext) {
      for object in context.updatedObjects {
        let texts = RulePicture.properties(of: object)
        let keys = object.changedValues().keys.filter { object.entity.propertiesByName[$0]?.isTransient == false }
        if !keys.isEmpty { changed[RulePicture.number(object)] = texts.filter { keys.contains($0.key) } }
      }
      inserted = Set(context.insertedObjects.map(RulePicture.number))
      deleted = Set(
        context.deletedObjects.map {
          ($0.committedValues(forKeys: [RuleModel.number])[RuleModel.number] as? NSNumber)?.intValue ?? -1
        })
    }
  }

  private func meet(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let policy =
      pick([
        NSMergePolicy.error, .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
      ]) ?? .error
    let way = draw(4)
    let merges = way > 1 && first === second
    let (mine, other) = (context(first, merges: merges && way == 3, policy), context(second))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    precondition(!merges || first === second, "saves of one coordinator are merged")
    let before = try stored(first)
    note("here:")
    let (held, own) = try mine.performAndWait {
      let held = try RulePicture.entities.flatMap { try all($0, mine) }
      _ = try RulePicture(mine)
      for _ in 0..<(1 + draw(3)) { try changeSomething(mine) }
      mine.processPendingChanges()
      return (held, RuleChanges(mine))
    }
    let theirs = try changeElsewhere(other)
    let stored = try stored(first)
    if merges, let save = saves.removeLast() {
      note("merged")
      mine.performAndWait { if way == 2 { mine.mergeChanges(fromContextDidSave: save) } }
    }
    let error = mine.performAndWait { AnythingClient.error { try mine.save() } }
    defer { mine.performAndWait { withExtendedLifetime(held) {} } }
    let isLed = leads(own, to: theirs.deleted)
    if let error {
      let isMet = policy.mergeType == .errorMergePolicyType && !own.touched.isDisjoint(with: theirs.touched)
      guard isLed || isMet && (!merges || !own.touched.isDisjoint(with: theirs.deleted)) else { throw error }
      return try require(try self.stored(first), stored, .dirtyRead, "in the file after a save that was refused")
    }
    if policy.mergeType == .errorMergePolicyType, !merges, let number = own.touched.intersection(theirs.touched).min() {
      try report(.lostUpdate, "a save that meets a newer row of \(number)", expected: "refused", seen: "saved")
    }
    let file = try requireShown(mine, own, first)
    // Others lose members by the deletions of either.
    guard own.deleted.isEmpty, theirs.deleted.isEmpty else { return }
    let decision: NSMergePolicyType = merges ? .mergeByPropertyObjectTrumpMergePolicyType : policy.mergeType
    for (number, old) in before.objects.sorted(by: { $0.key < $1.key }) {
      try check(
        file.objects[number] ?? [:], of: number, old, own, stored.objects[number] ?? [:],
        isMet: theirs.changed[number] != nil, decision)
    }
  }

  private func changeElsewhere(_ other: NSManagedObjectContext) throws -> RuleChanges {
    note("there:")
    return try other.performAndWait {
      for _ in 0..<(1 + draw(3)) { try changeSomething(other) }
      other.processPendingChanges()
      let theirs = RuleChanges(other)
      try save(other)
      return theirs
    }
  }

  /// A context shows its own save, and after a refresh everything.
  private func requireShown(
    _ mine: NSManagedObjectContext, _ own: RuleChanges, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> RulePicture {
    let (file, shown) = (try stored(coordinator), try picture(mine))
    let saved = Set(own.changed.keys).union(own.inserted)
    try require(
      shown.part(saved).withoutDerived, file.part(saved).withoutDerived, .staleRead, "in a context after its save")
    mine.performAndWait { mine.refreshAllObjects() }
    try require(try picture(mine), file, .staleRead, "in a context after its save and a refresh")
    return file
  }

  /// Whether a relationship that was changed leads to one of the objects.
  private func leads(_ changes: RuleChanges, to gone: Set<Int>) -> Bool {
    changes.changed.values.contains { texts in
      texts.contains { $0.value.hasPrefix("[") && !gone.isDisjoint(with: RulePicture.numbers($0.value)) }
    } || !changes.inserted.isEmpty && !gone.isEmpty
  }

  /// Attributes and to-one relationships of a row, each by the policy.
  private func check(
    _ row: [String: String], of number: Int, _ old: [String: String], _ own: RuleChanges, _ stored: [String: String],
    isMet: Bool, _ policy: NSMergePolicyType
  ) throws {
    let mine = own.changed[number] ?? [:]
    let names = RuleModel.attributes(of: old["entity"] ?? "") + (old["box"] == nil ? [] : ["box"])
    for name in names where name != "label" {
      let isTheirs = stored[name] != old[name]
      let expected: String? =
        switch policy {
        case _ where !isMet || mine.isEmpty: mine[name] ?? stored[name]
        case .rollbackMergePolicyType: stored[name]
        case .overwriteMergePolicyType: mine[name] ?? old[name]
        case .mergeByPropertyStoreTrumpMergePolicyType: isTheirs ? stored[name] : mine[name] ?? stored[name]
        default: mine[name] ?? stored[name]
        }
      try require(row[name], expected, .wrongWinner, "\(name) of \(number) after two contexts changed it")
    }
  }
}
