import CoreData
import Testing

@Suite(.everyStore) struct LifeCycleTests {
  private func entry(_ body: (NSManagedObjectContext, DiaryEntry) throws -> Void) throws {
    let context = try TestStack(model: Diary.model()).context()
    try context.performAndWait { try body(context, DiaryEntry(context: context)) }
  }

  // S2.7
  @Test func theCallsOfAnObjectsLifeComeInOrder() throws {
    try entry { context, entry in
      try context.save()
      entry.setValue("text", forKey: "text")
      try context.save()
      context.delete(entry)
      try context.save()
      #expect(
        entry.calls == [
          "awakeFromInsert", "willSave", "didSave", "willSave", "didSave", "prepareForDeletion", "willSave", "didSave",
        ])
    }
  }

  // S8.3
  @Test func prepareForDeletionRunsInsideDelete() throws {
    try entry { context, entry in
      try context.save()
      context.delete(entry)
      #expect(entry.calls.last == "prepareForDeletion")
    }
  }

  // S2.7
  @Test func changesMadeInWillSaveAreSaved() throws {
    try entry { context, entry in
      entry.onWillSave = { entry in
        if entry.string("text") == nil { entry.setValue("set in willSave", forKey: "text") }
      }
      try context.save()
      #expect(!context.hasChanges)
      context.refresh(entry, mergeChanges: false)
      #expect(entry.string("text") == "set in willSave")
    }
  }

  // S2.7: an object that another's willSave brings into the save has its own willSave called.
  @Test func anObjectInsertedInWillSaveIsSavedToo() throws {
    try entry { context, entry in
      var other: DiaryEntry?
      entry.onWillSave = { _ in
        if other == nil { other = DiaryEntry(context: context) }
      }
      try context.save()
      #expect(other?.calls == ["awakeFromInsert", "willSave", "didSave"])
      #expect(try context.all("Entry").count == 2)
    }
  }

  // S3.7
  @Test func anObjectThatAnothersWillSaveDeletesIsNotAskedToSave() throws {
    try entry { context, entry in
      let other = DiaryEntry(context: context)
      entry.onWillSave = { _ in if !other.isDeleted, other.managedObjectContext != nil { context.delete(other) } }
      other.onWillSave = { _ in Issue.record("what was inserted and deleted is not saved") }
      // The other way round the first is asked first, and nothing is wrong with that.
      entry.setValue("changed", forKey: "text")
      try context.save()
      #expect(!other.calls.contains("didSave"))
      #expect(try context.all("Entry") == [entry])
    }
  }

  /// An entry beside a chain of saved ones: one, its part, and the part of that.
  private func chain(_ body: (NSManagedObjectContext, DiaryEntry, _ chain: [DiaryEntry]) throws -> Void) throws {
    let context = try TestStack(model: Diary.model(isNested: true)).context()
    try context.performAndWait {
      let entries = (0..<4).map { _ in DiaryEntry(context: context) }
      for (whole, part) in zip(entries[1...], entries[2...]) { part.setValue(whole, forKey: "whole") }
      try context.save()
      for entry in entries { entry.calls = [] }
      try body(context, entries[0], Array(entries[1...]))
    }
  }

  // S2.7: an object that another's willSave deletes takes its members along and changes its owner.
  @Test func whatADeletionInWillSaveReachesIsAskedToSaveToo() throws {
    try chain { context, entry, chain in
      entry.onWillSave = { _ in if !chain[1].isDeleted { context.delete(chain[1]) } }
      entry.setValue("changed", forKey: "text")
      try context.save()
      #expect(entry.calls == ["willSave", "didSave"])
      #expect(chain[0].calls == ["willSave", "didSave"])
      for deleted in chain[1...] { #expect(deleted.calls == ["prepareForDeletion", "willSave", "didSave"]) }
      #expect(try context.all("Entry").count == 2)
    }
  }

  // S2.7: an object that observers of WillSave change or delete is asked once, as if it had been done before.
  @Test func whatObserversOfWillSaveChangeIsAskedOnce() throws {
    try chain { context, entry, chain in
      // The notification is posted on this thread.
      nonisolated(unsafe) let changed = chain
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextWillSave, object: context, queue: nil
      ) { _ in
        changed[1].managedObjectContext?.delete(changed[1])
        changed[0].setValue("changed by an observer", forKey: "text")
      }
      defer { NotificationCenter.default.removeObserver(token) }
      entry.setValue("changed", forKey: "text")
      try context.save()
      #expect(entry.calls == ["willSave", "didSave"])
      #expect(chain[0].calls == ["willSave", "didSave"])
      for deleted in chain[1...] { #expect(deleted.calls == ["prepareForDeletion", "willSave", "didSave"]) }
      #expect(!context.hasChanges)
      #expect(try context.all("Entry").count == 2)
    }
  }

  // S5.1: an object with nothing to save may be refreshed in willSave, and is no part of the save then.
  @Test func didSaveNamesWhatWasSavedAndNotWhatWasRefreshed() throws {
    try entry { context, entry in
      let other = DiaryEntry(context: context)
      try context.save()
      entry.setValue("changed", forKey: "text")
      context.processPendingChanges()
      other.onWillSave = { context.refresh($0, mergeChanges: false) }
      other.setValue(nil, forKey: "text")
      // The notification is posted on this thread.
      nonisolated(unsafe) var updated: Set<NSManagedObject>?
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { updated = $0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> }
      defer { NotificationCenter.default.removeObserver(token) }
      try context.save()
      #expect(updated == [entry])
    }
  }

  // S8.3: each of two objects deletes the other as it is deleted.
  @Test func objectsThatDeleteEachOtherAreDeletedOnce() throws {
    try entry { context, entry in
      let other = DiaryEntry(context: context)
      try context.save()
      entry.onPrepareForDeletion = { context.delete(other) }
      other.onPrepareForDeletion = { context.delete(entry) }
      context.delete(entry)
      #expect(context.deletedObjects == [entry, other])
      #expect([entry, other].map { $0.calls.count { $0 == "prepareForDeletion" } } == [1, 1])
      try context.save()
      #expect(try context.all("Entry").isEmpty)
    }
  }

  // S5.1, S2.7: what an observer changes is saved, though awakeFromFetch, whose own changes are none, fetches something.
  @Test func aFetchInsideAwakeFromFetchReportsNothing() throws {
    try entry { context, entry in
      let other = DiaryEntry(context: context)
      try context.save()
      context.refresh(entry, mergeChanges: false)
      entry.onAwakeFromFetch = { _ = try? context.all("Entry") }
      // The notification is posted on this thread.
      nonisolated(unsafe) let changed = other
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { _ in if changed.string("text") == nil { changed.setValue("changed by an observer", forKey: "text") } }
      _ = DiaryEntry(context: context)
      #expect(entry.string("text") == nil)
      try context.save()
      NotificationCenter.default.removeObserver(token)
      context.refresh(other, mergeChanges: false)
      #expect(other.string("text") == "changed by an observer")
    }
  }

  // S2.7
  @Test func willSaveThatNeverEndsFailsTheSave() throws {
    try entry { context, entry in
      var rounds = 0
      entry.onWillSave = { entry in
        rounds += 1
        entry.setValue(rounds, forKey: "count")
      }
      #expect(cocoaCode { try context.save() } == NSManagedObjectValidationError)
      #expect(rounds == 1_000)
      #expect(context.hasChanges)
      entry.onWillSave = nil
      try context.save()
    }
  }

  // S3.1
  @Test func aSaveInsideASaveIsRefused() throws {
    try entry { context, entry in
      var code: Int?
      entry.onWillSave = { _ in code = code ?? cocoaCode { try context.save() } }
      try context.save()
      #expect(code == 132001)
      #expect(!context.hasChanges)
    }
  }
}
