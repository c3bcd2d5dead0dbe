import Cells
import Checking
import CoreData
import Scheduling

// S2.7, S2.8, S3.1, S3.6, S3.7, S5.1: which calls of its life each object gets, whatever hooks do in a save, and that the
// save's lists are the changes in the file.

extension RuleTrial {
  func hooks() throws {
    let coordinator = try open(RuledModel.shared)
    let owner = context(coordinator)
    let saves = RuleSaves(session.environment, owner)
    defer { saves.end() }
    var held: [HookedObject] = []
    try owner.performAndWait {
      let log = HookLog()
      try log.record(owner) {
        for _ in 0..<(3 + draw(4)) { held.append(add(owner, to: pick(held))) }
        for object in held {
          try require(log.calls(of: object), ["awakeFromInsert"], .wrongNotification, "calls of a new object")
        }
        try save(owner)
      }
    }
    for _ in 0..<(2 + draw(3)) {
      _ = saves.removeAll()
      let before = try picture(freshContext(coordinator), RuledModel.entities)
      try owner.performAndWait { try saveWithHooks(owner, &held) }
      let after = try picture(freshContext(coordinator), RuledModel.entities)
      try compare(saves.removeAll(), before, after)
      try require(
        try picture(owner, RuledModel.entities), after, .unpersistedSave, "in a context after a save with hooks"
      )
      try owner.performAndWait { try fire(owner) }
    }
    try undoInsertion(owner)
    try saveNothing(owner)
    try saveEndlessly(owner, coordinator)
    try readElsewhere(coordinator)
    for _ in 0..<4 { try meddle(coordinator) }
    try callEveryone()
  }

