import Foundation

/// How many meetings each process of a cell has come to, in a file of its folder: at the deadline it tells who is late.
package enum MeetingLog {
  /// Name of the file.
  package static let fileName = "meetings.txt"

  /// Notes that a process came to its so manieth meeting, from 1.
  package static func write(_ count: Int, in directory: String) throws {
    try Data(String(count).utf8).write(to: URL(fileURLWithPath: directory).appendingPathComponent(fileName))
  }

  /// The processes that have come to the fewest meetings, of those that did not end.
  ///
  /// - Parameter directory: folder of the cell.
  package static func latest(of count: Int, in directory: String) -> [ProcessShare] {
    let shares = (0..<count).map { ProcessShare(index: $0, count: count) }
    let meetings = shares.map { share -> Int in
      let folder = CellRequest.directory(of: share.index, in: directory)
      if FileManager.default.fileExists(atPath: folder + "/" + CellMeasurement.fileName) { return .max }
      let text = try? String(contentsOfFile: folder + "/" + fileName, encoding: .utf8)
      return text.flatMap { Int($0) } ?? 0
    }
    return shares.filter { meetings[$0.index] == meetings.min() }
  }
}
