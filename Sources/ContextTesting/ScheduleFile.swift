import Foundation
import Scheduling

/// An order of a test, as a file beside it.
struct ScheduleFile {
  private static let signature = "contextbench schedule of a test 1"

  /// The test that an order is of, and where it is kept.
  struct Place: Sendable {
    let test: String
    let file: String

    /// Beside the source of the test.
    init(file: String, test: String) {
      let source = URL(fileURLWithPath: file)
      self.init(
        test: test, in: source.deletingLastPathComponent().path,
        prefix: source.deletingPathExtension().lastPathComponent + "-")
    }

    init(test: String, in folder: String, prefix: String = "") {
      self.test = test
      let name = String(test.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber ? $0 : "-" })
      file = URL(fileURLWithPath: folder).appendingPathComponent("\(prefix)\(name).schedule").path
    }
  }

  let test: String
  let segments: [ScheduleSegment]

  init(test: String, segments: [ScheduleSegment]) {
    precondition(!test.contains("\n"), "the name of a test is one line of its file")
    self.test = test
    self.segments = segments
  }

  init(path: String) throws {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw NotExplored("\(path) cannot be read.")
    }
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.count > 2, lines[0] == Self.signature, lines[1].hasPrefix("test: ") else {
      throw NotExplored("\(path) is no schedule of a test.")
    }
    test = String(lines[1].dropFirst("test: ".count))
    segments = try lines.dropFirst(2).map { line in
      guard let segment = ScheduleSegment(line: line) else {
        throw NotExplored("\(path) has a line that is no part of a schedule: \(line)")
      }
      return segment
    }
  }

  func write(to path: String) throws {
    let text = ([Self.signature, "test: \(test)"] + segments.map(\.text)).joined(separator: "\n") + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
