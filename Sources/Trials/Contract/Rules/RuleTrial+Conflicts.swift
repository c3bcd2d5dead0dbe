import Checking
import CoreData

// S3.3, S3.4, S4.4: a save meets the rows that others have saved since, of objects that it changed, deleted, or wants to be
// unchanged; the policy decides as documented; and the context then shows the file's values.

extension RuleTrial {
  func conflicts() throws {
    let first = try open()
    let second = chance(1, of: 2) ? first : try open()
    let root = context(first, pick(Self.policies) ?? .error)
    let editor = chance(1, of: 2) ? context(in: root) : root
    let other = freshContext(second)
    try other.performAndWait {
      for _ in 0..<5 { _ = insert("Item", other) }
      try save(other)
    }
    if first === second { try deleteFaults(first, other) }
    for _ in 0..<(1 + draw(3)) {
      for context in [root, editor] { context.performAndWait { context.reset() } }
      let late = chance(1, of: 4) ? try changeLate(second, other) : nil
      // A parent compares the rows that it has itself: those of objects that nothing holds are read anew.
      let held = try root.performAndWait { try all("Item", root) }
      let before = try picture(editor)
      var edits = RuleEdits()
      try editor.performAndWait { try edit(editor, &edits, detects: true) }
      var theirs = RuleEdits()
      try other.performAndWait {
        other.reset()
        try edit(other, &theirs, detects: false)
        try save(other)
        if chance(1, of: 3) { try updateByRequest(other, &theirs) }
        if chance(1, of: 4), let number = try bringBack(other) {
          theirs.changed[number, default: [:]].merge([:]) { $1 }
        }
      }
      try late.map { try saveLate($0, other, &theirs, before, first) }
      let isSaved = try withExtendedLifetime(held) { try meet(root, editor, edits, theirs, before) }
      let file = try stored(first)
      if isSaved {
        let own = Set(edits.changed.keys)
        try require(
          try picture(root).part(own), file.part(own), .staleRead, "in a context after its save of that object")
      }
      // It has not heard of the others' save, of which it may hold older objects.
      root.performAndWait { root.refreshAllObjects() }
      try require(try picture(root), file, .staleRead, "in a context after its save and a refresh")
    }
  }

