import Foundation
import SQLite
import Testing

@testable import Checking

struct EvidenceTests {
  let directory: TemporaryDirectory
  let parameters = CheckParameters(layout: .notebook, counters: CheckCounters(\.guardedTouches, 1))

  init() throws { directory = try TemporaryDirectory() }

  @Test func aCellsDirectoryHasAllThatCheckersNeed() throws {
    try FileManager.default.createDirectory(atPath: directory.file("histories"), withIntermediateDirectories: false)
    let writer = try HistoryWriter(path: History.path(of: 1, in: directory.path), process: 1)
    writer.record(.invoke, .insert, entity: 1, key: 0, count: 3)
    writer.record(.ok, .insert, entity: 1, key: 0, count: 3)
    let reports = try LiveReportWriter(path: Evidence.reportsPath(in: directory.path))
    try reports.append(Violation(kind: .contextOffQueue, subject: "worker", expected: "its queue", seen: "main"))
    let connection = try Connection(path: directory.file("store.sqlite"))
    try connection.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZREVISION INTEGER);
      CREATE TABLE ZWORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZNOTE INTEGER);
      INSERT INTO ZNOTE VALUES (1, 1, 0, 1), (2, 1, 2, 1);
      """)
    let evidence = Evidence(
      .folder(directory.path), storePath: directory.file("store.sqlite"), parameters: parameters)
    let results = CheckerCatalogue.check(evidence, by: ["confinement", "lost-record", "duplicate-record"])
    #expect(results.map(\.verdict) == [.violated, .violated, .held])
    #expect(results[1].violations.map(\.seen) == ["not in the store: 1"])
  }

  @Test func whatIsMissingIsUnusableEachForItself() throws {
    _ = try LiveReportWriter(path: Evidence.reportsPath(in: directory.path))
    let evidence = Evidence(.folder(directory.path), storePath: nil, parameters: parameters)
    let results = CheckerCatalogue.check(evidence, by: ["confinement", "lost-record", "duplicate-record"])
    #expect(results.map(\.verdict) == [.held, .unknown, .unknown])
    #expect(results[2].note == "the cell left no store")
  }
}
