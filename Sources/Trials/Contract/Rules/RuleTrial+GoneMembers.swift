import Cells
import Checking
import CoreData

// S2.4, S2.6, S8.1: a list of which a member was found gone, set as it is or in another order, is changed by those that are left.

extension RuleTrial {
  /// A list is set again while a member is found gone: its owner is changed where those that are left have other places.
  func arrangeWithGone(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    for (entity, name) in [("Box", "list"), ("Box", "items"), ("Item", "tags")] {
      try arrangeWithGone(entity, name, coordinator, writer)
    }
  }

  private func arrangeWithGone(
    _ entity: String, _ name: String, _ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext
  ) throws {
    let reader = context(coordinator, .mergeByPropertyObjectTrump)
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let (ownerID, ids) = try writer.performAndWait {
      let owner = insertNumbered(entity, writer)
      let members = (0..<4).map { _ in insertNumbered(name == "tags" ? "Tag" : "Item", writer) }
      owner.setValue(name == "items" ? NSSet(array: members) : NSOrderedSet(array: members), forKey: name)
      try save(writer)
      return (owner.objectID, members.map(\.objectID))
    }
    precondition(ids.count > 2, "some are left in an order")
    let victim = draw(ids.count)
    let (owner, members) = try reader.performAndWait {
      let owner = try reader.existingObject(with: ownerID)
      guard let relationship = owner.entity.relationshipsByName[name] else { throw Broken() }
      _ = RulePicture.members(of: owner, relationship)
      return (owner, ids.map(reader.object))
    }
    try writer.performAndWait {
      note("others delete member \(victim) of \(name)")
      writer.delete(try writer.existingObject(with: ids[victim]))
      try save(writer)
    }
    let way = draw(3)
    try reader.performAndWait {
      let numbers = members.map(RulePicture.number)
      reader.refresh(members[victim], mergeChanges: false)
      _ = members[victim].value(forKey: "number")
      try require(members[victim].isDeleted, true, .wrongValue, "whether a member without a row is deleted")
      note("\(name) of \(numbers) is set \(["as it is", "backwards", "without the one that is gone"][way])")
      let list = way == 0 ? members : way == 1 ? members.reversed() : members.filter { $0 !== members[victim] }
      owner.setValue(name == "items" ? NSSet(array: list) : NSOrderedSet(array: list), forKey: name)
      try require(
        owner.hasPersistentChangedValues, way == 1 && name != "items", .wrongValue,
        "whether the owner of \(name) is changed, which was set \(["as it is", "backwards", "without the gone"][way])")
      try save(reader)
      withExtendedLifetime(members) {}
    }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let owner = try fresh.existingObject(with: ownerID)
      guard let relationship = owner.entity.relationshipsByName[name] else { throw Broken() }
      let left = ids.indices.filter { $0 != victim }.map { ids[$0] }
      let expected = try (way == 1 && relationship.isOrdered ? left.reversed() : left).map {
        RulePicture.number(try fresh.existingObject(with: $0))
      }
      try require(
        RulePicture.members(of: owner, relationship), relationship.isOrdered ? expected : expected.sorted(),
        .lostUpdate,
        "\(name) in the file, set while a member was gone")
    }
    writer.performAndWait { writer.refreshAllObjects() }
  }
}
