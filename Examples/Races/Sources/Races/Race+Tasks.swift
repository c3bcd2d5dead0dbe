import CoreData
import Foundation

extension Race {
  /// The test's task continues on the pool, while main merges.
  static let wrongThread = Race(name: "an async test on the wrong thread") { store, care in
    let container = try Stack.container(store)
    let main = container.viewContext
    main.automaticallyMergesChangesFromParent = true
    let manager = GoalManager(container)
    if care == .mended { try await manager.testOnMain() } else { try await manager.test() }
  }

  /// A block of the case before is still to run.
  static let leftOver = Race(name: "a block left over by the case before") { store, care in
    let container = try Stack.container(store)
    let writer = container.newBackgroundContext()
    let coordinator = container.persistentStoreCoordinator
    let failure = Shared<String?>(nil)
    let isDone = DispatchGroup()
    isDone.enter()
    writer.send {
      writer.make(["name": "first"])
      do { try writer.save() } catch { failure.with { $0 = "\(error)" } }
      isDone.leave()
    }
    if care == .mended {
      try await onThread { try expect(isDone.wait(timeout: .now() + 30) == .success, "no block within 30 s") }
      writer.performAndWait {}
    }
    await Task.yield()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    await Task.yield()
    let other = store.deletingLastPathComponent().appendingPathComponent("second.sqlite")
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: other, options: nil)
    let second = container.newBackgroundContext()
    let count = try await second.perform {
      second.make(["name": "second"])
      try second.save()
      return try second.all().count
    }
    if let failure = failure.with({ $0 }) { throw Unexpected(description: "the first case's save: \(failure)") }
    try expect(count == 1, "\(count) rows in the second case")
  }

  /// Each call looks for the category and inserts it where there is none.
  static let twoPosts = Race(name: "two posts, one category") { store, care in
    let container = try Stack.container(store)
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 1
    let done = DispatchGroup()
    for post in 0..<2 {
      let context = container.newBackgroundContext()
      let savePost: @Sendable () -> Void = {
        if ((try? context.all(where: "number == 7")) ?? []).isEmpty { context.make(["number": 7]) }
        context.make(["number": post, "target": "7"], of: "Link")
        try? context.save()
      }
      done.enter()
      if care == .mended {
        operations.addOperation {
          context.performAndWait(savePost)
          done.leave()
        }
      } else {
        context.send {
          savePost()
          done.leave()
        }
      }
    }
    try await onThread { try expect(done.wait(timeout: .now() + 30) == .success, "no save within 30 s") }
    let count = try await container.viewContext.perform { try container.viewContext.all().count }
    try expect(count == 1, "category 7 is there \(count) times")
  }

  /// The actor is free between the list of what changed and the save.
  static let actorIsFree = Race(name: "an actor is free between its list and its save") { store, care in
    let container = try Stack.container(store)
    let editor = try Editor(container, isMended: care == .mended)
    let edits = Shared(0)
    @Sendable func edit(_ key: String) async throws {
      await editor.set(key, "new")
      edits.with { $0 += 1 }
      try await editor.commit()
    }
    async let name: Void = edit("name")
    async let note: Void = edit("note")
    _ = try await (name, note)
    let announced = await editor.announced()
    try expect(announced == ["name", "note"], "announced: \(announced.sorted())")
  }

  /// An executor that waits for its context hands a call over to another one.
  static let twoActors = Race(name: "two actors that run on contexts") { store, care in
    let container = try Stack.container(store)
    let a = ContextActor(container.newBackgroundContext(), waits: care != .mended)
    let b = ContextActor(container.newBackgroundContext(), waits: care != .mended)
    async let first = a.outer(b)
    async let second = b.outer(a)
    let sum = await first + second
    try expect(sum == 2, "\(sum) calls returned")
  }

  /// An import continues while what it imports into is deleted.
  static let oldImport = Race(name: "the import that was too old") { store, care in
    let loader = ClubLoader(try Stack.container(store), isMended: care == .mended)
    await loader.loadAll()
    try await loader.refresh()
    await loader.waitForAll()
    try await loader.check()
  }

  /// The sent value is compared with main's, which is old.
  static let decision = Race(
    name: "a decision from before the upload",
    body: { store, care in
      let uploader = try await Uploader(Stack.container(store), care)
      async let sending: Void = uploader.send()
      async let ending: Void = uploader.end()
      _ = try await (sending, ending)
      try await uploader.check()
    }, hasHidden: true)

  /// Two threads find that there is no container, and each makes one.
  static let madeTwice = Race(name: "the stack that was made twice") { store, care in
    let stack = LazyStack(isMended: care == .mended)
    let saved = Signal()
    DispatchQueue.global().async {
      let writer = stack.container.newBackgroundContext()
      writer.performAndWait {
        writer.make(["name": "one"])
        try? writer.save()
      }
      saved.give()
    }
    let main = stack.container.viewContext
    try await onThread { try saved.wait() }
    let count = try await main.perform { try main.all().count }
    try expect(count == 1, "main counts \(count)")
  }
}
