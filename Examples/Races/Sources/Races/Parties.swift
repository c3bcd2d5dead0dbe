import CoreData
import Foundation

/// Two goals that carry the moment of their last refresh.
final class GoalManager: Sendable {
  private let container: NSPersistentContainer
  private let stamp = Shared(0)

  init(_ container: NSPersistentContainer) { self.container = container }

  func refresh() async throws {
    let context = container.newBackgroundContext()
    let stamp = stamp.with { stamp in
      stamp += 1
      return stamp
    }
    try await context.perform {
      let goals = try context.all()
      if goals.isEmpty { for name in ["a", "b"] { context.make(["name": name, "number": stamp]) } }
      for goal in goals { goal.setValue(stamp, forKey: "number") }
      try context.save()
    }
  }

  private func goals(_ context: NSManagedObjectContext) throws -> [NSManagedObject] { try context.all() }

  func test() async throws {
    try await refresh()
    try await Task.sleep(for: .milliseconds(10))
    let main = container.viewContext
    let before = try goals(main)
    try expect(before.allSatisfy { $0.value(forKey: "number") as? Int == 1 }, "the goals are not of the first refresh")
    try await refresh()
    try await Task.sleep(for: .milliseconds(10))
    let stamps = before.map { goal in
      goal.setValue("seen", forKey: "note")
      return goal.value(forKey: "number") as? Int ?? 0
    }
    try expect(stamps == [2, 2], "the goals are of \(stamps)")
  }

  @MainActor func testOnMain() async throws {
    try await refresh()
    try await Task.sleep(for: .milliseconds(10))
    let main = container.viewContext
    _ = try goals(main)
    try await refresh()
    try await Task.sleep(for: .milliseconds(10))
    let stamps = try goals(main).map { goal in
      goal.setValue("seen", forKey: "note")
      return goal.value(forKey: "number") as? Int ?? 0
    }
    try expect(stamps == [2, 2], "the goals are of \(stamps)")
  }
}

/// Changes one object and announces which attributes changed.
actor Editor {
  private let context: NSManagedObjectContext
  private let isMended: Bool
  private var changed: Set<String> = []
  private let registry = Registry()
  private let locked = Shared<Set<String>>([])
  private let object: NSManagedObjectID

  init(_ container: NSPersistentContainer, isMended: Bool) throws {
    let context = container.newBackgroundContext()
    object = try context.performAndWait {
      let object = context.make(["name": "old", "note": "old"])
      try context.save()
      return object.objectID
    }
    self.context = context
    self.isMended = isMended
  }

  func set(_ key: String, _ value: String) {
    context.performAndWait { context.object(with: object).setValue(value, forKey: key) }
  }

  func commit() async throws {
    let names = context.performAndWait { Set(context.object(with: object).changedValues().keys) }
    if isMended { locked.with { $0.formUnion(names) } } else { await registry.add(names) }
    try context.performAndWait { if context.hasChanges { try context.save() } }
  }

  func announced() async -> Set<String> {
    if isMended { return locked.with { $0 } }
    return await registry.names
  }
}

@MainActor final class Registry {
  private(set) var names: Set<String> = []

  nonisolated init() {}

  func add(_ new: Set<String>) { names.formUnion(new) }
}

/// Runs an actor's jobs on a context's queue.
final class ContextExecutor: SerialExecutor {
  private let context: NSManagedObjectContext
  private let waits: Bool

  init(_ context: NSManagedObjectContext, waits: Bool) {
    self.context = context
    self.waits = waits
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    // The runtime keeps neither an actor nor its executor while it runs a job.
    let kept = Unmanaged.passRetained(context)
    defer { kept.release() }
    if waits {
      context.performAndWait { job.runSynchronously(on: executor) }
    } else {
      context.perform { job.runSynchronously(on: executor) }
    }
  }
}

