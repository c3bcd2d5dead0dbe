extension Explanation {
  static let historyDivergence = Explanation(
    cause: """
      The store's file was changed by something that does not keep its persistent history: SQL from outside, or a tool that \
      knows nothing of it. Who merges by the history never hears of the change.
      """,
    remedy: "Change the store through Core Data only, opened with history tracking by every process.",
    code: """
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      """,
    sources: [.history, .corruption])

  static let missedTransaction = Explanation(
    cause: """
      The token that was kept is newer than what was merged: it was asked for after the fetch, when another process had \
      saved in between, or the fetch had a limit or a predicate, and its last transaction was not the last.
      """,
    remedy: "Keep the token of the last transaction that was merged, and no other.",
    code: """
      for transaction in transactions {
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        token = transaction.token
      }
      """,
    sources: [.history, .historyToken])

  static let repeatedTransaction = Explanation(
    cause: """
      History was read again from a point that was read before: the token was not kept after the merge, or two handlers of \
      the remote change read at the same time. Merges do no harm twice; what else hangs on them, such as counters, does.
      """,
    remedy: "Read, merge and keep the token in one block of the context that merges, so that no two handlers overlap.",
    code: """
      try context.performAndWait {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
          context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
          token = transaction.token
        }
      }
      """,
    sources: [.history, .remoteChange])

  static let misorderedTransaction = Explanation(
    cause: """
      Transactions were merged in another order than they were committed: sorted by author or newest first, or handed to \
      blocks that may overtake each other.
      """,
    remedy: "Merge the transactions as the request gives them, from the first to the last, on one queue.",
    code: """
      for transaction in transactions {                   // as they were committed
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      """,
    sources: [.history, .remoteChange])

  static let ownTransactionMerged = Explanation(
    cause: """
      A context merged what it had saved itself: its transactions carry no author, or the author is not compared. It reads \
      its own rows again, and may answer its own change as if another had made it.
      """,
    remedy: "Give each context that saves an author of its own, and pass over the transactions that have it.",
    code: """
      context.transactionAuthor = "app"
      for transaction in transactions where transaction.author != context.transactionAuthor {
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      """,
    sources: [.history, .author])

  static let tokenRegression = Explanation(
    cause: """
      Two handlers read the history, and the one that began first ended last: it wrote its older token over the newer one. \
      Or a token came back from a backup.
      """,
    remedy: "Let one queue read the history and keep the token; what arrives meanwhile is read by the next block.",
    code: """
      try context.performAndWait {
        token = try mergeHistory(after: token)            // one block after the other
      }
      """,
    sources: [.history, .historyToken])

  static let earlyPurge = Explanation(
    cause: """
      History was deleted up to the token of one reader, while another one, such as an extension that was not running, had \
      not read so far. Its next request fails with 134301, and it must read everything anew.
      """,
    remedy: """
      Keep the tokens of all readers where each of them can read them, and delete before the oldest; or delete only what is \
      older than any of them stays away. On 134301 start from the current token with all objects refreshed.
      """,
    code: """
      let old = Date(timeIntervalSinceNow: -7 * 24 * 3600)
      let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: old)
      _ = try context.execute(purge)
      """,
    sources: [.history, .historyToken])

  static let generationChange = Explanation(
    cause: """
      A context that is pinned to a query generation saved, merged, was reset or was pinned anew in the middle of its work: \
      each of them moves it to a newer state of the store.
      """,
    remedy: "Do the work that needs one state in a context that only reads, and save in another one.",
    code: """
      try reader.setQueryGenerationFrom(.current)
      let before = try reader.fetch(request)
      try await writer.perform { try writer.save() }      // never the reader itself
      """,
    sources: [.generations, .history])
}
