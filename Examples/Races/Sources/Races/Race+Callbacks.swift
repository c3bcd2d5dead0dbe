import CoreData
import Foundation

extension Race {
  /// The service enqueues its work and returns; the test waits for something else.
  static let markedAsRead = Race(name: "marked as read, but not yet") { store, care in
    let container = try Stack.container(store)
    let main = container.viewContext
    let background = container.newBackgroundContext()
    try await main.perform {
      for number in 0..<5 { main.make(["number": number, "flag": false]) }
      try main.save()
    }
    let group = DispatchGroup()
    @Sendable func markAllAsRead() {
      if care == .mended { group.enter() }
      background.send {
        for item in (try? background.all()) ?? [] { item.setValue(true, forKey: "flag") }
        try? background.save()
        if care == .mended { group.leave() }
      }
    }
    let answered = DispatchSemaphore(value: 0)
    let server = DispatchQueue(label: "server")
    server.async { answered.signal() }
    markAllAsRead()
    try await onThread {
      try expect(answered.wait(timeout: .now() + 10) == .success, "no answer within 10 s")
    }
    if care == .mended { await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } } }
    let unread = try await main.perform { try main.all(where: "flag == NO").count }
    try expect(unread == 0, "\(unread) unread messages")
  }

  /// The state is reported when the save is over; the list learns of it by a merge and a queue of its own.
  static let listBehindCallback = Race(name: "the list is behind its own callback") { store, care in
    let container = try Stack.container(store)
    let list = container.newBackgroundContext()
    list.automaticallyMergesChangesFromParent = true
    let writer = container.newBackgroundContext()
    let items = Shared<[String]>([])
    let mapping = DispatchQueue(label: "mapping")
    let delegate = RowMapper { names in mapping.async { items.with { $0 = names } } }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    nonisolated(unsafe) let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: list, sectionNameKeyPath: nil, cacheName: nil)
    try list.performAndWait {
      controller.delegate = delegate
      try controller.performFetch()
    }
    let callbacks = DispatchQueue(label: "callbacks")
    let fetched = Signal()
    writer.send {
      for number in 0..<10 { writer.make(["name": "row \(number)"]) }
      try? writer.save()
      guard care == .mended else { return callbacks.async { fetched.give() } }
      list.send {
        let names = ((try? list.all()) ?? []).compactMap { $0.value(forKey: "name") as? String }
        mapping.async {
          items.with { $0 = names }
          fetched.give()
        }
      }
    }
    try await onThread { try fetched.wait() }
    let count = items.with { $0.count }
    withExtendedLifetime((controller, delegate)) {}
    try expect(count == 10, "\(count) items in the list")
  }

  /// Any context's save is taken for the import's.
  static let otherSave = Race(name: "another context's save") { store, care in
    let container = try Stack.container(store)
    let importer = container.newBackgroundContext()
    let housekeeping = container.newBackgroundContext()
    let saved = Signal()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: care == .mended ? importer : nil, queue: nil
    ) { notification in
      guard let context = notification.object as? NSManagedObjectContext,
        context === importer || context === housekeeping
      else { return }
      saved.give()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    importer.send {
      for number in 0..<20 { importer.make(["number": number]) }
      try? importer.save()
    }
    housekeeping.send {
      housekeeping.make(["number": 1], of: "Link")
      try? housekeeping.save()
    }
    try await onThread { try saved.wait() }
    let count = try await container.viewContext.perform { try container.viewContext.all().count }
    try expect(count == 20, "\(count) rows after the import")
  }

  /// The delayed save is armed before there is something to save.
  static let delayedSave = Race(name: "the delayed save comes too soon") { store, care in
    let container = try Stack.container(store)
    let context = container.newBackgroundContext()
    let decoder = DispatchQueue(label: "decoder")
    let saver = DelayedSaver(context)
    let done = DispatchGroup()
    done.enter()
    decoder.async {
      context.send {
        for number in 0..<3 { context.make(["number": number]) }
        if care == .mended { saver.saveSoon(done) }
        done.leave()
      }
    }
    if care != .mended { saver.saveSoon(done) }
    try await onThread {
      try expect(done.wait(timeout: .now() + 30) == .success, "a save is still armed after 30 s")
    }
    let fresh = container.newBackgroundContext()
    let count = try await fresh.perform { try fresh.all().count }
    try expect(count == 3, "\(count) events were saved")
  }
}

/// Maps the rows of a controller each time that they change.
private final class RowMapper: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  private let map: @Sendable ([String]) -> Void

  init(_ map: @escaping @Sendable ([String]) -> Void) { self.map = map }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    map((controller.fetchedObjects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String })
  }
}

/// Saves 100 ms after it was asked to, once for all who ask meanwhile.
private final class DelayedSaver: Sendable {
  private let context: NSManagedObjectContext
  private let isArmed = Shared(false)

  init(_ context: NSManagedObjectContext) { self.context = context }

  func saveSoon(_ group: DispatchGroup) {
    let isNew = isArmed.with { isArmed in
      defer { isArmed = true }
      return !isArmed
    }
    guard isNew else { return }
    group.enter()
    let item = DispatchWorkItem { [context, isArmed] in
      isArmed.with { $0 = false }
      context.send {
        if context.hasChanges { try? context.save() }
        group.leave()
      }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1, execute: item)
  }
}
