import Foundation
import Testing

@testable import Checking

struct LiveReportTests {
  let directory: TemporaryDirectory
  let path: String
  let violation = Violation(
    kind: .objectOffQueue, subject: "Note.title", expected: "on \"main\"", seen: "on thread 7\nsecond line", count: 2)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("reports.jsonl")
  }

  @Test func reportsComeBackInOrder() throws {
    let writer = try LiveReportWriter(path: path)
    #expect(try LiveReportReader.violations(at: path).isEmpty)
    var other = violation
    other.kind = .deadlock
    try writer.append(violation)
    try writer.append(other)
    #expect(try LiveReportReader.violations(at: path) == [violation, other])
  }

  @Test func aLastLineCutAnywhereIsPassedOver() throws {
    let writer = try LiveReportWriter(path: path)
    try writer.append(violation)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in 0..<whole.count {
      try (whole + whole.prefix(length)).write(to: URL(fileURLWithPath: path))
      #expect(try LiveReportReader.violations(at: path) == [violation])
    }
  }

  @Test func aBrokenLineBeforeTheLastIsUnusable() throws {
    let writer = try LiveReportWriter(path: path)
    try writer.append(violation)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try (whole.dropLast(10) + Data("\n".utf8) + whole).write(to: URL(fileURLWithPath: path))
    #expect(throws: Unusable.self) { try LiveReportReader.violations(at: path) }
  }

  @Test func aMissingFileIsUnusable() {
    #expect(throws: Unusable.self) { try LiveReportReader.violations(at: directory.file("none.jsonl")) }
  }

  @Test func aFullDiskIsAnError() throws {
    let writer = try LiveReportWriter(path: "/dev/full")
    #expect(throws: Unusable.self) { try writer.append(violation) }
  }
}
