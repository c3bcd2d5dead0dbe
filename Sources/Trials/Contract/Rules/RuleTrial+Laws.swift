import Cells
import Checking
import CoreData

// S2.1, S2.2, S2.6, S2.8, S3.1, S3.2, S5.1: after each call the lists, flags and IDs of every context agree: two contexts that hear of each
// other, and a child; a save posts what was unsaved, and leaves nothing of it; one that is refused leaves all of it; both sides of
// relationships say the same.

extension RuleTrial {
  func laws() throws {
    let coordinator = try open()
    let roots = (0..<2).map { _ in context(coordinator, merges: true, .mergeByPropertyObjectTrump) }
    var contexts = (roots + [context(in: roots[0], merges: true)]).map { LawfulContext(context: $0) }
    CellReports.allowInaccessibleFaults(in: contexts.compactMap(\.context.name))
    try roots[0].performAndWait {
      populate(roots[0], items: 4 + draw(4))
      try save(roots[0])
    }
    roots[1].performAndWait { roots[1].undoManager = UndoManager() }
    defer { roots[1].performAndWait { roots[1].undoManager = nil } }
    for _ in 0..<(8 + draw(10)) {
      let place = draw(contexts.count)
      let isSaved = try contexts[place].context.performAndWait { try act(&contexts[place]) }
      // A child reads what its parent has not saved, too.
      let acting = contexts[place].context
      for other in contexts.indices where other != place && (isSaved || contexts[other].context.parent === acting) {
        contexts[other].isAlone = false
      }
      for other in contexts.map(\.context) {
        try other.performAndWait {
          try requireLaws(other, isProcessed: false, "after a step of \(other === acting ? "its own" : "others")")
          guard chance(1, of: 3) else { return }
          other.processPendingChanges()
          try requireLaws(other, isProcessed: true, "once its changes were processed")
        }
      }
    }
    for root in roots {
      // A refresh may have dropped what a deletion had cleared: the save clears it again.
      guard root.performAndWait({ root.deletedObjects.isEmpty }) else { continue }
      try requireSymmetry(root, "after all")
    }
    for lawful in contexts { lawful.context.performAndWait { withExtendedLifetime(lawful.held) {} } }
  }

  /// The lists, flags and IDs of a context's objects agree; in a block of the context.
  ///
  /// - Parameter isProcessed: whether nothing is left to be processed: who came and went in one event is in no list.
  func requireLaws(_ context: NSManagedObjectContext, isProcessed: Bool, _ what: String) throws {
    precondition(!what.isEmpty, "a look has its place among the steps")
    let lists = [context.insertedObjects, context.updatedObjects, context.deletedObjects.filter(\.hasChanges)]
    let listed = lists.reduce(into: Set()) { $0.formUnion($1) }
    let registered = context.registeredObjects
    try require(
      listed.count, lists.reduce(0) { $0 + $1.count }, .wrongValue, "objects in one list, and objects in lists, \(what)"
    )
    try require(listed.isSubset(of: registered), true, .wrongValue, "whether what has changes is registered, \(what)")
    if isProcessed || !listed.isEmpty {
      try require(context.hasChanges, !listed.isEmpty, .wrongValue, "whether a context has changes, \(what)")
    }
    var (ids, numbers) = (Set<NSManagedObjectID>(), Set<Int>())
    // Who was deleted by others, or was found gone, is the object of no ID any more.
    for object in registered where object.hasChanges || !object.isDeleted {
      let id = object.objectID
      let isDeleted = object.isDeleted
      try require(
        [object.isInserted && !isDeleted, object.isUpdated && !isDeleted, isDeleted && !object.isInserted],
        lists.map { $0.contains(object) }, .wrongValue, "whether \(id) is inserted, updated and deleted, \(what)")
      try require(
        [object.managedObjectContext === context, context.registeredObject(for: id) === object], [true, true],
        .wrongValue, "whether \(id) is its context's, and the one of its ID, \(what)")
      try require(ids.insert(id).inserted, true, .duplicateRecord, "whether one object has the ID \(id), \(what)")
      guard !object.isFault else { continue }
      let number = RulePicture.number(object)
      try require(
        number < 0 || numbers.insert(number).inserted, true, .duplicateRecord,
        "whether one object has the number \(number), \(what)")
      // A child's object keeps its temporary ID.
      if context.parent == nil, id.isTemporaryID {
        try require(object.isInserted, true, .wrongValue, "whether \(id), which is temporary, is inserted, \(what)")
      }
    }
  }

  /// Both sides of every relationship say the same in a context that knows of all saves.
  func requireSymmetry(_ context: NSManagedObjectContext, _ what: String) throws {
    let (picture, links) = (try picture(context), RuleLinks(RuleModel.shared))
    for number in picture.objects.keys.sorted() {
      guard let problem = links.problem(of: number, in: picture) else { continue }
      try report(
        .asymmetricInverse, "\(number) in \(context.name ?? ""), \(what)", expected: "both sides say the same",
        seen: problem)
    }
    session.count(\.valuesCompared, max(1, picture.objects.count))
  }

