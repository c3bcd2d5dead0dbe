import CoreData
import Foundation

// Races that no test expects anything of: what the stack sees is the fault.

extension Race {
  /// Two contexts add to what both have read; the policy lets the last one win.
  static let counter = Race(name: "two screens, one counter", fault: "lost-update") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["number": 0])
    @Sendable func add() async throws {
      let context = container.newBackgroundContext()
      context.mergePolicy = care == .mended ? NSMergePolicy.error : NSMergePolicy.mergeByPropertyObjectTrump
      try await context.perform {
        let item = context.object(with: id)
        while true {
          item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
          do { return try context.save() } catch let error as NSError where error.code == NSManagedObjectMergeError {
            context.refresh(item, mergeChanges: false)
            context.refreshAllObjects()
          }
        }
      }
    }
    async let first: Void = add()
    async let second: Void = add()
    _ = try await (first, second)
  }

  /// The merge comes beneath the unsaved sum, and no conflict is left to be found.
  static let mergeBeneath = Race(name: "a merge beneath an unsaved sum", fault: "lost-update") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["number": 0])
    let writer = container.newBackgroundContext()
    @Sendable func add() async throws {
      let context = care == .mended ? writer : container.newBackgroundContext()
      if care != .mended { context.automaticallyMergesChangesFromParent = true }
      let add: @Sendable () -> Void = {
        let item = context.object(with: id)
        item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
      }
      guard care != .mended else {
        return try await context.perform {
          add()
          try context.save()
        }
      }
      await context.perform(add)
      await Task.yield()
      try await context.perform {
        do { try context.save() } catch {
          // The policy refuses what was not merged yet.
          context.rollback()
          add()
          try context.save()
        }
      }
    }
    async let first: Void = add()
    async let second: Void = add()
    _ = try await (first, second)
  }

  /// Two sheets edit one object, each in a child of the main context, which compares nothing.
  static let siblings = Race(name: "two sheets over one main context", fault: "lost-update") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["number": 0])
    let main = container.viewContext
    let sheet = Stack.child(of: main)
    @Sendable func add() async throws {
      let child = care == .mended ? sheet : Stack.child(of: main)
      try await child.perform {
        let item = child.object(with: id)
        item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
        try child.save()
      }
    }
    async let first: Void = add()
    async let second: Void = add()
    _ = try await (first, second)
    try await main.perform { try main.save() }
  }

  /// Stock is looked at in one block, and an order is written in the next.
  static let soldOut = Race(name: "an order for what is sold out", fault: "stale-write") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["flag": true])
    let writer = container.newBackgroundContext()
    let shop = care == .mended ? writer : container.newBackgroundContext()
    @Sendable func order() async throws {
      let isThere = await shop.perform { shop.object(with: id).value(forKey: "flag") as? Bool == true }
      guard isThere else { return }
      try await shop.perform {
        if care == .mended, shop.object(with: id).value(forKey: "flag") as? Bool != true { return }
        shop.make(["number": 1], of: "Link")
        try shop.save()
      }
    }
    async let ordering: Void = order()
    async let selling: Void = writer.perform {
      writer.object(with: id).setValue(false, forKey: "flag")
      try writer.save()
    }
    _ = try await (ordering, selling)
  }

  /// A context saves a change of an object that another one has deleted, and so inserts it again.
  static let deletedAndBack = Race(name: "deleted, and back again", fault: "resurrected-record") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "draft"])
    let editor = container.newBackgroundContext()
    editor.mergePolicy = care == .mended ? NSMergePolicy.error : NSMergePolicy.mergeByPropertyObjectTrump
    let cleaner = container.newBackgroundContext()
    cleaner.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    async let editing: Void = editor.perform {
      guard let item = try? editor.existingObject(with: id) else { return }
      item.setValue("text", forKey: "name")
      do { try editor.save() } catch { editor.rollback() }
    }
    async let cleaning: Void = cleaner.perform {
      cleaner.delete(cleaner.object(with: id))
      try cleaner.save()
    }
    _ = try await (editing, cleaning)
  }

  /// A reference is saved to what is deleted meanwhile; without an inverse no delete rule knows of it.
  static let leadsNowhere = Race(name: "a reference that leads nowhere", fault: "dangling-reference") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "club"])
    let joining = container.newBackgroundContext()
    let closing = care == .mended ? joining : container.newBackgroundContext()
    async let join: Void = joining.perform {
      guard let club = try? joining.existingObject(with: id) else { return }
      let link = joining.make([:], of: "Link")
      link.setValue(club, forKey: "owner")
      do { try joining.save() } catch { joining.rollback() }
    }
    async let close: Void = closing.perform {
      if care == .mended, try !closing.all("Link").isEmpty { return }
      closing.delete(closing.object(with: id))
      try closing.save()
    }
    _ = try await (join, close)
  }

  /// Memory is short, and the context is reset between an edit and its save.
  static let shortOfMemory = Race(name: "a reset between edit and save", fault: "unsaved-changes-lost") { store, care in
    let container = try Stack.container(store)
    let context = container.newBackgroundContext()
    @Sendable func edit() async throws {
      await context.perform { _ = context.make(["name": "draft"]) }
      try await context.perform { try context.save() }
    }
    async let editing: Void = edit()
    async let warning: Void = context.perform { if care != .mended || !context.hasChanges { context.reset() } }
    _ = try await (editing, warning)
  }

  /// A view holds the object of a background context.
  static let borrowedObject = Race(name: "an object taken to another queue", fault: "object-off-queue") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "row"])
    let background = container.newBackgroundContext()
    nonisolated(unsafe) let item = await background.perform { Borrowed(background.object(with: id)) }.object
    let main = container.viewContext
    _ = await main.perform {
      (care == .mended ? main.object(with: id) : item).value(forKey: "name") as? String
    }
  }

  /// The button asks the importer's context whether there is something to save.
  static let askedElsewhere = Race(name: "a context asked from elsewhere", fault: "context-off-queue") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let hasChanges = care == .mended ? await context.perform { context.hasChanges } : context.hasChanges
    try expect(!hasChanges, "nothing was changed")
  }

  /// A row of main is given to what a background context makes.
  static let twoContexts = Race(name: "a relationship between contexts", fault: "cross-context-object") { store, care in
    let container = try Stack.container(store)
    let id = try await Stack.item(container, ["name": "owner"])
    let main = container.viewContext
    let background = container.newBackgroundContext()
    nonisolated(unsafe) let owner = await main.perform { Borrowed(main.object(with: id)) }.object
    try await background.perform {
      let link = background.make([:], of: "Link")
      link.setValue(care == .mended ? background.object(with: owner.objectID) : owner, forKey: "owner")
      try background.save()
    }
  }

  /// The ID goes to main before the save, and means nothing there.
  static let temporaryID = Race(name: "an ID that is not permanent yet", fault: "temporary-id-escaped") { store, care in
    let container = try Stack.container(store)
    let background = container.newBackgroundContext()
    let id = Shared<NSManagedObjectID?>(nil)
    let isMade = AsyncStream<Void>.makeStream()
    async let making: Void = background.perform {
      let item = background.make(["name": "new"])
      if care == .mended { try background.obtainPermanentIDs(for: [item]) }
      id.with { $0 = item.objectID }
      isMade.continuation.finish()
      try background.save()
    }
    for await _ in isMade.stream {}
    let main = container.viewContext
    let made = id.with { $0 }
    await main.perform { if let made { _ = try? main.existingObject(with: made) } }
    try await making
  }

  /// Main asks a context that imports.
  static let mainWaits = Race(name: "main waits for the import", fault: "main-thread-stall") { store, care in
    let container = try Stack.container(store)
    let importer = container.newBackgroundContext()
    importer.name = "importer"
    async let importing: Void = importer.perform {
      importer.make(["name": "row"])
      try importer.save()
    }
    @MainActor func count() async throws -> Int {
      if care == .mended { return try await importer.perform { try importer.all().count } }
      return try Self.count(importer)
    }
    _ = try await count()
    try await importing
  }

  private static func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait { try context.all().count }
  }

  /// The context keeps a block, and the block the context.
  static let keptContext = Race(name: "a context that keeps itself", fault: "context-leak") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    context.name = "kept"
    await context.perform {
      if care == .mended {
        context.userInfo["save"] = { [weak context] in try? context?.save() }
      } else {
        context.userInfo["save"] = { try? context.save() }
      }
    }
  }

  /// A screen follows the saves, and is closed.
  static let keptObserver = Race(name: "an observer that stays", fault: "observer-leak") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let seen = Shared(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { _ in seen.with { $0 += 1 } }
    try await context.perform {
      _ = context.make(["name": "row"])
      try context.save()
    }
    if care == .mended { NotificationCenter.default.removeObserver(observer) }
  }
}

/// An object on its way to where it does not belong.
private struct Borrowed: @unchecked Sendable {
  let object: NSManagedObject

  init(_ object: NSManagedObject) { self.object = object }
}
