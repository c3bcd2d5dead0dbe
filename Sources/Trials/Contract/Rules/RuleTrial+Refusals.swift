import Cells
import Checking
import CoreData
import Scheduling

// S3.1, S3.2, S3.4, S3.5: a save that fails, for whatever reason and however late, leaves the file and the context as they
// were, with every change and every list; mended changes are then saved as a whole.

extension RuleTrial {
  func refusals() throws {
    let coordinator = try open(history: chance(1, of: 2))
    let owner = context(coordinator)
    // A row that is gone is asked for where a relationship leads there.
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    let other = context(coordinator, .overwrite)
    try owner.performAndWait {
      populate(owner, items: 5)
      for (number, tag) in try all("Tag", owner).enumerated() { tag.setValue("label \(number)", forKey: "label") }
      try save(owner)
    }
    for _ in 0..<(2 + draw(3)) {
      let policy = RefusingPolicy(
        pick([
          .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
          .overwriteMergePolicyType,
        ]) ?? .errorMergePolicyType)
      owner.performAndWait {
        owner.refreshAllObjects()
        owner.mergePolicy = policy
      }
      try refuse(owner, other, policy, coordinator)
    }
  }

  /// Why a save fails.
  private enum Reason: CaseIterable {
    case conflict, constraint, lateThrow, nothingResolved, validation
    /// The policy decides, and it does not fail.
    case nothing
  }

  private func refuse(
    _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext, _ policy: RefusingPolicy,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let reason = pick(Reason.allCases) ?? .validation
    note("a save that fails: \(reason), policy \(policy.mergeType.rawValue)")
    let met = try owner.performAndWait {
      let met = try change(owner)
      if reason == .validation { met?.setValue(String(repeating: "long ", count: 9), forKey: "title") }
      return met?.objectID
    }
    guard let met else { return }
    let label = reason == .constraint ? "taken \(newNumber())" : nil
    try changeElsewhere(other, met, label)
    if let label { owner.performAndWait { insert("Tag", owner).setValue(label, forKey: "label") } }
    policy.plan =
      switch reason {
      case .conflict: .throwAtOnce
      case .constraint: .refuseConstraints
      case .lateThrow: .throwLate
      case .nothingResolved: .resolveNothing
      case .validation, .nothing: .resolve
      }
    precondition(
      reason == .validation || reason == .nothing || policy.plan != .resolve, "a policy fails as it is planned")
    let saves = SaveLog(session.environment, of: owner)
    defer { saves.end() }
    let stored = try stored(coordinator)
    let before = try owner.performAndWait { try state(owner) }
    let error = owner.performAndWait { AnythingClient.error { try owner.save() } }
    if reason == .nothing {
      if let error { throw error }
      return try requireSaved(owner, coordinator)
    }
    try require(error == nil, false, .failedSave, "whether a save fails with \(reason)")
    try require(saves.removeAll().count, 0, .wrongNotification, "did-save notifications of a save that failed")
    try require(try self.stored(coordinator), stored, .dirtyRead, "in the file after a save that failed")
    let after = try owner.performAndWait { try state(owner) }
    try require(after.lists, before.lists, .lostUpdate, "the lists of changes after a save that failed with \(reason)")
    try require(after.picture, before.picture, .lostUpdate, "in a context after a save that failed with \(reason)")
    policy.plan = .resolve
    try owner.performAndWait {
      note("mend, and save again")
      if reason == .validation { owner.object(with: met).setValue("mended \(newNumber())", forKey: "title") }
      for tag in owner.insertedObjects where tag.entity.name == "Tag" && tag.value(forKey: "label") as? String == label
      {
        tag.setValue(label.map { "not \($0)" }, forKey: "label")
      }
      try save(owner)
    }
    try requireSaved(owner, coordinator)
  }

  /// Another context saves a box, and a tag of a label.
  private func changeElsewhere(_ other: NSManagedObjectContext, _ met: NSManagedObjectID, _ label: String?) throws {
    try other.performAndWait {
      other.reset()
      let box = try other.existingObject(with: met)
      note("others change box \(RulePicture.number(box))")
      box.setValue("other \(newNumber())", forKey: "title")
      box.setValue(newNumber(), forKey: "size")
      if let label { insert("Tag", other).setValue(label, forKey: "label") }
      try save(other)
    }
  }

  private func requireSaved(_ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    try require(owner.performAndWait { owner.hasChanges }, false, .failedSave, "hasChanges after a save")
    let shown = try picture(owner)
    owner.performAndWait { owner.refreshAllObjects() }
    let file = try stored(coordinator)
    try require(
      shown.withoutDerived, file.withoutDerived, .unpersistedSave, "in the file after the save that was mended")
    try require(try picture(owner), file, .staleRead, "in the context after the save that was mended")
  }

  /// Changes of every kind; in a block of the context.
  ///
  /// - Returns: a box that was changed.
  private func change(_ context: NSManagedObjectContext) throws -> NSManagedObject? {
    for _ in 0..<(1 + draw(4)) { try changeSomething(context) }
    context.processPendingChanges()
    guard let box = pick(try all("Box", context).filter { !$0.isInserted }) else { return nil }
    note("title of box \(RulePicture.number(box))")
    box.setValue("own \(newNumber())", forKey: "title")
    if chance(1, of: 2) { connect(insert("Item", context), [box], []) }
    context.processPendingChanges()
    return box
  }

  private struct State {
    var picture: RulePicture
    /// By list, the objects' IDs and their changed values.
    var lists: [String: [String]]
  }

  private func state(_ context: NSManagedObjectContext) throws -> State {
    context.processPendingChanges()
    let sets = [
      "inserted": context.insertedObjects, "updated": context.updatedObjects, "deleted": context.deletedObjects,
    ]
    let lists = sets.mapValues { objects in
      objects.map { object in
        let names = object.isDeleted || object.isInserted ? [] : object.changedValues().keys.sorted()
        return "\(object.objectID.uriRepresentation().lastPathComponent) \(names)"
      }.sorted()
    }
    return State(picture: try RulePicture(context).withoutDerived, lists: lists)
  }
}

/// A policy that fails in a planned way.
private final class RefusingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: a trial plans, and its context's save follows.
  enum Plan: Sendable {
    case resolve, throwAtOnce, throwLate, resolveNothing, refuseConstraints
  }

  private let planned = Locked(Plan.resolve)

  var plan: Plan {
    get { planned.withLock { $0 } }
    set { planned.withLock { $0 = newValue } }
  }

  init(_ type: NSMergePolicyType) { super.init(merge: type) }

  override func resolve(mergeConflicts list: [Any]) throws {
    switch plan {
    case .resolve, .refuseConstraints: try super.resolve(mergeConflicts: list)
    case .resolveNothing: break
    case .throwAtOnce: throw NSError(domain: "RefusingPolicy", code: 1)
    case .throwLate:
      try super.resolve(mergeConflicts: list)
      throw NSError(domain: "RefusingPolicy", code: 2)
    }
  }
  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if plan == .refuseConstraints { throw NSError(domain: "RefusingPolicy", code: 3) }
    try super.resolve(constraintConflicts: list)
  }
}