  // MARK: Steps

  /// One step; in a block of the context.
  ///
  /// - Returns: whether it was a save that was carried out.
  private func act(_ lawful: inout LawfulContext) throws -> Bool {
    let context = lawful.context
    note("in \(context.name ?? ""):")
    if chance(1, of: 3) { lawful.held = some(context.registeredObjects.sorted(by: lawful.isBefore), atMost: 12) }
    switch draw(12) {
    case 0..<4: for _ in 0..<(1 + draw(3)) { try changeSomething(context) }
    case 4:
      let item = insert("Item", context)
      if chance(1, of: 2) { context.processPendingChanges() }
      note("delete it")
      context.delete(item)
    case 5:
      guard let item = pick(try all("Item", context)) else { break }
      let merges = chance(1, of: 2)
      note("refresh \(RulePicture.number(item)), merging \(merges)")
      context.refresh(item, mergeChanges: merges)
      lawful.isAlone = false
    case 6:
      note("refresh all")
      context.refreshAllObjects()
      lawful.isAlone = false
    case 7:
      note("rollback")
      context.rollback()
      try require(
        [context.hasChanges, context.registeredObjects.contains(where: \.hasChanges)], [false, false], .wrongValue,
        "whether a context, and any of its objects, has changes after a rollback")
    case 8:
      guard context.undoManager != nil else { return try saveByLaw(&lawful) }
      let isRedone = chance(1, of: 2)
      note(isRedone ? "undo and redo" : "undo")
      context.undo()
      if isRedone { context.redo() }
      lawful.isAlone = false
    case 9:
      let inserted = context.insertedObjects.sorted { RulePicture.number($0) < RulePicture.number($1) }
      note("obtain \(inserted.count) IDs")
      try context.obtainPermanentIDs(for: inserted)
      lawful.isAlone = false
    default: return try saveByLaw(&lawful)
    }
    return false
  }

  /// A save posts what is unsaved, and leaves nothing of it; one that is refused leaves all of it; in a block of the context.
  ///
  /// - Returns: whether it was carried out.
  private func saveByLaw(_ lawful: inout LawfulContext) throws -> Bool {
    let context = lawful.context
    let isTooWide = chance(1, of: 4)
    // Who goes with a deleted object is not validated.
    if isTooWide { context.processPendingChanges() }
    let item = isTooWide ? pick(try all("Item", context)) : nil
    if let item {
      note("a level that is too wide of \(RulePicture.number(item))")
      item.setValue(40_000, forKey: "level")
    }
    context.processPendingChanges()
    let unsaved = lawful.unsaved
    let log = NoticeLog(session.environment, context)
    defer { log.end() }
    note("save \(context.name ?? "")\(item.map { ", which the level of \(RulePicture.number($0)) forbids" } ?? "")")
    let error = AnythingClient.error { try context.save() }
    let posted = log.removeAll().filter { $0.name == "did-save" }
    if item != nil { try require(error == nil, false, .wrongValue, "whether a number that is too wide is saved") }
    try require(posted.count, error == nil ? 1 : 0, .wrongNotification, "did-save notifications of a save")
    guard error == nil else {
      // Changes of others may have to be settled with those that are unsaved.
      if lawful.isAlone {
        try require(lawful.unsaved, unsaved, .lostUpdate, "what is unsaved after a save that was refused")
      }
      try requireLaws(context, isProcessed: true, "after a save that was refused")
      let isMended = item != nil && chance(1, of: 2)
      note(isMended ? "mend it" : "rollback")
      if isMended { item?.setValue(1, forKey: "level") } else { context.rollback() }
      return false
    }
    if lawful.isAlone, let saved = posted.first {
      try require(saved.lists, unsaved, .wrongNotification, "the lists of a save, and what was unsaved before it")
    }
    try require(lawful.unsaved, NoticeLists(), .unpersistedSave, "what is unsaved after a save")
    try requireLaws(context, isProcessed: true, "after a save")
    lawful.isAlone = true
    return true
  }
}

/// A context, and what the trial knows of it.
private struct LawfulContext {
  let context: NSManagedObjectContext
  /// Objects that nothing holds leave a context.
  var held: [NSManagedObject] = []
  /// Whether everything unsaved is its own: it has heard of no save since its last one, and dropped nothing.
  var isAlone = true

  /// The objects that the next save has; in a block of the context.
  var unsaved: NoticeLists {
    func identities(_ objects: Set<NSManagedObject>) -> Set<ObjectIdentifier> {
      Set(objects.map { ObjectIdentifier($0) })
    }
    return NoticeLists(
      inserted: identities(context.insertedObjects), updated: identities(context.updatedObjects),
      deleted: identities(context.deletedObjects.filter(\.hasChanges)))
  }

  /// The order in which objects are drawn: by their IDs.
  func isBefore(_ first: NSManagedObject, _ second: NSManagedObject) -> Bool {
    first.objectID.uriRepresentation().absoluteString < second.objectID.uriRepresentation().absoluteString
  }
}
