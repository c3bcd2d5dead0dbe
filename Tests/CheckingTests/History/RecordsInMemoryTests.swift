import Foundation
import Testing

@testable import Checking

struct RecordsInMemoryTests {
  private func filled() -> RecordsInMemory {
    let records = RecordsInMemory()
    let first = records.makeHistory(process: 0)
    let second = records.makeHistory(process: 1)
    first.record(.invoke, .insert, entity: 2, key: -5, count: 500, value: .min, at: 10)
    second.record(.invoke, .update, entity: 1, key: 7, context: 2, object: -3, at: 11)
    first.record(.fail, .insert, entity: 2, key: -5, count: 500, value: 133_020, at: 12)
    second.record(.ok, .update, entity: 1, key: 7, value: 9, at: 12)
    first.finish()
    records.contextNames = ["main", "writer"]
    records.append(Violation(kind: .contextOffQueue, subject: "worker", expected: "its queue", seen: "main"))
    return records
  }

  @Test func theFilesWrittenOfItSayTheSame() throws {
    let directory = try TemporaryDirectory()
    let records = filled()
    try records.write(in: directory.path)
    let history = try records.history()
    let read = try History(cellDirectory: directory.path)
    #expect(history.operations.map(\.time) == [10, 11, 12, 12])
    #expect(read.operations == history.operations)
    #expect(read.contextNames == ["main", "writer"] && history.contextNames == read.contextNames)
    #expect(try LiveReportReader.violations(at: Evidence.reportsPath(in: directory.path)) == records.reports)
    #expect(records.reports.map(\.subject) == ["worker"])
  }

  @Test func withoutAHistoryThereIsNothingToJudge() {
    #expect(throws: Unusable.self) { try RecordsInMemory().history() }
  }

  @Test func aHistoryThatIsEmptyIsOne() throws {
    let records = RecordsInMemory()
    #expect(records.makeHistory(process: 0).count == 0)
    #expect(try records.history().operations.isEmpty)
  }
}
