import Cells
import Checking
import CoreData
import Scheduling

// S2.4, S8.1: undo after refused saves and merges, and of changes that are saved: the same objects, with what others have saved, and
// nothing to save where all is as it was; who comes to what undo has deleted; and the rule of no action. S3.4, S5.2: undo of what
// others have changed and saved meanwhile, by every policy.

extension RuleTrial {
  func returns() throws {
    let coordinator = try open()
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    let editor = chance(1, of: 4) ? context(in: root) : root
    try root.performAndWait {
      populate(root, items: 5)
      try save(root)
    }
    for _ in 0..<2 { try undoToClean(editor, coordinator) }
    try undoBesideMerge(root, coordinator)
    try changeWhatIsDeleted(editor, coordinator)
    try replaceFault(root)
    try comeToUndone(root, coordinator)
    for _ in 0..<2 { try undoBesideSaves(coordinator) }
    try followNoAction()
  }

  /// The undo manager that a context is given for some groups of edits.
  private func withUndo<Result>(_ context: NSManagedObjectContext, _ body: (UndoManager) throws -> Result) rethrows
    -> Result
  {
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.performAndWait {
      context.processPendingChanges()
      context.undoManager = manager
    }
    defer { context.performAndWait { context.undoManager = nil } }
    return try body(manager)
  }

  /// One group of edits; in a block of the context.
  @discardableResult
  private func group<Result>(
    _ context: NSManagedObjectContext, _ manager: UndoManager, _ body: () throws -> Result
  ) rethrows -> Result {
    precondition(manager.groupingLevel == 0, "groups follow each other")
    manager.beginUndoGrouping()
    let result = try body()
    context.processPendingChanges()
    manager.endUndoGrouping()
    return result
  }

  // MARK: Back to what is saved

  /// Edits, perhaps with a refused save among them, are undone: the objects are the same, and there is nothing to save.
  private func undoToClean(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(editor.persistentStoreCoordinator === coordinator, "a clean editor shows this file")
    let held = try editor.performAndWait { try RulePicture.entities.flatMap { try all($0, editor) } }
    let ids = editor.performAndWait { held.map(\.objectID) }
    let before = try picture(editor).withoutDerived
    let file = try stored(coordinator)
    let groups = 1 + draw(3)
    try withUndo(editor) { manager in
      try editor.performAndWait {
        for _ in 0..<groups {
          try group(editor, manager) {
            for _ in 0..<(1 + draw(4)) { try changeSomething(editor) }
            // A group without an edit is none.
            try all("Box", editor).first?.setValue(newNumber(), forKey: "size")
          }
        }
        if chance(1, of: 3), let item = pick(try all("Item", editor)) {
          note("a save that is refused")
          group(editor, manager) { item.setValue(40_000, forKey: "level") }
          let error = AnythingClient.error { try editor.save() }
          try require(error == nil, false, .wrongValue, "whether a number that is too wide is saved")
        }
        note("undo all")
        while manager.canUndo { editor.undo() }
        editor.processPendingChanges()
      }
      try require(try picture(editor).withoutDerived, before, .wrongValue, "after every edit was undone")
      try editor.performAndWait {
        for (object, id) in zip(held, ids) {
          try require(
            [
              editor.registeredObject(for: id) === object, object.objectID == id, object.isDeleted, object.isInserted,
            ], [true, true, false, false], .wrongValue,
            "what \(RulePicture.number(object)) is after every edit was undone")
        }
        try require(
          [editor.insertedObjects.isEmpty, editor.deletedObjects.isEmpty], [true, true], .wrongValue,
          "what is inserted or deleted after every edit was undone")
        try save(editor)
      }
    }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    try require(try stored(coordinator), file, .dirtyRead, "in the file after every edit was undone")
    editor.performAndWait { withExtendedLifetime(held) {} }
  }

  // MARK: Beside merges

