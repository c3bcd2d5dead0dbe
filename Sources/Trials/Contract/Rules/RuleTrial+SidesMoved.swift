import Cells
import Checking
import CoreData

// S2.6, S8.1: objects that two contexts move to different owners, and of which one deletes them.

extension RuleTrial {
  /// Items that have an owner, another one here and a third one in the file are deleted, by whichever rules: then none leads to them.
  func deleteMoved() throws {
    let coordinator = try open(try drawRules(), at: newURL())
    let hears = draw(3)
    let (mine, theirs) = (context(coordinator, merges: hears == 0, .mergeByPropertyObjectTrump), context(coordinator))
    let key = pick(["covered", "covered", "box", "shelf"]) ?? "covered"
    let groups = try theirs.performAndWait {
      let groups = (0..<6).map { _ in
        [insertNumbered("Item", theirs)] + (0..<3).map { _ in insertNumbered("Box", theirs) }
      }
      for group in groups where chance(1, of: 2) { group[0].setValue(group[1], forKey: key) }
      try save(theirs)
      return groups
    }
    let ids = theirs.performAndWait { groups.map { $0.map(\.objectID) } }
    precondition(ids.allSatisfy { $0.count == 4 }, "each item has three boxes that it may be in")
    note("\(key) of items is changed here and there, and they are deleted")
    let moved = try mine.performAndWait {
      try ids.map { group in
        let item = try mine.existingObject(with: group[0])
        item.setValue(mine.object(with: group[2]), forKey: key)
        return item
      }
    }
    let thirds = try theirs.performAndWait {
      for group in groups where chance(3, of: 4) { group[0].setValue(group[3], forKey: key) }
      try save(theirs)
      return Set(groups.map { RulePicture.number($0[3]) })
    }
    try mine.performAndWait {
      if hears == 1 { mine.refreshAllObjects() }
      for item in moved {
        mine.delete(item)
        if chance(1, of: 2) { mine.processPendingChanges() }
      }
      try save(mine)
    }
    // The file of a store that is closed is looked through for keys that lead nowhere.
    let left = try stored(coordinator).objects
    try require(
      left.values.count { $0["entity"] == "Item" }, 0, .resurrectedRecord,
      "the items in the file after all were deleted")
    try require(
      thirds.subtracting(left.keys), [], .lostRecord,
      "boxes that items were in by a newer row alone, and went with them")
    theirs.performAndWait { withExtendedLifetime(groups) {} }
    try close(coordinator)
  }
}
