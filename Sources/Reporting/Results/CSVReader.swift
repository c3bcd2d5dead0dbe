/// Reads a CSV file, strictly: every line has as many fields as the header, every quote is closed.
///
/// - SeeAlso: RFC 4180; both line ends are taken.
struct CSVReader {
  /// One record with the line it begins in, from 1.
  struct Record: Sendable, Hashable {
    var line: Int
    var fields: [String]
  }

  /// The records of a file's bytes, the header among them.
  ///
  /// - Throws: `ReportingError` for `path` with the first line that is not CSV.
  /// - Complexity: O(*n*) for *n* bytes.
  static func records(_ bytes: [UInt8], path: String) throws(ReportingError) -> [Record] {
    var reader = CSVReader(bytes: bytes, path: path)
    return try reader.read()
  }

  private let bytes: [UInt8]
  private let path: String
  private var position = 0
  private var line = 1

  private init(bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
  }

  private mutating func read() throws(ReportingError) -> [Record] {
    var records: [Record] = []
    while position < bytes.count {
      let record = try readRecord()
      if let count = records.first?.fields.count, count != record.fields.count {
        throw damaged("has \(record.fields.count) fields, and the header \(count)", line: record.line)
      }
      records.append(record)
    }
    precondition(position == bytes.count, "a file is read to its end")
    return records
  }

  private mutating func readRecord() throws(ReportingError) -> Record {
    var record = Record(line: line, fields: [])
    while true {
      record.fields.append(try readField())
      guard position < bytes.count else {
        throw damaged("ends in the middle of a line", line: record.line)
      }
      let end = bytes[position]
      position += 1
      if end == UInt8(ascii: ",") { continue }
      if end == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") { position += 1 }
      line += 1
      return record
    }
  }

  /// Reads up to a comma or a line end, which stays.
  private mutating func readField() throws(ReportingError) -> String {
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try readQuoted() }
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\"") {
        throw damaged("has a quote inside a field without quotes", line: line)
      }
      position += 1
    }
    return try text(bytes[start..<position])
  }

  private mutating func readQuoted() throws(ReportingError) -> String {
    let first = line
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        content.append(byte)
        position += 1
        continue
      }
      if position < bytes.count, !isEnd(bytes[position]) {
        throw damaged("has text behind a closing quote", line: line)
      }
      return try text(content[...])
    }
    throw damaged("opens a quote that is never closed", line: first)
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(ReportingError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged("is not UTF-8", line: line) }
    return text
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private func damaged(_ what: String, line: Int) -> ReportingError {
    ReportingError(path: path, line: line, cause: what, remedy: FieldProblem("").remedy)
  }
}
