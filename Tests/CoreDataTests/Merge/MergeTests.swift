import CoreData
import Testing

@Suite(.everyStore) struct MergeTests {
  /// A writer with its saves kept, and a reader to merge them into.
  private struct Pair {
    let stack: TestStack
    let writer: NSManagedObjectContext
    let reader: NSManagedObjectContext
    let log: NotificationLog

    init() throws {
      stack = try TestStack()
      try stack.seed(1...3, words: ["a"])
      writer = stack.context("writer")
      reader = stack.context("reader")
      log = NotificationLog(writer)
    }

    /// Saves a change; its notification.
    func write(_ body: (NSManagedObjectContext) throws -> Void) throws -> Notification {
      try writer.performAndWait {
        try body(writer)
        try writer.save()
      }
      return try #require(log.didSaves.last)
    }
  }

  // S5.2
  @Test func aMergeRefreshesInsertsAndDeletes() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let (first, second) = (try pair.reader.note(1), try pair.reader.note(2))
      _ = (first.title, second.title)
      let save = try pair.write {
        try $0.note(1).title = "updated"
        $0.delete(try $0.note(2))
        $0.insertNote(4, title: "inserted")
      }
      let log = NotificationLog(pair.reader)
      pair.reader.mergeChanges(fromContextDidSave: save)
      #expect(first.title == "updated")
      #expect(!first.hasChanges)
      #expect(second.isDeleted)
      #expect(second.title == "note 2", "a held one stays readable")
      #expect(!pair.reader.hasChanges)
      let reported = log.take()
      #expect(reported.count == 1)
      #expect(reported.first?.sets["refreshed"] == ["note 1"])
      #expect(reported.first?.sets["deleted"]?.contains("note 2") == true)
      #expect(reported.first?.sets["inserted"] == ["fault p4"])
    }
  }

  // S5.2
  @Test func localUnsavedChangesStayOnTop() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = try pair.reader.note(1)
      note.title = "here"
      let save = try pair.write {
        let note = try $0.note(1)
        note.title = "there"
        note.number = 10
      }
      pair.reader.mergeChanges(fromContextDidSave: save)
      #expect(note.title == "here")
      #expect(note.number == 10)
      // The merge brought the version, so there is no conflict left.
      try pair.reader.save()
    }
    #expect(try pair.stack.sql("SELECT ZTITLE || ZNUMBER FROM ZNOTE WHERE Z_PK = 1") == ["here10"])
  }

  // S5.2
  @Test func aLocalMoveStaysOnTopOnBothSides() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let reader = pair.reader
      let word = try #require(try reader.note(1).words.first as? Word)
      let (second, third) = (try reader.note(2), try reader.note(3))
      word.note = second
      let save = try pair.write {
        let moved = try #require(try $0.note(1).words.first as? Word)
        moved.note = try $0.note(3)
      }
      reader.mergeChanges(fromContextDidSave: save)
      #expect(word.note === second)
      #expect(second.words.contains(word))
      #expect(!third.words.contains(word))
    }
  }

  // S5.2
  @Test func aToManyThatWasReadSeesWhatWasAddedElsewhere() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = try pair.reader.note(1)
      #expect(note.words.count == 1)
      let added = try pair.write { context in
        let word = Word(context: context)
        word.term = "b"
        word.note = try context.note(1)
      }
      pair.reader.mergeChanges(fromContextDidSave: added)
      #expect(note.words.count == 2)
      let removed = try pair.write { $0.delete(try #require(try $0.words(NSPredicate(format: "term == 'b'")).first)) }
      pair.reader.mergeChanges(fromContextDidSave: removed)
      #expect(note.words.count == 1)
    }
  }

  // S5.2
  @Test func mergingTwiceDoesNoHarm() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let (first, second) = (try pair.reader.note(1), try pair.reader.note(2))
      _ = (first.title, second.title)
      let save = try pair.write {
        try $0.note(1).title = "updated"
        $0.delete(try $0.note(2))
        $0.insertNote(4)
      }
      pair.reader.mergeChanges(fromContextDidSave: save)
      first.title = "here"
      pair.reader.mergeChanges(fromContextDidSave: save)
      #expect(first.title == "here")
      let numbers = try pair.reader.notes().map(\.number)
      #expect(numbers == [1, 3, 4])
      try pair.reader.save()
    }
  }

  // S5.2
  @Test func mergingOutOfOrderNeverGoesBack() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = try pair.reader.note(1)
      _ = note.title
      let first = try pair.write { try $0.note(1).title = "first" }
      let second = try pair.write { try $0.note(1).title = "second" }
      pair.reader.mergeChanges(fromContextDidSave: second)
      #expect(note.title == "second")
      pair.reader.mergeChanges(fromContextDidSave: first)
      #expect(note.title == "second")
      note.title = "third"
      try pair.reader.save()
    }
  }

  // S5.2
  @Test func aLateMergeWhoseRowsAreGoneDoesNoHarm() throws {
    let pair = try Pair()
    let inserted = try pair.write { $0.insertNote(4, words: ["z"]) }
    let updated = try pair.write { try $0.note(4).title = "updated" }
    try pair.stack.change { $0.delete(try $0.note(4)) }
    try pair.reader.performAndWait {
      let log = NotificationLog(pair.reader)
      pair.reader.mergeChanges(fromContextDidSave: inserted)
      pair.reader.mergeChanges(fromContextDidSave: updated)
      #expect(log.take().isEmpty)
      let numbers = try pair.reader.notes().map(\.number)
      #expect(numbers == [1, 2, 3])
    }
  }

  // S5.2: the newer row that is not held any more is not taken for a deletion.
  @Test func aLateMergeOfAnInsertionThatWasUpdatedSinceStillTells() throws {
    let pair = try Pair()
    let inserted = try pair.write { $0.insertNote(4, title: "inserted") }
    try pair.stack.change { try $0.note(4).title = "updated" }
    try pair.reader.performAndWait {
      let log = NotificationLog(pair.reader)
      pair.reader.mergeChanges(fromContextDidSave: inserted)
      #expect(log.takeText() == ["changed inserted=fault p4"])
      let note = try pair.reader.note(4)
      #expect(note.title == "updated")
    }
  }

  // S5.2: a deletion merged over local changes leaves nothing to save.
  @Test func aMergedDeletionTakesLocalChangesWithIt() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = try pair.reader.note(1)
      note.title = "here"
      let save = try pair.write { $0.delete(try $0.note(1)) }
      pair.reader.mergeChanges(fromContextDidSave: save)
      #expect(note.isDeleted)
      #expect(note.title == "here")
      note.title = "again"
      #expect(!pair.reader.hasChanges)
      try pair.reader.save()
    }
    #expect(try pair.stack.sql("SELECT count(*) FROM ZNOTE") == ["2"])
  }

  // S5.1: an object that was never saved, and one that is a clean owner in memory.
  @Test func whoLosesADeletedMemberIsNamed() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = pair.reader.insertNote(9, title: "unsaved")
      let word = Word(context: pair.reader)
      word.term = "a"
      try pair.reader.save()
      note.title = "dirty"
      note.addToWords(word)
      pair.reader.processPendingChanges()
      let save = try pair.write { context in
        context.delete(try #require(context.existingObject(with: word.objectID) as? Word))
      }
      let log = NotificationLog(pair.reader)
      pair.reader.mergeChanges(fromContextDidSave: save)
      #expect(note.words.count == 0)
      #expect(log.takeText().first?.hasSuffix("refreshed=note 9") == true)
    }
  }

  // S5.2: a batch delete leaves the other side's row as it is, and the deleted object has not read the owners that list it.
  @Test func aDeletedObjectLeavesTheListsThatItDoesNotKnow() throws {
    let pair = try Pair()
    let id = try pair.writer.performAndWait {
      let tag = pair.writer.insert("Tag", [:])
      try #require(pair.writer.note(1).words.first as? Word).tags = [tag]
      try pair.writer.save()
      return tag.objectID
    }
    try pair.reader.performAndWait {
      let word = try #require(pair.reader.note(1).words.first as? Word)
      #expect(word.tags.count == 1)
      let tag = try pair.reader.existingObject(with: id)
      #expect(!tag.isFault)
      try pair.writer.performAndWait { _ = try pair.writer.execute(NSBatchDeleteRequest(objectIDs: [id])) }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: [id]], into: [pair.reader])
      #expect(word.tags.isEmpty)
    }
  }

  // S5.2: a notification that an app built counts by its objects.
  @Test func aHandMadeNotificationIsMerged() throws {
    let pair = try Pair()
    try pair.reader.performAndWait {
      let note = try pair.reader.note(1)
      _ = note.title
      let save = try pair.write { try $0.note(1).title = "updated" }
      let updated = try #require(save.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)
      pair.reader.mergeChanges(
        fromContextDidSave: Notification(
          name: .NSManagedObjectContextDidSave, object: pair.writer, userInfo: [NSUpdatedObjectsKey: updated]))
      #expect(note.title == "updated")
    }
  }

  // S5.2
  @Test func aContextsOwnSaveIsNotMergedIntoIt() throws {
    let pair = try Pair()
    let save = try pair.write { try $0.note(1).title = "updated" }
    pair.writer.performAndWait {
      let log = NotificationLog(pair.writer)
      pair.writer.mergeChanges(fromContextDidSave: save)
      #expect(log.take().isEmpty)
    }
  }
}

