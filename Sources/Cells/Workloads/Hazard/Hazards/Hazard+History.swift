import Checking
import CoreData

/// Mistakes of contexts that follow a store's persistent history.
extension Hazard {
  /// The token is asked for after the merge, when another save has come between.
  static let missedTransaction = Hazard(
    "missed-transaction", "A follower of the history keeps the current token, and not that of what it merged.",
    careless: { stage in try follow(stage, keepsCurrentToken: true) },
    careful: { stage in try follow(stage, keepsCurrentToken: false) })

  private static func follow(_ stage: HazardStage, keepsCurrentToken: Bool) throws {
    let follower = try HistoryParticipant("follower", stage)
    try edit(stage)
    let found = try follower.read()
    follower.merge(found)
    try edit(stage)
    try follower.keep(keepsCurrentToken ? follower.current() : found.last)
    let more = try follower.read()
    follower.merge(more)
    follower.keep(more.last)
  }

  /// Two notifications come, and the token is kept after the second.
  static let repeatedTransaction = Hazard(
    "repeated-transaction", "A follower of the history merges again what it has merged before it kept its token.",
    careless: { stage in try mergeTwice(stage, keepsEach: false) },
    careful: { stage in try mergeTwice(stage, keepsEach: true) })

  private static func mergeTwice(_ stage: HazardStage, keepsEach: Bool) throws {
    let follower = try HistoryParticipant("follower", stage)
    for isLast in [false, true] {
      try edit(stage)
      let found = try follower.read()
      follower.merge(found)
      if keepsEach || isLast { follower.keep(found.last) }
    }
  }

  /// The newest transaction is merged first, since the user waits for it.
  static let misorderedTransaction = Hazard(
    "misordered-transaction", "A follower of the history merges the newest transaction first.",
    careless: { stage in try merge(stage, inOrder: false) }, careful: { stage in try merge(stage, inOrder: true) })

  private static func merge(_ stage: HazardStage, inOrder: Bool) throws {
    let follower = try HistoryParticipant("follower", stage)
    try edit(stage)
    try edit(stage)
    let found = try follower.read()
    follower.merge(inOrder ? found : found.reversed())
    follower.keep(found.last)
  }

  /// The author of a transaction is ignored.
  static let ownTransactionMerged = Hazard(
    "own-transaction-merged", "A follower of the history merges what it has saved itself.",
    careless: { stage in try saveAndMerge(stage, passesOwnOver: false) },
    careful: { stage in try saveAndMerge(stage, passesOwnOver: true) })

  private static func saveAndMerge(_ stage: HazardStage, passesOwnOver: Bool) throws {
    let follower = try HistoryParticipant("follower", stage)
    try edit(stage, in: follower.context)
    try edit(stage)
    let found = try follower.read()
    follower.merge(found, passesOwnOver: passesOwnOver)
    follower.keep(found.last)
  }

  /// The handler that began first ends last.
  static let tokenRegression = Hazard(
    "token-regression", "Two handlers follow the history, and the slower one keeps its older token.",
    careless: { stage in
      let follower = try HistoryParticipant("follower", stage)
      try edit(stage)
      let slow = try follower.read()
      try edit(stage)
      for found in [try follower.read(), slow] {
        follower.merge(found)
        follower.keep(found.last)
      }
    },
    careful: { stage in
      let follower = try HistoryParticipant("follower", stage)
      for _ in 0..<2 {
        try edit(stage)
        let found = try follower.read()
        follower.merge(found)
        follower.keep(found.last)
      }
    })

  /// An app deletes the history that it has, and its extension has not.
  static let earlyPurge = Hazard(
    "early-purge", "An app deletes history that its extension has not read.",
    careless: { stage in try purge(stage, looksAtBoth: false) },
    careful: { stage in try purge(stage, looksAtBoth: true) })

