import SQLite
import Testing

@testable import CoreData
@testable import RowStore

@Suite struct StalenessTests {
  /// A context that holds note 1 realised while another process changes its title; versions go up as with every stack.
  private func stale(_ body: (TestStack, NSManagedObjectContext, Note) throws -> Void) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
      try body(stack, context, note)
    }
  }

  private func cache(_ stack: TestStack) throws -> RowCache {
    try #require(stack.container.persistentStoreCoordinator.persistentStores.first).sqlite.cache
  }

  // S2.4: any age by default, so that a held row shadows a newer one.
  @Test func byDefaultTheRowCacheFillsAFault() throws {
    try stale { _, context, note in
      #expect(context.stalenessInterval < 0)
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "note 1")
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "note 1")
    }
  }

  // S2.4
  @Test(arguments: [false, true])
  func withAnIntervalOfZeroTheStoreIsAsked(mergingChanges: Bool) throws {
    try stale { _, context, note in
      context.stalenessInterval = 0
      #expect(note.title == "note 1", "a realised object is left alone")
      context.refresh(note, mergeChanges: mergingChanges)
      #expect(note.title == "elsewhere")
      note.number = 5
      try context.save()
    }
  }

  // S2.4: all contexts share the row cache.
  @Test func whatOneContextReadAgainIsNewForAll() throws {
    try stale { stack, context, note in
      let impatient = stack.context("impatient")
      impatient.stalenessInterval = 0
      impatient.performAndWait { #expect((impatient.object(with: note.objectID) as? Note)?.title == "elsewhere") }
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "elsewhere")
    }
  }

  // S2.4
  @Test func aRowIsReadAgainOnceItIsOlderThanTheInterval() throws {
    try stale { stack, context, note in
      context.stalenessInterval = 3_600
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "note 1")
      try cache(stack).advanceClock(by: 3_601)
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "elsewhere")
    }
  }

  // S2.4: reading a row again confirms it, though it is the same.
  @Test func aRowThatWasReadAgainIsYoung() throws {
    try stale { stack, context, note in
      context.stalenessInterval = 3_600
      try cache(stack).advanceClock(by: 3_601)
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "elsewhere")
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'again', Z_OPT = Z_OPT + 1")
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "elsewhere")
    }
  }

  // S2.4, S2.3
  @Test func aRowThatIsGoneIsFoundGone() throws {
    try stale { stack, context, note in
      try Connection.write(stack.url, "DELETE FROM ZNOTE")
      context.stalenessInterval = 0
      #expect(note.title == "note 1")
      context.refresh(note, mergeChanges: true)
      #expect(note.isFault)
      #expect(note.title == nil)
      #expect(note.isDeleted)
      #expect(throws: (any Error).self) { try context.existingObject(with: note.objectID) }
    }
  }

  // S2.4: even without a change of version, where the store is asked.
  @Test func aChangeWithoutAVersionIsSeenWhereTheStoreIsAsked() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'behind the stack'")
      context.stalenessInterval = 0
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "behind the stack")
    }
  }

  // S2.4, S3.3: across coordinators, a fetch brings the newer row to the cache, not to a realised object.
  @Test func aFetchBringsNewerRowsOfAnotherCoordinator() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    let second = try TestStack(url: stack.url)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try second.change { try $0.note(1).title = "elsewhere" }
      let titles = try context.notes().map(\.title)
      #expect(titles == ["note 1"])
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "elsewhere")
    }
  }

  // S2.4: a row of another coordinator that was deleted and inserted again has a lower version, and is newer.
  @Test func aRowInsertedAgainElsewhereIsNewer() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...1)
    try stack.change { try $0.note(1).title = "second version" }
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "second version")
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'back', Z_OPT = 1")
      let other = stack.context("other")
      #expect(try other.performAndWait { try other.note(1).title } == "back")
    }
  }

  // S2.4, S4.4: a child's fault is filled from its parent's object, whatever the child's interval.
  @Test func aChildsIntervalDoesNotPassItsParent() throws {
    try stale { stack, context, note in
      let child = stack.child(of: context)
      child.stalenessInterval = 0
      child.performAndWait { #expect((child.object(with: note.objectID) as? Note)?.title == "note 1") }
    }
  }
}
