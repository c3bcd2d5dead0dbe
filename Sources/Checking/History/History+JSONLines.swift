import Foundation

extension History {
  /// How much text is collected before it is written.
  private static let chunkBytes = 1 << 20

  /// Writes the history as one JSON object a line with the keys of Jepsen's histories: `index` (the record's step),
  /// `time` (nanoseconds since the first record), `type`, `process`, `f`, `value`; and, where they are known, `context`
  /// (its name) and `object` (the row's primary key).
  ///
  /// The value of a transaction is the list of its micro-operations, `["append", list, value]` and
  /// `["r", list, [values]]`, with null for a list that was not read, or not in a transaction that took place; its records have
  /// no lines of their own. Other values are objects: the entity's name in `layout` (its number if it has none), `key`,
  /// `count`, `value`, and `elements` where several values belong to it.
  package func writeJSONLines(to path: String, layout: StoreLayout) throws(Unusable) {
    let lines = HistoryLines(self, layout: layout, transactions: try transactions())
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw Unusable("\(path): cannot be created") }
    do {
      defer { try? file.close() }
      var text = ""
      text.reserveCapacity(Self.chunkBytes + 256)
      for step in operations.indices {
        lines.append(step, to: &text)
        if text.utf8.count >= Self.chunkBytes {
          try file.write(contentsOf: Data(text.utf8))
          text.removeAll(keepingCapacity: true)
        }
      }
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw Unusable("\(path): cannot be written: \(error.localizedDescription)")
    }
  }
}
