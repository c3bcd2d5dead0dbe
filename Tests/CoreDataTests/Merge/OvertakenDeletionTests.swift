import CoreData
import Testing

/// A deletion after its rules were followed, and another context's save of the same object since.
@Suite struct OvertakenDeletionTests {
  /// How the object was deleted, and how its context learns of the other save.
  enum Way: CaseIterable {
    case deletionMerged, undoMerged, deletionConflicting, undoConflicting

    var isUndo: Bool { self == .undoMerged || self == .undoConflicting }
    var merges: Bool { self == .deletionMerged || self == .undoMerged }
  }

  /// A new object is saved and deleted by one context; another one relates others to it, and saves; then the first saves.
  private struct Meeting {
    let stack: TestStack
    let deleter: NSManagedObjectContext
    let other: NSManagedObjectContext
    let code: Int?

    /// - Parameter relate: relates the deleted object to others in the other context.
    init(_ way: Way, _ entity: String, _ relate: (NSManagedObject, NSManagedObjectContext) throws -> Void) throws {
      stack = try TestStack(model: Zoo.model())
      try stack.change { context in
        context.insert("Keeper", ["name": "a"])
        context.insert("Cat", ["name": "tom"])
        context.insert("Badge", ["code": 1])
      }
      (deleter, other) = (stack.context("deleter"), stack.context("other"))
      for context in [deleter, other] { context.automaticallyMergesChangesFromParent = way.merges || context === other }
      deleter.mergePolicy = way.merges ? NSMergePolicy.error : NSMergePolicy.mergeByPropertyObjectTrump
      let id = try deleter.performAndWait { [deleter] in
        if way.isUndo { deleter.undoManager = UndoManager() }
        let object = deleter.insert(entity, ["name": "deleted"])
        try deleter.save()
        if way.isUndo { deleter.undo() } else { deleter.delete(object) }
        deleter.processPendingChanges()
        #expect(object.isDeleted)
        return object.objectID
      }
      try other.performAndWait { [other] in
        try relate(try other.existingObject(with: id), other)
        try other.save()
      }
      code = deleter.performAndWait { [deleter] in cocoaCode { try deleter.save() } }
    }

    /// Keys in the file that lead to no row.
    func danglingKeys() throws -> [String] {
      let keys = [
        ("ZKEEPER", "ZFAVOURITE", "ZANIMAL"), ("ZANIMAL", "ZKEEPER", "ZKEEPER"), ("ZKEEPER", "ZBADGE", "ZBADGE"),
        ("ZBADGE", "ZKEEPER", "ZKEEPER"),
      ]
      return try keys.flatMap { table, column, target in
        try stack.sql(
          "SELECT '\(table).\(column)' FROM \(table) WHERE \(column) > 0 AND \(column) NOT IN (SELECT Z_PK FROM \(target))"
        )
      }
    }
  }