  /// A save without changes posts both notifications; changes by an observer of the first one are saved.
  private func saveNothing(_ context: NSManagedObjectContext) throws {
    let names: [Notification.Name] = [
      .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
    ]
    let log = Locked<[String]>([])
    let changes = Locked(chance(1, of: 2))
    let expected = changes.withLock { $0 } ? 1 : 0
    note("a save without changes\(expected > 0 ? ", in which an observer inserts" : "")")
    precondition(names.count == 3, "a save that changes something posts three notifications")
    let observers = names.map { name in
      session.environment.addObserver(forName: name, object: context) { notification in
        let objects = (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
        let ids = (notification.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count ?? 0
        log.withLock { $0.append("\(name.rawValue) \(objects + ids)") }
        guard name == .NSManagedObjectContextWillSave,
          changes.withLock({
            let old = $0; $0 = false; return old
          }),
          let context = notification.object as? NSManagedObjectContext
        else { return }
        NSEntityDescription.insertNewObject(forEntityName: "Node", into: context).setValue(-1, forKey: RuleModel.number)
      }
    }
    defer { for observer in observers { session.environment.removeObserver(observer) } }
    try context.performAndWait {
      try require(context.hasChanges, false, .wrongValue, "hasChanges before a save without changes")
      try save(context)
    }
    // There are no IDs of nothing.
    let wanted = zip(names, [0, expected, expected]).prefix(expected > 0 ? 3 : 2).map { "\($0.rawValue) \($1)" }
    try require(
      log.withLock { $0.sorted() }, wanted.sorted(), .wrongNotification, "the notifications of a save without changes")
    try require(log.withLock { $0.first }, wanted.first, .wrongNotification, "the first notification of a save")
  }

  /// An insertion that is undone and redone awakens its object once.
  private func undoInsertion(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      precondition(!context.hasChanges, "an undo reaches no earlier change")
      let log = HookLog()
      defer { context.undoManager = nil }
      try log.record(context) {
        let node = recordForUndo(context) { add(context, to: nil) }
        note("undo, redo and save")
        context.undo()
        try require(context.insertedObjects.contains(node), false, .wrongValue, "an insertion after its undo")
        context.redo()
        try save(context)
        let calls = log.calls(of: node).filter { $0.hasPrefix("awakeFromInsert") }
        try require(
          calls.count, 1, .wrongNotification, "calls of awakeFromInsert of an object that was undone and redone")
      }
    }
  }

  /// A willSave that changes its object each time: the save fails, and nothing is lost.
  private func saveEndlessly(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(
      context.persistentStoreCoordinator === coordinator, "a save without an end leaves its own file as it was")
    guard chance(1, of: 6) else { return }
    let before = try picture(freshContext(coordinator), RuledModel.entities)
    note("a willSave that changes its object each time")
    try context.performAndWait {
      let node = add(context, to: nil)
      let rounds = Locked(0)
      let log = HookLog([
        .willSave: { object in object.remark = "\(rounds.withLock { $0 += 1; return $0 })" }
      ])
      let error = log.record(context) { AnythingClient.error { try context.save() } }
      try require(
        [error == nil, node.isInserted], [false, true], .failedSave,
        "whether an endless save succeeds, and is left to save")
      context.rollback()
    }
    try require(
      try picture(freshContext(coordinator), RuledModel.entities), before, .dirtyRead,
      "in the file after an endless save")
  }

  private func add(_ context: NSManagedObjectContext, to parent: HookedObject?) -> HookedObject {
    guard let object = insertNumbered("Node", context) as? HookedObject else {
      preconditionFailure("nodes are hooked objects")
    }
    note("under \(parent.map { "\($0.number)" } ?? "nothing")")
    object.setValue(parent, forKey: "parent")
    return object
  }

  /// A save in which some objects insert, change or delete others, in willSave or in their validation; in a block of the context.
  private func saveWithHooks(_ context: NSManagedObjectContext, _ held: inout [HookedObject]) throws {
    let nodes = try all("Node", context).compactMap { $0 as? HookedObject }
    var plans: [Int64: Int] = [:]
    for node in some(nodes, atMost: 3) { plans[node.number] = draw(5) }
    let chosen = Array(plans.keys).sorted()
    var rest = some(nodes.filter { plans[$0.number] == nil }, atMost: 3)
    var (made, left, changed): ([HookedObject], [HookedObject], [HookedObject]) = ([], [], [])
    let names = ["inserts", "changes another", "deletes another", "changes itself", "refreshes another"]
    note("in willSave or validation: \(chosen.map { "\($0) \(names[plans[$0] ?? 0])" })")
    let isAsked = chance(3, of: 4)
    let react: (HookedObject) -> Void = { [self] object in
      guard !object.isDeleted, let plan = plans.removeValue(forKey: object.number) else { return }
      defer { if isThirdStep { context.processPendingChanges() } }
      switch plan {
      case 0: made.append(add(context, to: object))
      case 1:
        guard let other = rest.popLast(), !other.isDeleted, other.managedObjectContext != nil else { return }
        note("node \(object.number) changes \(other.number)")
        other.remark =
          "by \(object.number) \(newNumber())" + (isAsked || isThirdStep ? "" : String(repeating: " long", count: 9))
        changed.append(other)
      case 2:
        let unsaved = unasked(context, except: object)
        if let unsaved { left.append(unsaved) }
        guard let other = unsaved ?? rest.popLast(), !other.isDeleted, other.managedObjectContext != nil
        else { return }
        note("node \(object.number) deletes \(other.number)")
        context.delete(other)
      case 3: object.remark = "self \(newNumber())"
      default:
        // Of a changed relationship the other side would bring it back, and one that was asked already may be in the save or not.
        guard let other = rest.popLast(), other.isUpdated, !other.isDeleted,
          Set(other.changedValues().keys).isSubset(of: ["remark"]),
          HookLog.of(context)?.calls(of: other).contains("willSave updated") == false
        else { return }
        note("node \(object.number) drops the changes of \(other.number)")
        left.append(other)
        context.refresh(other, mergeChanges: false)
      }
    }
    let hooks: [HookLog.Hook] = isAsked ? [.willSave] : [.validateForInsert, .validateForUpdate]
    let log = HookLog(Dictionary(uniqueKeysWithValues: hooks.map { ($0, react) }))
    try log.record(context) {
      try edit(nodes, context, &held)
      // An object that is new may delete one that is new as well, and was not asked yet.
      let new = context.insertedObjects.compactMap { $0 as? HookedObject }.sorted { $0.number < $1.number }
      for object in some(new, atMost: 2) { plans[object.number] = chance(2, of: 3) ? 2 : draw(5) }
      let numbers = try all("Node", context).compactMap { $0 as? HookedObject }
      try saveMended(context) { changed }
      // Every object that is still known got the calls of its fate.
      held += made
      guard isAsked else { return }
      for object in left {
        let calls = log.calls(of: object).filter { $0.hasPrefix("willSave") || $0 == "didSave" }
        try require(calls, [], .wrongNotification, "calls of node \(object.number), which had left the save")
      }
      for object in Set(nodes + numbers + held) { try checkCalls(log, object) }
    }
    held.removeAll { $0.managedObjectContext == nil }
  }

  /// A save is refused where a validation has given an object a text that the model refuses; mended, it is carried out.
  private func saveMended(_ context: NSManagedObjectContext, _ changed: () -> [HookedObject]) throws {
    let error = AnythingClient.error { try save(context) }
    let long = changed().filter { !$0.isDeleted && $0.managedObjectContext != nil && ($0.remark?.count ?? 0) > 30 }
    if long.isEmpty { return try error.map { throw $0 } ?? () }
    let codes = Set(Self.parts(of: error).map(\.code))
    try require(codes, [NSValidationStringTooLongError], .wrongValue, "errors of texts that validations made too long")
    for object in long { object.remark = "mended" }
    try save(context)
  }

  /// Now and then a new object without members, before its turn in the save; in a block of the context.
  private func unasked(_ context: NSManagedObjectContext, except object: HookedObject) -> HookedObject? {
    guard chance(1, of: 2), let log = HookLog.of(context) else { return nil }
    let new = context.insertedObjects.compactMap { $0 as? HookedObject }.filter { node in
      node !== object && !log.calls(of: node).contains { $0.hasPrefix("willSave") }
        && (node.value(forKey: "nodes") as? Set<NSManagedObject>)?.isEmpty == true
    }
    return new.min { $0.number < $1.number }
  }

  /// Changes some, deletes some, inserts some, and takes some of it back; in a block of the context.
  private func edit(_ nodes: [HookedObject], _ context: NSManagedObjectContext, _ held: inout [HookedObject]) throws {
    for _ in 0..<(1 + draw(5)) {
      guard let node = pick(nodes.filter { !$0.isDeleted }) else { return held.append(add(context, to: nil)) }
      switch draw(7) {
      case 0, 1: held.append(add(context, to: chance(1, of: 2) ? node : nil))
      case 2:
        note("delete node \(node.number), perhaps twice")
        context.delete(node)
        if isThirdStep { context.delete(node) }
        context.processPendingChanges()
        if isThirdStep { context.delete(node) }
      case 3:
        let vain = add(context, to: node)
        note("and delete it")
        context.delete(vain)
        context.processPendingChanges()
      case 4:
        let remark = node.remark
        node.remark = "for a moment"
        node.remark = remark
      default:
        note("remark of \(node.number)")
        node.remark = "\(newNumber())"
      }
    }
  }

  /// The calls of an object in one save.
  private func checkCalls(_ log: HookLog, _ object: HookedObject) throws {
    let calls = log.calls(of: object).map { String($0.prefix { $0 != " " }) }
    let what = "calls of node \(object.managedObjectContext == nil ? -1 : Int(object.number))"
    func count(_ hook: String) -> Int { calls.filter { $0 == hook }.count }
    guard count("didSave") > 0 || count("willSave") > 0 else {
      // Objects that vanished before the save, or are unchanged, have no part in it.
      return
    }
    // An earlier willSave may have taken a change back: its object has left the save.
    let hasLeft = count("didSave") == 0 && object.managedObjectContext == nil && count("awakeFromInsert") == 1
    if hasLeft { return }
    try require(count("didSave"), 1, .wrongNotification, "didSave in the \(what)")
    let (first, last) = (calls.firstIndex(of: "willSave") ?? Int.max, calls.lastIndex(of: "willSave") ?? Int.max)
    let validation = calls.firstIndex { $0.hasPrefix("validate") } ?? -1
    let did = calls.firstIndex(of: "didSave") ?? -1
    try require(
      first <= last && last < validation && validation < did, true, .wrongNotification,
      "the order of the \(what): \(calls)")
    let fate =
      object.managedObjectContext == nil
      ? "validateForDelete" : count("awakeFromInsert") == 1 ? "validateForInsert" : "validateForUpdate"
    try require(
      Set(calls.filter { $0.hasPrefix("validate") }), [fate], .wrongNotification, "validations in the \(what)")
    if object.managedObjectContext == nil {
      try require(count("prepareForDeletion"), 1, .wrongNotification, "prepareForDeletion in the \(what)")
    }
  }

  /// The lists of a save, compared with the differences in the file.
  private func compare(_ saves: [RuleSaves.Lists], _ before: RulePicture, _ after: RulePicture) throws {
    try require(saves.count, 1, .wrongNotification, "did-save notifications of a save")
    guard let lists = saves.first else { return }
    let (old, new) = (Set(before.objects.keys), Set(after.objects.keys))
    try require(
      lists.inserted.sorted(), new.subtracting(old).sorted(), .wrongNotification, "the inserted objects of a save")
    try require(lists.deleted, old.subtracting(new).count, .wrongNotification, "how many objects a save has deleted")
    let changed = old.intersection(new).filter { before.objects[$0] != after.objects[$0] }
    try require(
      changed.subtracting(lists.updated).sorted(), [], .wrongNotification, "changed objects that a save does not name")
    try require(
      lists.updated.subtracting(new).sorted(), [], .wrongNotification, "updated objects of a save that are gone")
    try require(
      lists.updated.intersection(lists.inserted).sorted(), [], .wrongNotification, "objects in two lists of a save")
  }

  /// Objects become faults and are read again; in a block of the context.
  private func fire(_ context: NSManagedObjectContext) throws {
    let nodes = some(try all("Node", context).compactMap { $0 as? HookedObject }, atMost: 4)
    let log = HookLog([.awakeFromFetch: { $0.shown = "read" }])
    try log.record(context) {
      for node in nodes {
        let remark = node.remark
        context.refresh(node, mergeChanges: false)
        try require(
          log.calls(of: node), ["willTurnIntoFault", "didTurnIntoFault"], .wrongNotification,
          "calls of an object made a fault")
        try require(node.remark, remark, .wrongValue, "a remark that is read again")
        try require(
          [node.shown, node.hasPersistentChangedValues ? "changed" : nil], ["read", nil], .wrongValue,
          "what awakeFromFetch sets")
        node.remark = "unsaved"
        log.clear()
        context.refresh(node, mergeChanges: true)
        try require(
          log.calls(of: node).filter { $0.hasPrefix("awake") }, ["awakeFromSnapshotEvents refresh"], .wrongNotification,
          "calls of a refresh that merges")
        try require(node.remark, "unsaved", .lostUpdate, "an unsaved remark after a refresh that merges")
        context.rollback()
        try require(node.remark, remark, .wrongValue, "a remark after a rollback")
        log.clear()
      }
      try require(context.hasChanges, false, .wrongValue, "changes after a rollback")
    }
  }

  /// In a new context each object is awakened once, when its values are read.
  private func readElsewhere(_ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      let log = HookLog()
      try log.record(reader) {
        let request = NSFetchRequest<HookedObject>(entityName: "Node")
        let nodes = try reader.fetch(request)
        for node in nodes { try require(log.calls(of: node), [], .wrongNotification, "calls of a fault") }
        for node in nodes + nodes {
          _ = node.number
          try require(log.calls(of: node), ["awakeFromFetch"], .wrongNotification, "calls of an object that is read")
        }
      }
    }
  }
}

