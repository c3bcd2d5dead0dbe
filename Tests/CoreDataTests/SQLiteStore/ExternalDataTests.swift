import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Large values in files beside the store: in saves that fail, are resolved, or are undone.
@Suite("S6.4 External binary data") struct ExternalDataTests {
  private let first = Album.value(1)
  private let second = Album.value(2)
  private let third = Album.value(3)

  @Test(
    "S3.1: a save that fails keeps the value, and the next one writes it", arguments: FaultPlan.Transaction.allCases)
  func aFailedSaveKeepsTheValue(_ transaction: FaultPlan.Transaction) throws {
    let stack = try Album.stack()
    try stack.seedPicture("old", first)
    let context = stack.context()
    try context.performAndWait {
      context.insert("Picture", ["name": "new", "data": second])
      try context.named("Picture", "old").setValue(third, forKey: "data")
      try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT", transaction: transaction) }
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      try stack.withWriter { $0.connection.faults = nil }
      try stack.expectFilesAreThoseOfRows(1)
      #expect(try context.named("Picture", "new").value(forKey: "data") as? Data == second)
      try context.save()
    }
    #expect(try stack.storedData("new") == second)
    #expect(try stack.storedData("old") == third)
    context.performAndWait { context.reset() }
    try stack.expectFilesAreThoseOfRows(2)
  }

  // S3.1
  @Test func aFileThatCannotBeWrittenFailsTheSaveByNameAndKeepsTheValue() throws {
    let stack = try Album.stack()
    let support = Album.folder(stack.url).deletingLastPathComponent()
    try Data("in the way".utf8).write(to: support)
    let context = stack.context()
    try context.performAndWait {
      context.insert("Picture", ["name": "a", "data": first])
      let error = caught { try context.save() }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("Picture.data") ?? false)
      try FileManager.default.removeItem(at: support)
      try context.save()
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S3.4: a save whose changes the policy drops leaves the row its file")
  func aRolledBackConflictLeavesTheFile() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      picture.setValue(second, forKey: "data")
      try stack.change { try $0.named("Picture", "a").setValue("other", forKey: "note") }
      context.mergePolicy = NSMergePolicy.rollback
      try context.save()
      #expect(picture.value(forKey: "data") as? Data == first)
      context.reset()
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S3.5: a row that a constraint conflict leaves as it is keeps its file")
  func aConstraintConflictLeavesTheFile() throws {
    let stack = try Album.stack(isUnique: true)
    try stack.seedPicture("a", first)
    try stack.seedPicture("b", second)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "b")
      picture.setValue(third, forKey: "data")
      picture.setValue("a", forKey: "name")
      context.mergePolicy = NSMergePolicy.rollback
      try context.save()
      context.reset()
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZPICTURE ORDER BY 1") == ["a", "b"])
    let references = try Album.references(stack.url)
    #expect(Set(references) == Album.files(stack.url) && references.count == 2)
  }

