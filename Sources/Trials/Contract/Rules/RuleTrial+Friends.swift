import Cells
import Checking
import CoreData

// S2.6, S8.1: an object that leaves another is deleted; relationships that are their own inverse follow as others do.

extension RuleTrial {
  /// Objects of one entity leave each other by every kind of relationship.
  func forgetFriends() throws {
    let friends = try open(FriendModel.make(), at: newURL())
    for key in ["friends"] + shuffled(["mate", "likes", "likedBy", "followers", "leader"]).prefix(2) {
      try deleteForgotten(key, friends)
    }
    try close(friends)
  }

  /// One of two partners leaves the other, of which the changes are dropped, and is deleted: then nothing leads there.
  private func deleteForgotten(_ key: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    let (maker, owner) = (context(coordinator), context(coordinator))
    let ids = try maker.performAndWait {
      let pair = (0..<2).map { _ in insertNumbered("Friend", maker) }
      set([pair[1]], key, of: pair[0])
      try save(maker)
      return pair.map(\.objectID)
    }
    let (isOther, drops) = (chance(1, of: 2), chance(3, of: 4))
    note("\(key) is emptied\(isOther ? " by the other side" : "")\(drops ? ", dropped" : ""), and its member deleted")
    let held = try owner.performAndWait {
      let pair = try ids.map(owner.existingObject)
      precondition(pair.count == 2 && pair[0].entity.relationshipsByName[key] != nil, "two partners are related")
      let inverse = pair[0].entity.relationshipsByName[key]?.inverseRelationship?.name ?? ""
      if isOther { set([], inverse, of: pair[1]) } else { set([], key, of: pair[0]) }
      if drops { owner.refresh(pair[0], mergeChanges: false) }
      owner.delete(pair[1])
      try save(owner)
      return pair
    }
    for reader in [owner, freshContext(coordinator)] {
      try reader.performAndWait {
        let left = try reader.existingObject(with: ids[0])
        for (name, relationship) in left.entity.relationshipsByName {
          try require(
            RulePicture.members(of: left, relationship), [], .danglingReference,
            "\(name) of an object of which \(key) led to a deleted one, in \(reader.name ?? "")")
        }
      }
    }
    owner.performAndWait { withExtendedLifetime(held) {} }
  }
}

/// Relationships of an entity with itself, of which two are their own inverses.
private enum FriendModel {
  static func make() -> NSManagedObjectModel {
    let friend = ModelParts.entity("Friend")
    let own = [ModelParts.many("friends", friend, .nullifyDeleteRule), ModelParts.one("mate", friend)]
    for side in own { side.inverseRelationship = side }
    friend.properties += own
    ModelParts.connect(
      ModelParts.many("likes", friend, .nullifyDeleteRule), of: friend,
      ModelParts.many("likedBy", friend, .nullifyDeleteRule), of: friend)
    let followers = ModelParts.many("followers", friend, .nullifyDeleteRule)
    followers.isOrdered = true
    ModelParts.connect(followers, of: friend, ModelParts.one("leader", friend), of: friend)
    let model = NSManagedObjectModel()
    model.entities = [friend]
    return model
  }
}