  private static func first(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.all(entity).first { $0.entity.name == "Badge" || $0.string("name") != "deleted" })
  }

  // S8.1: nullify
  @Test(arguments: Way.allCases) func whoCameToADeletedObjectIsNullified(way: Way) throws {
    let meeting = try Meeting(way, "Cat") { try Self.first("Keeper", $1).setValue($0, forKey: "favourite") }
    #expect(meeting.code == nil)
    #expect(try meeting.danglingKeys() == [])
    try meeting.other.performAndWait {
      let keeper = try Self.first("Keeper", meeting.other)
      #expect(keeper.object("favourite") == nil)
      #expect(!keeper.hasChanges)
    }
  }

  // S8.1: cascade
  @Test(arguments: Way.allCases) func whoCameToADeletedObjectFollowsIt(way: Way) throws {
    let meeting = try Meeting(way, "Keeper") { try Self.first("Badge", $1).setValue($0, forKey: "keeper") }
    #expect(meeting.code == nil)
    #expect(try meeting.danglingKeys() == [])
    #expect(try meeting.stack.sql("SELECT count(*) FROM ZBADGE") == ["0"])
  }

  // S8.1: deny
  @Test(arguments: Way.allCases) func whoCameToADeletedObjectDeniesItsDeletion(way: Way) throws {
    let meeting = try Meeting(way, "Keeper") { try Self.first("Cat", $1).setValue($0, forKey: "keeper") }
    #expect(meeting.code == NSValidationRelationshipDeniedDeleteError)
    #expect(try meeting.danglingKeys() == [])
    // Once the member has left, nothing is in the way.
    try meeting.other.performAndWait {
      try Self.first("Cat", meeting.other).setValue(nil, forKey: "keeper")
      try meeting.other.save()
    }
    try meeting.deleter.performAndWait { try meeting.deleter.save() }
    #expect(try meeting.stack.sql("SELECT ZNAME FROM ZKEEPER") == ["a"])
  }

  // S8.1, S3.3: the members of many-to-many relationships count as changes of their owners; a merge reads them again.
  @Test(arguments: Way.allCases, ["mentors", "pupils", "friends"])
  func aDeletedObjectLeavesTheListsItCameTo(way: Way, key: String) throws {
    let meeting = try Meeting(way, "Keeper") { deleted, context in
      try Self.first("Keeper", context).mutableSetValue(forKey: key).add(deleted)
    }
    #expect(meeting.code == nil)
    try meeting.other.performAndWait {
      #expect(try Self.first("Keeper", meeting.other).objects(key).isEmpty)
      let keepers = try meeting.other.all("Keeper")
      #expect(keepers.count == 1)
    }
  }

  // S8.1: processed changes are notified, before any save.
  @Test func aMergedMemberIsClearedWhenChangesAreProcessed() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      context.insert("Keeper", ["name": "a"])
      context.insert("Cat", ["name": "tom"])
    }
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    try context.performAndWait {
      context.delete(try Self.first("Cat", context))
      _ = try Self.first("Keeper", context).object("favourite")
    }
    try stack.change { try Self.first("Keeper", $0).setValue(try Self.first("Cat", $0), forKey: "favourite") }
    try context.performAndWait {
      let keeper = try Self.first("Keeper", context)
      context.processPendingChanges()
      #expect(keeper.object("favourite") == nil)
      #expect(keeper.isUpdated)
    }
  }

  // S3.4: the row is deleted in its newest version, and its rules reach the targets of that.
  @Test(arguments: [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
  func aChildsDeletionFollowsItsRulesAtTheRoot(policy: NSMergePolicyType) throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      context.insert("Keeper", ["name": "a"])
      context.insert("Cat", ["name": "tom"])
    }
    let parent = stack.context("parent")
    parent.mergePolicy = NSMergePolicy(merge: policy)
    let child = stack.child(of: parent)
    try child.performAndWait {
      child.delete(try Self.first("Cat", child))
      try child.save()
    }
    try stack.change { try Self.first("Keeper", $0).setValue(try Self.first("Cat", $0), forKey: "favourite") }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER WHERE ZFAVOURITE IS NOT NULL") == ["0"])
  }

  // S2.6, S8.1: an unsaved move counts, whatever another context's row says of the object.
  @Test(arguments: [true, false], [0, 1])
  func aCascadeTakesTheObjectOutOfAnOwnerThatHasItByItsRowAlone(merges: Bool, membersMax: Int) throws {
    let (owner, member) = (
      Notebook.entity("Owner", NSManagedObject.self), Notebook.entity("Member", NSManagedObject.self)
    )
    for entity in [owner, member] { entity.properties = [Notebook.attribute("name", .stringAttributeType)] }
    let members = Notebook.relationship("members", to: member, maxCount: membersMax)
    let back = Notebook.relationship("owner", to: owner, maxCount: 1, rule: .cascadeDeleteRule)
    (members.inverseRelationship, back.inverseRelationship) = (back, members)
    owner.properties.append(members)
    member.properties.append(back)
    let model = NSManagedObjectModel()
    model.entities = [owner, member]
    let stack = try TestStack(model: model)
    var ids: [NSManagedObjectID] = []
    try stack.change { context in
      let owners = ["here", "there"].map { context.insert("Owner", ["name": $0]) }
      let objects = owners + [context.insert("Member", ["name": "member"])]
      try context.save()
      ids = objects.map(\.objectID)
    }
    let (here, there) = (stack.context("here"), stack.context("there"))
    here.automaticallyMergesChangesFromParent = merges
    here.performAndWait { here.object(with: ids[2]).setValue(here.object(with: ids[0]), forKey: "owner") }
    try there.performAndWait {
      there.object(with: ids[2]).setValue(there.object(with: ids[1]), forKey: "owner")
      try there.save()
    }
    try here.performAndWait {
      if !merges { here.refreshAllObjects() }
      here.delete(here.object(with: ids[2]))
      here.processPendingChanges()
      #expect(here.deletedObjects.map { $0.objectID }.contains(ids[1]) == false)
      try here.save()
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZOWNER") == ["there"])
    guard membersMax == 1 else { return }
    #expect(try stack.sql("SELECT count(*) FROM ZOWNER WHERE ZMEMBERS IS NOT NULL") == ["0"])
  }

  // S8.1: a deleted member that only the file has is for the deletion's rules, and no reference that the program made.
  @Test(arguments: [0, 1], [true, false])
  func aDeletedMemberThatOnlyTheFileHasRefusesNoSave(ownersMax: Int, isOrdered: Bool) throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .rollback] {
      try saveWithADeletedMember(ownersMax, isOrdered, policy)
    }
  }

  private func saveWithADeletedMember(_ ownersMax: Int, _ isOrdered: Bool, _ policy: NSMergePolicy) throws {
    let stack = try TestStack(model: Self.membership(ownersMax: ownersMax, isOrdered: isOrdered))
    var ids: [NSManagedObjectID] = []
    try stack.change { context in
      let objects = ["Owner", "Member", "Member"].map { context.insert($0) }
      try context.save()
      ids = objects.map(\.objectID)
    }
    let (here, there) = (stack.context("here"), stack.context("there"))
    here.mergePolicy = policy
    func add(_ member: NSManagedObjectID, _ context: NSManagedObjectContext) {
      let (owner, member) = (context.object(with: ids[0]), context.object(with: member))
      if isOrdered {
        let members = owner.mutableOrderedSetValue(forKey: "members")
        members.add(member)
      } else {
        let members = owner.mutableSetValue(forKey: "members")
        members.add(member)
      }
    }
    func members(_ context: NSManagedObjectContext) -> Int {
      let members = context.object(with: ids[0]).value(forKey: "members")
      return (members as? NSSet)?.count ?? (members as? NSOrderedSet)?.count ?? -1
    }
    here.performAndWait {
      here.delete(here.object(with: ids[1]))
      here.processPendingChanges()
    }
    try there.performAndWait {
      add(ids[1], there)
      try there.save()
    }
    try here.performAndWait {
      add(ids[2], here)
      #expect(members(here) == 2)
      try here.save()
      let stored = ownersMax == 1 ? "ZMEMBER WHERE ZOWNER IS NOT NULL" : "Z_1OWNER"
      #expect(try stack.sql("SELECT count(*) FROM \(stored)") == ["\(members(here))"])
    }
    let isDeleted = policy === NSMergePolicy.mergeByPropertyObjectTrump
    #expect(try stack.sql("SELECT count(*) FROM ZMEMBER") == [isDeleted ? "1" : "2"])
  }

  /// Owners with members, and back: one owner, or several (0).
  private static func membership(ownersMax: Int, isOrdered: Bool) -> NSManagedObjectModel {
    let (owner, member) = (
      Notebook.entity("Owner", NSManagedObject.self), Notebook.entity("Member", NSManagedObject.self)
    )
    let members = Notebook.relationship("members", to: member, maxCount: 0)
    let back = Notebook.relationship("owner", to: owner, maxCount: ownersMax)
    members.isOrdered = isOrdered
    (members.inverseRelationship, back.inverseRelationship) = (back, members)
    owner.properties = [members]
    member.properties = [back]
    let model = NSManagedObjectModel()
    model.entities = [owner, member]
    return model
  }
}
