import Cells
import Checking
import CoreData

// S8.3: values of objects after their deletion was saved, whatever was read of them before.

extension RuleTrial {
  /// The attributes of an object stay readable after its deletion was saved; those of a fault are as in the row that was deleted.
  func readDeleted() throws {
    let coordinator = try open(at: newURL())
    let (maker, owner) = (context(coordinator), context(coordinator))
    let ranks = try maker.performAndWait {
      let objects = (0..<6).map { _ in insertPlain(maker, rank: newNumber()) }
      try save(maker)
      return objects.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
    }
    try owner.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
      let objects = try owner.fetch(request)
      precondition(objects.count == ranks.count, "all objects are found")
      let doomed = objects.indices.filter { _ in chance(2, of: 3) }
      for index in doomed {
        let way = draw(3)
        note("object \(index) is \(way == 0 ? "read" : way == 1 ? "read, refreshed" : "a fault"), and is deleted")
        if way < 2 { _ = objects[index].value(forKey: "rank") }
        if way == 1 { owner.refresh(objects[index], mergeChanges: false) }
        owner.delete(objects[index])
        if chance(1, of: 3) { owner.processPendingChanges() }
      }
      try save(owner)
      let seen = doomed.map { (objects[$0].value(forKey: "rank") as? NSNumber)?.intValue }
      try require(seen, doomed.map { ranks[$0] }, .wrongValue, "values of objects after their deletion was saved")
    }
  }
}