actor ContextActor {
  private let executor: ContextExecutor
  private let calls = Shared(0)

  init(_ context: NSManagedObjectContext, waits: Bool) { executor = ContextExecutor(context, waits: waits) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func inner() -> Int {
    calls.with { $0 += 1 }
    return 1
  }

  func outer(_ other: ContextActor) async -> Int {
    calls.with { $0 += 1 }
    return await other.inner()
  }
}

/// Imports the members of two clubs.
actor ClubLoader {
  private let container: NSPersistentContainer
  private let isMended: Bool
  private var tasks: [Task<Void, Never>] = []

  init(_ container: NSPersistentContainer, isMended: Bool) {
    self.container = container
    self.isMended = isMended
  }

  func loadAll() {
    for club in 0..<2 {
      let container = container
      tasks.append(Task.detached { try? await Self.load(club, container) })
    }
  }

  private static func load(_ club: Int, _ container: NSPersistentContainer) async throws {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try await context.perform {
      try Task.checkCancellation()
      context.make(["name": "person \(club)"])
      try context.save()
    }
    try await context.perform {
      try Task.checkCancellation()
      context.make(["target": "person \(club)"], of: "Link")
      try context.save()
    }
  }

  func refresh() async throws {
    if isMended {
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }
    let main = container.viewContext
    main.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try await main.perform {
      for object in try main.all() + main.all("Link") { main.delete(object) }
      try main.save()
    }
    loadAll()
  }

  func waitForAll() async { for task in tasks { await task.value } }

  func check() async throws {
    let context = container.newBackgroundContext()
    let (names, targets) = try await context.perform {
      (
        try context.all().compactMap { $0.value(forKey: "name") as? String },
        try context.all("Link").compactMap { $0.value(forKey: "target") as? String }
      )
    }
    try expect(Set(names).count == names.count, "persons: \(names.sorted())")
    try expect(Set(targets).isSubset(of: names), "memberships: \(targets.sorted()), persons: \(names.sorted())")
  }
}

/// Sends a record while another change sets its end.
final class Uploader: Sendable {
  private let container: NSPersistentContainer
  private let care: Care
  private let writer: NSManagedObjectContext
  private let server = Shared<Int?>(nil)

  init(_ container: NSPersistentContainer, _ care: Care) async throws {
    self.container = container
    self.care = care
    writer = container.newBackgroundContext()
    let main = container.viewContext
    main.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    main.automaticallyMergesChangesFromParent = care == .hidden
    try await main.perform {
      main.make(["flag": true, "number": 0])
      try main.save()
    }
  }

  @MainActor func send() async throws {
    let context = care == .mended ? writer : container.viewContext
    let sent = try await context.perform {
      try context.all(where: "flag == YES").first?.value(forKey: "number") as? Int
    }
    guard let sent else { return }
    await upload(sent)
    if care == .mended {
      try await writer.perform { [writer] in try Self.clear(sent, in: writer) }
    } else {
      try Self.clear(sent, in: container.viewContext)
    }
  }

  private static func clear(_ sent: Int, in context: NSManagedObjectContext) throws {
    guard let record = try context.all().first, record.value(forKey: "number") as? Int == sent else { return }
    record.setValue(false, forKey: "flag")
    try context.save()
  }

  private func upload(_ end: Int) async {
    await Task.yield()
    server.with { $0 = end }
    await Task.yield()
  }

  func end() async throws {
    let set: @Sendable (NSManagedObjectContext) throws -> Void = { context in
      guard let record = try context.all().first else { return }
      record.setValue(5, forKey: "number")
      record.setValue(true, forKey: "flag")
      try context.save()
    }
    if care == .mended {
      try await writer.perform { [writer] in try set(writer) }
    } else {
      try await container.performBackgroundTask { context in
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try set(context)
      }
    }
  }

  func check() async throws {
    let context = container.newBackgroundContext()
    let isPending = try await context.perform { try context.all(where: "flag == YES").count > 0 }
    let end = server.with { $0 }
    try expect(isPending || end == 5, "the server has \(end ?? -1), and nothing is pending")
  }
}

/// Makes its container when it is first asked for.
final class LazyStack: @unchecked Sendable {
  private let lock = NSLock()
  private var made: NSPersistentContainer?

  init(isMended: Bool) { if isMended { made = Self.make() } }

  private static func make() -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Races", managedObjectModel: Stack.model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, _ in }
    return container
  }

  var container: NSPersistentContainer {
    if let made = lock.withLock({ made }) { return made }
    let container = Self.make()
    lock.withLock { made = container }
    return container
  }
}
