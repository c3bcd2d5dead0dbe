import Checking
import Foundation
import Measuring

/// The kept history of a cell, `history.jsonl`, compressed where it is long, of which only as many lines are decoded as are asked for.
struct KeptHistory {
  /// The lines, each one record.
  let lines: [Data]
  /// Where it is.
  let path: String

  /// Reads the history of a cell; nil where none was kept.
  init?(of key: CellKey, in folder: String) {
    path = "\(folder)/\(Self.path(key, in: folder))"
    guard let data = GzipFile.contents(of: path) else { return nil }
    lines = data.split(separator: UInt8(ascii: "\n"))
  }

  /// Where a cell's history is kept, relative to the results folder.
  ///
  /// That of a warm-up cell of one of several parts that were merged has the name of its run.
  static func path(_ key: CellKey, in folder: String) -> String {
    let plain = "histories/\(key.cell)/history.jsonl"
    let places = ["histories/\(key.run)-\(key.cell)/history.jsonl", plain].flatMap { [$0, $0 + GzipFile.ending] }
    return places.first { FileManager.default.fileExists(atPath: "\(folder)/\($0)") } ?? plain
  }

  /// The line of a step; nil where there is none.
  ///
  /// Records of a transaction have no line of their own: theirs is the transaction's, the last one before them.
  func line(ofStep step: Int) -> Int? {
    lines.lastIndex { Self.index(of: $0).map { $0 <= step } ?? false }
  }

  /// The records of these lines.
  ///
  /// - Throws: `ReportingError` for the first line that is none.
  func records(_ range: Range<Int>) throws(ReportingError) -> [HistoryRecord] {
    precondition(range.lowerBound >= 0 && range.upperBound <= lines.count, "what is read are lines of the history")
    let decoder = JSONDecoder()
    var records: [HistoryRecord] = []
    for number in range {
      do {
        records.append(try decoder.decode(HistoryRecord.self, from: lines[number]))
      } catch {
        throw ReportingError(
          path: "\(path):\(number + 1)", cause: "is no record of a history", remedy: "Run the cell again")
      }
    }
    return records
  }

  /// The number behind `{"index":`, with which every line begins.
  private static func index(of line: Data) -> Int? {
    let digits = line.dropFirst(9).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
