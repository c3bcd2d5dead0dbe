/// A history written as text, one record a line: `w0 invoke insert Note 0..<500 = 7 @2000`.
///
/// Worker, type and function; then, where they apply, entity, key or range of keys, value, context (`c2`), primary key
/// (`p7`), and time in nanoseconds, which is 1,000 times the line's number when it is not given. `w0 list 3 [1 2 3]` is
/// the read of a list, with its values in the records that follow it; `w0 ok read Note 3 says 1 2` is a record of one row
/// with its values.
package struct HistoryText: Error, CustomStringConvertible {
  /// The line that is none.
  package var description: String

  /// The records of each worker.
  package static func workers(_ text: String) throws -> [[Checking.Operation]] {
    var workers: [UInt32: [Checking.Operation]] = [:]
    let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    for (number, line) in lines.enumerated() {
      let isOfRow = line.contains(" says ")
      let parts = line.replacing(" says ", with: "[").split(separator: "[", omittingEmptySubsequences: false)
      guard var operation = operation(parts[0], number: number) else { throw HistoryText(description: String(line)) }
      guard parts.count > 1 else {
        workers[operation.process, default: []].append(operation)
        continue
      }
      let values = parts[1].split { $0 == " " || $0 == "]" }.compactMap { Int64($0) }
      if !isOfRow { operation.count = Int64(values.count) }
      workers[operation.process, default: []].append(operation)
      for start in stride(from: 0, to: values.count, by: ElementWords.capacity) {
        let count = min(ElementWords.capacity, values.count - start)
        let words = ElementWords(values, from: start, count: count)
        workers[operation.process, default: []].append(
          Checking.Operation(
            time: operation.time, type: .info, function: .elements, process: operation.process, key: words.first,
            count: Int64(count), value: words.second, object: words.third))
      }
    }
    return workers.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The history of a text.
  package static func history(_ text: String) throws -> History { try History(merging: workers(text)) }

  private static func operation(_ line: Substring, number: Int) -> Checking.Operation? {
    var words = line.split(separator: " ")
    guard words.count >= 3, words[0].first == "w", let process = UInt32(words[0].dropFirst()),
      let type = OperationType.allCases.first(where: { $0.name == words[1] }),
      let function = OperationFunction.allCases.first(where: { $0.name == words[2] })
    else { return nil }
    var operation = Checking.Operation(
      time: UInt64(number + 1) * 1_000, type: type, function: function, process: process)
    words.removeFirst(3)
    while let word = words.first {
      words.removeFirst()
      if word.first == "@" {
        guard let time = UInt64(word.dropFirst()) else { return nil }
        operation.time = time
      } else if word.first == "c", let context = UInt32(word.dropFirst()) {
        operation.context = context
      } else if word.first == "p", let object = Int64(word.dropFirst()) {
        operation.object = object
      } else if word == "=" {
        guard !words.isEmpty, let value = Int64(words.removeFirst()) else { return nil }
        operation.value = value
      } else if let entity = StoreLayout.notebook.entities.first(where: { $0.name == word }) {
        operation.entity = entity.number
      } else if let key = Int64(word) {
        operation.key = key
      } else {
        let bounds = word.split(separator: ".", omittingEmptySubsequences: true)
        guard bounds.count == 2, bounds[1].first == "<", let lower = Int64(bounds[0]),
          let upper = Int64(bounds[1].dropFirst())
        else { return nil }
        operation.key = lower
        operation.count = upper - lower
      }
    }
    return operation
  }
}
