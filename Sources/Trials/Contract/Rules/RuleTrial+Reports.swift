import Cells
import Checking
import CoreData
import Scheduling

// S5.4: after the last commit to a file a report comes with a token that includes it, however slow the observer is.

extension RuleTrial {
  func reports() throws {
    let (first, second) = (try open(history: true, reports: true), try open(history: true, reports: true))
    // A store in memory is no file that others could change.
    let memory = try first.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
      options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber])
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
    try requireReport(of: first, listener)
    // A commit while the report of another one is posted.
    note("one more save, and one by who hears of it")
    listener.answerNext(with: context(chance(1, of: 2) ? first : second))
    try maker.performAndWait {
      _ = insert("Item", maker)
      try save(maker)
    }
    try require(listener.hasAnswered(within: 20), true, .missedNotification, "whether a report of a save came")
    try requireReport(of: first, listener)
    try saveToMemory(memory, maker)
    try requireReport(of: first, listener)
    let uuid = first.persistentStores.first { $0 !== memory }?.identifier ?? ""
    try require(
      listener.origins, ["\(uuid) \(file.lastPathComponent)"], .wrongNotification, "the stores that reports name")
    try reportWithoutHistory()
  }

  /// Commits are reported of a store without a history, also of one that had a history before.
  private func reportWithoutHistory() throws {
    let (url, hadHistory) = (newURL(), chance(2, of: 3))
    note("a store without a history\(hadHistory ? ", which had one" : "")")
    let before = try open(at: url, history: hadHistory)
    let maker = context(before)
    try maker.performAndWait {
      insertPlain(maker)
      try save(maker)
    }
    if hadHistory { _ = try answer(.deleteHistory(before: Date.distantFuture), before) }
    try close(before)
    let (hearing, writing) = (try open(at: url, reports: true), try open(at: url, reports: true))
    let hasCome = Latch(label: "a report of a store without a history")
    let observer = session.environment.addObserver(forName: .NSPersistentStoreRemoteChange, object: hearing) { _ in
      hasCome.open()
    }
    defer { session.environment.removeObserver(observer) }
    let writer = context(writing)
    try writer.performAndWait {
      insertPlain(writer)
      try save(writer)
    }
    try require(
      hasCome.wait(atMost: 20), true, .missedNotification,
      "whether a commit is reported of a store that has no history\(hadHistory ? " any more" : "")")
  }

  /// A save to a store in memory, and one to the file.
  private func saveToMemory(_ memory: NSPersistentStore, _ maker: NSManagedObjectContext) throws {
    try maker.performAndWait {
      maker.assign(insert("Box", maker), to: memory)
      try save(maker)
      _ = insert("Item", maker)
      try save(maker)
    }
  }

  private func requireReport(of coordinator: NSPersistentStoreCoordinator, _ listener: RuleListener) throws {
    guard let last = coordinator.currentPersistentHistoryToken(fromStores: nil) else {
      return try report(.historyDivergence, "the current token", expected: "a token", seen: "none")
    }
    try require(
      listener.hears(of: last, within: 20), true, .missedNotification, "whether a report with the last token came")
  }
}

/// Hears of a coordinator's reports, and takes its time with each.
private final class RuleListener: Sendable {
  private struct State {
    var latest: NSPersistentHistoryToken?
    /// The UUID and the file of each store that a report has named.
    var origins: Set<String> = []
    var awaited: (token: NSPersistentHistoryToken, hasCome: Latch)?
    /// The context that saves when the next report comes.
    var answering: NSManagedObjectContext?
  }

  private let environment: StrategyEnvironment
  private let state = Locked(State())
  private let answered = Latch(label: "an answer to a report")
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let observer: any NSObjectProtocol

  init(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ environment: StrategyEnvironment
  ) {
    self.environment = environment
    observer = environment.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator) {
      [state, answered] notification in
      let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      context.performAndWait {
        _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
      }
      let answering = state.withLock { state in
        defer { state.answering = nil }
        return state.answering
      }
      if let answering {
        answering.performAndWait {
          let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: answering)
          item.setValue(2_000, forKey: RuleModel.number)
          try? answering.save()
        }
        answered.open()
      }
      let uuid = notification.userInfo?[NSStoreUUIDKey] as? String ?? "none"
      let url = notification.userInfo?[NSPersistentStoreURLKey] as? URL
      let hasCome = state.withLock { state in
        state.latest = token
        state.origins.insert("\(uuid) \(url?.lastPathComponent ?? "none")")
        return token != nil && token == state.awaited?.token ? state.awaited?.hasCome : nil
      }
      hasCome?.open()
    }
  }

  /// The observer of the next report saves, before the report is over.
  func answerNext(with context: NSManagedObjectContext) { state.withLock { $0.answering = context } }

  /// Whether that save was made within some seconds.
  func hasAnswered(within seconds: Double) -> Bool { answered.wait(atMost: seconds) }

  /// Whether a report with this token, which is the last, comes within some seconds.
  func hears(of token: NSPersistentHistoryToken, within seconds: Double) -> Bool {
    precondition(seconds > 0, "a report takes some time")
    let hasCome = Latch(label: "the last report")
    let isThere = state.withLock { state in
      state.awaited = (token, hasCome)
      return state.latest == token
    }
    return isThere || hasCome.wait(atMost: seconds)
  }

  var origins: [String] { state.withLock { $0.origins.sorted() } }

  func end() { environment.removeObserver(observer) }
}