  private static func purge(_ stage: HazardStage, looksAtBoth: Bool) throws {
    let app = try HistoryParticipant("app", stage)
    let widget = try HistoryParticipant("widget", stage)
    for _ in 0..<2 { try edit(stage) }
    let found = try app.read()
    app.merge(found)
    app.keep(found.last)
    try app.deleteHistory(before: looksAtBoth ? widget.last : app.last)
    do {
      let found = try widget.read()
      widget.merge(found)
      widget.keep(found.last)
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      widget.log.isExpired(widget.last, widget.context)
    }
  }

  /// A reader that is pinned to one state saves in the middle of its work, which moves it to a newer one.
  static let generationChange = Hazard(
    "generation-change", "A context that is pinned to a query generation saves, and shows another one.",
    careless: { stage in try readTwice(stage, savesItself: true) },
    careful: { stage in try readTwice(stage, savesItself: false) })

  private static func readTwice(_ stage: HazardStage, savesItself: Bool) throws {
    let reader = try stage.makeContext("reader")
    func revision() throws -> Int64 {
      try reader.performAndWait {
        reader.refreshAllObjects()
        return try stage.note(in: reader).revision
      }
    }
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    let before = try revision()
    try edit(stage)
    try pinNextNote(stage, in: savesItself ? reader : try stage.makeContext("writer"))
    let after = try revision()
    stage.session.count(\.viewsCompared)
    guard after != before else { return }
    CellReports.report(
      Violation(
        kind: .generationChange, subject: "Note in reader", expected: "revision \(before), as in the pinned generation",
        seen: "revision \(after), after the reader had saved"))
  }

  /// Someone changes the round's note, and saves.
  private static func edit(_ stage: HazardStage, in context: NSManagedObjectContext? = nil) throws {
    let context = try context ?? stage.makeContext("editor")
    try context.performAndWait {
      try stage.note(in: context).revision += 1
      try context.save()
    }
  }

  /// Someone changes another note than the round's, and saves.
  private static func pinNextNote(_ stage: HazardStage, in context: NSManagedObjectContext) throws {
    let request = Note.request()
    request.predicate = NSPredicate(format: "number == %ld", 1 + stage.noteNumber % stage.notebook.noteCount)
    try context.performAndWait {
      for note in try context.fetch(request) { note.isPinned.toggle() }
      try context.save()
    }
  }
}

/// A context that follows the history of the stage's store by hand, as an app does.
///
/// Concurrency: used by the script's thread.
private final class HistoryParticipant {
  let context: NSManagedObjectContext
  let log: HistoryLog
  /// The transaction that its token is of; nil for the beginning.
  private(set) var last: NSPersistentHistoryTransaction?

  init(_ name: String, _ stage: HazardStage) throws {
    let context = try stage.makeContext(name)
    self.context = context
    log = HistoryLog(stage.recorder.history) { [environment = stage.session.environment] in environment.number(of: $0) }
    last = try context.performAndWait { try context.lastHistoryTransaction() }
    log.begins(after: last, context)
  }

  /// The transactions after the token.
  func read() throws -> [NSPersistentHistoryTransaction] {
    try context.performAndWait { [context, last] in try context.historyTransactions(after: last?.token) }
  }

  /// The last transaction of all.
  func current() throws -> NSPersistentHistoryTransaction? {
    try context.performAndWait { [context] in try context.lastHistoryTransaction() }
  }

  func merge(_ transactions: [NSPersistentHistoryTransaction], passesOwnOver: Bool = true) {
    context.performAndWait { [context, log] in
      for transaction in transactions {
        let isMerged = !passesOwnOver || transaction.author != context.transactionAuthor
        if isMerged { context.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
        log.note(transaction, isMerged: isMerged, context)
      }
    }
  }

  /// Keeps the transaction's token, where there is one.
  func keep(_ transaction: NSPersistentHistoryTransaction?) {
    guard let transaction else { return }
    last = transaction
    log.isThrough(transaction, context)
  }

  func deleteHistory(before transaction: NSPersistentHistoryTransaction?) throws {
    try context.performAndWait { [context] in
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: transaction?.token))
    }
  }
}