  /// Undo leaves alone the values that others have saved meanwhile.
  private func undoBesideMerge(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(editor.parent == nil, "saves of others are merged into a context of the coordinator")
    let other = context(coordinator)
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    let items = try editor.performAndWait {
      editor.refreshAllObjects()
      return try all("Item", editor)
    }
    func weight(_ item: NSManagedObject) -> Int? { (item.value(forKey: "weight") as? NSNumber)?.intValue }
    let (before, numbers) = try editor.performAndWait { (try RulePicture(editor), items.map(RulePicture.number)) }
    let weights = editor.performAndWait { items.map(weight) }
    // The merge, or a refresh, comes in the event, before its edits or after them, or once it is over.
    let (moment, isRefresh) = (draw(3), chance(1, of: 3))
    try withUndo(editor) { manager in
      var theirs: [Int: Int] = [:]
      func hear(at place: Int) throws {
        guard place == moment else { return }
        theirs = try saveWeights(other, of: numbers)
        note(isRefresh ? "a refresh" : "a merge")
        if isRefresh { for item in items { editor.refresh(item, mergeChanges: true) } }
        if !isRefresh, let saved = saves.removeLast() { editor.mergeChanges(fromContextDidSave: saved) }
      }
      try editor.performAndWait {
        var mayBeEqual = false
        try group(editor, manager) {
          try hear(at: 0)
          for item in some(items, atMost: 4) + items.prefix(1) {
            item.setValue(newNumber(), forKey: chance(1, of: 2) ? "rank" : "level")
            guard chance(1, of: 2) else { continue }
            mayBeEqual = true
            set(pick(["name", "rank", "price"]) ?? "name", of: item)
            if chance(1, of: 2) { connect(item, try all("Box", editor), try all("Tag", editor)) }
          }
          try hear(at: 1)
        }
        try hear(at: 2)
        note("undo")
        editor.undo()
        editor.processPendingChanges()
        for (item, old) in zip(items, weights) {
          let number = RulePicture.number(item)
          try require(
            weight(item), theirs[number] ?? old, .lostUpdate,
            "the weight of \(number), which others have saved, after an undo")
        }
        try requireUndone(items, before, editor, mayBeEqual: mayBeEqual)
        try save(editor)
      }
    }
    let shown = try picture(editor).withoutDerived
    try require(
      try stored(coordinator).withoutDerived, shown, .unpersistedSave, "in the file after an undo and a merge")
    editor.performAndWait { withExtendedLifetime(items) {} }
  }

  /// Items are as they were but for their weights, and there is nothing to save; in a block of the context.
  private func requireUndone(
    _ items: [NSManagedObject], _ before: RulePicture, _ editor: NSManagedObjectContext, mayBeEqual: Bool
  ) throws {
    for item in items {
      let (number, texts) = (RulePicture.number(item), RulePicture.properties(of: item))
      for key in ["name", "rank", "level", "price", "box", "shelf", "tags"] {
        try require(
          texts[key], before.objects[number]?[key], .wrongValue, "\(key) of \(number) after an undo beside a merge")
      }
    }
    // Who was given an equal value is changed.
    let changed = items.filter { mayBeEqual ? $0.hasPersistentChangedValues : $0.hasChanges }
    try require(
      [changed.isEmpty, mayBeEqual || !editor.hasChanges], [true, true], .wrongValue,
      "whether there is nothing to save after an undo beside a merge")
  }

  // MARK: Deletions

