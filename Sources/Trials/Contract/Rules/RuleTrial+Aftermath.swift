import Cells
import Checking
import CoreData
import Scheduling

// S3.1, S6.1, S6.12, S7.1, S7.4, S8.1: what is refused leaves nothing behind: nothing of it is seen, and whatever comes next, of the same
// context, of another one or of another coordinator of the file, is carried out at once.

extension RuleTrial {
  /// The requests and saves that are refused, by what they break.
  private enum Refused: CaseIterable {
    /// A batch request: by a key, a value or a unique value of one of its rows, by a rule that denies, by a mandatory relationship.
    case insertedKey, insertedValue, insertedTwice, updatedKey, updatedTwice, deniedBatch, emptiedBatch
    /// A save: by a rule for values, a unique value, a rule that denies.
    case value, unique, denied
    /// A save with a policy that tries to remove the store, or to save once more, and fails with the error of that.
    case removal, saveInside
    /// A fetch: by its predicate or its order.
    case condition, order
  }

  func continueAfterRefusals() throws {
    let (isMemory, hasHistory, url) = (chance(1, of: 3), chance(1, of: 3), newURL())
    let options = [NSPersistentStoreTimeoutOption: 0.05]
    let type = isMemory ? NSInMemoryStoreType : NSSQLiteStoreType
    // A store in memory has no other coordinator.
    let coordinators = try (0..<(isMemory ? 1 : 2)).map { _ in
      try open(AftermathModel.shared, at: url, type: type, options, history: hasHistory && !isMemory)
    }
    note("refusals\(isMemory ? ", in memory" : "")")
    let owner = context(coordinators[0])
    let others = coordinators.map { context($0) }
    try owner.performAndWait {
      for _ in 0..<2 {
        let (holder, keeper) = (insertNumbered("Holder", owner), insertNumbered("Keeper", owner))
        insertThing(owner).setValue(holder, forKey: "holder")
        insertNumbered("Part", owner).setValue(keeper, forKey: "keeper")
        insertThing(owner)
      }
      _ = insertNumbered("Holder", owner)
      try save(owner)
    }
    let count = 2 + draw(3)
    for round in 1...count {
      guard let refused = pick(Refused.allCases) else { return }
      try refuse(refused, owner, others[0], coordinators)
      // Now and then the last one is followed by nothing but the removal of the stores.
      if round < count || chance(2, of: 3) { try requireWriters(shuffled([owner] + others), coordinators, refused) }
    }
    for coordinator in shuffled(coordinators) { try close(coordinator) }
  }

  @discardableResult
  private func insertThing(_ context: NSManagedObjectContext) -> NSManagedObject {
    let thing = insertNumbered("Thing", context)
    thing.setValue("code \(newNumber())", forKey: "code")
    return thing
  }

  private func rows(_ coordinator: NSPersistentStoreCoordinator) throws -> RulePicture {
    try picture(freshContext(coordinator), AftermathModel.entities)
  }

  /// One request or save is refused, and nothing of it is seen.
  private func refuse(
    _ refused: Refused, _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext,
    _ coordinators: [NSPersistentStoreCoordinator]
  ) throws {
    note("refused: \(refused)")
    owner.performAndWait { owner.reset() }
    let attempt = try owner.performAndWait { try prepare(refused, owner, other) }
    let before = try rows(coordinators[0])
    let error = owner.performAndWait { AnythingClient.error(attempt) }
    try require(error == nil, false, .failedSave, "whether something is carried out that \(refused) forbids")
    owner.performAndWait {
      owner.rollback()
      owner.mergePolicy = NSMergePolicy.error
    }
    // A look may be the first that comes, or a writer.
    for coordinator in shuffled(coordinators) where chance(2, of: 3) {
      try require(try rows(coordinator), before, .dirtyRead, "after \(refused) was refused")
    }
  }

  /// Each context saves a row, or inserts it by batch, one after the other; all see all of them.
  private func requireWriters(
    _ writers: [NSManagedObjectContext], _ coordinators: [NSPersistentStoreCoordinator], _ refused: Refused
  ) throws {
    precondition(writers.count > coordinators.count, "the context itself and another one of each coordinator write")
    var numbers: Set<Int> = []
    for writer in writers {
      let isBatch = chance(1, of: 3)
      let error = writer.performAndWait {
        AnythingClient.error {
          guard isBatch else {
            numbers.insert(RulePicture.number(insertThing(writer)))
            return try writer.save()
          }
          let row = row()
          numbers.formUnion([row[RuleModel.number] as? Int].compactMap { $0 })
          _ = try writer.execute(NSBatchInsertRequest(entityName: "Thing", objects: [row]))
        }
      }
      guard let error else { continue }
      if session.faults.explains(error) { throw error }
      let name = "\(isBatch ? "a batch insert" : "a save") of \(writer.name ?? "")"
      try report(.failedSave, "\(name) after \(refused) was refused", expected: "carried out", seen: "\(error)")
    }
    for coordinator in coordinators {
      let seen = Set(try rows(coordinator).objects.keys)
      try require(
        numbers.subtracting(seen).sorted(), [], .lostRecord, "rows that are missing, after \(refused) was refused")
    }
  }

