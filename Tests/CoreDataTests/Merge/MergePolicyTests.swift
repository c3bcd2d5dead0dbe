import CoreData
import Testing

@Suite(.everyStore) struct MergePolicyTests {
  /// A row that two changed, after a save under one policy.
  struct Case: Sendable, CustomTestStringConvertible {
    let policy: NSMergePolicyType
    /// `title` (changed by both), `number` (changed elsewhere), `createdAt` as seconds (changed here); nil: no row.
    let row: String?
    /// Whether the other writer was another coordinator.
    var isAcross = false

    var testDescription: String { "\(policy)\(isAcross ? " across coordinators" : "")" }

    var across: Case { Case(policy: policy, row: row, isAcross: true) }
  }

  /// A save here after one elsewhere, under the case's policy; the file then, and how the save ended.
  private func clash(
    _ test: Case, elsewhere: (NSManagedObjectContext) throws -> Void,
    here: (NSManagedObjectContext, Note) throws -> Void,
    after: (NSManagedObjectContext, Note) throws -> Void = { _, _ in }
  ) throws -> (row: String?, error: NSError?) {
    let stack = test.isAcross ? try TestStack(.file) : try TestStack()
    let other = test.isAcross ? try TestStack(url: stack.url) : stack
    try stack.change { $0.insertNote(1, title: "old").createdAt = Date(timeIntervalSinceReferenceDate: 10) }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: test.policy)
    let error = try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "old")
      try other.change(elsewhere)
      try here(context, note)
      let error = caught { try context.save() }
      try after(context, note)
      return error
    }
    return (
      try stack.sql("SELECT ZTITLE || ' ' || ZNUMBER || ' ' || CAST(ZCREATEDAT AS INTEGER) FROM ZNOTE").first, error
    )
  }

  static let updates: [Case] = [
    Case(policy: .errorMergePolicyType, row: "theirs 2 10"),
    Case(policy: .mergeByPropertyStoreTrumpMergePolicyType, row: "theirs 2 20"),
    Case(policy: .mergeByPropertyObjectTrumpMergePolicyType, row: "ours 2 20"),
    Case(policy: .overwriteMergePolicyType, row: "ours 1 20"),
    Case(policy: .rollbackMergePolicyType, row: "theirs 2 10"),
  ]

  // S3.3, S3.4
  @Test(arguments: updates + updates.map(\.across)) func bothUpdated(test: Case) throws {
    let (row, error) = try clash(test) {
      let note = try $0.note(1)
      note.title = "theirs"
      note.number = 2
    } here: { _, note in
      note.title = "ours"
      note.createdAt = Date(timeIntervalSinceReferenceDate: 20)
    } after: { context, note in
      guard test.policy != .errorMergePolicyType else {
        #expect(context.hasChanges)
        #expect(note.title == "ours")
        return
      }
      // The object shows the file's values.
      #expect(!context.hasChanges)
      let seconds = Int(note.createdAt?.timeIntervalSinceReferenceDate ?? 0)
      #expect("\(note.title ?? "") \(note.number) \(seconds)" == test.row)
      context.refresh(note, mergeChanges: false)
      #expect("\(note.title ?? "") \(note.number)" == test.row?.split(separator: " ").prefix(2).joined(separator: " "))
    }
    #expect(row == test.row)
    #expect(error?.code == (test.policy == .errorMergePolicyType ? NSManagedObjectMergeError : nil))
  }

  // S3.4, S5.1: observers of the objects learn of values that a policy took from the store.
  @Test(
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "changed refreshed=note 2"),
      (.rollbackMergePolicyType, "changed refreshed=note 2"),
      (.mergeByPropertyObjectTrumpMergePolicyType, "changed refreshed=note 2"), (.overwriteMergePolicyType, nil),
    ] as [(NSMergePolicyType, String?)]) func whatAPolicyTakesOverIsReported(
      policy: NSMergePolicyType, reported: String?
    )
    throws
  {
    let stack = try TestStack()
    try stack.change { $0.insertNote(1, title: "old") }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "old")
      try stack.change { try $0.note(1).number = 2 }
      note.title = "ours"
      let log = NotificationLog(context)
      try context.save()
      let before = ["changed updated=note 1", "will"]
      let after = log.takeText()
      #expect(Array(after.prefix(2)) == before)
      #expect(after.dropFirst(2).first { $0.hasPrefix("changed") } == reported)
      #expect(after.last?.hasPrefix("did") ?? false)
    }
  }

  // S5.1: a member that a policy takes out is a change of its owner, though no value of that differs.
  @Test func membersThatAPolicyTakesOutAreReported() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.rollback
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      let word = try #require(second.words.first as? Word)
      #expect(first.words.count == 1)
      #expect(word.term == "a")
      try stack.change { try #require($0.note(2).words.first as? Word).term = "elsewhere" }
      first.addToWords(word)
      let log = NotificationLog(context)
      try context.save()
      #expect(first.words.count == 1)
      let last = try #require(log.takeText().last { $0.hasPrefix("changed") })
      #expect(last.contains("note 1"))
    }
  }

  // S3.4
  @Test func aRowThatAPolicyGivesUpIsReportedAsDeleted() throws {
    let stack = try TestStack()
    try stack.change { $0.insertNote(1, title: "old") }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "old")
      try stack.change { $0.delete(try $0.note(1)) }
      note.title = "ours"
      let log = NotificationLog(context)
      try context.save()
      #expect(
        log.takeText().filter { $0.hasPrefix("changed") } == ["changed updated=note 1", "changed deleted=note 1"])
    }
  }

  static let deletedElsewhere: [Case] = [
    Case(policy: .errorMergePolicyType, row: nil),
    Case(policy: .mergeByPropertyStoreTrumpMergePolicyType, row: nil),
    Case(policy: .mergeByPropertyObjectTrumpMergePolicyType, row: "ours 1 10"),
    Case(policy: .overwriteMergePolicyType, row: "ours 1 10"),
    Case(policy: .rollbackMergePolicyType, row: nil),
  ]

  // S3.4
  @Test(arguments: deletedElsewhere + deletedElsewhere.map(\.across)) func updatedHereDeletedElsewhere(test: Case)
    throws
  {
    let (row, error) = try clash(test) {
      $0.delete(try $0.note(1))
    } here: { _, note in
      note.title = "ours"
    } after: { context, note in
      guard test.policy != .errorMergePolicyType else { return }
      #expect(!context.hasChanges)
      guard test.row != nil else { return }
      #expect(note.objectID.uriRepresentation().lastPathComponent == "p1", "inserted again under its ID")
      note.title = "later"
      try context.save()
      note.title = "ours"
      try context.save()
    }
    #expect(row == test.row)
    #expect(error?.code == (test.policy == .errorMergePolicyType ? NSManagedObjectMergeError : nil))
  }

  static let deletedHere: [Case] = [
    Case(policy: .errorMergePolicyType, row: "theirs 1 10"),
    Case(policy: .mergeByPropertyStoreTrumpMergePolicyType, row: "theirs 1 10"),
    Case(policy: .mergeByPropertyObjectTrumpMergePolicyType, row: nil),
    Case(policy: .overwriteMergePolicyType, row: nil),
    Case(policy: .rollbackMergePolicyType, row: "theirs 1 10"),
  ]

  // S3.4
  @Test(arguments: deletedHere + deletedHere.map(\.across)) func deletedHereUpdatedElsewhere(test: Case) throws {
    let (row, error) = try clash(test) {
      try $0.note(1).title = "theirs"
    } here: { context, note in
      context.delete(note)
    } after: { context, note in
      guard test.policy != .errorMergePolicyType, test.row != nil else { return }
      #expect(!note.isDeleted)
      #expect(note.managedObjectContext === context)
      #expect(note.title == "theirs")
    }
    #expect(row == test.row)
    #expect(error?.code == (test.policy == .errorMergePolicyType ? NSManagedObjectMergeError : nil))
  }

  // S3.4: there is nothing left to be decided, and only the error policy refuses.
  @Test(arguments: deletedHere.map(\.policy), [false, true]) func deletedOnBothSides(
    policy: NSMergePolicyType, isAcross: Bool
  ) throws {
    let (row, error) = try clash(Case(policy: policy, row: nil, isAcross: isAcross)) {
      $0.delete(try $0.note(1))
    } here: { context, note in
      context.delete(note)
    } after: { context, note in
      #expect(context.hasChanges == (policy == .errorMergePolicyType))
      // S8.3
      #expect(note.isDeleted == (policy == .errorMergePolicyType))
      #expect((note.managedObjectContext == nil) == (policy != .errorMergePolicyType))
    }
    #expect(row == nil)
    #expect(error?.code == (policy == .errorMergePolicyType ? NSManagedObjectMergeError : nil))
  }

  // S3.3
  @Test(arguments: [false, true]) func theConflictTellsBothSides(isAcross: Bool) throws {
    let test = Case(policy: .errorMergePolicyType, row: nil, isAcross: isAcross)
    let (_, error) = try clash(test) {
      try $0.note(1).title = "theirs"
    } here: { _, note in
      note.title = "ours"
    }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    let conflict = try #require(conflicts?.first)
    #expect(conflicts?.count == 1)
    #expect(conflict.oldVersionNumber == 1)
    #expect(conflict.newVersionNumber == 2)
    #expect(conflict.objectSnapshot?["title"] as? String == "old")
    #expect(conflict.objectSnapshot?["words"] == nil, "snapshots leave out to-many relationships")
    #expect(conflict.cachedSnapshot?["title"] as? String == (isAcross ? "old" : "theirs"))
    #expect(conflict.persistedSnapshot?["title"] as? String == (isAcross ? "theirs" : nil))
  }

  // S3.3
  @Test func aRowThatIsGoneHasVersionZero() throws {
    let (_, error) = try clash(Case(policy: .errorMergePolicyType, row: nil)) {
      $0.delete(try $0.note(1))
    } here: { _, note in
      note.title = "ours"
    }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    #expect(conflicts?.map(\.newVersionNumber) == [0])
  }

  // S3.3: a to-many change takes part in the check.
  @Test func twoWhoAddToOneToManyConflict() throws {
    let (_, error) = try clash(Case(policy: .errorMergePolicyType, row: nil)) {
      Word(context: $0).note = try $0.note(1)
    } here: { context, note in
      Word(context: context).note = note
    }
    #expect(error?.code == NSManagedObjectMergeError)
  }

  // S3.3, S3.4
  @Test func bothAdditionsToAToManyAreKeptByPropertyPolicies() throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let stack = try TestStack()
      try stack.seed(1...1)
      let context = stack.context()
      context.mergePolicy = policy
      try context.performAndWait {
        let note = try context.note(1)
        #expect(note.words.isEmpty)
        try stack.change { Word(context: $0).note = try $0.note(1) }
        Word(context: context).note = note
        try context.save()
        context.refresh(note, mergeChanges: false)
        #expect(note.words.count == 2)
      }
    }
  }

  // S3.3
  @Test func changesOfDifferentObjectsDoNotConflict() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      _ = try context.note(1).title
      try stack.change { try $0.note(2).title = "theirs" }
      try context.note(1).title = "ours"
      try context.save()
    }
  }

  // S3.4, S2.6: a move that a policy drops is dropped on both sides.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
  func aDroppedMoveLeavesInversesRight(policy: NSMergePolicyType) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    try stack.change { Word(context: $0).note = try $0.note(1) }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let notes = try context.notes()
      let word = try context.words()[0]
      #expect(notes.map(\.words.count) == [1, 0, 0])
      #expect(word.note === notes[0])
      try stack.change { try $0.words()[0].note = try $0.note(3) }
      word.note = notes[1]
      let added = Word(context: context)
      added.note = notes[1]
      try context.save()
      #expect(word.note === notes[2])
      #expect(notes[0].words.isEmpty)
      #expect(notes[1].words == [added])
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD ORDER BY Z_PK") == ["3", "2"])
  }

  /// Takes the store's title and this context's everything else.
  private final class TitleFromStore: NSMergePolicy, @unchecked Sendable {
    // Sendable: nothing is added.
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      for conflict in list {
        let theirs = conflict.cachedSnapshot?["title"] as? String
        (conflict.sourceObject as? Note)?.title = theirs.map { "\($0)!" }
      }
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  // S3.4
  @Test func aSubclassDecidesForItself() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    context.mergePolicy = TitleFromStore(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      try stack.change { try $0.note(1).title = "theirs" }
      note.title = "ours"
      note.number = 9
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE || ' ' || ZNUMBER FROM ZNOTE") == ["theirs! 9"])
  }

  /// Resolves nothing and says that all is well.
  private final class Idle: NSMergePolicy, @unchecked Sendable {
    // Sendable: nothing is added.
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {}
  }

  // S3.4
  @Test func aPolicyThatResolvesNothingFailsTheSave() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    context.mergePolicy = Idle(merge: .overwriteMergePolicyType)
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      try stack.change { try $0.note(1).title = "theirs" }
      note.title = "ours"
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["theirs"])
  }

  // S3.4, S5.1: changes that a policy dropped are not reported as saved.
  @Test func didSaveNamesWhatWasSavedAndNotWhatAPolicyDropped() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.rollback
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      _ = second.title
      try stack.change { try $0.note(2).title = "theirs" }
      first.title = "saved"
      context.processPendingChanges()
      second.title = "dropped"
      let log = NotificationLog(context)
      try context.save()
      #expect(log.takeText().last == "did updated=note 1")
      #expect(second.title == "theirs")
    }
  }
}
