import Checking
import CoreData

// S2.2, S6.1: objects that were made without a context are joined like those of a context.

extension RuleTrial {
  /// The same edits of objects without a context, and of others that are inserted: both lead to the same, also once those
  /// without a context are inserted and saved. A relationship without inverse is left out, of which a file keeps one owner.
  func joinLoose(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    note("objects without a context are joined")
    let (ids, expected) = try owner.performAndWait { () -> ([NSManagedObjectID], RulePicture) in
      let names = ["Box", "Box", "Item", "Item", "Item", "Tag", "Tag"]
      let numbers = names.map { _ in newNumber() }
      let twins = [nil, owner].map { home in zip(names, numbers).map { make($0, $1, home, owner) } }
      try requireTwins(twins, "before they are joined")
      for _ in 0..<8 {
        guard let (places, key) = pick([(0..<2, "items"), (0..<2, "list"), (2..<5, "tags")]) else { continue }
        let (place, way) = (pick(Array(places)) ?? 0, draw(3))
        let members = some(key == "tags" ? [5, 6] : [2, 3, 4], atMost: 3)
        note("\(["set", "add to", "take from"][way]) \(key) of \(numbers[place]): \(members.map { numbers[$0] })")
        for objects in twins { join(objects[place], key, members.map { objects[$0] }, way) }
        try requireTwins(twins, "after \(key) of \(numbers[place])")
      }
      let expected = picture(of: twins[1])
      owner.rollback()
      for object in shuffled(twins[0]) { owner.insert(object) }
      try require(picture(of: twins[0]), expected, .lostUpdate, "of objects without a context, once they are inserted")
      try save(owner)
      return (twins[0].map(\.objectID), expected)
    }
    let fresh = freshContext(coordinator)
    let stored = try fresh.performAndWait { picture(of: try ids.map(fresh.existingObject)) }
    try require(stored, expected, .unpersistedSave, "of objects that were joined without a context")
  }

  /// An object of a context, or of none.
  private func make(
    _ name: String, _ number: Int, _ home: NSManagedObjectContext?, _ owner: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = NSEntityDescription.entity(forEntityName: name, in: owner) else {
      preconditionFailure("\(name) is an entity of the model")
    }
    let object = NSManagedObject(entity: entity, insertInto: home)
    object.setValue(number, forKey: RuleModel.number)
    return object
  }

  private func join(_ object: NSManagedObject, _ key: String, _ members: [NSManagedObject], _ way: Int) {
    precondition(0..<3 ~= way, "members are set, added or taken out")
    if object.entity.relationshipsByName[key]?.isOrdered ?? false {
      let list = object.mutableOrderedSetValue(forKey: key)
      switch way {
      case 0: object.setValue(NSOrderedSet(array: members), forKey: key)
      case 1: for member in members { list.add(member) }
      default: for member in members { list.remove(member) }
      }
    } else {
      let set = object.mutableSetValue(forKey: key)
      switch way {
      case 0: object.setValue(Set(members), forKey: key)
      case 1: for member in members { set.add(member) }
      default: for member in members { set.remove(member) }
      }
    }
  }

  private func picture(of objects: [NSManagedObject]) -> RulePicture {
    let rows = objects.map { (RulePicture.number($0), RulePicture.properties(of: $0)) }
    return RulePicture(Dictionary(uniqueKeysWithValues: rows)).withoutDerived
  }

  private func requireTwins(_ twins: [[NSManagedObject]], _ what: String) throws {
    precondition(twins.count == 2, "objects without a context have twins in one")
    try require(picture(of: twins[0]), picture(of: twins[1]), .lostUpdate, "of objects without a context \(what)")
  }
}
