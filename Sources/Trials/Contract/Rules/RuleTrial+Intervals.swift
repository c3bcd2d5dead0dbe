import Cells
import Checking
import CoreData

// S2.4: within the staleness interval the row cache answers, until it hears of a newer row.

extension RuleTrial {
  /// Within the interval the row cache answers until a batch update is merged, or the row is fetched.
  func waitWithinInterval(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let keeper = context(coordinator)
    let plain = try keeper.performAndWait {
      let plain = insertPlain(keeper, rank: newNumber())
      try save(keeper)
      return plain
    }
    let (id, number) = keeper.performAndWait { (plain.objectID, RulePicture.number(plain)) }
    let rank = 30_000 + newNumber()
    note("batch update of a rank to \(rank)")
    try writer.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Plain")
      request.predicate = NSPredicate(format: "number == %ld", number)
      request.propertiesToUpdate = ["rank": rank]
      _ = try writer.execute(request)
    }
    let isMerged = chance(1, of: 2)
    note(isMerged ? "the update is merged" : "the row is fetched")
    if isMerged {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id]], into: [keeper])
      keeper.performAndWait {}
      let seen = keeper.performAndWait { (plain.value(forKey: "rank") as? NSNumber)?.intValue }
      try require(seen, rank, .staleRead, "a rank of a realised object once a batch update was merged")
    } else {
      let fetcher = context(coordinator)
      let found = try fetcher.performAndWait {
        try all("Plain", fetcher).first { RulePicture.number($0) == number }.flatMap {
          ($0.value(forKey: "rank") as? NSNumber)?.intValue
        }
      }
      try require(found, rank, .staleRead, "a rank that a context fetches first after a batch update")
    }
    let patient = context(coordinator)
    let seen = try patient.performAndWait {
      patient.stalenessInterval = pick([-1, 3_600]) ?? -1
      return (try patient.existingObject(with: id).value(forKey: "rank") as? NSNumber)?.intValue
    }
    try require(seen, rank, .staleRead, "a rank by the row cache, after the newer row was merged or fetched")
  }
}
