import Checking
import CoreData

// S10.1 to S10.3: the names in a transaction and its time; requests with predicates, orders and limits; deletions before a
// date, a token or a transaction, and the tokens that expire by them; a child's save, a refused one, and one without changes.

extension RuleTrial {
  func transactions() throws {
    let (first, second) = (try open(history: true), try open(history: true))
    let authors: [String?] = ["importer", "editor", nil]
    var expected: [String] = []
    for round in 0..<(4 + draw(4)) {
      let author = pick(authors)?.flatMap { $0 }
      let root = context(chance(1, of: 2) ? first : second, .mergeByPropertyObjectTrump)
      let editor = chance(1, of: 3) ? context(in: root) : root
      try record(editor, root, author, round)
      expected.append("\(round + 1) \(author ?? "none") \(root.name ?? "")")
      try recordNothing(first)
    }
    expected.append("\(expected.count + 1) late \(try recordAfterRefusal(first))")
    let all = try history(nil, first)
    try require(
      all.map { "\($0.transactionNumber) \($0.author ?? "none") \($0.contextName ?? "")" }, expected,
      .historyDivergence,
      "numbers, authors and contexts of transactions")
    try require(
      all.map(\.timestamp), all.map(\.timestamp).sorted(), .misorderedTransaction, "the times of transactions")
    try require(
      Set(all.map(\.processID)).count, 1, .historyDivergence, "processes that transactions name")
    try select(all, first)
    try purge(all, pick([first, second]) ?? first)
    try readEarlierRecords()
  }

  private func history(
    _ token: NSPersistentHistoryToken?, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSPersistentHistoryTransaction] {
    try answer(NSPersistentHistoryChangeRequest.fetchHistory(after: token), coordinator)
      as? [NSPersistentHistoryTransaction] ?? []
  }

  /// A save, of a child now and then: its root is named, and one transaction has everything.
  private func record(
    _ editor: NSManagedObjectContext, _ root: NSManagedObjectContext, _ author: String?, _ round: Int
  ) throws {
    precondition(editor === root || editor.parent === root, "an editor is a child of the root, or it")
    note("author \(author ?? "none")")
    root.performAndWait { root.transactionAuthor = author }
    if editor !== root { editor.performAndWait { editor.transactionAuthor = "a child" } }
    try editor.performAndWait {
      let box = insert("Box", editor)
      for _ in 0..<draw(3) { insert("Item", editor).setValue(box, forKey: "box") }
      if round > 0, let old = try all("Box", editor).first { set("title", of: old) }
      try save(editor)
    }
    if editor !== root { try root.performAndWait { try save(root) } }
  }

