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
    for obstacle in Obstacle.allCases { try saveAfterOthers(obstacle, coordinator) }
    if chance(1, of: 2) { try continueAfterRefusals() }
  }

  private func refuse(
    _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext, _ policy: RefusingPolicy,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    typealias Plan = RefusingPolicy.Plan
    let (isInvalid, isTaken) = (chance(1, of: 5), chance(2, of: 3))
    // A policy may have decided one kind of conflict when it fails at the other.
    let plans = (pick([.resolve] + Plan.allCases) ?? .resolve, pick([.resolve] + Plan.allCases) ?? .resolve)
    let reason =
      "\(isInvalid ? "a title that is too long, " : "")conflicts: \(plans.0)\(isTaken ? ", a label: \(plans.1)" : "")"
    note("a save with \(reason), policy \(policy.mergeType.rawValue)")
    let met = try owner.performAndWait {
      let met = try change(owner)
      if isInvalid { met?.setValue(String(repeating: "long ", count: 9), forKey: "title") }
      return met?.objectID
    }
    guard let met else { return }
    let label = isTaken ? "taken \(newNumber())" : nil
    // Of a tag that is changed here a policy decides by its version.
    let tags = try owner.performAndWait { try all("Tag", owner).filter { !$0.hasChanges }.map(\.objectID) }
    let tag = pick(tags)
    try changeElsewhere(other, met, label, tag)
    if let label { try owner.performAndWait { try giveLabel(label, owner) } }
    policy.plans = plans
    let saves = SaveLog(session.environment, of: owner)
    defer { saves.end() }
    let stored = try stored(coordinator)
    let held = try owner.performAndWait { try RulePicture.entities.flatMap { try all($0, owner) } }
    let before = try owner.performAndWait { try state(owner) }
    let error = owner.performAndWait { AnythingClient.error { try owner.save() } }
    if !isInvalid, plans.0 == .resolve, !isTaken || plans.1 == .resolve {
      if let error { throw error }
      return try requireSaved(owner, coordinator, tag)
    }
    try require(error == nil, false, .failedSave, "whether a save fails with \(reason)")
    try require(saves.removeAll().count, 0, .wrongNotification, "did-save notifications of a save that failed")
    try require(try self.stored(coordinator), stored, .dirtyRead, "in the file after a save that failed")
    // Before a fetch, which processes what is left to do.
    for (id, state) in owner.performAndWait({ states(owner) }).sorted(by: { $0.key < $1.key }) {
      try require(
        state, before.states[id] ?? Self.clean, .lostUpdate,
        "the state of \(id) after a save that failed with \(reason)")
    }
    let after = try owner.performAndWait { try state(owner) }
    try require(after.lists, before.lists, .lostUpdate, "the lists of changes after a save that failed with \(reason)")
    try require(after.picture, before.picture, .lostUpdate, "in a context after a save that failed with \(reason)")
    policy.plans = (.resolve, .resolve)
    try owner.performAndWait {
      note("mend, and save again")
      if isInvalid { owner.object(with: met).setValue("mended \(newNumber())", forKey: "title") }
      for tag in owner.insertedObjects where tag.entity.name == "Tag" && tag.value(forKey: "label") as? String == label
      {
        tag.setValue(label.map { "not \($0)" }, forKey: "label")
      }
      try save(owner)
    }
    try requireSaved(owner, coordinator, tag)
    owner.performAndWait { withExtendedLifetime(held) {} }
  }

  /// A new tag of some items has a label; in a block of the context.
  private func giveLabel(_ label: String, _ context: NSManagedObjectContext) throws {
    let (tag, items) = (insert("Tag", context), some(try all("Item", context), atMost: 3))
    tag.setValue(label, forKey: "label")
    for item in items { item.mutableOrderedSetValue(forKey: "tags").add(tag) }
    note("\(label): tag \(RulePicture.number(tag)) of \(items.map(RulePicture.number))")
  }

  /// Another context saves a box, and gives a label to a tag, a new one or one of the rows.
  private func changeElsewhere(
    _ other: NSManagedObjectContext, _ met: NSManagedObjectID, _ label: String?, _ id: NSManagedObjectID?
  ) throws {
    try other.performAndWait {
      other.reset()
      let box = try other.existingObject(with: met)
      note("others change box \(RulePicture.number(box))")
      box.setValue("other \(newNumber())", forKey: "title")
      box.setValue(newNumber(), forKey: "size")
      let tag = chance(1, of: 2) ? try id.map(other.existingObject) : nil
      if let label { (tag ?? insert("Tag", other)).setValue(label, forKey: "label") }
      try save(other)
    }
  }

  private func requireSaved(
    _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ stale: NSManagedObjectID? = nil
  ) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "what the owner saves is in this file")
    owner.performAndWait { if let stale { owner.refresh(owner.object(with: stale), mergeChanges: true) } }
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
    /// How many are inserted, updated and deleted.
    var lists: [Int]
    /// Of every registered object, by its ID, also of those that are in no list.
    var states: [String: [String]]
  }

  /// The state of an object without changes.
  private static let clean = ["false false false false", "[]"]

  private func states(_ context: NSManagedObjectContext) -> [String: [String]] {
    let states = context.registeredObjects.map { object in
      let state = [object.isInserted, object.isUpdated, object.isDeleted, object.hasChanges].map(String.init)
      let keys = object.isDeleted || object.isInserted ? [] : object.changedValues().keys.sorted()
      let id = "\(object.entity.name ?? "") \(object.objectID.uriRepresentation().lastPathComponent)"
      return (id, [state.joined(separator: " "), "\(keys)"])
    }
    return Dictionary(states) { first, _ in first }
  }

  private func state(_ context: NSManagedObjectContext) throws -> State {
    context.processPendingChanges()
    let lists = [context.insertedObjects, context.updatedObjects, context.deletedObjects].map(\.count)
    let picture = try RulePicture(context).withoutDerived
    return State(picture: picture, lists: lists, states: states(context))
  }

  // MARK: What others' saves alone take away

  /// Why a save is refused, of what others have saved.
  private enum Obstacle: CaseIterable {
    /// A label that a new object has, too, or that a row has got.
    case taken, given
    /// A box that was changed on both sides, changed here and deleted there, and the other way about.
    case changed, gone, deleted
    /// A box that is gone, of a new object.
    case left

    var isLabel: Bool { self == .taken || self == .given }
  }

  /// A save that is refused is carried out as it is, once others have taken back what was in its way or the context has heard of it.
  private func saveAfterOthers(_ obstacle: Obstacle, _ coordinator: NSPersistentStoreCoordinator) throws {
    let merges = chance(1, of: 2)
    let (owner, other) = (context(coordinator, merges: merges), context(coordinator))
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    let label = "one \(newNumber())"
    let (made, ids) = try other.performAndWait {
      let made = [insert("Box", other), insert("Tag", other), insert("Tag", other)]
      try save(other)
      return (made, made.map(\.objectID))
    }
    note("\(obstacle) is in the way of a save; \(merges ? "merges by itself" : "by call or refresh")")
    let held = try owner.performAndWait {
      let held = try ids.map(owner.existingObject)
      switch obstacle {
      case .taken: insert("Tag", owner).setValue(label, forKey: "label")
      case .given: held[2].setValue(label, forKey: "label")
      case .changed, .gone: held[0].setValue(label, forKey: "title")
      case .deleted: owner.delete(held[0])
      case .left: insert("Item", owner).setValue(held[0], forKey: "box")
      }
      if chance(1, of: 2) { owner.processPendingChanges() }
      try other.performAndWait {
        switch obstacle {
        case .taken, .given: made[1].setValue(label, forKey: "label")
        case .changed, .deleted: made[0].setValue("of others", forKey: "title")
        case .gone, .left: other.delete(made[0])
        }
        try save(other)
      }
      let error = AnythingClient.error { try owner.save() }
      let code = obstacle.isLabel ? NSManagedObjectConstraintMergeError : NSManagedObjectMergeError
      // Whoever leads to a row that is gone may lead to another version first.
      let isOther = obstacle == .left && error?.code == NSManagedObjectValidationError
      try require(
        error?.code, isOther ? error?.code : code, .failedSave, "the error of a save that \(obstacle) hinders")
      return held
    }
    if obstacle.isLabel {
      try other.performAndWait {
        if chance(1, of: 2) { other.delete(made[1]) } else { made[1].setValue("other \(label)", forKey: "label") }
        try save(other)
      }
    }
    // Its own row is gone: who only refreshes does not hear of that.
    let refreshes = obstacle != .gone && obstacle != .left && chance(1, of: 2)
    try owner.performAndWait {
      if refreshes { owner.refreshAllObjects() }
      if !merges, !refreshes { for save in saves.removeAll() { owner.mergeChanges(fromContextDidSave: save) } }
      if let error = AnythingClient.error({ try save(owner) }) {
        try report(.failedSave, "a save after \(obstacle) was in its way", expected: "carried out", seen: "\(error)")
      }
    }
    try requireSaved(owner, coordinator)
    owner.performAndWait { withExtendedLifetime(held) {} }
  }
}

/// A policy that fails in a planned way.
private final class RefusingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: a trial plans, and its context's save follows.
  enum Plan: Sendable, CaseIterable {
    case resolve, throwAtOnce, throwLate, resolveNothing
  }

  private let planned = Locked((Plan.resolve, Plan.resolve))

  /// For conflicts of versions, and of unique values.
  var plans: (Plan, Plan) {
    get { planned.withLock { $0 } }
    set { planned.withLock { $0 = newValue } }
  }

  init(_ type: NSMergePolicyType) { super.init(merge: type) }

  override func resolve(mergeConflicts list: [Any]) throws {
    try carryOut(plans.0) { try super.resolve(mergeConflicts: list) }
  }
  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try carryOut(plans.1) { try super.resolve(constraintConflicts: list) }
  }

  private func carryOut(_ plan: Plan, _ resolve: () throws -> Void) throws {
    if plan == .resolve || plan == .throwLate { try resolve() }
    if plan == .throwAtOnce || plan == .throwLate { throw NSError(domain: "RefusingPolicy", code: 1) }
  }
}
