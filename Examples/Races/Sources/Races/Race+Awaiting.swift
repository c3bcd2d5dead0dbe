import CoreData
import Foundation

// Races of tasks and actors: what was true before an await is not true behind it.

extension Race {
  /// Two searches are asked one after the other, and the answers come as they come.
  static let olderAnswer = Race(name: "the older answer comes last") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let asked = Shared(0)
    @Sendable func search(_ text: String) async throws {
      let number = asked.with { asked in
        asked += 1
        return asked
      }
      await Task.yield()
      try await context.perform {
        if care == .mended, asked.with({ $0 }) != number { return }
        for item in try context.all() { context.delete(item) }
        context.make(["name": text])
        try context.save()
      }
    }
    let first = Task { try await search("c") }
    while asked.with({ $0 }) == 0 { await Task.yield() }
    let second = Task { try await search("core") }
    try await first.value
    try await second.value
    let names = try await context.perform { try context.all().compactMap { $0.value(forKey: "name") as? String } }
    try expect(names == ["core"], "the list has \(names)")
  }

  /// An actor looks whether there is a profile, awaits the store, and makes one.
  static let loadedTwice = Race(name: "loaded twice by one actor") { store, care in
    let loader = ProfileLoader(try Stack.container(store), isMended: care == .mended)
    async let first: Void = loader.load()
    async let second: Void = loader.load()
    _ = try await (first, second)
    let count = try await loader.count()
    try expect(count == 1, "\(count) profiles")
  }

  /// Parts of an import add to a sum that each has read before it awaits.
  static let partsAddUp = Race(name: "parts of an import that do not add up") { store, care in
    let container = try Stack.container(store)
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<3 {
        group.addTask {
          let before = await progress.done
          let context = container.newBackgroundContext()
          try await context.perform {
            context.make(["number": part])
            try context.save()
          }
          if care == .mended { await progress.add(1) } else { await progress.set(before + 1) }
        }
      }
      try await group.waitForAll()
    }
    let done = await progress.done
    try expect(done == 3, "\(done) of 3 parts are done")
  }

  /// The screen is closed between the save of an order and that of its line.
  static let halfSaved = Race(name: "cancelled between two saves") { store, care in
    let container = try Stack.container(store)
    let context = container.newBackgroundContext()
    let writing = Task {
      try Task.checkCancellation()
      guard care != .mended else {
        return try await context.perform {
          context.make(["name": "order"])
          context.make(["target": "order"], of: "Link")
          try context.save()
        }
      }
      try await context.perform {
        context.make(["name": "order"])
        try context.save()
      }
      try Task.checkCancellation()
      try await context.perform {
        context.make(["target": "order"], of: "Link")
        try context.save()
      }
    }
    let closing = Task { writing.cancel() }
    _ = await writing.result
    await closing.value
    let (orders, lines) = try await context.perform { (try context.all().count, try context.all("Link").count) }
    try expect(orders == lines, "\(orders) orders, \(lines) lines")
  }

  /// The continuation is resumed before the save, since nothing is left to do but that.
  static let resumedEarly = Race(name: "resumed before the save") { store, care in
    let container = try Stack.container(store)
    let writer = container.newBackgroundContext()
    await withCheckedContinuation { done in
      writer.send {
        writer.make(["name": "row"])
        if care == .mended { try? writer.save() }
        done.resume()
        if care != .mended { try? writer.save() }
      }
    }
    let reader = container.newBackgroundContext()
    let count = try await reader.perform { try reader.all().count }
    try expect(count == 1, "\(count) rows after the call")
  }

  /// A task subscribes to notifications, and the save may be over by then.
  static let lateSubscriber = Race(name: "subscribed after the save") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let saves = Shared(0)
    let token = Shared<(any NSObjectProtocol)?>(nil)
    let subscribe: @Sendable () -> Void = {
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { _ in saves.with { $0 += 1 } }
      token.with { $0 = observer }
    }
    let subscribing = Task { subscribe() }
    if care == .mended { await subscribing.value }
    try await context.perform {
      context.make(["name": "row"])
      try context.save()
    }
    await subscribing.value
    token.with { token in if let token { NotificationCenter.default.removeObserver(token) } }
    let count = saves.with { $0 }
    try expect(count == 1, "\(count) saves were seen")
  }

  /// Three writers meet; one retry is enough for two of them.
  static let oneRetry = Race(
    name: "one retry for three writers",
    body: { store, care in
      let container = try Stack.container(store)
      let id = try await Stack.item(container, ["number": 0])
      let retries =
        switch care {
        case .careless: 0
        case .hidden: 1
        case .mended: Int.max
        }
      let refused = Shared(0)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let context = container.newBackgroundContext()
            await context.perform {
              let item = context.object(with: id)
              var left = retries
              while true {
                item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
                if (try? context.save()) != nil { return }
                context.rollback()
                context.refresh(item, mergeChanges: false)
                guard left > 0 else { return refused.with { $0 += 1 } }
                left -= 1
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let count = refused.with { $0 }
      try expect(count == 0, "\(count) saves were refused")
    }, hasHidden: true)

  /// The test pauses, and takes the end of the pause for the end of the work.
  static let pauseForWork = Race(
    name: "a pause in place of the end",
    body: { store, care in
      let container = try Stack.container(store)
      let writer = container.newBackgroundContext()
      let done = Signal()
      writer.send {
        writer.make(["name": "row"])
        try? writer.save()
        done.give()
      }
      switch care {
      case .careless: try await Task.sleep(for: .milliseconds(10))
      case .hidden: try await Task.sleep(for: .milliseconds(150))
      case .mended: try await onThread { try done.wait() }
      }
      let reader = container.newBackgroundContext()
      let count = try await reader.perform { try reader.all().count }
      try expect(count == 1, "\(count) rows after the pause")
    }, hasHidden: true)
}

private actor ProfileLoader {
  private let context: NSManagedObjectContext
  private let isMended: Bool
  private var loading: Task<Void, any Error>?

  init(_ container: NSPersistentContainer, isMended: Bool) {
    context = container.newBackgroundContext()
    self.isMended = isMended
  }

  func load() async throws {
    if isMended {
      let task = loading ?? Task { try await make() }
      loading = task
      return try await task.value
    }
    let count = try await count()
    if count == 0 { try await make() }
  }

  private func make() async throws {
    try await context.perform { [context] in
      context.make(["name": "profile"])
      try context.save()
    }
  }

  func count() async throws -> Int { try await context.perform { [context] in try context.all().count } }
}

private actor Progress {
  private(set) var done = 0
  func set(_ new: Int) { done = new }
  func add(_ count: Int) { done += count }
}