  @Test("S3.1, S3.4: a save that the policy refuses keeps the value, and the next one writes it")
  func aRefusedConflictKeepsTheValue() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      picture.setValue(second, forKey: "data")
      context.insert("Picture", ["name": "b", "data": third])
      try stack.change { try $0.named("Picture", "a").setValue("other", forKey: "note") }
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
      #expect(picture.value(forKey: "data") as? Data == second)
      try stack.expectFilesAreThoseOfRows(1)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      context.reset()
    }
    #expect(try stack.storedData("a") == second)
    #expect(try stack.storedData("b") == third)
    try stack.expectFilesAreThoseOfRows(2)
  }

  @Test("S2.4: undo brings back a value whose file was given up")
  func undoBringsAValueBack() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    context.undoManager = UndoManager()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      picture.setValue(second, forKey: "data")
      try context.save()
      context.undo()
      #expect(picture.value(forKey: "data") as? Data == first)
      try context.save()
      context.redo()
      try context.save()
      context.undo()
      try context.save()
      context.undoManager?.removeAllActions()
      context.reset()
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S3.4: overwrite writes a value whose file was given up")
  func overwriteWritesAnOldValue() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      _ = picture.value(forKey: "note")
      try stack.change { try $0.named("Picture", "a").setValue(second, forKey: "data") }
      picture.setValue("mine", forKey: "note")
      context.mergePolicy = NSMergePolicy.overwrite
      try context.save()
      #expect(picture.value(forKey: "data") as? Data == first)
      context.reset()
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S3.4: a deleted row that comes back has its value")
  func objectTrumpBringsADeletedRowBack() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      _ = picture.value(forKey: "note")
      try stack.change { $0.delete(try $0.named("Picture", "a")) }
      picture.setValue("mine", forKey: "note")
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      context.reset()
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S8.2: who has an older row still reads its value")
  func anOlderRowKeepsItsValue() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try stack.seedPicture("b", second)
    let context = stack.context()
    try context.performAndWait {
      let (changed, deleted) = (try context.named("Picture", "a"), try context.named("Picture", "b"))
      for picture in [changed, deleted] { _ = picture.value(forKey: "note") }
      // Another coordinator too.
      let other = try TestStack(model: Album.model(), url: stack.url)
      try stack.change { try $0.named("Picture", "a").setValue(third, forKey: "data") }
      try other.change { $0.delete(try $0.named("Picture", "b")) }
      #expect(changed.value(forKey: "data") as? Data == first)
      #expect(deleted.value(forKey: "data") as? Data == second)
      #expect(Album.files(stack.url).count == 3)
      context.reset()
    }
    try stack.expectFilesAreThoseOfRows(1)
  }

  // S6.1: a row that is read while it is replaced has a value.
  @Test func aFileStaysForReadsThatBeganBefore() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let folder = ExternalFolder.of(stack.url.path)
    var reads: [HeldFiles] = []
    for value in [second, third] {
      reads.append(folder.reads)
      try stack.change { try $0.named("Picture", "a").setValue(value, forKey: "data") }
    }
    #expect(Album.files(stack.url).count == 3)
    reads.removeLast()
    #expect(Album.files(stack.url).count == 3, "the first read may meet both")
    reads.removeLast()
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S6.1: readers of both coordinators on one file find each value while it is replaced")
  func readersNeverMissAFile() throws {
    let stack = try Album.stack()
    let other = try TestStack(model: Album.model(), url: stack.url)
    try stack.change { $0.insert("Picture", ["name": "a", "note": "\(first.count)", "data": first]) }
    let pool = WorkPool(label: "pictures", width: 4)
    let found = Locked<[String]>([])
    for reader in [stack, other, other] {
      pool.submit("reader") {
        for _ in 0..<60 {
          let context = reader.context()
          context.performAndWait {
            let picture = try? context.named("Picture", "a")
            let (note, data) = (picture?.value(forKey: "note") as? String, picture?.value(forKey: "data") as? Data)
            let text = "\(note ?? "no note") \(data.map { "\($0.count)" } ?? "no data")"
            found.withLock { $0.append(text) }
          }
        }
      }
    }
    pool.submit("writer") {
      for number in 0..<60 {
        let data = Album.value(number)
        let error = caught {
          try stack.change { context in
            let picture = try context.named("Picture", "a")
            picture.setValue(data, forKey: "data")
            picture.setValue("\(data.count)", forKey: "note")
          }
        }
        #expect(error == nil)
      }
    }
    pool.waitUntilAllFinished()
    for text in found.withLock({ $0 }) {
      let parts = text.split(separator: " ")
      #expect(parts.count == 2 && parts.first == parts.last, "\(text)")
    }
    try stack.expectFilesAreThoseOfRows(1)
  }

  // S4.1
  @Test func aChildsValueIsWrittenByTheRoot() throws {
    let stack = try Album.stack()
    let parent = stack.context()
    let child = stack.child(of: parent)
    try child.performAndWait {
      child.insert("Picture", ["name": "a", "data": first])
      try child.save()
    }
    try parent.performAndWait {
      try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
      #expect(cocoaCode { try parent.save() } == NSPersistentStoreSaveError)
      try stack.withWriter { $0.connection.faults = nil }
      try parent.save()
    }
    try child.performAndWait {
      let read = try child.named("Picture", "a").value(forKey: "data")
      #expect(read as? Data == first)
    }
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }
}
