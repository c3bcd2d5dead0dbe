import Cells
import Checking
import CoreData

// S5.1: events in which changed objects are refreshed.

extension RuleTrial {
  /// Objects that are refreshed lose their changes, and an event names those that still have theirs; in a block of the context.
  func refreshWithin(_ context: NSManagedObjectContext, _ log: NoticeLog) throws {
    let objects = (0..<6).map { _ in insertPlain(context) }
    precondition(objects.allSatisfy { $0.managedObjectContext === context }, "what changes is of the context")
    for _ in 0..<3 {
      try save(context)
      let early = some(objects, atMost: 4)
      for object in early { object.setValue(newNumber(), forKey: "rank") }
      context.processPendingChanges()
      let late = objects.filter { !early.contains($0) && chance(3, of: 4) }
      for object in late { object.setValue(newNumber(), forKey: "rank") }
      var named = Set(late.map { ObjectIdentifier($0) })
      for object in some(early + late, atMost: 3) {
        note("refresh \(RulePicture.number(object)) after \(early.count) changed objects and \(late.count) others")
        context.refresh(object, mergeChanges: false)
        named.remove(ObjectIdentifier(object))
      }
      _ = log.removeAll()
      context.processPendingChanges()
      let seen = try requireNotices(log, named.isEmpty ? [] : ["did-change"], "an event with refreshed objects")
      try require(
        seen.first?.lists.updated ?? [], named, .wrongNotification,
        "the changed objects of an event with refreshed ones")
    }
  }
}