@Suite(.everyStore) struct AutomaticMergeTests {
  // S5.3
  @Test func aSiblingsSaveIsThereInTheNextBlock() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let reader = stack.context("reader")
    let note = try reader.performAndWait {
      reader.automaticallyMergesChangesFromParent = true
      let note = try reader.note(1)
      _ = note.title
      return note
    }
    for round in 0..<50 {
      try stack.change { try $0.note(1).title = "round \(round)" }
      #expect(reader.performAndWait { note.title } == "round \(round)")
    }
  }

  // S5.3
  @Test func nothingIsMergedWhenItIsOff() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let reader = stack.context("reader")
    try reader.performAndWait {
      reader.automaticallyMergesChangesFromParent = true
      reader.automaticallyMergesChangesFromParent = false
      let note = try reader.note(1)
      _ = note.title
      try stack.change { try $0.note(1).title = "elsewhere" }
      #expect(note.title == "note 1")
    }
  }

  // S5.3
  @Test func savesOfSeveralWritersAreMergedInCommitOrder() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let reader = stack.context("reader")
    let note = try reader.performAndWait {
      reader.automaticallyMergesChangesFromParent = true
      let note = try reader.note(1)
      _ = note.number
      return note
    }
    let log = NotificationLog(reader)
    for number in 2...20 { try stack.change { try $0.notes()[0].number = Int64(number) } }
    #expect(reader.performAndWait { note.number } == 20)
    // A merge takes the newest row there is, so some saves have nothing left to bring; none goes back.
    let reported = log.take().compactMap { $0.sets["refreshed"]?.first?.dropFirst(5) }.compactMap { Int($0) }
    #expect(reported == reported.sorted())
    #expect(reported.last == 20)
  }

  // S5.3
  @Test func aChildMergesItsParentsSaves() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let root = stack.context("root")
    let child = stack.child(of: root)
    let (note, doomed) = try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      let (note, doomed) = (try child.note(1), try child.note(2))
      _ = (note.title, doomed.title)
      return (note, doomed)
    }
    let log = NotificationLog(child)
    try root.performAndWait {
      try root.note(1).title = "the root's"
      root.delete(try root.note(2))
      root.insertNote(3)
      try root.save()
    }
    #expect(child.performAndWait { note.title } == "the root's")
    #expect(child.performAndWait { doomed.isDeleted })
    #expect(log.takeText() == ["changed deleted=note 2 inserted=fault p3 refreshed=note 1"])
  }
}