/// A tree of objects that note the calls of their life.
private enum RuledModel {
  static let entities = ["Node"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let node = RuleModel.hooked("Node")
    node.attributesByName["remark"]?.setValidationPredicates(
      [NSPredicate(format: "length <= 30")], withValidationWarnings: nil)
    ModelParts.connect(
      ModelParts.many("nodes", node, .cascadeDeleteRule), of: node, ModelParts.one("parent", node), of: node)
    precondition([node].compactMap(\.name) == entities, "all entities are listed")
    let model = NSManagedObjectModel()
    model.entities = [node]
    return model
  }
}

/// The lists of a context's did-save notifications, by the objects' numbers.
private final class RuleSaves: Sendable {
  struct Lists {
    var inserted: Set<Int> = []
    var updated: Set<Int> = []
    var deleted = 0
  }

  private let environment: StrategyEnvironment
  private let lists = Locked<[Lists]>([])
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(_ environment: StrategyEnvironment, _ context: NSManagedObjectContext) {
    self.environment = environment
    token = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: context) { [lists] notification in
      func objects(_ key: String) -> Set<NSManagedObject> { notification.userInfo?[key] as? Set<NSManagedObject> ?? [] }
      let saved = Lists(
        inserted: Set(objects(NSInsertedObjectsKey).map(RulePicture.number)),
        updated: Set(objects(NSUpdatedObjectsKey).map(RulePicture.number)), deleted: objects(NSDeletedObjectsKey).count)
      lists.withLock { $0.append(saved) }
    }
  }

  func removeAll() -> [Lists] {
    lists.withLock { lists in
      defer { lists = [] }
      return lists
    }
  }

  func end() { environment.removeObserver(token) }
}