  /// Changes of a deleted object are unsaved changes once its deletion is undone.
  private func changeWhatIsDeleted(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws
  {
    precondition(editor.persistentStoreCoordinator === coordinator, "what was deleted is a row of this file")
    let value = 7_000 + newNumber()
    let number: Int? = try withUndo(editor) { manager in
      try editor.performAndWait {
        guard let item = pick(try all("Item", editor)) else { return nil }
        let number = RulePicture.number(item)
        let box = item.value(forKey: "box") as? NSManagedObject
        note("delete \(number), change its rank, and undo the deletion")
        group(editor, manager) { editor.delete(item) }
        item.setValue(value, forKey: "rank")
        if chance(1, of: 2) { editor.processPendingChanges() }
        editor.undo()
        editor.processPendingChanges()
        try require(
          [item.isDeleted, item.hasChanges, item.hasPersistentChangedValues], [false, true, true], .wrongValue,
          "what an object is that was changed while it was deleted, once that is undone")
        try require(
          [
            (item.value(forKey: "rank") as? NSNumber)?.intValue == value,
            item.value(forKey: "box") as? NSManagedObject === box,
          ],
          [true, true], .lostUpdate, "whether it has its rank, and its box")
        try save(editor)
        return number
      }
    }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    guard let number else { return }
    try require(
      try stored(coordinator).objects[number]?["rank"], "\(value)", .unpersistedSave,
      "the rank in the file that an object was given while it was deleted")
  }

  /// An object takes the place of a fault that was made of its ID, once its saved deletion is undone.
  private func replaceFault(_ editor: NSManagedObjectContext) throws {
    precondition(editor.parent == nil, "a fault reads its row from the file")
    try withUndo(editor) { manager in
      try editor.performAndWait {
        guard let item = pick(try all("Item", editor)) else { return }
        let (id, before) = (item.objectID, RulePicture.properties(of: item))
        note("delete \(RulePicture.number(item)), save, make a fault of its ID, and undo")
        group(editor, manager) { editor.delete(item) }
        try save(editor)
        let fault = chance(2, of: 3) ? editor.object(with: id) : nil
        editor.undo()
        editor.processPendingChanges()
        try require(
          [editor.registeredObject(for: id) === item, item.isInserted, item.isDeleted, item.objectID == id],
          [true, true, false, true], .wrongValue,
          "what an object is whose saved deletion was undone\(fault == nil ? "" : ", beside a fault of its ID")")
        let after = RulePicture.properties(of: item)
        for key in before.keys.sorted() where !RuleModel.derived.contains(key) {
          try require(after[key] ?? "", before[key] ?? "", .wrongValue, "\(key) of an object that an undo brought back")
        }
        for name in ["box", "shelf"] {
          guard let owner = item.value(forKey: name) as? NSManagedObject else { continue }
          let members = owner.value(forKey: name == "box" ? "items" : "list")
          let isMember =
            (members as? NSOrderedSet)?.contains(item) ?? (members as? Set<NSManagedObject>)?.contains(item) ?? false
          try require(isMember, true, .asymmetricInverse, "whether it is a member of its \(name)")
        }
        try save(editor)
        try require(item.isInserted, false, .failedSave, "isInserted after the save of an object that is back")
      }
    }
  }

  /// Undo deletes what was inserted and saved; who came to it elsewhere meanwhile is reached by its delete rules.
  private func comeToUndone(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(editor.parent == nil, "what others save comes from the file")
    let other = context(coordinator)
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    try withUndo(editor) { manager in
      let box = try editor.performAndWait {
        let box = group(editor, manager) { insert("Box", editor) }
        try save(editor)
        note("undo the insertion")
        editor.undo()
        editor.processPendingChanges()
        try require(box.isDeleted, true, .wrongValue, "isDeleted of a saved object whose insertion was undone")
        return box
      }
      let (id, number) = editor.performAndWait { (box.objectID, RulePicture.number(box)) }
      let comer = try other.performAndWait {
        let comer = insert("Item", other)
        comer.setValue(try other.existingObject(with: id), forKey: "box")
        note("others put \(RulePicture.number(comer)) into it")
        try save(other)
        return RulePicture.number(comer)
      }
      try editor.performAndWait {
        if let saved = saves.removeLast() { editor.mergeChanges(fromContextDidSave: saved) }
        editor.processPendingChanges()
        try save(editor)
      }
      let left = try stored(coordinator).objects
      try require(
        [left[number] == nil, left[comer] == nil], [true, true], .orphanRecord,
        "whether a box whose insertion was undone is gone from the file, and who came to it")
    }
  }

  /// Undo deletes what was inserted, or inserts what was deleted, and others have saved a change of it meanwhile: the save meets their
  /// row, unless the deletion has merged it, and the policy decides.
  private func undoBesideSaves(_ coordinator: NSPersistentStoreCoordinator) throws {
    let policy = pick(Self.policies) ?? .error
    let (editor, other) = (context(coordinator, policy), context(coordinator, .mergeByPropertyObjectTrump))
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    let (isDeletion, merges, rank) = (chance(1, of: 2), draw(3), 500 + newNumber())
    let keeps = [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]
      .contains(policy.mergeType)
    try withUndo(editor) { manager in
      let item = try editor.performAndWait {
        let item = group(editor, manager) {
          let item = insert("Item", editor)
          item.setValue(rank - 400, forKey: "rank")
          return item
        }
        try save(editor)
        return item
      }
      let (id, number) = editor.performAndWait { (item.objectID, RulePicture.number(item)) }
      try other.performAndWait {
        let theirs = try other.existingObject(with: id)
        theirs.setValue(rank, forKey: "rank")
        // Theirs is changed already when the row is deleted, and inserts it again.
        if isDeletion {
          try editor.performAndWait {
            group(editor, manager) { editor.delete(item) }
            try save(editor)
          }
        }
        note("others save rank \(rank) of \(number)\(isDeletion ? ", which is deleted" : "")")
        try save(other)
      }
      let error: NSError? = try editor.performAndWait {
        let saved = saves.removeLast()
        if merges == 1, !isDeletion, let saved { editor.mergeChanges(fromContextDidSave: saved) }
        note("undo its \(isDeletion ? "deletion" : "insertion")")
        editor.undo()
        editor.processPendingChanges()
        if merges == 2, let saved { editor.mergeChanges(fromContextDidSave: saved) }
        try require(
          [item.isInserted, item.isDeleted], [isDeletion, !isDeletion], .wrongValue,
          "what \(number) is after an undo, and the merge of what others saved")
        return AnythingClient.error { try editor.save() }
      }
      let meets = isDeletion || merges == 0
      let isRefused = meets && policy.mergeType == .errorMergePolicyType
      try require(
        error?.code ?? 0, isRefused ? NSManagedObjectMergeError : 0, .wrongWinner, "the error of a save after an undo")
      let own = isDeletion ? "\(rank - 400)" : nil
      try require(
        try stored(coordinator).objects[number]?["rank"], meets && !keeps ? "\(rank)" : own, .wrongWinner,
        "the rank in the file after an undo, by policy \(policy.mergeType.rawValue)")
    }
  }

  // MARK: No action

  /// The rule of no action leaves everyone who leads to a deleted object as it is.
  private func followNoAction() throws {
    let coordinator = try open(LooseModel.shared, at: newURL())
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try editor.performAndWait {
      let owners = (0..<2).map { _ in insertNumbered("Owner", editor) }
      let members = (0..<3).map { _ in insertNumbered("Member", editor) }
      for member in members { member.setValue(owners[0], forKey: "owner") }
      try save(editor)
      if chance(1, of: 2) { for member in members { editor.refresh(member, mergeChanges: false) } }
      note("delete an owner, whose rule is no action")
      editor.delete(owners[0])
      editor.processPendingChanges()
      for member in members {
        try require(
          [member.isDeleted, member.hasChanges], [false, false], .wrongValue,
          "whether a member is deleted or changed by the rule of no action")
      }
      for member in members { member.setValue(owners[1], forKey: "owner") }
      try save(editor)
      try require(
        (owners[1].value(forKey: "members") as? NSSet)?.count, 3, .lostRecord, "members that have another owner")
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let members = try all("Member", fresh)
      let owner = try all("Owner", fresh).first
      let led = members.filter { owner != nil && $0.value(forKey: "owner") as? NSManagedObject === owner }
      try require([members.count, led.count], [3, 3], .lostRecord, "members after their first owner was deleted")
    }
  }
}

/// Owners with a deletion that leaves their members alone.
private enum LooseModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (owner, member) = (ModelParts.entity("Owner"), ModelParts.entity("Member"))
    ModelParts.connect(
      ModelParts.many("members", member, .noActionDeleteRule), of: owner, ModelParts.one("owner", owner), of: member)
    let model = NSManagedObjectModel()
    model.entities = [owner, member]
    return model
  }
}
