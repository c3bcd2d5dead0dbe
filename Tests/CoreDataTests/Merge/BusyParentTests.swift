import Scheduling
import Testing

@testable import CoreData

/// Merges into a child while its parent's queue is taken. S4.5
@Suite struct BusyParentTests {
  private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
  }

  /// A parent and a child that merges by itself, and threads that use them.
  private final class Family: @unchecked Sendable {
    // Sendable: each thread uses a context in its turn.
    let stack: TestStack
    let parent: NSManagedObjectContext
    let child: NSManagedObjectContext
    var note: Note?
    var controller: NSFetchedResultsController<Note>?
    let delegate = Delegate()
    private var release: Latch?

    init(_ stack: TestStack) throws {
      self.stack = stack
      (parent, child) = (stack.context("parent"), NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
      child.parent = parent
      parent.performAndWait { parent.retainsRegisteredObjects = true }
      child.performAndWait {
        child.automaticallyMergesChangesFromParent = true
        child.retainsRegisteredObjects = true
      }
    }

    convenience init() throws {
      let stack = try TestStack()
      try stack.seed(1...2)
      try self.init(stack)
    }

    /// A controller of the child's notes by number.
    func control() throws {
      try child.performAndWait {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        self.controller = controller
      }
    }

    /// Saves in the parent, on a thread of its own, which ends before this returns.
    func saveInParent(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) {
      let isOver = Latch(label: "the parent has saved")
      Thread { [parent] in
        parent.performAndWait {
          do {
            try body(parent)
            try parent.save()
          } catch {
            Issue.record(error)
          }
        }
        isOver.open()
      }.start()
      isOver.wait()
    }

    /// Runs a block of the child, and merges the saves that arrived meanwhile while the parent is busy.
    func whileParentIsBusy(_ body: () throws -> Void) {
      // In one turn of the child's, so that nothing is merged in between.
      let next = DispatchSemaphore(value: 0)
      child.performAndWait {
        do { try body() } catch { Issue.record(error) }
        let (isBusy, isOver) = (Latch(label: "busy"), Latch(label: "over"))
        Thread { [parent] in
          parent.performAndWait {
            isBusy.open()
            isOver.wait()
          }
          next.signal()
        }.start()
        isBusy.wait()
        release = isOver
      }
      child.performAndWait {}
      release?.open()
      next.wait()
    }
  }

  // S4.5: neither a controller nor an observer that reads reported objects makes the merge wait for the parent.
  @Test(arguments: [true, false]) func whoIsNotifiedReadsTheRowsAtHand(hasController: Bool) throws {
    let family = try Family()
    if hasController { try family.control() }
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: family.child, queue: nil
    ) { notification in
      for object in notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] {
        #expect((object as? Note)?.title == "new")
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let isOver = DispatchSemaphore(value: 0)
    Thread {
      for round in 0..<200 {
        family.parent.performAndWait {
          family.parent.insertNote(Int64(10 + round), title: "new")
          do { try family.parent.save() } catch { Issue.record(error) }
          family.child.performAndWait {
            guard hasController else { return }
            #expect(family.controller?.fetchedObjects?.count == 3 + round)
          }
        }
      }
      isOver.signal()
    }.start()
    try #require(isOver.wait(timeout: .now() + 20) == .success, "neither waits for the other")
  }

  // S4.4, S5.2: the parent's saves of other properties are not lost because the child pushed since.
  @Test func aPushDoesNotHideWhatTheParentSavedBefore() throws {
    let family = try Family()
    family.child.performAndWait {
      family.note = try? family.child.note(1)
      #expect(family.note?.title == "note 1")
    }
    let id = try #require(family.note?.objectID)
    family.whileParentIsBusy {
      family.note?.number = 100
      family.saveInParent { $0.object(with: id).setValue("newer", forKey: "title") }
      try family.child.save()
    }
    family.child.performAndWait {
      #expect(family.note?.title == "newer")
      #expect(family.note?.number == 100)
      #expect(!family.child.hasChanges)
    }
  }

  // S4.4, S5.2: an object that the child deleted does not come back with an older save of the parent.
  @Test func whatTheChildDeletedStaysAway() throws {
    let family = try Family()
    try family.control()
    let log = NotificationLog(family.child)
    family.whileParentIsBusy {
      family.saveInParent { $0.insertNote(3, title: "three") }
      if let note = try? family.child.note(3) { family.child.delete(note) }
      try family.child.save()
    }
    family.child.performAndWait {
      #expect(family.controller?.fetchedObjects?.map(\.number) == [1, 2])
      #expect((try? family.child.notes().count) == 2)
    }
    #expect(log.takeText().allSatisfy { !$0.contains("inserted") })
  }

  // S2.6, S4.5: a partner that is a fault is filled with the row of the save, not with the one that was read before.
  @Test func aPartnerThatIsAFaultHasTheRowOfTheSave() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      context.insert("Keeper", ["name": "a"])
      context.insert("Badge", ["code": 1])
    }
    let family = try Family(stack)
    family.whileParentIsBusy {
      let child = family.child
      let keeper = try #require(try child.all("Keeper", where: "name", is: "a").first)
      let badge = try #require(try child.all("Badge", where: "code", is: 1).first)
      #expect(badge.isFault)
      keeper.setValue(child.insert("Badge", ["code": 2]), forKey: "badge")
      let (keeperID, badgeID) = (keeper.objectID, badge.objectID)
      family.saveInParent { $0.object(with: badgeID).setValue($0.object(with: keeperID), forKey: "keeper") }
    }
    try family.child.performAndWait {
      let badges = try family.child.all("Badge")
      #expect(badges.map { $0.value(forKey: "code") as? Int ?? 0 }.sorted() == [1, 2])
      for badge in badges {
        #expect(badge.isUpdated == (badge.value(forKey: "code") as? Int == 1))
        #expect((badge.object("keeper")?.object("badge") === badge) == badge.isInserted)
      }
    }
  }

  // S2.6, S4.5: a fault that the save does not name, and that the parent has newer by a merge, is settled once the parent is free.
  @Test func aPartnerThatTheParentHasMergedIsSettledLater() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      context.insert("Keeper", ["name": "a"])
      context.insert("Badge", ["code": 1])
    }
    let family = try Family(stack)
    family.parent.performAndWait { family.parent.automaticallyMergesChangesFromParent = true }
    family.whileParentIsBusy {
      let child = family.child
      let keeper = try #require(try child.all("Keeper", where: "name", is: "a").first)
      let badge = try #require(try child.all("Badge", where: "code", is: 1).first)
      #expect(badge.isFault)
      keeper.setValue(child.insert("Badge", ["code": 2]), forKey: "badge")
      let (keeperID, badgeID) = (keeper.objectID, badge.objectID)
      try stack.change { $0.object(with: badgeID).setValue($0.object(with: keeperID), forKey: "keeper") }
      family.saveInParent { $0.object(with: keeperID).setValue("b", forKey: "name") }
    }
    // The parent still merges the saves that arrived while it was taken; the block that settles the child waits behind that.
    family.parent.performAndWait {}
    try family.child.performAndWait {
      let badge = try #require(try family.child.all("Badge", where: "code", is: 1).first)
      #expect(badge.isUpdated && badge.object("keeper") == nil)
    }
  }
}
