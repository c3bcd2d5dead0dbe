import Cells
import Checking
import CoreData

// S7.5: delegates of controllers come, go and take turns; what they hear does not depend on who was the delegate before.

extension RuleTrial {
  /// Of two controllers of one request, one has no delegate while nothing of its list changes: then both tell the same.
  func pauseDelegates(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      let logs = [ListLog(), ListLog()]
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: chance(1, of: 2))]
      let sections = chance(1, of: 2) ? "rank" : nil
      if sections != nil { request.sortDescriptors?.insert(NSSortDescriptor(key: "rank", ascending: true), at: 0) }
      let controllers = logs.map { log in
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: owner, sectionNameKeyPath: sections, cacheName: nil)
        controller.delegate = log
        return controller
      }
      precondition(controllers.count == 2, "one of two controllers has no delegate for a while")
      defer { for controller in controllers { controller.delegate = nil } }
      for pause in shuffled(["a reset", "a refresh of all", "nothing"]) {
        for controller in controllers { try controller.performFetch() }
        if chance(1, of: 2) { try all("Item", owner).first?.setValue(draw(9), forKey: "rank") }
        owner.processPendingChanges()
        note("\(pause) while one of two controllers has no delegate")
        controllers[1].delegate = nil
        if pause == "a reset" { owner.reset() }
        if pause == "a refresh of all" { owner.refreshAllObjects() }
        controllers[1].delegate = logs[1]
        for log in logs { log.calls = [] }
        for _ in 0..<(1 + draw(2)) { insert("Item", owner).setValue(draw(4), forKey: "rank") }
        owner.processPendingChanges()
        try require(
          logs[1].calls, logs[0].calls, .controllerDivergence,
          "what a delegate that was set again hears of an insertion after \(pause)")
      }
      owner.reset()
    }
  }

  /// Delegates of a controller take turns, between changes and inside their calls: each change is reported once, to the delegate of
  /// that moment, in its own way.
  func exchangeDelegates(_ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(!coordinator.persistentStores.isEmpty, "a controller lists what is in a store")
    let owner = context(coordinator)
    try owner.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: chance(1, of: 2))]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: owner, sectionNameKeyPath: nil, cacheName: nil)
      let delegates: [any TurnDelegate] = shuffled([DifferenceDelegate(), CallDelegate(), DifferenceDelegate()])
      controller.delegate = delegates[0]
      try controller.performFetch()
      for _ in 0..<8 {
        if chance(1, of: 3) { controller.delegate = pick(delegates) }
        let now = controller.delegate
        let next = chance(1, of: 3) ? pick(delegates) : nil
        for delegate in delegates {
          delegate.onLast = { [unowned controller] in if let next { controller.delegate = next } }
        }
        let number = RulePicture.number(insertPlain(owner, rank: 0))
        owner.processPendingChanges()
        note(
          "\(delegates.firstIndex { $0 === now } ?? -1) is the delegate, then \(next == nil ? "no other" : "another")")
        for (place, delegate) in delegates.enumerated() {
          try require(
            delegate.removeCalls(), delegate === now ? delegate.expected : [], .wrongNotification,
            "the calls of delegate \(place) with the insertion of \(number)")
        }
      }
      controller.delegate = nil
      withExtendedLifetime(delegates) { owner.rollback() }
    }
  }
}

/// The calls that a delegate gets; only used on the context's queue.
private final class ListLog: NSObject, NSFetchedResultsControllerDelegate {
  var calls: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    calls.append("\(type.rawValue) \(indexPath.map { "\($0)" } ?? "-") \(newIndexPath.map { "\($0)" } ?? "-")")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { calls.append("section \(type.rawValue) \(sectionIndex)") }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("will")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("did")
  }
}

/// A delegate that keeps its calls, and may have another one take its place in the last of a change.
private protocol TurnDelegate: NSFetchedResultsControllerDelegate {
  var onLast: () -> Void { get set }
  /// The calls of one insertion.
  var expected: [String] { get }
  /// The calls since the last time.
  func removeCalls() -> [String]
}

/// Wants differences.
private final class DifferenceDelegate: NSObject, TurnDelegate {
  var onLast: () -> Void = {}
  let expected = ["difference of 1"]
  private var calls: [String] = []

  func removeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    calls.append("difference of \(diff.count)")
    onLast()
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("will change")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("did change")
  }
}

/// Wants a call for each object.
private final class CallDelegate: NSObject, TurnDelegate {
  var onLast: () -> Void = {}
  let expected = ["will change", "object", "did change"]
  private var calls: [String] = []

  func removeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("will change")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    calls.append("object")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    calls.append("did change")
    onLast()
  }
}
