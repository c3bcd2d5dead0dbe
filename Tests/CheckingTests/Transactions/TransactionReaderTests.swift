import Testing

@testable import Checking

struct TransactionReaderTests {
  private func transactions(_ text: String) throws -> [Transaction] { try HistoryText.history(text).transactions() }

  @Test func transactionsOfSeveralWorkersAreDistinguished() throws {
    let transactions = try transactions(
      """
      w0 invoke txn 1
      w1 invoke txn 1
      w0 ok append 3 = 7
      w1 ok r 3 [1 2 3 4 5 6 7 8]
      w0 ok r 3 []
      w0 ok txn 1
      w1 fail txn 1
      w0 invoke txn 2
      w0 info txn 2
      """)
    #expect(
      transactions.map(\.operations) == [
        [.append(key: 3, value: 7), .read(key: 3, values: [])],
        [.read(key: 3, values: [1, 2, 3, 4, 5, 6, 7, 8])], [],
      ])
    #expect(transactions.map(\.outcome) == [.ok, .fail, .info])
    #expect(transactions.map(\.process) == [0, 1, 0])
  }

  @Test func ofAKilledWorkerAnythingMayHaveHappened() throws {
    let transactions = try transactions("w0 invoke txn 1\nw0 ok append 3 = 7\nw0 ok r 3 = 0")
    #expect(transactions.map(\.outcome) == [.info])
    #expect(transactions.map(\.end) == [.max])
    #expect(transactions[0].operations == [.append(key: 3, value: 7)])
  }

  @Test(arguments: [
    // Outside of a transaction.
    "w0 ok append 3 = 7", "w0 ok r 3 []",
    // One inside another.
    "w0 invoke txn 1\nw0 invoke txn 2",
    // Fewer values than announced: a list of one without any.
    "w0 invoke txn 1\nw0 ok r 3\nw0 ok txn 1",
    // Lists of two entities.
    "w0 invoke txn 1\nw0 ok append Note 3 = 7\nw0 ok append Word 3 = 7",
  ])
  func whatIsNoTransactionIsUnusable(text: String) throws {
    #expect(throws: Unusable.self) { try transactions(text) }
  }
}
