import CoreData
import Testing

/// Both foreign keys of a one-to-one relationship say the same in the file, whichever context dropped or kept a change.
@Suite struct PartnerTests {
  /// Keeper "a" wears badge 1, keeper "b" none; badges 2 and 3 lie about.
  private func stack() throws -> TestStack {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      let keeper = context.insert("Keeper", ["name": "a"])
      context.insert("Keeper", ["name": "b"])
      for code in 1...3 {
        let badge = context.insert("Badge", ["code": code])
        if code == 1 { keeper.setValue(badge, forKey: "badge") }
      }
    }
    return stack
  }

  private func give(_ code: Int, to name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let keeper = try #require(try context.all("Keeper", where: "name", is: name).first)
    keeper.setValue(try context.all("Badge", where: "code", is: code).first, forKey: "badge")
    return keeper
  }

  /// Every pair as "name code", from the keepers' and from the badges' side.
  private func pairs(_ stack: TestStack) throws -> [[String]] {
    try ["k.ZBADGE = b.Z_PK", "b.ZKEEPER = k.Z_PK"].map {
      try stack.sql("SELECT ZNAME || ' ' || ZCODE FROM ZKEEPER k JOIN ZBADGE b ON \($0) ORDER BY 1")
    }
  }

  // S2.4, S2.6
  @Test func refreshingOneSideDropsTheMoveOnBoth() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let keeper = try give(2, to: "a", context)
      context.refresh(keeper, mergeChanges: false)
      try context.save()
      #expect(keeper.object("badge")?.value(forKey: "code") as? Int == 1)
      #expect(keeper.object("badge")?.object("keeper") === keeper)
      #expect(!context.hasChanges)
    }
    #expect(try pairs(stack) == [["a 1"], ["a 1"]])
  }

  // S2.4, S2.6: the badge had been taken from another owner.
  @Test func refreshingGivesBackWhatWasTakenFromAThird() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let keeper = try give(1, to: "b", context)
      context.refresh(keeper, mergeChanges: false)
      try context.save()
    }
    #expect(try pairs(stack) == [["a 1"], ["a 1"]])
  }

  // S2.6: not only after the next save.
  @Test(arguments: Way.allCases) func aNewerRowUnderAnUnsavedMoveLeavesBothSidesAlike(way: Way) throws {
    let stack = try stack()
    let (context, other) = (stack.context(), stack.context("other"))
    let log = NotificationLog(other)
    let keeper = try context.performAndWait {
      let keeper = try #require(try context.all("Keeper", where: "name", is: "a").first)
      keeper.setValue(nil, forKey: "badge")
      return keeper
    }
    try other.performAndWait {
      _ = try give(2, to: "a", other)
      try other.save()
    }
    try context.performAndWait {
      try receive(try #require(log.didSaves.last), by: way, context)
      let badge = try #require(try context.all("Badge", where: "code", is: 2).first)
      #expect(keeper.object("badge") == nil && badge.object("keeper") == nil)
      try context.save()
    }
    #expect(try pairs(stack) == [[], []])
  }

  /// How a context receives another one's save.
  enum Way: CaseIterable { case merge, remoteMerge, refresh, refetch }

  private func receive(_ save: Notification, by way: Way, _ context: NSManagedObjectContext) throws {
    switch way {
    case .merge: context.mergeChanges(fromContextDidSave: save)
    case .remoteMerge:
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.userInfo ?? [:], into: [context])
    case .refresh: for object in context.registeredObjects { context.refresh(object, mergeChanges: true) }
    case .refetch:
      for entity in ["Keeper", "Badge"] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
      }
    }
  }

  // S2.6, S5.2: the unsaved move stays on top, of both sides.
  @Test(arguments: Way.allCases, [(3, "a"), (2, "b"), (1, "b")])
  func anUnsavedMoveBesideAMergedOne(way: Way, elsewhere: (code: Int, name: String)) throws {
    let stack = try stack()
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait {
      let keeper = try give(2, to: "a", context)
      // Notifications are posted on this thread.
      nonisolated(unsafe) var save: Notification?
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: other, queue: nil
      ) { save = $0 }
      defer { NotificationCenter.default.removeObserver(token) }
      try other.performAndWait {
        _ = try give(elsewhere.code, to: elsewhere.name, other)
        try other.save()
      }
      try receive(try #require(save), by: way, context)
      #expect(keeper.object("badge")?.value(forKey: "code") as? Int == 2)
      try context.save()
      #expect(!context.hasChanges)
      #expect(keeper.object("badge")?.object("keeper") === keeper)
    }
    // Badge 1 belongs to no keeper, as it was made here.
    #expect(try pairs(stack) == [["a 2"], ["a 2"]])
  }

  // S3.4: "a" was deleted elsewhere, and is inserted again; its badge had lost it.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
  func whoIsInsertedAgainHasItsPartner(policy: NSMergePolicyType) throws {
    let (left, right) = (Notebook.entity("Left", NSManagedObject.self), Notebook.entity("Right", NSManagedObject.self))
    let (itsRight, itsLeft) = (
      Notebook.relationship("right", to: right, maxCount: 1), Notebook.relationship("left", to: left, maxCount: 1)
    )
    (itsRight.inverseRelationship, itsLeft.inverseRelationship) = (itsLeft, itsRight)
    left.properties = [Notebook.attribute("name", .stringAttributeType), itsRight]
    right.properties = [Notebook.attribute("name", .stringAttributeType), itsLeft]
    let model = NSManagedObjectModel()
    model.entities = [left, right]
    let stack = try TestStack(model: model)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try stack.change { context in
      context.insert("Left", ["name": "l", "right": context.insert("Right", ["name": "r"])])
    }
    try context.performAndWait {
      let left = try #require(try context.all("Left").first)
      left.setValue("new", forKey: "name")
      try stack.change { other in other.delete(try #require(try other.all("Left").first)) }
      try context.save()
    }
    let join = "SELECT count(*) FROM ZLEFT l JOIN ZRIGHT r ON l.ZRIGHT = r.Z_PK AND r.ZLEFT = l.Z_PK"
    #expect(try stack.sql(join) == ["1"])
  }

  static let policies: [(NSMergePolicyType, String)] = [
    (.rollbackMergePolicyType, "a 3"), (.mergeByPropertyStoreTrumpMergePolicyType, "a 3"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "a 2"), (.overwriteMergePolicyType, "a 2"),
  ]

  // S3.4
  @Test(arguments: policies) func twoMovesOfOneKeeper(policy: NSMergePolicyType, winner: String) throws {
    let stack = try stack()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      _ = try give(2, to: "a", context)
      try stack.change { _ = try give(3, to: "a", $0) }
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try pairs(stack) == [[winner], [winner]])
  }
}
