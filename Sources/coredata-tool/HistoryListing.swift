import CoreData

/// The persistent history of a store's file, for people and as JSON.
struct HistoryListing: Encodable, Sendable {
  struct Change: Encodable, Sendable {
    let number: Int64
    let type: String
    let entity: String
    let key: Int64
    /// Of an update.
    let properties: [String]?
    /// Of a deleted object.
    let tombstone: [String: String]?
  }

  struct Transaction: Encodable, Sendable {
    let number: Int64
    let time: String
    let author: String?
    let context: String?
    let bundle: String
    let process: String
    let changes: [Change]
  }

  let transactions: [Transaction]

  /// - Parameter model: the model that the file was made with.
  init(_ path: String, _ model: NSManagedObjectModel) throws {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    transactions = try StoreHistory(path: path, model: model).transactions.map { transaction in
      Transaction(
        number: transaction.number, time: transaction.time.formatted(format), author: transaction.author,
        context: transaction.contextName, bundle: transaction.bundle, process: transaction.process,
        changes: transaction.changes.map { change in
          Change(
            number: change.number, type: change.kind, entity: change.entity, key: change.primaryKey,
            properties: change.kind == "update" ? change.properties : nil,
            tombstone: change.tombstone.isEmpty
              ? nil : Dictionary(change.tombstone.map { ($0.name, $0.value) }) { first, _ in first })
        })
    }
  }

  /// A line for each transaction, and one below it for each change.
  var lines: [String] {
    let changes = transactions.flatMap(\.changes)
    func count(_ type: String) -> String { "\(changes.count { $0.type == type }) \(type)s" }
    let sum = ["insert", "update", "delete"].map(count).joined(separator: ", ")
    return ["history: \(transactions.count) transactions, \(changes.count) changes (\(sum))"]
      + transactions.flatMap { [Self.line($0)] + $0.changes.map(Self.line) }
  }

  private static func line(_ transaction: Transaction) -> String {
    let names = [("author", transaction.author), ("context", transaction.context)].compactMap { name, value in
      value.map { ", \(name) \($0)" }
    }
    return "transaction \(transaction.number), \(transaction.time)\(names.joined()), process \(transaction.process), "
      + "bundle \(transaction.bundle)"
  }

  private static func line(_ change: Change) -> String {
    var line = "  \(change.number) \(change.type) \(change.entity) \(change.key)"
    if let properties = change.properties { line += ": \(properties.joined(separator: ", "))" }
    if let tombstone = change.tombstone {
      line += ": " + tombstone.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
    }
    return line
  }
}