  private func row() -> [String: Any] { [RuleModel.number: newNumber(), "code": "code \(newNumber())"] }

  // MARK: What is refused

  /// Prepares something that is refused; in blocks of the context.
  private func prepare(
    _ refused: Refused, _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext
  ) throws -> () throws -> Void {
    let things = try all("Thing", owner)
    guard let thing = pick(things), let code = thing.value(forKey: "code") as? String else {
      preconditionFailure("there are things, and each has a code")
    }
    switch refused {
    case .insertedKey: return insertion(owner, ["missing": 1])
    case .insertedValue: return insertion(owner, ["code": 5])
    case .insertedTwice: return insertion(owner, ["code": code])
    case .updatedKey, .updatedTwice:
      let update = NSBatchUpdateRequest(entityName: "Thing")
      update.propertiesToUpdate = refused == .updatedKey ? ["missing": 1] : ["code": "the same"]
      return { _ = try owner.execute(update) }
    case .deniedBatch, .emptiedBatch:
      let entity = refused == .deniedBatch ? "Holder" : "Keeper"
      let deletion =
        chance(1, of: 2)
        ? NSBatchDeleteRequest(objectIDs: try all(entity, owner).map(\.objectID))
        : NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: entity))
      return { _ = try owner.execute(deletion) }
    case .value: _ = insertNumbered("Part", owner)
    case .unique: insertThing(owner).setValue(code, forKey: "code")
    case .denied: if let holder = try holder(owner) { owner.delete(holder) }
    case .removal, .saveInside: try meetOthers(thing, owner, other, removes: refused == .removal)
    case .condition, .order:
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      if refused == .condition { request.predicate = NSPredicate(format: "missing == 1") }
      request.sortDescriptors = [NSSortDescriptor(key: refused == .order ? "missing" : "code", ascending: true)]
      return { _ = try owner.fetch(request) }
    }
    insertThing(owner)
    return { try owner.save() }
  }

  /// A batch insert with one row that is refused among others.
  private func insertion(_ context: NSManagedObjectContext, _ wrong: [String: Any]) -> () throws -> Void {
    precondition(!wrong.isEmpty, "a row is refused for what it has")
    var rows = (0..<draw(4)).map { _ in row() }
    rows.insert(row().merging(wrong) { $1 }, at: draw(rows.count + 1))
    let request = NSBatchInsertRequest(entityName: "Thing", objects: rows)
    return { _ = try context.execute(request) }
  }

  /// A holder of things; in a block of the context.
  private func holder(_ context: NSManagedObjectContext) throws -> NSManagedObject? {
    try all("Holder", context).first { ($0.value(forKey: "things") as? NSSet)?.count ?? 0 > 0 }
  }

  /// Both contexts change a thing, and the other one saves: the policy of the first is asked in the middle of its save.
  private func meetOthers(
    _ thing: NSManagedObject, _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext, removes: Bool
  ) throws {
    precondition(owner.persistentStoreCoordinator === other.persistentStoreCoordinator, "both save to one store")
    let id = thing.objectID
    thing.setValue("code \(newNumber())", forKey: "code")
    let code = "code \(newNumber())"
    try other.performAndWait {
      other.reset()
      try other.existingObject(with: id).setValue(code, forKey: "code")
      try other.save()
    }
    let coordinator = owner.persistentStoreCoordinator
    owner.mergePolicy = MeddlingPolicy {
      guard removes else { return try owner.save() }
      if let coordinator, let store = coordinator.persistentStores.first { try coordinator.remove(store) }
    }
  }
}

/// Does something inside a save, and fails with its error.
private final class MeddlingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: the save of one context asks it, in a block.
  private let body: () throws -> Void

  init(_ body: @escaping () throws -> Void) {
    self.body = body
    super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  }

  override func resolve(mergeConflicts list: [Any]) throws {
    try body()
    try super.resolve(mergeConflicts: list)
  }
}

/// Holders that things deny to be deleted, keepers without which parts may not be, and codes that are unique.
private enum AftermathModel {
  static let entities = ["Holder", "Keeper", "Thing", "Part"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let parts = entities.map(ModelParts.entity)
    let (holder, keeper, thing, part) = (parts[0], parts[1], parts[2], parts[3])
    thing.properties.append(ModelParts.attribute("code", .stringAttributeType, isOptional: false))
    thing.uniquenessConstraints = [["code"]]
    ModelParts.connect(
      ModelParts.many("things", thing, .denyDeleteRule), of: holder, ModelParts.one("holder", holder), of: thing)
    let its = ModelParts.one("keeper", keeper)
    its.isOptional = false
    ModelParts.connect(ModelParts.many("parts", part, .nullifyDeleteRule), of: keeper, its, of: part)
    let model = NSManagedObjectModel()
    model.entities = parts
    return model
  }
}
