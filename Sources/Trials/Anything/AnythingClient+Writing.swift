import Boundary
import Cells
import Checking
import CoreData

// Saves through the strategy beside the own context, and how the own context hears of them.

extension AnythingClient {
  func write(_ all: [Edit]) throws {
    var after = file
    var made: [Edit] = []
    for edit in all {
      var next = after
      guard next.apply(edit), next.denied.isEmpty else { continue }
      after = next
      made.append(edit)
    }
    guard !made.isEmpty else { return }
    after.forgetGone()
    let before = file
    var wrong: UnexpectedAnswer?
    let end = units.write("write", as: Nothing.self) { context, _ in
      do {
        try make(made, in: context, from: before)
      } catch let answer as UnexpectedAnswer {
        // Reported with the script, as outside of a unit.
        wrong = answer
        throw UnitRecorder.GivenUp()
      }
    }
    if let wrong { throw wrong }
    if case .failed(let error, _) = end {
      // A long-lived context of the strategy may hear of the own context's saves late.
      let isLate = session.faults.mayBeLate && (error as NSError).code == NSManagedObjectMergeError
      if isLate || session.faults.explains(error) { return try recover() }
      try report(
        .failedSave, "a unit of \(own.name)", expected: "saved",
        seen: "\((error as NSError).code): \((error as NSError).localizedDescription)")
    }
    try settle(after)
    try hearAutomatically()
  }

  /// Makes edits of a unit in the strategy's context, where the file had these objects before.
  private func make(_ edits: [Edit], in context: NSManagedObjectContext, from before: ObjectGraph) throws {
    precondition(!edits.isEmpty, "a unit changes something")
    let picture = ContextPicture(model: model, island: island, context: context)
    var inserted: [Int: NSManagedObject] = [:]
    for edit in edits {
      let object = try picture.apply(edit) { name in
        if let object = inserted[name] { return object }
        return try before.nodes[name].flatMap { try picture.object(name, $0.entity) }
      }
      if case .insert(let name, _) = edit { inserted[name] = object }
      if case .delete = edit { context.processPendingChanges() }
    }
  }

  /// Writes until a save is durable, after a fault refused a unit that a parent may have got; then adopts the file.
  private func recover() throws {
    // A file that is locked refuses them as fast as they come.
    let triesMax = 100_000
    for _ in 0..<triesMax {
      let end = units.write("recover", as: Nothing.self) { context, _ in
        guard let name = file.nodes.keys.min(), let entity = file.nodes[name]?.entity else { return }
        let picture = ContextPicture(model: model, island: island, context: context)
        try picture.object(name, entity)?.setValue(NSNumber(value: island), forKey: DrawnModel.island)
      }
      guard end.isDurable else { continue }
      let picture = try FilePicture(reader)
      try adopt(picture)
      return try reset(.own)
    }
    session.fail(HarnessFailure("\(own.name): \(triesMax) writes in a row were refused; lower the rate of faults"))
  }

  /// Makes this the expected file, and checks it.
  func settle(_ after: ObjectGraph) throws {
    precondition(after.gone.isEmpty, "a file has no deleted objects")
    past.append(file)
    if past.count > Self.pastMax { past.removeFirst() }
    file = after
    try checkFile()
  }

  /// Adopts the state of the file, and from a new context the values that SQL alone does not show.
  func adopt(_ picture: FilePicture) throws {
    past.append(file)
    file = picture.graph(of: island)
    adoptVersions(picture)
    let hidden = model.attributes.values.filter { $0.counted == nil && !FilePicture.shows($0.name, model) }
    let fresh = session.container.newBackgroundContext()
    session.environment.adopt(fresh, name: "fresh \(island)")
    fresh.stalenessInterval = 0
    let seen = try fresh.performAndWait { try ContextPicture(model: model, island: island, context: fresh).graph() }
    for name in file.nodes.keys {
      for attribute in hidden { file.nodes[name]?.values[attribute.name] = seen.nodes[name]?.values[attribute.name] }
    }
  }

  // MARK: Hearing of it

  /// Whether the own context knows all that the file has.
  var hasHeard: Bool { own.base == file && heardVersions == versions }

  func hearAutomatically() throws {
    guard own.context.automaticallyMergesChangesFromParent else { return }
    switch inbox.origin {
    case .others: return
    case .both:
      // A part is merged already: no outcome of a save is about that alone.
      try hear(.own, .merge)
    case .receiversCoordinator:
      // After the merge, which was enqueued before the save returned.
      own.context.performAndWait {}
      inbox.clear()
      try heard()
    }
  }

  func heard() throws {
    own.hear(file)
    heardVersions = versions
    own.context.performAndWait { own.release { own.view.nodes[$0] == nil } }
    guard own.isDenied else { return }
    try requireRefusal(own.context.performAndWait { Self.error { try own.context.save() } }, own)
    try rollBack(.own)
  }

  /// Makes sure that a context knows its parent's state.
  func requireHeard(_ actor: AnythingStep.Actor) throws {
    if !hasHeard { try hear(.own, own.hasChanges ? .merge : .refresh) }
    if actor == .child, child.base != own.view { try hear(.child, .refresh) }
  }

  func hear(_ actor: AnythingStep.Actor, _ way: AnythingStep.Way) throws {
    if actor == .child {
      if !hasHeard { try hear(.own, way) }
      try settleContested(own)
      own.context.performAndWait { own.context.processPendingChanges() }
      child.context.performAndWait {
        // Whether a refresh drops references to a gone object is not specified.
        if child.touchesDeleted(in: own.view) {
          child.context.rollback()
          child.rollBack()
        }
        child.context.refreshAllObjects()
        child.hear(own.view)
        child.release { child.view.nodes[$0] == nil }
      }
      return
    }
    let way = own.context.performAndWait { own.touchesDeleted(in: file) } ? .merge : way
    takeArrived(way)
    try heard()
    // A refresh reports no new objects.
    if way == .refresh || way == .reset {
      try own.context.performAndWait { for follower in followers { try follower.fetch() } }
    }
  }

  /// Merges the saves that arrived into the own context.
  func takeArrived(_ way: AnythingStep.Way) {
    own.context.performAndWait {
      switch way {
      case .merge: inbox.mergeAll(into: own.context)
      case .remote: inbox.mergeAllByIDs(into: own.context)
      case .reset where !own.hasChanges:
        own.context.reset()
        own.releaseAll()
      case .refresh, .reset: own.context.refreshAllObjects()
      }
      // Rules of deletions are followed again then, where a newer row has come.
      own.context.processPendingChanges()
      inbox.clear()
    }
  }
}