  /// No transaction is left by a save without changes, one that is refused, equal values, and a transient one.
  private func recordNothing(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      guard let box = try all("Box", owner).first else { return }
      switch draw(4) {
      case 0: break
      case 1: box.setValue(box.value(forKey: "title"), forKey: "title")
      case 2:
        let item = try all("Item", owner).first
        item?.setValue("only here", forKey: "mark")
      default:
        note("a refused save")
        box.setValue(String(repeating: "long ", count: 9), forKey: "title")
        _ = insert("Item", owner)
        try require(AnythingClient.error { try owner.save() } == nil, false, .failedSave, "whether it is refused")
        return owner.rollback()
      }
      try save(owner)
    }
  }

  /// The first save of an author is refused inside its transaction; the next one names the author.
  ///
  /// - Returns: the name of the context.
  private func recordAfterRefusal(_ coordinator: NSPersistentStoreCoordinator) throws -> String {
    let owner = context(coordinator)
    note("a batch insert of a new author is refused; it saves then")
    return try owner.performAndWait {
      owner.transactionAuthor = "late"
      let rows = (0..<2).map { [RuleModel.number: newNumber() + $0, "label": "twice"] as [String: Any] }
      let code = AnythingClient.error { _ = try owner.execute(NSBatchInsertRequest(entityName: "Tag", objects: rows)) }?
        .code
      try require(
        code, NSManagedObjectConstraintMergeError, .duplicateRecord, "the error of a label that is given twice")
      _ = insert("Box", owner)
      try save(owner)
      return owner.name ?? ""
    }
  }

  // MARK: Requests

  /// Predicates, orders and limits on transactions and on changes select the same as a loop.
  private func select(_ all: [NSPersistentHistoryTransaction], _ coordinator: NSPersistentStoreCoordinator) throws {
    guard let fetch = NSPersistentHistoryTransaction.fetchRequest, let changes = NSPersistentHistoryChange.fetchRequest
    else { return try report(.historyDivergence, "a fetch request for transactions", expected: "one", seen: "none") }
    fetch.predicate = NSPredicate(format: "author == 'importer'")
    if chance(1, of: 2) { fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)] }
    fetch.fetchLimit = draw(3)
    var chosen = all.filter { $0.author == "importer" }.map(\.transactionNumber)
    if fetch.sortDescriptors?.isEmpty == false { chosen.reverse() }
    if fetch.fetchLimit > 0 { chosen = Array(chosen.prefix(fetch.fetchLimit)) }
    note("transactions of the importer, at most \(fetch.fetchLimit)")
    let seen =
      try answer(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch), coordinator)
      as? [NSPersistentHistoryTransaction] ?? []
    try require(
      seen.map(\.transactionNumber), chosen, .historyDivergence, "the transactions that a request selects")
    changes.predicate = NSPredicate(
      format: "changeType == %ld", argumentArray: [NSPersistentHistoryChangeType.insert.rawValue])
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes)
    request.resultType = .changesOnly
    let inserted = try answer(request, coordinator) as? [NSPersistentHistoryChange] ?? []
    let expected = all.flatMap { $0.changes ?? [] }.filter { $0.changeType == .insert }
    try require(
      inserted.map(\.changeID).sorted(), expected.map(\.changeID).sorted(), .historyDivergence,
      "the changes that a request selects")
    let unknown = NSPersistentHistoryTransaction.fetchRequest
    unknown?.predicate = NSPredicate(format: "colour == 1")
    let code = unknown.flatMap { fetch in
      AnythingClient.error {
        _ = try self.answer(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch), coordinator)
      }
    }?.code
    try require(code, NSCoreDataError, .wrongValue, "the error of a request by an unknown key")
    let status = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
    status.resultType = .statusOnly
    try require(try answer(status, coordinator) as? Bool, true, .historyDivergence, "the status of a request")
  }

  // MARK: Deletions

  /// Deleting before one of the transactions, in a drawn way: it and the later ones stay, older tokens expire, numbers rise further.
  private func purge(_ all: [NSPersistentHistoryTransaction], _ coordinator: NSPersistentStoreCoordinator) throws {
    guard let first = pick(Array(all.dropFirst())) else { return }
    let way = draw(3)
    note("delete the history before \(first.transactionNumber), by its \(["date", "token", "transaction"][way])")
    let request =
      switch way {
      case 0: NSPersistentHistoryChangeRequest.deleteHistory(before: first.timestamp)
      case 1: NSPersistentHistoryChangeRequest.deleteHistory(before: first.token)
      default: NSPersistentHistoryChangeRequest.deleteHistory(before: first)
      }
    _ = try answer(request, coordinator)
    // Those of one time stay together.
    let left = all.filter {
      way == 0 ? $0.timestamp >= first.timestamp : $0.transactionNumber >= first.transactionNumber
    }
    try require(
      try history(nil, coordinator).map(\.transactionNumber), left.map(\.transactionNumber), .earlyPurge,
      "the transactions that a deletion leaves")
    try askFromEach(all, left, coordinator)
    let ends = [Date(timeIntervalSinceNow: 60), .distantFuture, Date(timeIntervalSinceReferenceDate: .infinity)]
    let end = pick(ends) ?? .distantFuture
    if let least = pick([.distantPast, Date(timeIntervalSinceReferenceDate: -.infinity)]) {
      note("delete nothing of the history, before \(least.timeIntervalSinceReferenceDate)")
      _ = try answer(.deleteHistory(before: least), coordinator)
      try askFromEach(all, left, coordinator)
    }
    note("delete all of the history, before \(end.timeIntervalSinceReferenceDate)")
    _ = try answer(.deleteHistory(before: end), coordinator)
    try askFromEach(all, [], coordinator)
    // Nor is there a transaction that could be deleted.
    let again = chance(1, of: 2) ? first.token : coordinator.currentPersistentHistoryToken(fromStores: nil)
    let (none, last) = (NSPersistentHistoryChangeRequest.deleteHistory(before: again), all.last?.transactionNumber ?? 0)
    none.resultType = .count
    try require(
      try answer(none, coordinator) as? Int, 0, .earlyPurge, "how many a deletion in an empty history deletes")
    try askFromEach(all, [], chance(1, of: 2) ? coordinator : try open(history: true))
    let owner = context(coordinator)
    try owner.performAndWait {
      _ = insert("Box", owner)
      try save(owner)
    }
    let number = try history(nil, coordinator).last?.transactionNumber
    try require(number, last + 1, .historyDivergence, "the number of a transaction after all were deleted")
    try askFromEach(all, try history(nil, coordinator), coordinator)
  }

  /// Asks from every point, some with nothing behind them, in every form.
  ///
  /// - Parameter left: the transactions of all that are left, and newer ones.
  private func askFromEach(
    _ all: [NSPersistentHistoryTransaction], _ left: [NSPersistentHistoryTransaction],
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let numbers = left.map(\.transactionNumber)
    let lastDeleted = all.map(\.transactionNumber).filter { !numbers.contains($0) }.max() ?? 0
    let last = max(lastDeleted, numbers.max() ?? 0)
    var points: [(String, NSPersistentHistoryChangeRequest, Int64)] = []
    for point in all {
      let (name, number) = ("transaction \(point.transactionNumber)", point.transactionNumber)
      points += [
        ("the token of \(name)", .fetchHistory(after: point.token), number),
        (name, .fetchHistory(after: point), number),
      ]
    }
    points += [
      ("the current token", .fetchHistory(after: coordinator.currentPersistentHistoryToken(fromStores: nil)), last),
      ("a date to come", .fetchHistory(after: Date(timeIntervalSinceNow: chance(1, of: 2) ? 60 : .infinity)), last),
      ("the beginning", .fetchHistory(after: NSPersistentHistoryToken?.none), .max),
    ]
    for (name, request, number) in points {
      request.resultType =
        pick([.transactionsAndChanges, .transactionsOnly, .changesOnly, .objectIDs, .count]) ?? .count
      let behind = left.filter { $0.transactionNumber > number || number == .max }
      let what = "after \(name), of which \(numbers) are left, in form \(request.resultType.rawValue)"
      var result: Any?
      let code = AnythingClient.error { result = try self.answer(request, coordinator) }?.code
      let isExpired = number < lastDeleted
      try require(code, isExpired ? NSPersistentHistoryTokenExpiredError : nil, .earlyPurge, "the error \(what)")
      guard !isExpired else { continue }
      let changes = behind.flatMap { $0.changes ?? [] }
      let expected =
        switch request.resultType {
        case .changesOnly: changes.count
        case .objectIDs: Set(changes.map(\.changedObjectID)).count
        default: behind.count
        }
      try require(
        result as? Int ?? (result as? [Any])?.count, expected, .historyDivergence, "how many there are \(what)")
    }
  }
}
