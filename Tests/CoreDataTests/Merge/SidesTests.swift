import Foundation
import Testing

@testable import CoreData

/// Both sides of a relationship say the same in the file, whatever a refresh took from one of them.
@Suite struct SidesTests {
  /// Keepers "a", "b" and "c"; "a" wears badge 1.
  private func zoo() throws -> TestStack {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      let keepers = ["a", "b", "c"].map { context.insert("Keeper", ["name": $0]) }
      keepers[0].setValue(context.insert("Badge", ["code": 1]), forKey: "badge")
    }
    return stack
  }

  private func keeper(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.all("Keeper", where: "name", is: name).first)
  }

  /// Every pair of keeper and badge, from the keepers' and from the badges' side.
  private func badges(_ stack: TestStack) throws -> [[String]] {
    try ["k.ZBADGE = b.Z_PK", "b.ZKEEPER = k.Z_PK"].map {
      try stack.sql("SELECT ZNAME || ' ' || ZCODE FROM ZKEEPER k JOIN ZBADGE b ON \($0) ORDER BY 1")
    }
  }

  // S2.4, S2.6: which side of a pair the file has it from must not matter.
  @Test(arguments: [("mentors", "pupils"), ("pupils", "mentors"), ("friends", "friends")])
  func aPairThatOneSideForgotIsSaved(key: String, inverse: String) throws {
    let stack = try zoo()
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (try keeper("a", context), try keeper("b", context))
      a.mutableSetValue(forKey: key).add(b)
      context.refresh(a, mergeChanges: false)
      try context.save()
      try stack.change { other in
        let (a, b) = (try keeper("a", other), try keeper("b", other))
        #expect(a.names(key) == ["b"])
        #expect(b.names(inverse) == ["a"])
      }
      b.mutableSetValue(forKey: inverse).remove(a)
      context.refresh(a, mergeChanges: false)
      try context.save()
    }
    try stack.change { other in
      let (a, b) = (try keeper("a", other), try keeper("b", other))
      #expect(a.names(key).isEmpty)
      #expect(b.names(inverse).isEmpty)
    }
  }

  // S2.4, S2.6
  @Test(arguments: [true, false]) func aPartnerThatMovedOnIsNotTakenBackByARefresh(fromKeeper: Bool) throws {
    let stack = try zoo()
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (try keeper("a", context), try keeper("b", context))
      let badge = try #require(a.object("badge"))
      if fromKeeper { b.setValue(badge, forKey: "badge") } else { badge.setValue(b, forKey: "keeper") }
      context.refresh(a, mergeChanges: false)
      try context.save()
      #expect(a.object("badge") == nil)
    }
    #expect(try badges(stack) == [["b 1"], ["b 1"]])
  }

  // S2.4, S8.1
  @Test func aRefreshDoesNotTakeBackWhatADeletionCleared() throws {
    let stack = try zoo()
    try stack.change { context in
      let cat = context.insert("Cat", ["name": "tom"])
      try keeper("a", context).setValue(cat, forKey: "favourite")
    }
    let context = stack.context()
    try context.performAndWait {
      let a = try keeper("a", context)
      context.delete(try #require(a.object("favourite")))
      context.processPendingChanges()
      context.refresh(a, mergeChanges: false)
      try context.save()
      #expect(a.object("favourite") == nil)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER WHERE ZFAVOURITE IS NOT NULL") == ["0"])
  }

  // S2.4
  @Test func aRollbackTakesBackWhatARefreshedOwnerHasRead() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      let word = try #require(first.words.first as? Word)
      word.note = second
      let new = Word(context: context)
      new.note = first
      context.refresh(first, mergeChanges: false)
      #expect(first.words == [new])
      context.rollback()
      #expect(first.words == [word])
      #expect(second.words.count == 1)
      #expect(word.note === first)
      #expect(!context.hasChanges)
    }
  }

  // S5.2: a list that another context has made wrong is read again.
  @Test func whoMovedElsewhereLeavesTheListThatItWasIn() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    try stack.change { Word(context: $0).term = "free" }
    let (reader, writer) = (stack.context("reader"), stack.context("writer"))
    let logs = (reader: NotificationLog(reader), writer: NotificationLog(writer))
    try reader.performAndWait {
      let word = try #require(try reader.words().first)
      let (first, second) = (try reader.note(1), try reader.note(2))
      try writer.performAndWait { try #require(try writer.words().first).note = try writer.note(1) }
      word.note = second
      try reader.save()
      #expect(first.words == [])
      #expect(second.words == [word])
      let save = try #require(logs.reader.didSaves.last)
      try writer.performAndWait {
        writer.mergeChanges(fromContextDidSave: save)
        try writer.save()
      }
      reader.mergeChanges(fromContextDidSave: try #require(logs.writer.didSaves.last))
      #expect(word.note === first)
      #expect(first.words == [word])
      #expect(second.words == [])
    }
  }
}

/// A property set to the value that is there already is no change for a merge.
@Suite struct EqualChangeTests {

  // S2.4, S3.4, S4.4
  @Test(arguments: ["refresh", "policy", "child"]) func theOthersChangeStays(way: String) throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let parent = stack.context("parent")
    let context = way == "child" ? stack.child(of: parent) : parent
    func write(_ context: NSManagedObjectContext) throws {
      let note = try context.note(1)
      note.title = "theirs"
    }
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "note 1"
      note.number = 7
      switch way {
      case "refresh":
        try stack.change(write)
        context.refresh(note, mergeChanges: true)
        #expect(Set(note.changedValues().keys) == ["number"])
      case "policy":
        try stack.change(write)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      default: try parent.performAndWait { try write(parent) }
      }
      try context.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql("SELECT ZTITLE || ZNUMBER FROM ZNOTE") == ["theirs7"])
  }
}