  /// A fault is deleted in the newest version that any context has read: nothing was read of it that a conflict could be about.
  private func deleteFaults(_ coordinator: NSPersistentStoreCoordinator, _ other: NSManagedObjectContext) throws {
    precondition(other.persistentStoreCoordinator === coordinator, "both contexts share the row cache")
    let (owner, entity) = (context(coordinator), chance(1, of: 2) ? "Item" : "Plain")
    if entity == "Plain" {
      try other.performAndWait {
        for _ in 0..<3 { insertPlain(other) }
        try save(other)
      }
    }
    let faults = try owner.performAndWait { try owner.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) }
    try other.performAndWait {
      other.reset()
      for item in try all(entity, other) { item.setValue(newNumber(), forKey: "rank") }
      note("others change every \(entity), of which a context has faults, and it deletes one")
      try save(other)
    }
    try owner.performAndWait {
      guard let fault = pick(faults.filter(\.isFault)) else { return }
      owner.delete(fault)
      try save(owner)
    }
  }

  /// Changes, deletes and locks some items; in a block of the context.
  private func edit(_ context: NSManagedObjectContext, _ edits: inout RuleEdits, detects: Bool) throws {
    for item in some(try all("Item", context), atMost: 3) {
      let number = RulePicture.number(item)
      switch draw(detects ? 7 : 5) {
      case 0:
        note("\(detects ? "here" : "there"): delete item \(number)")
        context.delete(item)
        edits.deleted.insert(number)
      case 5, 6:
        note("here: detect conflicts of item \(number)")
        context.detectConflicts(for: item)
        edits.detected.insert(number)
      default:
        for attribute in some(["name", "rank", "weight", "price"], atMost: 2) {
          let old = RulePicture.text(item.value(forKey: attribute))
          set(attribute, of: item)
          let new = RulePicture.text(item.value(forKey: attribute))
          // An equal value is no change of the row.
          if old != new { edits.changed[number, default: [:]][attribute] = new }
        }
        // An object that is dirty without a change locks nothing.
        if edits.changed[number] == nil { context.refresh(item, mergeChanges: false) }
      }
    }
  }

  /// A batch update, by a value or by an expression: the rows that it finds have newer versions, also where nothing is another.
  private func updateByRequest(_ context: NSManagedObjectContext, _ edits: inout RuleEdits) throws {
    let chosen = some(try all("Item", context), atMost: 3).map(RulePicture.number)
    guard !chosen.isEmpty else { return }
    let (isExpression, value) = (chance(1, of: 2), draw(3))
    note("there: batch update of items \(chosen): rank = \(isExpression ? "rank - " : "")\(value)")
    let request = NSBatchUpdateRequest(entityName: "Item")
    request.predicate = NSPredicate(format: "\(RuleModel.number) IN %@", argumentArray: [chosen])
    request.propertiesToUpdate = ["rank": isExpression ? NSExpression(format: "rank - \(value)") : value as Any]
    _ = try context.execute(request)
    context.reset()
    context.stalenessInterval = 0
    for item in try all("Item", context) where chosen.contains(RulePicture.number(item)) {
      edits.changed[RulePicture.number(item), default: [:]]["rank"] = RulePicture.text(item.value(forKey: "rank"))
    }
  }

  /// A row that is deleted, saved, undone and saved is another version of it, though it has the same values.
  ///
  /// - Returns: its number.
  func bringBack(_ context: NSManagedObjectContext) throws -> Int? {
    context.reset()
    guard let item = pick(try all("Item", context)) else { return nil }
    let number = RulePicture.number(item)
    note("there: delete item \(number), save, undo, save")
    defer { context.undoManager = nil }
    recordForUndo(context) { context.delete(item) }
    try context.save()
    context.undo()
    try context.save()
    return number
  }

  private struct LateChange {
    let context: NSManagedObjectContext
    let item: NSManagedObject
    let number: Int
  }

  /// A context changes an item, of which another saves a newer version that this context does not read.
  private func changeLate(_ coordinator: NSPersistentStoreCoordinator, _ other: NSManagedObjectContext) throws
    -> LateChange?
  {
    precondition(other.persistentStoreCoordinator === coordinator, "who is late has the coordinator of the others")
    let late = context(coordinator, pick([.overwrite, .mergeByPropertyObjectTrump]) ?? .overwrite)
    let change: LateChange? = try late.performAndWait {
      guard let item = pick(try all("Item", late)) else { return nil }
      item.setValue("late \(newNumber())", forKey: "name")
      return LateChange(context: late, item: item, number: RulePicture.number(item))
    }
    guard let change else { return nil }
    note("a late context changes item \(change.number), and another its rank")
    try other.performAndWait {
      other.reset()
      for item in try all("Item", other) where RulePicture.number(item) == change.number {
        item.setValue(100 + newNumber(), forKey: "rank")
      }
      try other.save()
    }
    return change
  }

  /// The item is deleted, and the late context's save inserts it again: no context has read that row, though its number of updates is
  /// that of one which it has.
  private func saveLate(
    _ late: LateChange, _ other: NSManagedObjectContext, _ edits: inout RuleEdits, _ before: RulePicture,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    note("there: item \(late.number) is deleted, and inserted again by the late context")
    try other.performAndWait {
      other.reset()
      for item in try all("Item", other) where RulePicture.number(item) == late.number { other.delete(item) }
      try other.save()
    }
    try late.context.performAndWait {
      try late.context.save()
      withExtendedLifetime(late.item) {}
    }
    edits.deleted.remove(late.number)
    let (row, old) = (try stored(coordinator).objects[late.number] ?? [:], before.objects[late.number] ?? [:])
    edits.changed[late.number] = row.filter {
      ["name", "rank", "weight", "price"].contains($0.key) && old[$0.key] != $0.value
    }
  }

  /// The save, and the expected file afterwards.
  ///
  /// - Returns: whether it was saved.
  private func meet(
    _ root: NSManagedObjectContext, _ editor: NSManagedObjectContext, _ mine: RuleEdits, _ theirs: RuleEdits,
    _ before: RulePicture
  ) throws -> Bool {
    precondition(editor === root || editor.parent === root, "an editor is a child of the root, or it")
    guard let coordinator = root.persistentStoreCoordinator else { return false }
    let newest = try stored(coordinator)
    let policy = (root.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
    let touched = theirs.deleted.union(theirs.changed.keys)
    // A save without changes looks for no conflicts.
    let changed = mine.deleted.union(mine.changed.keys)
    let met = changed.isEmpty ? [] : changed.union(mine.detected).intersection(touched)
    if editor !== root { try editor.performAndWait { try editor.save() } }
    let error = root.performAndWait { AnythingClient.error { try root.save() } }
    // For a gone object without changes, the other policies are not specified.
    let isOpen = policy != .errorMergePolicyType && !mine.detected.isDisjoint(with: touched)
    if let error {
      guard policy == .errorMergePolicyType && !met.isEmpty && error.code == NSManagedObjectMergeError || isOpen else {
        throw error
      }
      try require(try stored(coordinator), newest, .lostUpdate, "in the file after a refused save")
      root.performAndWait { root.rollback() }
      editor.performAndWait { editor.reset() }
      return false
    }
    if policy == .errorMergePolicyType, let number = met.min() {
      try report(
        .lostUpdate, "a save that meets a newer row of item \(number)", expected: "refused with 133020", seen: "saved")
    }
    let after = try stored(coordinator)
    for (number, old) in before.objects.sorted(by: { $0.key < $1.key })
    where !(isOpen && mine.detected.contains(number)) {
      try check(after.objects[number], of: number, old, mine, theirs, policy)
    }
    return true
  }

  private func check(
    _ row: [String: String]?, of number: Int, _ old: [String: String], _ mine: RuleEdits, _ theirs: RuleEdits,
    _ policy: NSMergePolicyType
  ) throws {
    let keepsStore = policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
    let isMet = theirs.deleted.contains(number) || theirs.changed[number] != nil
    let own = mine.changed[number] ?? [:]
    let isThere: Bool =
      if mine.deleted.contains(number) {
        theirs.changed[number] != nil && keepsStore
      } else if theirs.deleted.contains(number) {
        !own.isEmpty && !keepsStore
      } else { true }
    try require(
      row != nil, isThere, isThere ? .lostRecord : .resurrectedRecord, "whether item \(number) has a row after the save"
    )
    guard let row else { return }
    for attribute in ["name", "rank", "weight", "price"] {
      let other = theirs.deleted.contains(number) ? nil : theirs.changed[number]?[attribute]
      let expected: String? =
        if mine.deleted.contains(number) { other ?? old[attribute] } else if !isMet || own.isEmpty {
          own[attribute] ?? other ?? old[attribute]
        } else {
          switch policy {
          case .rollbackMergePolicyType: other ?? old[attribute]
          case .overwriteMergePolicyType: own[attribute] ?? old[attribute]
          case .mergeByPropertyStoreTrumpMergePolicyType: other ?? own[attribute] ?? old[attribute]
          default: own[attribute] ?? other ?? old[attribute]
          }
        }
      try require(row[attribute], expected, .wrongWinner, "\(attribute) of item \(number) after a conflict")
    }
  }
}

/// A context's edits of items before its save, by their numbers.
private struct RuleEdits {
  var changed: [Int: [String: String]] = [:]
  var deleted: Set<Int> = []
  /// Unchanged ones that are to be checked for conflicts.
  var detected: Set<Int> = []
}
