import Foundation
import SQLite

/// Reads past the row cache.
extension SQLiteStore {
  /// The rows of one table that have these keys, in the order of `keys`, nil where there is none; the row cache has them
  /// afterwards.
  ///
  /// Complexity: O(*n* log *n*) for *n* keys, in a statement for every ``keysPerStatement`` of them.
  package func refreshRows(keys: [Int64], root: EntityLayout) throws -> [Row?] {
    var rows = [Row?](repeating: nil, count: keys.count)
    guard hasTable(root) else { return rows }
    cache.recordForeignWrites(keys, root: root)
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    var sorted: [Int64] = []
    sorted.reserveCapacity(keys.count)
    for index in order where sorted.last != keys[index] { sorted.append(keys[index]) }
    var read: [Row?] = []
    read.reserveCapacity(sorted.count)
    for first in stride(from: 0, to: sorted.count, by: Self.keysPerStatement) {
      let page = sorted[first..<min(sorted.count, first + Self.keysPerStatement)]
      try refresh(page, root, &read)
    }
    var position = 0
    for index in order {
      if sorted[position] != keys[index] { position += 1 }
      rows[index] = read[position]
    }
    return rows
  }

  /// Appends the rows of a page of ascending keys. Keys that lie close, as those of one save do, are read as one range of
  /// the table.
  private func refresh(_ page: ArraySlice<Int64>, _ root: EntityLayout, _ read: inout [Row?]) throws {
    guard let first = page.first, let last = page.last else { return }
    precondition(
      first <= last && page.count <= Self.keysPerStatement, "a page of keys ascends, and fits into a statement")
    let reader = readersByRoot[root.root.number]!
    let isRange = last - first < 2 * Int64(page.count)
    let condition = isRange ? "BETWEEN ? AND ?" : "IN (\(Self.keyPlaces))"
    let start = read.count
    read.append(contentsOf: repeatElement(nil, count: page.count))
    try reading { connection, readStart in
      let statement = try connection.cached(
        "SELECT \(reader.selection) FROM \(schema.table(root).name) t0 WHERE t0.Z_PK \(condition)")
      defer { statement.reset() }
      if isRange { bind([first, last], to: statement) } else { bind(page, to: statement) }
      while try statement.step() {
        guard let key = tag.key(statement.int64(at: 0)) else { continue }
        let position = page.firstIndex(notBefore: key)
        guard position < page.endIndex, page[position] == key, let row = try reader.row(statement) else { continue }
        read[start + position - page.startIndex] = cache.publish(row, readAt: readStart, comparing: true)
      }
      for position in page.indices where read[start + position - page.startIndex] == nil {
        cache.recordMissing(RowIdentity(key: page[position], layout: root), readAt: readStart)
      }
    }
  }
}

extension ArraySlice<Int64> {
  /// Where `key` is in an ascending list, or would be. Complexity: O(log *n*).
  fileprivate func firstIndex(notBefore key: Int64) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
