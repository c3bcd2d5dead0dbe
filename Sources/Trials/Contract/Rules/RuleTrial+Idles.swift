import Cells
import Checking
import CoreData

// S1.4, S2.4, S3.2, S3.6, S4.1, S5.1, S6.17, S10.1: a save that has nothing to save, or nothing any more, posts that there is nothing, to
// whoever saves alone; it changes no object, no undo and no history, and moves its context's query generation, and no other's.

extension RuleTrial {
  /// Why there is nothing to save.
  private enum Idleness: CaseIterable {
    case nothing, undone, rolledBack, refreshed, refused
    /// Inserted and deleted: before the insertion was reported, afterwards, or with a permanent ID.
    case vanished, vanishedLate, vanishedWithID

    /// Whether something is left to process, which the save does.
    var isPending: Bool { [.vanished, .vanishedLate, .vanishedWithID].contains(self) }
  }

  /// Who saves, and who must not notice.
  private struct IdleScene {
    let root: NSManagedObjectContext
    let owner: NSManagedObjectContext
    let isPinned: Bool
    var held: [NSManagedObject] = []

    var isChild: Bool { owner !== root }
  }

  func idles() throws {
    let hasHistory = chance(1, of: 2)
    let coordinator = try open(history: hasHistory)
    let writer = context(coordinator)
    let ids = try writer.performAndWait {
      let plains = (0..<3).map { insertPlain(writer, rank: $0) }
      try save(writer)
      return plains.map(\.objectID)
    }
    for idleness in shuffled(Idleness.allCases).prefix(5) {
      let root = chance(1, of: 3) ? mainContext(coordinator) : context(coordinator)
      let owner = chance(1, of: 3) ? context(in: root) : root
      let scene = IdleScene(root: root, owner: owner, isPinned: chance(1, of: 2))
      note(
        "\(idleness) in \(owner.name ?? "")\(scene.isChild ? ", a child" : "")\(scene.isPinned ? ", a query generation" : "")"
      )
      try idle(idleness, scene, writer, ids, hasHistory: hasHistory)
    }
  }

  private func idle(
    _ idleness: Idleness, _ drawn: IdleScene, _ writer: NSManagedObjectContext, _ ids: [NSManagedObjectID],
    hasHistory: Bool
  ) throws {
    precondition(ids.count == 3, "one object is changed by others, and two by the context")
    var scene = drawn
    guard let coordinator = writer.persistentStoreCoordinator else { return }
    let (old, new) = (newNumber(), newNumber())
    try rank(old, ids[0], writer)
    if scene.isPinned { try scene.root.performAndWait { try scene.root.setQueryGenerationFrom(.current) } }
    scene.held = try scene.owner.performAndWait { try realise(ids, scene.owner) }
    let listener = context(coordinator, merges: true)
    let heard = try listener.performAndWait { try realise(ids, listener) }
    try rank(new, ids[0], writer)
    listener.performAndWait {}
    let logs = [NoticeLog(session.environment, listener), NoticeLog(session.environment, scene.root)]
    let log = NoticeLog(session.environment, scene.owner)
    defer { for log in logs + [log] { log.end() } }
    let before = (try hasHistory ? transactions(writer) : 0, try plains(coordinator))
    try scene.owner.performAndWait {
      try prepare(idleness, scene)
      try saveIdle(idleness, scene, log, old)
      scene.owner.undoManager = nil
    }
    listener.performAndWait {}
    try require(
      logs[0].removeAll().map(\.name), [], .wrongNotification, "notifications of a context beside \(idleness)")
    if scene.isChild {
      try require(
        logs[1].removeAll().map(\.name), [], .wrongNotification,
        "notifications of a parent to which \(idleness) was saved")
    }
    let after = (try hasHistory ? transactions(writer) : 0, try plains(coordinator))
    try require(after.0, before.0, .historyDivergence, "transactions after a save of nothing, \(idleness)")
    try require(after.1, before.1, .wrongValue, "objects in the file after a save of nothing, \(idleness)")
    try requireGeneration(scene, ids[0], scene.isPinned && scene.isChild ? old : new, idleness)
    listener.performAndWait { withExtendedLifetime(heard) {} }
    scene.owner.performAndWait { withExtendedLifetime(scene.held) {} }
  }

  private func rank(_ rank: Int, _ id: NSManagedObjectID, _ writer: NSManagedObjectContext) throws {
    try writer.performAndWait {
      try writer.existingObject(with: id).setValue(rank, forKey: "rank")
      try save(writer)
    }
  }

  private func realise(_ ids: [NSManagedObjectID], _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try ids.map { id in
      let object = try context.existingObject(with: id)
      _ = object.value(forKey: "rank")
      return object
    }
  }

