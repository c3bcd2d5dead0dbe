import Cells
import Checking
import CoreData

// S2.4, S2.6, S3.4: both sides of a one-to-one relationship say the same where a move is dropped with one of its objects, by a refresh
// or by a merge policy.

extension RuleTrial {
  func dropPairs() throws {
    let coordinator = try open(at: newURL())
    let maker = context(coordinator)
    try maker.performAndWait {
      let boxes = (0..<3).map { _ in insertNumbered("Box", maker) }
      let items = (0..<4).map { _ in insertNumbered("Item", maker) }
      for index in 0..<2 { boxes[index].setValue(items[index], forKey: "cover") }
      try save(maker)
    }
    for _ in 0..<8 {
      let policy = pick(Self.policies.filter { $0.mergeType != .errorMergePolicyType }) ?? .overwrite
      let (owner, rival) = (context(coordinator, policy), context(coordinator))
      try owner.performAndWait {
        let (boxes, items) = (try all("Box", owner), try all("Item", owner))
        guard let box = pick(boxes), let item = pick(items) else { return }
        if chance(1, of: 2) { try requirePairs(boxes, items, "before a move") }
        movePair(box, item)
        if chance(1, of: 2) { owner.processPendingChanges() }
        if chance(1, of: 2) {
          let refreshed = chance(1, of: 2) ? box : item
          note("refresh \(RulePicture.number(refreshed)), without its changes")
          owner.refresh(refreshed, mergeChanges: false)
        } else {
          try rival.performAndWait {
            guard let other = pick(try all("Item", rival)) else { return }
            movePair(rival.object(with: box.objectID), other)
            try save(rival)
          }
        }
        try requirePairs(boxes, items, "before the save of a move that was dropped")
        try save(owner)
        // The partner that the rival chose is as it was read.
        owner.refreshAllObjects()
        try requirePairs(boxes, items, "after the save of a move that was dropped")
      }
      let fresh = freshContext(coordinator)
      try fresh.performAndWait {
        try requirePairs(try all("Box", fresh), try all("Item", fresh), "in the file")
      }
    }
    try close(coordinator)
  }

  /// Gives a box its cover, from either side; in a block of the context.
  private func movePair(_ box: NSManagedObject, _ item: NSManagedObject) {
    note("item \(RulePicture.number(item)) is the cover of box \(RulePicture.number(box))")
    if chance(1, of: 2) { box.setValue(item, forKey: "cover") } else { item.setValue(box, forKey: "covered") }
  }

  private func requirePairs(_ boxes: [NSManagedObject], _ items: [NSManagedObject], _ what: String) throws {
    precondition(!boxes.isEmpty && !items.isEmpty, "pairs are of boxes and items")
    for (objects, key, inverse) in [(boxes, "cover", "covered"), (items, "covered", "cover")] {
      for object in objects {
        guard let partner = object.value(forKey: key) as? NSManagedObject else { continue }
        try require(
          partner.value(forKey: inverse) as? NSManagedObject === object, true, .asymmetricInverse,
          "whether \(inverse) of \(RulePicture.number(partner)) is \(RulePicture.number(object)), its \(key), \(what)")
      }
    }
  }
}
