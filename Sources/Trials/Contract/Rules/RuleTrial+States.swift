import Checking
import CoreData
import SQLite
import Scheduling

// S3.3, S6.14, S6.15, S6.17: a context that reads one state meets what others have saved since; which stores and tokens give no
// state; and a row that no ID can hold is an error.

extension RuleTrial {
  func states() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    try maker.performAndWait {
      populate(maker, items: 6)
      try save(maker)
    }
    for _ in 0..<2 { try meetFromState(coordinator) }
    try moveByMerge(coordinator)
    try refuseStates(coordinator)
    if !Simulation.isCurrent { try refuseKeys() }
  }

  /// A context changes what it reads in its state: a save compares it with the newest rows, and moves it there.
  private func meetFromState(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (pinned, writer) = (context(coordinator), context(chance(1, of: 2) ? coordinator : try open()))
    let child = context(in: pinned)
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    let state = try picture(pinned)
    let items = try pinned.performAndWait { try all("Item", pinned).map { ($0.objectID, RulePicture.number($0)) } }
    guard let (id, number) = pick(items) else { return }
    let rank = 1_000 + newNumber()
    note("a context reads one state, and others give item \(number) the rank \(rank)")
    try writer.performAndWait {
      try all("Item", writer).first { RulePicture.number($0) == number }?.setValue(rank, forKey: "rank")
      try writer.save()
    }
    for reader in [pinned, child] {
      try reader.performAndWait {
        let object = try reader.existingObject(with: id)
        reader.refresh(object, mergeChanges: false)
        try require(
          RulePicture.text(object.value(forKey: "rank")), state.objects[number]?["rank"] ?? "", .generationChange,
          "a rank in a context that reads an older state")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "rank == \(rank)", argumentArray: [])
        request.includesPendingChanges = chance(1, of: 2)
        try require(
          [try reader.count(for: request), try reader.fetch(request).count], [0, 0], .generationChange,
          "objects of a rank that was saved since, counted and fetched in an older state")
      }
    }
    let name = "own \(newNumber())"
    let editor = chance(1, of: 3) ? child : pinned
    let held = try editor.performAndWait { () -> NSManagedObject in
      let item = try editor.existingObject(with: id)
      item.setValue(name, forKey: "name")
      if editor === child { try save(child) }
      return item
    }
    try pinned.performAndWait {
      let error = AnythingClient.error { try pinned.save() }
      try require(
        error?.code, NSManagedObjectMergeError, .lostUpdate,
        "the error of a save from an older state that meets a newer row")
      let conflict = (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first
      try require(
        conflict.map { $0.newVersionNumber - $0.oldVersionNumber }, 1, .wrongValue,
        "how many versions a row is newer than that of a state")
      pinned.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try save(pinned)
    }
    let file = try stored(coordinator)
    try require(
      [file.objects[number]?["name"], file.objects[number]?["rank"]], [name, "\(rank)"], .wrongWinner,
      "the name and the rank in the file after a save from an older state")
    pinned.performAndWait { pinned.refreshAllObjects() }
    try require(try picture(pinned), file, .staleRead, "in a context that read an older state, after its save")
    editor.performAndWait { withExtendedLifetime(held) {} }
  }

  /// A context that reads one state, and merges by itself, moves with each merge.
  private func moveByMerge(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (pinned, writer) = (context(coordinator, merges: true), context(coordinator))
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    _ = try picture(pinned)
    note("a context that reads one state merges by itself")
    for _ in 0..<2 {
      try writer.performAndWait {
        writer.reset()
        try changeSomething(writer)
        insert("Box", writer).setValue("to be merged", forKey: "title")
        try save(writer)
      }
      pinned.performAndWait { pinned.refreshAllObjects() }
      try requireCurrent(pinned, coordinator, .staleRead, "in a context that read one state, after a merge")
    }
  }

  /// A token of another coordinator, and a store without a log, give no state; the context reads on as before.
  private func refuseStates(_ coordinator: NSPersistentStoreCoordinator) throws {
    let other = try open()
    let (pinned, stranger) = (context(coordinator), context(other))
    let token = try stranger.performAndWait { () -> NSQueryGenerationToken? in
      try stranger.setQueryGenerationFrom(.current)
      _ = try all("Box", stranger)
      return stranger.queryGenerationToken
    }
    let isPinned = chance(1, of: 2)
    try pinned.performAndWait {
      if isPinned { try pinned.setQueryGenerationFrom(.current) }
      _ = try all("Box", pinned)
      let error = AnythingClient.error { try pinned.setQueryGenerationFrom(token) }
      try require(error?.code, NSCoreDataError, .wrongValue, "the error of another coordinator's token")
    }
    let before = try picture(pinned)
    let writer = context(coordinator)
    try writer.performAndWait {
      _ = insert("Box", writer)
      try save(writer)
    }
    pinned.performAndWait {
      pinned.stalenessInterval = 0
      pinned.refreshAllObjects()
    }
    let expected = isPinned ? before : try stored(coordinator)
    try require(
      try picture(pinned), expected, isPinned ? .generationChange : .staleRead,
      "in a context that was refused another coordinator's token")
    for context in [pinned, stranger] { try context.performAndWait { try context.setQueryGenerationFrom(nil) } }
    try close(other)
    let mode = pick(["DELETE", "TRUNCATE"]) ?? "DELETE"
    note("no state of a store with the journal mode \(mode)")
    let plain = try open(at: newURL(), [NSSQLitePragmasOption: ["journal_mode": mode]])
    let owner = context(plain)
    try owner.performAndWait {
      let error = AnythingClient.error { try owner.setQueryGenerationFrom(.current) }
      try require(error?.code, 134_091, .wrongValue, "the error of a state of a store without a log")
      _ = insert("Box", owner)
      try save(owner)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
      try require(try owner.count(for: request), 1, .generationChange, "a count after a refused state")
    }
    try close(plain)
  }

  /// A row of which no ID can hold the key is an error that names its table and its key, however it is asked for.
  private func refuseKeys() throws {
    let url = newURL()
    let maker = try open(at: url)
    let writer = context(maker)
    try writer.performAndWait {
      for _ in 0..<3 { _ = insert("Box", writer) }
      try save(writer)
    }
    try close(maker)
    let key: Int64 = 1 << 40 + Int64(draw(1_000))
    note("a box has the key \(key)")
    func give(_ new: Int64, to old: Int64) throws {
      let connection = try Connection(path: url.path, mode: .readWrite)
      defer { connection.close() }
      try connection.execute("UPDATE ZBOX SET Z_PK = \(new) WHERE Z_PK = \(old)")
    }
    try give(key, to: 2)
    let coordinator = try open(at: url)
    let reader = freshContext(coordinator)
    let error = reader.performAndWait {
      AnythingClient.error {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
        if chance(1, of: 2) { request.returnsObjectsAsFaults = false }
        _ = try reader.fetch(request)
      }
    }
    let text = error.map { "\($0.localizedDescription) \($0.userInfo)" } ?? ""
    try require(
      [error == nil, text.contains("ZBOX"), text.contains("\(key)")], [false, true, true], .lostRecord,
      "whether a fetch succeeds that finds a row with a key that is too large, and its error names table and key")
    try close(coordinator)
    try give(2, to: key)
  }
}
