import Foundation
import Testing

@testable import CoreData

/// Reading and deleting history.
@Suite("S10.2, S10.3 Requests for history", .everyStore)
struct HistoryRequestTests {
  /// Saves notes one by one, as authors in turn.
  private func stack(_ count: Int64, authors: [String?] = ["a"]) throws -> TestStack {
    let stack = try TestStack.withHistory()
    for number in 1...count {
      let context = stack.context("c\(number)")
      try context.performAndWait {
        context.transactionAuthor = authors[Int(number - 1) % authors.count]
        context.insertNote(number)
        try context.save()
      }
    }
    return stack
  }

  private func numbers(_ stack: TestStack, _ request: NSPersistentHistoryChangeRequest) throws -> [Int64] {
    try #require(try stack.history(request) as? [NSPersistentHistoryTransaction]).map(\.transactionNumber)
  }

  @Test func everyPointIsAfterTheTransactionsBeforeIt() throws {
    let stack = try stack(3)
    let all = try stack.transactions()
    #expect(try numbers(stack, .fetchHistory(after: all[0].token)) == [2, 3])
    #expect(try numbers(stack, .fetchHistory(after: all[1])) == [3])
    #expect(
      try numbers(stack, .fetchHistory(after: all[0].timestamp))
        == all.filter { $0.timestamp > all[0].timestamp }.map(\.transactionNumber))
    #expect(try numbers(stack, .fetchHistory(after: Date.distantFuture)).isEmpty)
    #expect(try numbers(stack, .fetchHistory(after: Date.distantPast)) == [1, 2, 3])
    #expect(try numbers(stack, .fetchHistory(after: stack.token())).isEmpty)
  }

  @Test func everyResultTypeSaysWhatItPromises() throws {
    let stack = try stack(2)
    func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      request.resultType = type
      return try stack.history(request)
    }
    #expect(try result(.statusOnly) as? Bool == true)
    #expect(try result(.count) as? Int == 2)
    #expect(try (result(.objectIDs) as? [NSManagedObjectID])?.map(\.primaryKey) == [1, 2])
    let plain = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
    #expect(plain.count == 2 && plain.allSatisfy { $0.changes == nil })
    let changes = try #require(try result(.changesOnly) as? [NSPersistentHistoryChange])
    #expect(changes.map(\.changeID) == [1, 2] && changes.allSatisfy { $0.transaction == nil })
    let both = try #require(try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
    #expect(both.allSatisfy { $0.changes?.first?.transaction?.transactionNumber == $0.transactionNumber })
  }

  @Test func fetchRequestsSelectTransactions() throws {
    let stack = try stack(6, authors: ["app", "extension", nil])
    let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
    fetch.predicate = NSPredicate(format: "author != %@", "app")
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [2, 3, 5, 6])
    fetch.predicate = NSPredicate(format: "author == nil OR contextName BEGINSWITH 'c1'")
    fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [6, 3, 1])
    fetch.fetchLimit = 2
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: try stack.transactions()[2].token)
    request.fetchRequest = fetch
    #expect(try numbers(stack, request) == [6])
    fetch.predicate = NSPredicate(format: "nothing == 1")
    #expect(cocoaCode { _ = try stack.history(request) } == NSCoreDataError)
    let context = stack.context()
    #expect(NSPersistentHistoryTransaction.entityDescription(with: context)?.name == "TRANSACTION")
  }

  @Test func fetchRequestsSelectChanges() throws {
    let stack = try stack(3)
    try stack.change { try $0.note(2).title = "t" }
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.update.rawValue)
    #expect(try numbers(stack, .fetchHistory(withFetch: fetch)) == [4])
    let id = try #require(try stack.transactions()[1].changes?.first?.changedObjectID)
    fetch.predicate = NSPredicate(format: "changedObjectID == %@", id)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = .changesOnly
    #expect(try (stack.history(request) as? [NSPersistentHistoryChange])?.map(\.changeID) == [2, 4])
    request.resultType = .count
    #expect(try stack.history(request) as? Int == 2)
  }

  // S5.4: also where the result does not name the transactions.
  @Test(arguments: [
    NSPersistentHistoryResultType.changesOnly, .transactionsAndChanges, .transactionsOnly, .objectIDs, .count,
  ]) func changesAreSelectedByTheirTransaction(type: NSPersistentHistoryResultType) throws {
    let stack = try stack(5)
    let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
    fetch.predicate = NSPredicate(format: "transaction.transactionNumber == 2")
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = type
    let result = try stack.history(request)
    #expect((result as? [Any])?.count ?? result as? Int == 1)
    fetch.predicate = nil
    fetch.sortDescriptors = [NSSortDescriptor(key: "transaction", ascending: true)]
    #expect(cocoaCode { _ = try stack.history(request) } == NSCoreDataError)
  }

  @Test func deletedHistoryExpiresTokensBeforeIt() throws {
    let stack = try stack(5)
    let tokens = try stack.transactions().map(\.token)
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: tokens[2])
    request.resultType = .count
    #expect(try stack.history(request) as? Int == 2)
    #expect(try numbers(stack, .fetchHistory(after: nil as NSPersistentHistoryToken?)) == [3, 4, 5])
    #expect(try stack.sql("SELECT group_concat(ZTRANSACTIONID) FROM ACHANGE") == ["3,4,5"])
    // Nothing after the second is gone.
    #expect(try numbers(stack, .fetchHistory(after: tokens[1])) == [3, 4, 5])
    #expect(
      cocoaCode { _ = try stack.history(.fetchHistory(after: tokens[0])) } == NSPersistentHistoryTokenExpiredError)
    #expect(try stack.history(.deleteHistory(before: nil as NSPersistentHistoryToken?)) as? Bool == true)
    #expect(try stack.transactions().count == 3)
    _ = try stack.history(.deleteHistory(before: Date.distantFuture))
    #expect(try stack.transactions().isEmpty)
    #expect(
      cocoaCode { _ = try stack.history(.fetchHistory(after: tokens[3])) } == NSPersistentHistoryTokenExpiredError)
    #expect(try stack.token() == tokens[4] && numbers(stack, .fetchHistory(after: tokens[4])).isEmpty)
    try stack.seed(9...9)
    #expect(try stack.transactions().map(\.transactionNumber) == [6])
    #expect(try stack.transactions().first?.changes?.map(\.changeID) == [6])
  }

  @Test func aTokenOfAnotherHistoryIsExpired() throws {
    let (stack, other) = (try stack(2), try self.stack(1))
    let uuid = try #require(try stack.token().transactions.keys.first)
    let ahead = NSPersistentHistoryToken([uuid: 9])
    for token in [try other.token(), ahead] {
      #expect(cocoaCode { _ = try stack.history(.fetchHistory(after: token)) } == NSPersistentHistoryTokenExpiredError)
    }
  }

  @Test func tokensAreArchivedAndCompared() throws {
    let stack = try stack(2)
    let token = try stack.token()
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token && read?.hash == token.hash)
    #expect(try read != stack.transactions().first?.token)
    #expect(try token == stack.transactions().last?.token)
    let plain = try TestStack()
    #expect(plain.container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(coordinator.currentPersistentHistoryToken(fromStores: coordinator.persistentStores) == token)
    #expect(coordinator.currentPersistentHistoryToken(fromStores: []) == nil)
  }

  @Test("S5.4: a transaction is merged as a notification")
  func aTransactionIsMerged() throws {
    let stack = try stack(2)
    let main = stack.context("main")
    let (first, second) = try main.performAndWait { (try main.note(1), try main.note(2)) }
    main.performAndWait { _ = (first.title, second.title) }
    let token = try stack.token()
    try stack.change { context in
      try context.note(1).title = "other"
      context.delete(try context.note(2))
      context.insertNote(3)
    }
    try main.performAndWait {
      for transaction in try stack.transactions(after: token) {
        let notification = transaction.objectIDNotification()
        #expect((notification.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
        main.mergeChanges(fromContextDidSave: notification)
      }
      #expect(first.title == "other")
      #expect(try main.notes().map(\.number) == [1, 3])
    }
  }

  // S10.3
  @Test func anInfiniteDateIsBeforeOrAfterEverything() throws {
    let stack = try stack(2)
    func delete(before seconds: Double) throws -> Bool? {
      try stack.history(.deleteHistory(before: Date(timeIntervalSinceReferenceDate: seconds))) as? Bool
    }
    #expect(try delete(before: -.infinity) == true)
    #expect(try stack.transactions().count == 2)
    #expect(try delete(before: .infinity) == true)
    #expect(try stack.transactions().isEmpty)
  }
}
