import CoreData
import Scheduling
import Testing

/// S1.6, member by member: the report of a touch off the context's queue, or none.
///
/// A new public member is noticed: it must be entered here.
@Suite struct ConfinementTableTests {
  /// The effect of touching the member from the wrong place.
  enum Rule<Subject>: Sendable {
    /// It is reported, with the member's name or the one given.
    case reported(as: String? = nil, @Sendable (Subject) throws -> Void)
    /// It may be touched from everywhere.
    case free(@Sendable (Subject) throws -> Void)
    /// It needs another model: `anOrderedRelationshipIsReported`.
    case elsewhere
    /// The stack calls it on the queue, for subclasses to override; or it belongs to no context yet.
    case called
  }

  // MARK: Contexts

  static let contextRules: [String: Rule<NSManagedObjectContext>] = [
    "init(concurrencyType:)": .called, "init(_:)": .called, "init()": .called, "init(coder:)": .called,
    "encode(with:)": .called,
    "concurrencyType": .free { _ = $0.concurrencyType },
    "name": .free {
      let name = $0.name
      $0.name = name
    },
    "parent": .free { _ = $0.parent },
    "persistentStoreCoordinator": .free { _ = $0.persistentStoreCoordinator },
    "description": .free { _ = $0.description },
    "perform(_:)": .free { $0.perform {} },
    "perform(schedule:_:)": .free { context in Task { await context.perform(schedule: .enqueued) {} } },
    "performAndWait(_:)": .free { $0.performAndWait {} },
    "mergePolicy": .reported { $0.mergePolicy = NSErrorMergePolicy },
    "shouldDeleteInaccessibleFaults": .reported { $0.shouldDeleteInaccessibleFaults = true },
    "stalenessInterval": .reported { $0.stalenessInterval = 1 },
    "retainsRegisteredObjects": .reported { $0.retainsRegisteredObjects = true },
    "undoManager": .reported { $0.undoManager = nil },
    "undo()": .reported { $0.undo() },
    "redo()": .reported { $0.redo() },
    "shouldHandleInaccessibleFault(_:for:triggeredByProperty:)": .called,
    "refreshAllObjects()": .reported { $0.refreshAllObjects() },
    "detectConflicts(for:)": .reported { $0.detectConflicts(for: try any($0)) },
    "automaticallyMergesChangesFromParent": .reported { $0.automaticallyMergesChangesFromParent = false },
    "transactionAuthor": .reported { $0.transactionAuthor = "a" },
    "queryGenerationToken": .reported { _ = $0.queryGenerationToken },
    "setQueryGenerationFrom(_:)": .reported { try $0.setQueryGenerationFrom(nil) },
    "propagatesDeletesAtEndOfEvent": .reported { $0.propagatesDeletesAtEndOfEvent = false },
    "userInfo": .reported { _ = $0.userInfo },
    "hasChanges": .reported { _ = $0.hasChanges },
    "insertedObjects": .reported { _ = $0.insertedObjects },
    "updatedObjects": .reported { _ = $0.updatedObjects },
    "deletedObjects": .reported { _ = $0.deletedObjects },
    "registeredObjects": .reported { _ = $0.registeredObjects },
    "processPendingChanges()": .reported { $0.processPendingChanges() },
    "save()": .reported { try $0.save() },
    "rollback()": .reported { $0.rollback() },
    "reset()": .reported { $0.reset() },
    "insert(_:)": .reported { _ = $0.insertNote(9) },
    "execute(_:)": .reported {
      let nothing = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      nothing.predicate = NSPredicate(value: false)
      try $0.execute(NSBatchDeleteRequest(fetchRequest: nothing))
    },
    "assign(_:to:)": .reported { context in
      guard let store = context.persistentStoreCoordinator?.persistentStores.first else { return }
      context.assign(try any(context), to: store)
    },
    "delete(_:)": .reported { $0.delete(try any($0)) },
    "refresh(_:mergeChanges:)": .reported { $0.refresh(try any($0), mergeChanges: true) },
    "fetch(_:)": .reported { _ = try $0.fetch(NSFetchRequest<Note>(entityName: "Note")) },
    "count(for:)": .reported { _ = try $0.count(for: NSFetchRequest<Note>(entityName: "Note")) },
    "object(with:)": .reported { _ = $0.object(with: try any($0).objectID) },
    "existingObject(with:)": .reported { _ = try $0.existingObject(with: try any($0).objectID) },
    "registeredObject(for:)": .reported { _ = $0.registeredObject(for: try any($0).objectID) },
    "obtainPermanentIDs(for:)": .reported { try $0.obtainPermanentIDs(for: []) },
    "mergeChanges(fromContextDidSave:)": .reported { context in
      context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: context))
    },
  ]

  /// The context's note; found on its queue, so that only touches of the note count.
  private static func any(_ context: NSManagedObjectContext) throws -> Note {
    try context.performAndWait { try #require(try context.notes().first) }
  }

  @Test func everyMemberOfAContextIsInTheTable() throws {
    try expectComplete("NSManagedObjectContext", Set(Self.contextRules.keys))
  }

  // S1.6
  @Test(arguments: contextRules.keys.sorted()) func contextMembersFollowTheTable(member: String) throws {
    let rule = try #require(Self.contextRules[member])
    try check(rule, member) { context, _ in context }
  }

  // MARK: Objects

  static let objectRules: [String: Rule<Note>] = [
    "init(entity:insertInto:)": .called, "init(context:)": .called,
    "awakeFromInsert()": .called, "awake(fromSnapshotEvents:)": .called, "awakeFromFetch()": .called,
    "willSave()": .called, "didSave()": .called,
    "prepareForDeletion()": .called, "willTurnIntoFault()": .called, "didTurnIntoFault()": .called,
    "objectID": .free { _ = $0.objectID },
    "entity": .free { _ = $0.entity },
    "managedObjectContext": .free { _ = $0.managedObjectContext },
    "description": .free { _ = $0.description }, "hash": .free { _ = $0.hash },
    "isInserted": .reported { _ = $0.isInserted },
    "isUpdated": .reported { _ = $0.isUpdated },
    "isDeleted": .reported { _ = $0.isDeleted },
    "isFault": .reported { _ = $0.isFault },
    "hasChanges": .reported { _ = $0.hasChanges },
    "hasPersistentChangedValues": .reported { _ = $0.hasPersistentChangedValues },
    "hasFault(forRelationshipNamed:)": .reported(as: "words") { _ = $0.hasFault(forRelationshipNamed: "words") },
    "value(forKey:)": .reported(as: "title") { _ = $0.value(forKey: "title") },
    "value(forKeyPath:)": .reported(as: "title") { _ = $0.value(forKeyPath: "title") },
    "setValue(_:forKey:)": .reported(as: "title") { $0.setValue("x", forKey: "title") },
    "value(forUndefinedKey:)": .called, "setValue(_:forUndefinedKey:)": .called,
    "setValue(_:forKeyPath:)": .reported { $0.setValue("x", forKeyPath: "title") },
    "dictionaryWithValues(forKeys:)": .reported { _ = $0.dictionaryWithValues(forKeys: ["title"]) },
    "setValuesForKeys(_:)": .reported { $0.setValuesForKeys(["title": "x"]) },
    "mutableSetValue(forKey:)": .reported { _ = $0.mutableSetValue(forKey: "words").count },
    "mutableSetValue(forKeyPath:)": .reported { _ = $0.mutableSetValue(forKeyPath: "words").count },
    "objectIDs(forRelationshipNamed:)": .reported { _ = $0.objectIDs(forRelationshipNamed: "words") },
    "primitiveValue(forKey:)": .reported { _ = $0.primitiveValue(forKey: "title") },
    "setPrimitiveValue(_:forKey:)": .reported { $0.setPrimitiveValue("x", forKey: "title") },
    "willAccessValue(forKey:)": .reported { $0.willAccessValue(forKey: "title") },
    "didAccessValue(forKey:)": .reported { $0.didAccessValue(forKey: "title") },
    "willChangeValue(forKey:)": .reported { $0.willChangeValue(forKey: "title") },
    "didChangeValue(forKey:)": .reported { note in
      note.willChangeValue(forKey: "title")
      note.didChangeValue(forKey: "title")
    },
    "willChangeValue(forKey:withSetMutation:using:)": .reported { note in
      note.willChangeValue(forKey: "words", withSetMutation: .union, using: [])
      note.didChangeValue(forKey: "words", withSetMutation: .union, using: [])
    },
    "didChangeValue(forKey:withSetMutation:using:)": .reported { note in
      note.willChangeValue(forKey: "words", withSetMutation: .union, using: [])
      note.didChangeValue(forKey: "words", withSetMutation: .union, using: [])
    },
    "faultingState": .reported(as: "isFault") { _ = $0.faultingState },
    "validateValue(_:forKey:)": .reported { note in
      var value: AnyObject? = "x" as AnyObject
      try note.validateValue(&value, forKey: "title")
    },
    "validateForInsert()": .reported(as: "validate") { try $0.validateForInsert() },
    "validateForUpdate()": .reported(as: "validate") { try $0.validateForUpdate() },
    "validateForDelete()": .reported { try $0.validateForDelete() },
    "mutableOrderedSetValue(forKey:)": .elsewhere,
    "mutableArrayValue(forKey:)": .reported { _ = $0.mutableArrayValue(forKey: "title") },
    "changedValues()": .reported { _ = $0.changedValues() },
    "changedValuesForCurrentEvent()": .reported { _ = $0.changedValuesForCurrentEvent() },
    "committedValues(forKeys:)": .reported { _ = $0.committedValues(forKeys: nil) },
  ]

  @Test func everyMemberOfAnObjectIsInTheTable() throws {
    // Generated accessors are not for people to call; they read and write properties as the others do.
    try expectComplete("NSManagedObject", Set(Self.objectRules.keys)) { !$0.hasPrefix("_") }
  }

  // S1.6
  @Test(arguments: objectRules.keys.sorted()) func objectMembersFollowTheTable(member: String) throws {
    let rule = try #require(Self.objectRules[member])
    try check(rule, member) { _, note in note }
  }

  // MARK: How

  private func expectComplete(
    _ type: String, _ known: Set<String>, where isMeant: (String) -> Bool = { _ in true }
  ) throws {
    let members = try PublicMembers.of(type).filter(isMeant)
    for member in members.subtracting(known).sorted() {
      Issue.record("\(type).\(member) is not in the table: is it reported when it is touched off its queue?")
    }
    for member in known.subtracting(members).sorted() {
      Issue.record("\(type).\(member) is in the table, and the type has no such member")
    }
  }

  private func check<Subject>(
    _ rule: Rule<Subject>, _ member: String, of subject: (NSManagedObjectContext, Note) -> Subject
  ) throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context("subject \(UUID())")
    let note = try Hooks.recording { try context.performAndWait { try context.note(1) } }
    let properties = note.entity.properties.map(\.name)
    let subject = subject(context, note)
    let base = String(member.prefix { $0 != "(" })
    switch rule {
    case .called, .elsewhere: return
    case .free(let touch):
      #expect(try Hooks.violations(of: context) { try touch(subject) }.isEmpty)
    case .reported(let name, let touch):
      let violations = try Hooks.violations(of: context) { try touch(subject) }
      let first = try #require(violations.first, "\(member) is not reported")
      // By its own name, or the property's that it reads or writes.
      #expect(([name ?? base] + properties).contains(first.member) || first.member.hasPrefix(base + "("))
      #expect(first.context == context.name)
      #expect(first.owner == context.name)
      // The name of a thread, or in a simulation of a task.
      #expect(first.thread != first.owner)
      #expect(!first.backtrace.isEmpty)
      #expect(first.description.contains(first.member))
    }
    // On the queue it is never reported.
    switch rule {
    case .called, .elsewhere: break
    case .free(let touch), .reported(_, let touch):
      let other = stack.context("subject \(UUID())")
      let note = try other.performAndWait { try other.note(1) }
      let subject = Subject.self == Note.self ? note as? Subject : other as? Subject
      let touched = try #require(subject)
      #expect(try Hooks.violations(of: other) { try other.performAndWait { try touch(touched) } }.isEmpty)
    }
  }

  // S1.6: a thread that makes a context may set it up where it is made.
  @Test func settingsOfAnUnusedContextMayBeSetFromEverywhere() throws {
    let stack = try TestStack()
    let context = stack.context("new \(UUID())")
    let violations = Hooks.violations(of: context) {
      context.mergePolicy = NSMergePolicy.rollback
      context.shouldDeleteInaccessibleFaults = false
      context.automaticallyMergesChangesFromParent = true
    }
    #expect(violations.isEmpty)
  }
}
