import CoreData

/// A row of the consistency workloads: a logical key, and the values under it.
package final class KeyedRow: NSManagedObject {
  private enum Key {
    static let number = _PropertyKey("number")
    static let value = _PropertyKey("value")
    static let list = _PropertyKey("list")
  }

  /// Logical key, from 1.
  package var number: Int64 {
    get { _integer(Key.number) }
    set { _setInteger(Key.number, newValue) }
  }

  /// A count, a balance, or the row's maker, for the entities that have one.
  package var value: Int64 {
    get { _integer(Key.value) }
    set { _setInteger(Key.value, newValue) }
  }

  /// The numbers that were appended, of the entities that have a list.
  package var list: [Int64] {
    get { (_string(Key.list) ?? "").split(separator: " ").compactMap { Int64($0) } }
    set { _setString(Key.list, newValue.map(String.init).joined(separator: " ")) }
  }

  /// The rows with these keys, or all, in the order of their keys, as the store has them now.
  ///
  /// In one fetch, so that no save comes between two of them; rows that the context holds already are brought up to
  /// date. On the context's queue.
  package static func fetch(_ entity: String, keys: [Int64]? = nil, in context: NSManagedObjectContext) throws
    -> [KeyedRow]
  {
    let request = NSFetchRequest<KeyedRow>(entityName: entity)
    if let keys {
      // Without a format, which would be parsed at each of a search's thousands of fetches.
      request.predicate = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "number"), rightExpression: NSExpression(forConstantValue: keys),
        modifier: .direct, type: .in)
    }
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.shouldRefreshRefetchedObjects = true
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  /// Fetches the row of a key that is there. On the context's queue.
  static func fetch(_ entity: String, key: Int64, in context: NSManagedObjectContext) throws -> KeyedRow {
    guard let row = try fetch(entity, keys: [key], in: context).first else {
      throw UnexpectedAnswer(subject: "\(entity) \(key)", expected: "its row", seen: "no row")
    }
    return row
  }

  /// Inserts a row.
  package static func insert(
    _ entity: String, number: Int64, value: Int64? = nil, into context: NSManagedObjectContext
  ) -> KeyedRow {
    guard
      let row = NSEntityDescription.insertNewObject(forEntityName: entity, into: context) as? KeyedRow
    else { preconditionFailure("\(entity) is an entity of rows with a key") }
    row.number = number
    if let value { row.value = value }
    return row
  }
}
