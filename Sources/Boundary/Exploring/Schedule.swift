import Foundation
import Scheduling

/// An interleaving of one cell that showed a violation, as text that can be kept beside the sources.
///
/// A header of `name: value` lines says which cell it is; the lines after it say, in two columns, which task runs and to which
/// step. Steps have names, so that a schedule outlives edits that do not concern it.
package struct Schedule: Sendable, Hashable {
  /// The first line of every file.
  package static let signature = "contextbench schedule 1"
  /// The end of the names of its files.
  package static let fileExtension = "schedule"

  /// The cell that the schedule runs.
  package var cell: ExploredCell
  /// The policy that found it, with its parameters.
  package var policy: String
  /// The seed that it was given.
  package var seed: UInt64
  /// The kinds of violations that it shows: their names, sorted.
  package var kinds: [String]
  /// The source that it was found with, where that is known.
  package var revision: String?
  /// The tasks that run, in order; then whichever can, the task that ran last first.
  package var segments: [ScheduleSegment]

  /// Makes a schedule.
  package init(
    cell: ExploredCell, policy: String, seed: UInt64, kinds: [String], revision: String?, segments: [ScheduleSegment]
  ) {
    precondition(!kinds.isEmpty && kinds == Set(kinds).sorted(), "kinds are sorted, each once, and there is one")
    precondition(!policy.isEmpty, "a schedule was found by a policy")
    self.cell = cell
    self.policy = policy
    self.seed = seed
    self.kinds = kinds
    self.revision = revision
    self.segments = segments
  }

  /// How often a task that could have gone on was not chosen.
  package var preemptions: Int { size.preemptions }

  /// How much there is to it.
  package var size: ScheduleSize { ScheduleSize(segments) }

  // MARK: Text

  /// The text of its file.
  package var text: String {
    var lines = [Self.signature, "scenario: \(cell.scenario)"]
    lines += cell.assignments.map { "set: \($0)" }
    if cell.isQuick { lines.append("quick: true") }
    lines += ["strategy: \(cell.strategy)"]
    if cell.variant > 0 { lines.append("variant: \(cell.variant)") }
    lines += [
      "cell seed: \(cell.seed)", "policy: \(policy)", "seed: \(seed)", "kinds: \(kinds.joined(separator: ", "))",
    ]
    if let revision { lines.append("revision: \(revision)") }
    lines += ["lines: \(segments.count)", ""]
    lines += segments.map(\.text)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A mistake in a file.
  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The mistake, and its remedy.
    package var what: String

    package var description: String { "\(line): \(what)" }
  }

  /// Reads the text of a file.
  ///
  /// - Throws: the first thing that is wrong with it.
  package init(text: String) throws(Problem) {
    let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard lines.first == Self.signature else {
      throw Problem(
        line: 1, what: "not a schedule: the first line is not “\(Self.signature)”. Give a file that explore saved")
    }
    guard text.hasSuffix("\n") else {
      throw Problem(
        line: lines.count, what: "the file is cut off: its last line has no end. Restore it, or explore again")
    }
    var header: [String: [String]] = [:]
    var number = 1
    while number < lines.count, !lines[number].isEmpty {
      if !lines[number].hasPrefix("#") {
        let (name, value) = try Self.field(lines[number], line: number + 1)
        header[name, default: []].append(value)
      }
      number += 1
    }
    let end = number + 1
    segments = []
    for index in number..<lines.count where !lines[index].isEmpty && !lines[index].hasPrefix("#") {
      guard let segment = ScheduleSegment(line: lines[index]) else {
        throw Problem(
          line: index + 1,
          what: "“\(lines[index])” is no step. Write “TASK | waits” or “TASK | before POINT N SUBJECT”")
      }
      segments.append(segment)
    }
    func value(_ name: String) throws(Problem) -> String {
      guard let values = header[name], values.count == 1 else {
        throw Problem(line: end, what: "the header has no one “\(name):”. Restore the file, or explore again")
      }
      return values[0]
    }
    func integer(_ name: String) throws(Problem) -> UInt64 {
      guard let integer = UInt64(try value(name)) else {
        throw Problem(line: end, what: "“\(name):” is not a whole number. Restore the file, or explore again")
      }
      return integer
    }
    cell = ExploredCell(
      scenario: try value("scenario"), assignments: header["set"] ?? [], isQuick: header["quick"] == ["true"],
      strategy: try value("strategy"), variant: header["variant"] == nil ? 0 : Int(clamping: try integer("variant")),
      seed: try integer("cell seed"))
    policy = try value("policy")
    seed = try integer("seed")
    kinds = try value("kinds").components(separatedBy: ", ")
    revision = header["revision"]?.first
    if header["lines"] != nil, try integer("lines") != UInt64(segments.count) {
      throw Problem(
        line: end,
        what:
          "the file has \(segments.count) lines of steps, and “lines:” says \(try integer("lines")). Restore it, or correct the number if you changed them"
      )
    }
  }

  private static let names: Set<String> = [
    "scenario", "set", "quick", "strategy", "variant", "cell seed", "policy", "seed", "kinds", "revision", "lines",
  ]

  private static func field(_ line: String, line number: Int) throws(Problem) -> (name: String, value: String) {
    guard let colon = line.range(of: ": "), names.contains(String(line[..<colon.lowerBound])) else {
      throw Problem(
        line: number,
        what:
          "“\(line)” is no line of a header. Its names are \(names.sorted().joined(separator: ", ")); a blank line ends it"
      )
    }
    return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
  }
}

/// The size of a schedule: the parts that are hardest to understand count first.
package struct ScheduleSize: Codable, Sendable, Hashable, Comparable {
  /// How often a task that could have gone on was not chosen.
  package var preemptions: Int
  package var segments: Int

  /// The size of these segments.
  package init(_ segments: [ScheduleSegment]) {
    preemptions = segments.count { $0.stop != nil }
    self.segments = segments.count
  }

  package static func < (one: Self, other: Self) -> Bool {
    (one.preemptions, one.segments) < (other.preemptions, other.segments)
  }
}
