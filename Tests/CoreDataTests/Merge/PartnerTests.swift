import CoreData
import Testing

/// Both foreign keys of a one-to-one relationship say the same in the file, whoever dropped or kept what.
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
