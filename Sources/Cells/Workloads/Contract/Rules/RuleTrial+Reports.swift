import Checking
import CoreData
import Scheduling

// S5.4: after the last commit to a file a report comes with a token that includes it, however slow who hears of the reports is.

extension RuleTrial {
  func reports() throws {
    let (first, second) = (try open(history: true, reports: true), try open(history: true, reports: true))
    let maker = context(first)
    try maker.performAndWait {
      _ = insert("Item", maker)
      try save(maker)
    }
    let listener = RuleListener(context(first), first, session.environment)
    defer { listener.end() }
    let saves = 2 + draw(5)
    note("\(saves) saves by each of two coordinators, while who hears of them fetches")
    for (coordinator, place) in [(first, 0), (second, 100)] {
      let writer = context(coordinator)
      writer.perform { [session] in
        do {
          for number in 0..<saves {
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer)
            item.setValue(1_000 + place + number, forKey: RuleModel.number)
            try writer.save()
          }
        } catch { if !session.faults.explains(error) { session.fail(error) } }
      }
      writer.performAndWait {}
    }
    guard let last = first.currentPersistentHistoryToken(fromStores: nil) else {
      return try report(.historyDivergence, "the current token", expected: "a token", seen: "none")
    }
    try require(
      listener.hears(of: last, atMost: 20), true, .missedNotification, "whether a report with the last token came")
  }
}

/// Hears of a coordinator's reports, and takes its time with each.
private final class RuleListener: Sendable {
  private struct State {
    var latest: NSPersistentHistoryToken?
    var awaited: NSPersistentHistoryToken?
  }

  private let environment: StrategyEnvironment
  private let state = Locked(State())
  private let hasCome = Latch(label: "the last report")
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let observer: any NSObjectProtocol

  init(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ environment: StrategyEnvironment
  ) {
    self.environment = environment
    observer = environment.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator) {
      [state, hasCome] notification in
      let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      context.performAndWait {
        _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
      }
      let isLast = state.withLock { state in
        state.latest = token
        return token != nil && token == state.awaited
      }
      if isLast { hasCome.open() }
    }
  }

  /// Whether a report with this token, which is the last, comes within some seconds.
  func hears(of token: NSPersistentHistoryToken, atMost seconds: Double) -> Bool {
    precondition(seconds > 0, "a report takes some time")
    let hasCome = state.withLock { state in
      state.awaited = token
      return state.latest == token
    }
    return hasCome || self.hasCome.wait(atMost: seconds)
  }

  func end() { environment.removeObserver(observer) }
}
