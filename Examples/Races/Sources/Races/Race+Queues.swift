import CoreData
import Foundation

// Races of queues, locks, groups, operations and threads.

extension Race {
  /// A save that is refused returns before it signals.
  static let noSignal = Race(name: "no signal after an error") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["number": 0])
    let contexts = (0..<2).map { _ in container.newBackgroundContext() }
    let done = DispatchSemaphore(value: 0)
    for (number, context) in contexts.enumerated() {
      context.send {
        let item = context.object(with: id)
        item.setValue(number + (item.value(forKey: "number") as? Int ?? 0), forKey: "number")
        item.setValue("writer \(number)", forKey: "name")
        if care == .mended {
          try? context.save()
          done.signal()
        } else {
          guard (try? context.save()) != nil else { return }
          done.signal()
        }
      }
    }
    try await onThread {
      for _ in contexts { try expect(done.wait(timeout: .now() + 30) == .success, "a writer gave no signal in 30 s") }
    }
  }

  /// Main waits for the background context, and a block of that waits for main.
  static let mainAndBack = Race(name: "main and back again") { store, care in
    let container = try Stack.container(store)
    let background = container.newBackgroundContext()
    async let loading: Void = background.perform {
      background.make(["name": "row"])
      try background.save()
      if care == .mended { DispatchQueue.main.async {} } else { DispatchQueue.main.sync {} }
    }
    await MainActor.run { Self.waitFor(background) }
    try await loading
  }

  private static func waitFor(_ context: NSManagedObjectContext) { context.performAndWait {} }

  /// One import enters A and then B, the other one B and then A.
  static let twoOrders = Race(name: "two contexts in two orders") { store, care in
    let container = try Stack.container(store)
    let (a, b) = (container.newBackgroundContext(), container.newBackgroundContext())
    let done = DispatchGroup()
    DispatchQueue.global().async(group: done) { a.performAndWait { b.performAndWait { _ = b.make(["name": "b"]) } } }
    DispatchQueue.global().async(group: done) {
      if care == .mended { a.performAndWait {} }
      (care == .mended ? a : b).performAndWait { (care == .mended ? b : a).performAndWait {} }
    }
    await withCheckedContinuation { over in done.notify(queue: .global()) { over.resume() } }
    await b.perform { b.rollback() }
  }

  /// The group is entered where the work begins, and may be empty when it is waited for.
  static let enteredLate = Race(name: "a group that is entered late") { store, care in
    let container = try Stack.container(store)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "downloads", attributes: .concurrent)
    let context = container.newBackgroundContext()
    for number in 0..<2 {
      if care == .mended { group.enter() }
      queue.async {
        if care != .mended { group.enter() }
        context.performAndWait {
          context.make(["number": number])
          try? context.save()
        }
        group.leave()
      }
    }
    try await onThread { try expect(group.wait(timeout: .now() + 30) == .success, "no end within 30 s") }
    let count = try await context.perform { try context.all().count }
    try expect(count == 2, "\(count) of 2 downloads")
  }

  /// The links are imported beside the items that they name.
  static let noDependency = Race(name: "two operations without a dependency") { store, care in
    let container = try Stack.container(store)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let missing = Shared(0)
    let items = BlockOperation {
      let context = container.newBackgroundContext()
      context.performAndWait {
        context.make(["name": "a"])
        try? context.save()
      }
    }
    let links = BlockOperation {
      let context = container.newBackgroundContext()
      context.performAndWait {
        guard let item = try? context.all(where: "name == 'a'").first else { return missing.with { $0 += 1 } }
        context.make([:], of: "Link").setValue(item, forKey: "owner")
        try? context.save()
      }
    }
    if care == .mended { links.addDependency(items) }
    for operation in [items, links] { queue.addOperation(operation) }
    await withCheckedContinuation { over in queue.addBarrierBlock { over.resume() } }
    let count = missing.with { $0 }
    try expect(count == 0, "\(count) links without their items")
  }

  /// The flag is read under its lock, and set under it later.
  static let onceTwice = Race(name: "what is done once is done twice") { store, care in
    let container = try Stack.container(store)
    let lock = NSLock()
    nonisolated(unsafe) var isDone = false
    let migrate: @Sendable () -> Void = {
      let isMine =
        care == .mended
        ? lock.withLock {
          defer { isDone = true }
          return !isDone
        } : !lock.withLock { isDone }
      guard isMine else { return }
      let context = container.newBackgroundContext()
      context.performAndWait {
        context.make(["name": "default"])
        try? context.save()
      }
      lock.withLock { isDone = true }
    }
    let group = DispatchGroup()
    for _ in 0..<2 { DispatchQueue.global().async(group: group, execute: migrate) }
    await withCheckedContinuation { over in group.notify(queue: .global()) { over.resume() } }
    let main = container.viewContext
    let count = try await main.perform { try main.all().count }
    try expect(count == 1, "\(count) default rows")
  }

  /// Rows are made side by side, and the list takes the order of their IDs for that of the file.
  static let orderOfIDs = Race(name: "the order of IDs is not that of the file") { store, care in
    let container = try Stack.container(store)
    let context = container.newBackgroundContext()
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 3) { number in
          context.performAndWait {
            context.make(["number": number])
            try? context.save()
          }
        }
        done.resume()
      }
    }
    let numbers = try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: care == .mended ? "number" : "objectID", ascending: true)]
      return try context.fetch(request).map { $0.value(forKey: "number") as? Int ?? -1 }
    }
    try expect(numbers == [0, 1, 2], "the list has \(numbers)")
  }

  /// The notification of a background save is handled where it is posted.
  static let handledElsewhere = Race(name: "a save handled on its own queue", fault: "object-off-queue") {
    store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "row"])
    let main = container.viewContext
    let background = container.newBackgroundContext()
    let row = await main.perform { Kept(main.object(with: id)) }
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: background, queue: nil
    ) { _ in
      if care == .mended {
        main.perform { _ = row.object.value(forKey: "name") }
      } else {
        _ = row.object.value(forKey: "name")
      }
    }
    try await background.perform {
      background.make(["name": "other"])
      try background.save()
    }
    NotificationCenter.default.removeObserver(observer)
    await main.perform { withExtendedLifetime(row) {} }
  }
}

/// An object that its own queue uses.
private struct Kept: @unchecked Sendable {
  let object: NSManagedObject

  init(_ object: NSManagedObject) { self.object = object }
}
