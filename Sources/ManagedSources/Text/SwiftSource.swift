/// The text of one Swift file.
package struct SwiftSource: Sendable {
  /// The file's path, as it is shown in messages.
  package let path: String
  package let bytes: [UInt8]
  /// Offset of each line's first byte.
  private let lineStarts: [Int]

  package init(path: String, text: String) {
    self.path = path
    bytes = Array(text.utf8)
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lineStarts = starts
  }

  /// Last component of the path; private names depend on it.
  package var name: String { String(path.split(separator: "/").last ?? "") }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The line of a byte, from 1.
  package func line(at offset: Int) -> Int {
    precondition(0...bytes.count ~= offset, "an offset is that of a byte of the source, or of its end")
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The bytes of a line without its line feed.
  package func range(ofLine line: Int) -> Range<Int> {
    precondition(1...lineStarts.count ~= line, "the lines of a source are numbered from 1")
    let start = lineStarts[line - 1]
    return start..<(line < lineStarts.count ? lineStarts[line] - 1 : bytes.count)
  }

  package var lineCount: Int { lineStarts.count }
}

/// Something in a source that cannot be handled: `file:line: the problem. the remedy`.
package struct SourceProblem: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let line: Int
  /// A few words under which such problems are counted.
  package let kind: String
  package let message: String

  package init(path: String, line: Int, kind: String = "", message: String) {
    precondition(line > 0 && !message.isEmpty, "a problem is on a line, from 1 on, and says what it is")
    self.path = path
    self.line = line
    self.kind = kind
    self.message = message
  }

  package var description: String { "\(path):\(line): \(message)" }
}