  private func transactions(_ context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0
    }
  }

  private func plains(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      try (all("Plain", reader) + all("Box", reader)).map {
        "\(RulePicture.number($0)) \($0.entity.name ?? "") \(RulePicture.properties(of: $0).sorted { $0.key < $1.key })"
      }
    }
  }

  /// Makes changes of which nothing is left; in a block of the owner.
  private func prepare(_ idleness: Idleness, _ scene: IdleScene) throws {
    let (owner, held) = (scene.owner, scene.held)
    precondition(held.count == 3, "two objects may be changed")
    switch idleness {
    case .nothing: break
    case .undone:
      recordForUndo(owner) {
        held[1].setValue(newNumber(), forKey: "rank")
        insertPlain(owner)
      }
      owner.undo()
      owner.processPendingChanges()
    case .rolledBack:
      held[1].setValue(newNumber(), forKey: "rank")
      insertPlain(owner)
      owner.delete(held[2])
      if chance(1, of: 2) { owner.processPendingChanges() }
      owner.rollback()
    case .refreshed:
      held[1].setValue(newNumber(), forKey: "rank")
      owner.refresh(held[1], mergeChanges: false)
    case .refused:
      insertNumbered("Box", owner).setValue(String(repeating: "long ", count: 9), forKey: "title")
      let code = AnythingClient.error { try owner.save() }?.code
      try require(code, NSValidationStringTooLongError, .wrongValue, "the error of a title that is too long")
      owner.rollback()
    case .vanished: owner.delete(insertPlain(owner))
    case .vanishedLate:
      let object = insertPlain(owner)
      owner.processPendingChanges()
      owner.delete(object)
    case .vanishedWithID:
      let object = insertPlain(owner)
      try owner.obtainPermanentIDs(for: [object])
      owner.delete(object)
    }
  }

  /// Saves nothing; in a block of the owner.
  private func saveIdle(_ idleness: Idleness, _ scene: IdleScene, _ log: NoticeLog, _ old: Int) throws {
    let owner = scene.owner
    func undo() -> [Bool] { owner.undoManager.map { [$0.canUndo, $0.canRedo, $0.groupingLevel == 0] } ?? [] }
    if !idleness.isPending {
      try require(
        owner.hasChanges, false, .wrongValue, "whether there are changes before a save of nothing, \(idleness)")
    }
    _ = log.removeAll()
    let before = undo()
    try save(owner)
    let notices = log.removeAll()
    // Whether an ID that is obtained reports an insertion no document says.
    let names = notices.map(\.name).filter { idleness != .vanishedWithID || $0 != "did-change" }
    let expected = (idleness == .vanishedLate ? ["did-change"] : []) + ["will-save", "did-save"]
    try require(names, expected, .wrongNotification, "the notifications of a save of nothing, \(idleness)")
    for notice in notices where notice.name != "did-change" {
      try require(
        notice.idsOfObjects.values.reduce(0) { $0 + $1.count }, 0, .wrongNotification,
        "objects that \(notice.name) of a save of nothing names, \(idleness)")
    }
    if idleness == .vanishedLate {
      try require(
        notices.first.map { [$0.lists.inserted.count, $0.lists.updated.count, $0.lists.deleted.count] }, [0, 0, 1],
        .wrongNotification, "objects that are reported as gone before a save of nothing")
    }
    try require(undo(), before, .wrongValue, "whether undo is as it was after a save of nothing, \(idleness)")
    try require(scene.held[0].isFault, false, .wrongValue, "whether an object is a fault after a save of nothing")
    try require(
      (scene.held[0].value(forKey: "rank") as? NSNumber)?.intValue, old, .wrongValue,
      "a rank that was read before a save of nothing, \(idleness)")
    try require(
      [owner.insertedObjects.count, owner.updatedObjects.count, owner.deletedObjects.count], [0, 0, 0], .wrongValue,
      "changes after a save of nothing, \(idleness)")
  }

  /// The state that the root reads: of a query generation the one from before, unless the root has saved itself.
  private func requireGeneration(
    _ scene: IdleScene, _ id: NSManagedObjectID, _ expected: Int, _ idleness: Idleness
  ) throws {
    let root = scene.root
    try root.performAndWait {
      let object = try root.existingObject(with: id)
      root.refresh(object, mergeChanges: false)
      try require(
        (object.value(forKey: "rank") as? NSNumber)?.intValue, expected, .staleRead,
        "a rank that is read again after a save of nothing, \(idleness)")
      try require(root.hasChanges, false, .wrongValue, "whether a root has changes after a save of nothing")
      try require(
        root.queryGenerationToken == nil, !scene.isPinned, .wrongValue,
        "whether a context reads the newest state after a save of nothing")
    }
  }
}
