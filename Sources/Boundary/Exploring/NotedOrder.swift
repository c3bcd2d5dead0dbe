import Foundation
import Scheduling

/// The order in which a live cell's threads came to the places where tasks of a simulation give way: the lines of a schedule, in a
/// file of the cell's folder.
package struct NotedOrder: Sendable, Hashable {
  /// The order.
  package var segments: [ScheduleSegment]
  /// Whether there was more than is noted.
  package var isCut: Bool

  /// Makes an order.
  package init(segments: [ScheduleSegment], isCut: Bool) {
    self.segments = segments
    self.isCut = isCut
  }

  /// The last line of a file that leaves out the rest of an order.
  private static let cut = "# the rest is not noted"

  /// Writes the file.
  package func write(in directory: String) throws {
    let lines = segments.map(\.text) + (isCut ? [Self.cut] : []) + [""]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: directory + "/" + CellFiles.order))
  }

  /// Reads the file; nil where there is none, or something else.
  package init?(in directory: String) {
    guard let text = try? String(contentsOfFile: directory + "/" + CellFiles.order, encoding: .utf8) else { return nil }
    var lines = text.split(separator: "\n").map(String.init)
    isCut = lines.last == Self.cut
    if isCut { lines.removeLast() }
    segments = lines.compactMap(ScheduleSegment.init(line:))
    guard segments.count == lines.count else { return nil }
  }
}
