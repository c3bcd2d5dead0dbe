import Cells
import Checking
import CoreData
import Scheduling

// S2.4, S4.1, S5.2, S5.6, S7.5: saves of others that are merged while a context reports, by itself, by call or by IDs: inside a controller's
// delegate, an undo, a redo, a save, or a child's push. Lists, undo, values and the file are as if they had come before or afterwards.

extension RuleTrial {
  /// Who is notified when the others save.
  private enum Midst: CaseIterable {
    /// Observers of changes, and of a save that begins or is over.
    case change, willSave, didSave
    /// A controller's delegate.
    case delegate
    /// Observers of the undo manager.
    case checkpoint, willUndo, didUndo, didRedo
    /// Observers of a child's save.
    case childWillSave, childDidSave

    var ofUndoManager: Notification.Name? {
      switch self {
      case .checkpoint: .NSUndoManagerCheckpoint
      case .willUndo: .NSUndoManagerWillUndoChange
      case .didUndo: .NSUndoManagerDidUndoChange
      case .didRedo: .NSUndoManagerDidRedoChange
      default: nil
      }
    }
  }

  /// How the context hears of it there.
  private enum Hearing: CaseIterable { case automatic, byHand, byIDs }

  func midway() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    try maker.performAndWait {
      populate(maker, items: 6)
      // Nothing is known of these but their ranks.
      for rank in 0..<3 { insertNumbered("Item", maker).setValue(10 + rank, forKey: "rank") }
      try save(maker)
    }
    for midst in some(Midst.allCases, atMost: 2) + [pick(Midst.allCases) ?? .delegate] {
      try interrupt(midst, pick(Hearing.allCases) ?? .byHand, coordinator)
    }
  }

  /// One context edits, undoes and saves; the others save once, in the middle of it.
  private func interrupt(_ midst: Midst, _ hearing: Hearing, _ coordinator: NSPersistentStoreCoordinator) throws {
    note("\(midst): others save, heard \(hearing)")
    let receiver = context(coordinator, merges: hearing == .automatic, .mergeByPropertyObjectTrump)
    let (child, writer) = (context(in: receiver), context(coordinator, .mergeByPropertyObjectTrump))
    let manager = UndoManager()
    manager.groupsByEvent = false
    let (follower, held) = try receiver.performAndWait {
      receiver.undoManager = manager
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = ["rank", RuleModel.number].map { NSSortDescriptor(key: $0, ascending: true) }
      _ = try RulePicture(receiver)
      return (try ControllerFollower(receiver, request), try all("Item", receiver))
    }
    let theirs = MidwaySave(
      writer, receiver, hearing == .byHand, hearing == .byIDs, rank: 100 + newNumber(), newNumber())
    let saves = SaveLog(session.environment, of: writer)
    let isDue = Locked(true)
    let save: @Sendable () -> Void = { [session] in
      let isFirst = isDue.withLock { due in
        defer { due = false }
        return due
      }
      guard isFirst else { return }
      do { try theirs.carryOut(saves) } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    let observer = observe(midst, receiver, child, manager, follower, save)
    defer {
      if let observer { session.environment.removeObserver(observer) }
      saves.end()
      receiver.performAndWait {
        follower.end()
        receiver.undoManager = nil
        withExtendedLifetime(held) {}
      }
    }
    let expected = try edit(receiver, child, manager, held, isInChild: [.childWillSave, .childDidSave].contains(midst))
    // Where nothing came in between the others save now.
    save()
    try requireMerged(receiver, follower, theirs, expected, coordinator)
  }

  /// Has something done when the moment comes.
  private func observe(
    _ midst: Midst, _ receiver: NSManagedObjectContext, _ child: NSManagedObjectContext, _ manager: UndoManager,
    _ follower: ControllerFollower, _ body: @escaping @Sendable () -> Void
  ) -> (any NSObjectProtocol)? {
    precondition(child.parent === receiver, "the child saves to the context that hears of others")
    func on(_ name: Notification.Name, _ object: AnyObject) -> any NSObjectProtocol {
      session.environment.addObserver(forName: name, object: object) { _ in body() }
    }
    if let name = midst.ofUndoManager { return on(name, manager) }
    switch midst {
    case .willSave: return on(.NSManagedObjectContextWillSave, receiver)
    case .didSave: return on(.NSManagedObjectContextDidSave, receiver)
    case .childWillSave: return on(.NSManagedObjectContextWillSave, child)
    case .childDidSave: return on(.NSManagedObjectContextDidSave, child)
    case .delegate:
      follower.onChange = body
      return nil
    default: return on(.NSManagedObjectContextObjectsDidChange, receiver)
    }
  }

  /// Groups of edits, of which the last are undone and perhaps redone; then a push of the child, and a save.
  ///
  /// - Returns: the ranks that it leaves, by the items' numbers.
  private func edit(
    _ receiver: NSManagedObjectContext, _ child: NSManagedObjectContext, _ manager: UndoManager,
    _ held: [NSManagedObject], isInChild: Bool
  ) throws -> [Int: Int] {
    precondition(held.count > 4, "the others have the last three for themselves, and the first one with this context")
    let own = receiver.performAndWait {
      held.sorted { RulePicture.number($0) < RulePicture.number($1) }.dropLast(3)
    }
    var ranks: [Int: Int] = [:]
    receiver.performAndWait {
      for item in own { ranks[RulePicture.number(item)] = (item.value(forKey: "rank") as? NSNumber)?.intValue }
      var states = [ranks]
      for _ in 0..<3 {
        manager.beginUndoGrouping()
        for item in some(Array(own), atMost: 2) + own.prefix(1) {
          let rank = newNumber()
          note("rank of \(RulePicture.number(item)) = \(rank)")
          item.setValue(rank, forKey: "rank")
          ranks[RulePicture.number(item)] = rank
        }
        receiver.processPendingChanges()
        manager.endUndoGrouping()
        states.append(ranks)
      }
      let undone = 1 + draw(2)
      let redone = draw(undone + 1)
      note("undo \(undone), redo \(redone)")
      for _ in 0..<undone { receiver.undo() }
      for _ in 0..<redone { receiver.redo() }
      receiver.processPendingChanges()
      ranks = states[3 - undone + redone]
    }
    if isInChild {
      try child.performAndWait {
        guard let item = try all("Item", child).first(where: { ranks[RulePicture.number($0)] != nil }) else { return }
        let rank = newNumber()
        note("rank of \(RulePicture.number(item)) = \(rank) in the child")
        item.setValue(rank, forKey: "rank")
        ranks[RulePicture.number(item)] = rank
        try save(child)
      }
    }
    try receiver.performAndWait { try save(receiver) }
    return ranks
  }

  /// The context has its own ranks and the others' save, and so has the file; the controller lists what a fetch finds.
  private func requireMerged(
    _ receiver: NSManagedObjectContext, _ follower: ControllerFollower, _ theirs: MidwaySave, _ own: [Int: Int],
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(receiver.persistentStoreCoordinator === coordinator, "the receiver shows rows of this file")
    let what = "after a save of others that came in the middle"
    try receiver.performAndWait {
      receiver.processPendingChanges()
      if let problem = try follower.problemNow() {
        try report(.controllerDivergence, "a controller \(what)", expected: "a fresh fetch", seen: problem)
      }
      try require(receiver.hasChanges, false, .wrongValue, "changes of a context that saved, \(what)")
      try requireLaws(receiver, isProcessed: true, what)
    }
    let file = try stored(coordinator).withoutDerived
    for (number, rank) in own.sorted(by: { $0.key < $1.key }) {
      try require(file.objects[number]?["rank"], "\(rank)", .lostUpdate, "the context's rank of \(number), \(what)")
    }
    let seen = theirs.problem(in: file)
    try require(seen, nil, .lostUpdate, "what others have saved, \(what)")
    try require(try picture(receiver).withoutDerived, file, .staleRead, "in the context that edits, \(what)")
  }
}

