import Foundation

/// The number of meetings of each process of a cell, in a file of its folder: at the deadline it shows which is late.
package enum MeetingLog {
  /// Name of the file.
  package static let fileName = "meetings.txt"

  /// Writes how many meetings a process has come to; called once the others can know of the last one.
  package static func write(_ count: Int, in directory: String) throws {
    precondition(count > 0, "a process that writes has come to a meeting")
    try Data(String(count).utf8).write(to: URL(fileURLWithPath: directory).appendingPathComponent(fileName))
  }

  /// The processes that have come to the fewest meetings, of those that did not come to their end.
  ///
  /// - Parameter directory: folder of the cell.
  package static func latest(of count: Int, in directory: String) -> [ProcessShare] {
    precondition(count > 0, "a cell has a process")
    let shares = (0..<count).map { ProcessShare(index: $0, count: count) }
    let meetings = shares.map { share -> Int in
      let folder = CellRequest.directory(of: share.index, in: directory)
      if hasEnded(in: folder) { return .max }
      let text = try? String(contentsOfFile: folder + "/" + fileName, encoding: .utf8)
      return text.flatMap { Int($0) } ?? 0
    }
    let latest = shares.filter { meetings[$0.index] == meetings.min() }
    precondition(!latest.isEmpty, "one process has come to the fewest")
    return latest
  }

  /// Whether a process left a complete result; one that only saw the end of another leaves an incomplete one.
  private static func hasEnded(in folder: String) -> Bool {
    let result = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + CellMeasurement.fileName))
    let measurement = result.flatMap { try? JSONDecoder().decode(CellMeasurement.self, from: $0) }
    return measurement?.isComplete == true
  }
}
