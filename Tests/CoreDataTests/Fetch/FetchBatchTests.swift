import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// S7.1: `fetchBatchSize`, `includesPropertyValues` and `returnsObjectsAsFaults`: the rows that are read, and when.
@Suite(.everyStore) struct FetchBatchTests {
  private func request(batch: Int = 0) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
    request.fetchBatchSize = batch
    return request
  }

  @Test func rowsArriveBatchByBatch() throws {
    let stack = try TestStack()
    try stack.seed(1...50)
    let context = stack.context()
    try context.performAndWait {
      var notes: [Note] = []
      try stack.expect(statements: 1) { notes = try context.fetch(request(batch: 20)) }
      #expect(notes.count == 50 && notes.allSatisfy { $0.isFault && $0.snapshot == nil })
      try stack.expect(statements: 1) { #expect(notes[0].number == 50) }
      // The rest of the batch has its rows and is still made of faults; the other batches have none.
      #expect(notes[1...].allSatisfy { $0.isFault })
      #expect(notes.map { $0.snapshot != nil } == (0..<50).map { $0 < 20 })
      try stack.expect(statements: 0) { #expect(notes[..<20].map(\.number) == (31...50).reversed()) }
      // The middle of the last batch, which is shorter; then all.
      try stack.expect(statements: 1) { #expect(notes[45].title == "note 5") }
      #expect(notes.map { $0.snapshot != nil } == (0..<50).map { $0 < 20 || $0 >= 40 })
      try stack.expect(statements: 1) { #expect(notes.map(\.number) == (1...50).reversed()) }
      context.checkInvariants()
      // An object that became a fault again is read alone.
      context.refresh(notes[3], mergeChanges: false)
      #expect(notes[3].number == 47)
    }
  }

  @Test func aBatchTakesLimitOffsetAndUnsavedChanges() throws {
    let stack = try TestStack()
    try stack.seed(1...30)
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(100)
      context.delete(try context.note(29))
      try context.note(1).number = 101
      let request = request(batch: 4)
      (request.fetchOffset, request.fetchLimit) = (1, 10)
      #expect(try context.fetch(request).map(\.number) == [100, 30, 28, 27, 26, 25, 24, 23, 22, 21])
      request.sortDescriptors = nil
      request.fetchLimit = 0
      #expect(try context.fetch(request).count == 29)
    }
  }

  @Test func objectsThatAreThereKeepTheirValuesAndAreNotReadAgain() throws {
    let stack = try TestStack()
    try stack.seed(1...10)
    let context = stack.context()
    try context.performAndWait {
      let known = try context.note(10)
      known.title = "changed"
      try stack.change { try $0.note(9).title = "elsewhere" }
      let notes = try context.fetch(request(batch: 5))
      #expect(notes[0] === known && notes[0].title == "changed")
      try stack.expect(statements: 1) { #expect(notes[1].title == "elsewhere") }
    }
  }

  @Test func aRowThatWentMeanwhileIsAnInaccessibleFault() throws {
    let stack = try TestStack()
    try stack.seed(1...10)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.fetch(request(batch: 5))
      try stack.change { $0.delete(try $0.note(9)) }
      #expect(notes[0].number == 10)
      #expect(notes[1].number == 0 && notes[1].isDeleted)
      #expect(notes[2].number == 8)
    }
  }

  // S4.4: rows come from the parent with its unsaved values, a batch at a time.
  @Test func aChildReadsBatchesFromItsParent() throws {
    let stack = try TestStack()
    try stack.seed(1...40)
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    let changed = try parent.performAndWait {
      let note = try parent.note(39)
      note.title = "unsaved"
      parent.insertNote(41, title: "new")
      return note
    }
    try child.performAndWait {
      let notes = try child.fetch(request(batch: 10))
      #expect(notes.count == 41 && notes.allSatisfy { $0.isFault })
      try stack.expect(statements: 1) { #expect(notes[0].title == "new") }
      #expect(notes[2].title == "unsaved")
      try stack.expect(statements: 0) { #expect(notes[..<10].map(\.number) == (32...41).reversed()) }
      try stack.expect(statements: 1) { #expect(notes[10].number == 31) }
    }
    withExtendedLifetime(changed) {}
  }

  @Test func resetAndManyFetchesForgetTheirBatches() throws {
    let stack = try TestStack()
    try stack.seed(1...10)
    let context = stack.context()
    try context.performAndWait {
      var arrays: [[Note]] = []
      for _ in 0...FetchBatches.maximum { arrays.append(try context.fetch(request(batch: 5))) }
      #expect(arrays[0][0] === arrays[8][0] && arrays[0].map(\.number) == (1...10).reversed())
      context.reset()
      #expect(context.reading.batches.isEmpty)
      #expect(try context.fetch(request(batch: 5))[7].number == 3)
    }
  }

  @Test func withoutPropertyValuesOnlyIDsAreRead() throws {
    let stack = try TestStack()
    try stack.seed(1...5)
    let context = stack.context()
    try context.performAndWait {
      let request = request()
      request.includesPropertyValues = false
      let notes = try context.fetch(request)
      #expect(notes.count == 5 && notes.allSatisfy { $0.isFault && $0.snapshot == nil })
      // Each fault reads its own row.
      try stack.expect(statements: 5) { #expect(notes.map(\.number) == [5, 4, 3, 2, 1]) }
    }
  }

  @Test func objectsComeAsFaultsWithTheirRowsUnlessTheRequestSaysNot() throws {
    let stack = try TestStack()
    try stack.seed(1...5)
    let context = stack.context()
    try context.performAndWait {
      var notes = try context.fetch(request())
      #expect(notes.allSatisfy { $0.isFault })
      try stack.expect(statements: 0) { #expect(notes.map(\.number) == [5, 4, 3, 2, 1]) }
      context.reset()
      let request = request(batch: 2)
      request.returnsObjectsAsFaults = false
      notes = try context.fetch(request)
      #expect(notes.allSatisfy { !$0.isFault })
    }
  }

  @Test func idsAreReadWithoutRowsAndAreThoseOfTheObjects() throws {
    let stack = try TestStack()
    try stack.seed(1...5)
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let ids = try context.fetch(request)
      #expect(ids.count == 5 && context.registeredObjects.isEmpty)
      let notes = try context.notes()
      #expect(notes.map(\.objectID) == ids)
      #expect(zip(try context.fetch(request), notes).allSatisfy { $0 === $1.objectID })
      #expect(context.object(with: ids[2]) === notes[2])
    }
  }

  @Test("each batch is given once, in whatever order its objects fire", arguments: 0..<20 as Range<UInt64>)
  func batchesAreFoundInAnyOrder(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let keys = (1...97).map { Int64($0 * 3) }.shuffled(using: &random)
    let references = ContiguousArray(keys.map { RowReference(key: $0, entity: 1) })
    var batch = FetchBatch(references: references, size: 10, prefetched: [])
    var given: [Int64] = []
    for index in references.indices.shuffled(using: &random) {
      let isNew = !given.contains(keys[index])
      let found = batch.take(references[index])
      #expect((found != nil) == isNew, "seed \(seed)")
      #expect(found?.contains(references[index]) ?? true)
      given += (found ?? []).map(\.key)
      // Of another fetch, and of another hierarchy.
      #expect(batch.take(RowReference(key: keys[index] + 1, entity: 1)) == nil)
      #expect(batch.take(RowReference(key: keys[index], entity: 2)) == nil)
    }
    #expect(batch.isDone && given.sorted() == keys.sorted())
  }
}