/// The save of another context: the last three items are changed, deleted and left with another weight, and one is new.
private struct MidwaySave: Sendable {
  private let writer: NSManagedObjectContext
  private let receiver: NSManagedObjectContext
  private let isByHand: Bool
  private let isByIDs: Bool
  private let rank: Int
  private let number: Int
  private let numbers = Locked<[Int]>([])

  init(
    _ writer: NSManagedObjectContext, _ receiver: NSManagedObjectContext, _ isByHand: Bool, _ isByIDs: Bool,
    rank: Int, _ number: Int
  ) {
    precondition(!(isByHand && isByIDs), "a save is heard of in one way")
    (self.writer, self.receiver, self.isByHand, self.isByIDs) = (writer, receiver, isByHand, isByIDs)
    (self.rank, self.number) = (rank, number)
  }

  /// Saves, and has the receiver merge that at once unless it merges by itself.
  func carryOut(_ saves: SaveLog) throws {
    try writer.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
      let items = try writer.fetch(request)
      let last = items.suffix(3).map { $0 }
      numbers.withLock { $0 = last.map(RulePicture.number) }
      last[0].setValue(rank, forKey: "rank")
      last[1].setValue(rank, forKey: "weight")
      writer.delete(last[2])
      // One that the receiver has edits of.
      items[0].setValue(rank, forKey: "weight")
      let new = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer)
      new.setValuesForKeys([RuleModel.number: number, "rank": rank])
      try writer.save()
    }
    for save in saves.removeAll() where isByHand || isByIDs {
      guard isByIDs else {
        receiver.performAndWait { receiver.mergeChanges(fromContextDidSave: save) }
        continue
      }
      var lists: [AnyHashable: Any] = [:]
      for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
        lists[key] = (save.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID)
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: lists, into: [receiver])
    }
  }

  /// The part of it that the file lacks; nil where it has all.
  func problem(in file: RulePicture) -> String? {
    let last = numbers.withLock { $0 }
    guard last.count == 3 else { return "it was not made" }
    if file.objects[last[0]]?["rank"] != "\(rank)" { return "the rank of \(last[0])" }
    if file.objects[last[1]]?["weight"].flatMap({ Double($0) }) != Double(rank) { return "the weight of \(last[1])" }
    if file.objects[last[2]] != nil { return "the deletion of \(last[2])" }
    return file.objects[number]?["rank"] == "\(rank)" ? nil : "the new item \(number)"
  }
}
