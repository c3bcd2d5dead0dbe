import Testing

@testable import CoreData

@Suite(.everyStore) struct HeldObjectsTests {
  // S1.5
  @Test func aContextRetainsItsObjectsOnlyWhenAsked() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      weak var note = try context.note(1)
      #expect(note == nil)
      context.retainsRegisteredObjects = true
      note = try context.note(1)
      weak var new: Note?
      new = context.insertNote(3)
      try context.save()
      #expect(note != nil)
      #expect(new != nil)
      #expect(context.registeredObjects.count == 2)
      // An object that leaves the context is not retained.
      if let new { context.delete(new) }
      try context.save()
      #expect(new == nil)
      context.retainsRegisteredObjects = false
      #expect(note == nil)
    }
  }

  // S1.5
  @Test func objectsThatAreThereAreRetainedFromThenOnUntilReset() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      weak var note: Note?
      do {
        let held = try context.note(1)
        note = held
        context.retainsRegisteredObjects = true
      }
      #expect(note != nil)
      context.reset()
      #expect(note == nil)
      #expect(context.retainsRegisteredObjects)
    }
  }

  // S1.5, S3.3
  @Test func anUnchangedObjectIsCheckedWhereAsked() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let (changed, watched) = (try context.note(1), try context.note(2))
      #expect(watched.title == "note 2")
      context.detectConflicts(for: watched)
      try stack.change { try $0.note(2).title = "elsewhere" }
      changed.title = "here"
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
      #expect(context.updatedObjects == [changed])
      // Still watched, until a save succeeds.
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
      context.refresh(watched, mergeChanges: true)
      try context.save()
      try stack.change { try $0.note(2).title = "again" }
      changed.number = 5
      try context.save()
    }
  }

  // S1.5, S3.4: the policies take the store's values.
  @Test(arguments: [
    NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    .overwriteMergePolicyType, .rollbackMergePolicyType,
  ])
  func aPolicyBringsAnUnchangedObjectUpToDate(_ type: NSMergePolicyType) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: type)
    try context.performAndWait {
      let (changed, watched, doomed) = (try context.note(1), try context.note(2), try context.note(3))
      _ = (watched.title, doomed.title)
      context.detectConflicts(for: watched)
      context.detectConflicts(for: doomed)
      try stack.change {
        try $0.note(2).title = "elsewhere"
        $0.delete(try $0.note(3))
      }
      changed.title = "here"
      try context.save()
      #expect(watched.title == "elsewhere")
      #expect(doomed.isDeleted)
    }
    let reader = stack.context("reader")
    #expect(try reader.performAndWait { try reader.notes().map(\.title) } == ["here", "elsewhere"])
  }

  // S5.1, S7.5: what a policy does to an unchanged object is named, and controllers know.
  @Test func whatAPolicyDoesToAnUnchangedObjectIsReported() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = DifferenceLog()
      controller.delegate = delegate
      try controller.performFetch()
      let notes = try #require(controller.fetchedObjects)
      #expect(notes.map(\.title) == ["note 1", "note 2", "note 3"])
      for note in notes.dropLast() { context.detectConflicts(for: note) }
      try stack.change {
        try $0.note(1).title = "z"
        $0.delete(try $0.note(2))
      }
      let log = NotificationLog(context)
      notes[2].title = "here"
      try context.save()
      #expect(
        log.take().contains {
          $0.kind == "changed" && $0.sets == [NSRefreshedObjectsKey: ["note 1"], NSDeletedObjectsKey: ["note 2"]]
        })
      #expect(controller.fetchedObjects == [notes[2], notes[0]])
    }
  }

  // S1.5, S3.1: a merge policy has taken it out of the context before the save failed.
  @Test func whatAFailedSavePutsBackIsRetained() throws {
    final class Refusing: NSMergePolicy, @unchecked Sendable {
      // Sendable: nothing changes.
      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try super.resolve(constraintConflicts: list)
        throw CocoaError(.managedObjectConstraintMerge)
      }
    }
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...1)
    let context = stack.context()
    context.mergePolicy = Refusing(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      context.retainsRegisteredObjects = true
      weak var note: Note?
      do {
        let new = context.insertNote(1)
        note = new
        #expect(cocoaCode { try context.save() } == NSManagedObjectConstraintMergeError)
        new.number = 2
        try context.save()
      }
      #expect(note != nil)
    }
  }

  // S1.5
  @Test func aWatchedObjectIsRetainedUntilTheEnd() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      for end in [{ try context.save() }, { context.rollback() }, { context.reset() }] as [() throws -> Void] {
        weak var note: Note?
        do {
          let held = try context.note(1)
          note = held
          context.detectConflicts(for: held)
        }
        #expect(note != nil)
        try end()
        #expect(note == nil)
      }
    }
  }

  // S1.5, S4.4: the root's save is where versions are compared.
  @Test func aChildsWatchGoesUpWithItsSave() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let root = stack.context("root")
    let child = stack.child(of: root)
    try child.performAndWait {
      let watched = try child.note(2)
      _ = watched.title
      child.detectConflicts(for: watched)
      try child.note(1).title = "here"
      try stack.change { try $0.note(2).title = "elsewhere" }
      try child.save()
    }
    root.performAndWait { #expect(cocoaCode { try root.save() } == NSManagedObjectMergeError) }
  }

  // S1.5, S5.2: those that merges have deleted, in a context that never saves.
  @Test func deadObjectsAreForgottenAndLivingOnesAreNot() throws {
    let stack = try TestStack()
    let context = stack.context()
    context.performAndWait {
      let held = (1...3).map { context.insertNote($0) as NSManagedObject }
      var objects = WeakObjects()
      for number in 0..<1_000 {
        if number % 400 == 0 { objects.add(held[number / 400]) }
        objects.add(NSManagedObject(entity: held[0].entity, insertInto: nil))
      }
      #expect(objects.living == held)
      #expect(objects.count < 200)
    }
  }
}
