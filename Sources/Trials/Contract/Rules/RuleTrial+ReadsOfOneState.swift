import Cells
import Checking
import CoreData
import Scheduling

// S7.1: a fetch shows the rows by which it has found its objects.

extension RuleTrial {
  /// A batch update changes rows that a context has as faults: a fetch in batches shows what it has found.
  func fetchBatchesAfterUpdate(_ own: NSPersistentStoreCoordinator, _ others: NSPersistentStoreCoordinator) throws {
    let (root, writer) = (context(own), context(others))
    let reader = chance(1, of: 3) ? context(in: root) : root
    let held = try reader.performAndWait { try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) }
    let (rank, limit) = (5_000 + newNumber(), 3 + draw(4))
    note("a batch update of items with numbers from \(limit), and a fetch in batches")
    let expected = try writer.performAndWait {
      let update = NSBatchUpdateRequest(entityName: "Item")
      update.predicate = NSPredicate(format: "%K >= %ld", RuleModel.number, limit)
      update.propertiesToUpdate = ["rank": rank]
      _ = try writer.execute(update)
      writer.reset()
      return try all("Item", writer).map(RulePicture.number).filter { $0 >= limit }
    }
    try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "rank == %ld", rank)
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
      if chance(3, of: 4) { request.fetchBatchSize = 1 + draw(50) }
      let found = try reader.fetch(request)
      precondition(!held.isEmpty, "the faults are held meanwhile")
      try require(
        found.map(RulePicture.number), expected, .staleRead, "the objects that a fetch in batches finds after an update"
      )
      try require(
        Set(found.map { RulePicture.text($0.value(forKey: "rank")) }), ["\(rank)"], .staleRead,
        "the ranks of objects that a fetch in batches has found by them")
    }
  }

  /// Others commit, and are read, when a fetch has its rows and does not show them yet.
  func fetchAcrossReads() throws {
    let url = newURL()
    let (own, others) = (try open(at: url), try open(at: url))
    let (reader, neighbour, writer) = (context(own), context(own), context(others))
    try writer.performAndWait {
      for _ in 0..<5 { insertPlain(writer, rank: 1 + draw(9)) }
      try save(writer)
    }
    let (place, isDone) = (draw(5), Locked(false))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
    request.predicate = NSPredicate(format: "rank > 0")
    request.returnsObjectsAsFaults = false
    note("a rank becomes negative, and is read, as a fetch of others has its rows")
    let disturb: @Sendable () throws -> Void = {
      try writer.performAndWait {
        let objects = try writer.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain"))
        objects[place].setValue(-1, forKey: "rank")
        try writer.save()
      }
      neighbour.retainsRegisteredObjects = true
      try neighbour.performAndWait {
        for object in try neighbour.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain")) {
          _ = object.value(forKey: "rank")
        }
      }
    }
    let ranks = try reader.performAndWait {
      let thread = pthread_self()
      let found = try Checkpoint.watching({ [session] place, _ in
        guard place.name == "store.afterRead", pthread_self() == thread, isDone.withLock({ !$0 }) else { return }
        isDone.withLock { $0 = true }
        do { try disturb() } catch { if !session.faults.explains(error) { session.fail(error) } }
      }) { try reader.fetch(request) }
      return found.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
    }
    try require(
      [isDone.withLock { $0 }, ranks.allSatisfy { $0 > 0 }, ranks.count == 5], [true, true, true], .tornRead,
      "whether a fetch was disturbed, and shows the 5 rows that it has found, as they were: \(ranks)")
    for coordinator in [own, others] { try close(coordinator) }
  }
}
