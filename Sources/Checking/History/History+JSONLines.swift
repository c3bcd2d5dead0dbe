import Foundation

extension History {
  /// How much text is collected before it is written.
  private static let chunkBytes = 1 << 20

  /// Writes the history as one JSON object a line with the keys of Jepsen's histories: `index`, `time` (nanoseconds
  /// since the first record), `type`, `process`, `f`, `value`.
  ///
  /// The value is an object: the entity's name in `layout` (its number if it has none), `key`, `count`, `value`.
  package func writeJSONLines(to path: String, layout: StoreLayout) throws(Unusable) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw Unusable("\(path): cannot be created") }
    do {
      defer { try? file.close() }
      var text = ""
      text.reserveCapacity(Self.chunkBytes + 256)
      let origin = operations.first?.time ?? 0
      for (index, operation) in operations.enumerated() {
        text += Self.line(index, operation, origin: origin, layout: layout)
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

  private static func line(_ index: Int, _ operation: Operation, origin: UInt64, layout: StoreLayout) -> String {
    let entity: String
    if operation.entity == 0 {
      entity = "null"
    } else if let name = layout.entity(operation.entity)?.name {
      // Entity names are identifiers: nothing in them needs an escape.
      entity = "\"\(name)\""
    } else {
      entity = "\(operation.entity)"
    }
    return """
      {"index":\(index),"time":\(operation.time - origin),"type":"\(operation.type.name)",\
      "process":\(operation.process),"f":"\(operation.function.name)",\
      "value":{"entity":\(entity),"key":\(operation.key),"count":\(operation.count),"value":\(operation.value)}}

      """
  }
}
