import Foundation
import Testing

@testable import Checking

struct HistoryTests {
  @Test func workersAreMergedByTimeWithInvocationsFirst() throws {
    let history = try HistoryText.history(
      """
      w0 invoke insert Note 0 @10
      w0 ok insert Note 0 @30
      w1 invoke read Note 0 @30
      w1 ok read Note 0 @40
      w2 ok drained @5
      """)
    #expect(history.operations.map(\.time) == [5, 10, 30, 30, 40])
    #expect(history.operations.map(\.function) == [.drained, .insert, .read, .insert, .read])
  }

  @Test func mergingManyWorkersKeepsEachWorkersOrder() throws {
    var workers: [[Checking.Operation]] = []
    for process in UInt32(0)..<9 {
      workers.append(
        (0..<200).map { index in
          let time = UInt64(index) * UInt64(process % 4) / 2
          return Checking.Operation(time: time, type: .ok, function: .push, process: process, key: Int64(index))
        })
    }
    let merged = try History(merging: workers).operations
    #expect(merged.count == 1_800)
    #expect(zip(merged, merged.dropFirst()).allSatisfy { $0.time <= $1.time })
    for process in 0..<9 {
      #expect(merged.filter { $0.process == process }.map(\.key) == Array(0..<200))
    }
  }

  @Test func completionsFindTheirInvocations() throws {
    let history = try HistoryText.history(
      """
      w0 invoke insert Note 0..<25
      w0 invoke insert Word 0..<500
      w1 invoke insert Word 0..<500
      w0 ok insert Word 0..<500
      w0 ok insert Note 0..<25
      w1 info insert Word 0..<500
      """)
    #expect((0..<6).map { history.partner(of: $0) } == [4, 3, 5, 1, 0, 2])
    #expect(history.start(of: 4) == 1_000)
    #expect(history.end(of: 0) == 5_000)
    #expect(history.end(of: 2) == .max)
  }

  @Test func aCompletionWithoutInvocationIsUnusable() {
    #expect(throws: Unusable.self) { try HistoryText.history("w0 ok insert Note 0..<25") }
  }

  @Test func invokingAgainBeforeTheCompletionIsUnusable() {
    #expect(throws: Unusable.self) {
      try HistoryText.history(
        """
        w0 invoke update Note 1
        w0 invoke update Note 1
        """)
    }
  }

  @Test func eventsNeedNoInvocation() throws {
    let history = try HistoryText.history("w0 ok drained\nw0 fail save = 133020\nw0 info stall = 5")
    #expect((0..<3).allSatisfy { history.partner(of: $0) == nil })
  }

  @Test func aCellsHistoriesAreReadTogether() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("histories"), withIntermediateDirectories: false)
    #expect(throws: Unusable.self) { try History(cellDirectory: directory.path) }
    for process in UInt32(0)..<3 {
      let writer = try HistoryWriter(path: History.path(of: process, in: directory.path), process: process)
      writer.record(.ok, .drained)
    }
    #expect(try History(cellDirectory: directory.path).operations.map(\.process) == [0, 1, 2])
    try Data("no history".utf8).write(to: URL(fileURLWithPath: History.path(of: 3, in: directory.path)))
    #expect(throws: Unusable.self) { try History(cellDirectory: directory.path) }
  }

  @Test func theExportHasJepsensKeys() throws {
    let directory = try TemporaryDirectory()
    let history = try HistoryText.history(
      """
      w0 invoke insert Note 0..<500 = 7 @2000
      w1 fail save = 133020 @2005
      """)
    let path = directory.file("history.jsonl")
    try history.writeJSONLines(to: path, layout: .notebook)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text == """
        {"index":0,"time":0,"type":"invoke","process":0,"f":"insert","value":{"entity":"Note","key":0,"count":500,"value":7}}
        {"index":1,"time":5,"type":"fail","process":1,"f":"save","value":{"entity":null,"key":0,"count":1,"value":133020}}

        """)
    for line in text.split(separator: "\n") {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
  }

  @Test func theExportHasTransactionsAsMicroOperations() throws {
    let directory = try TemporaryDirectory()
    let workers = try HistoryText.workers(
      """
      w0 invoke txn 1
      w0 ok append 7 = 3 c2 p9
      w0 ok r 8 [1 2]
      w0 ok r 9 []
      w0 ok txn 1 c2
      w1 invoke txn 1
      w1 ok r 7 [3]
      w1 info txn 1
      w1 invoke balances 1
      w1 ok balances 1 = 5 c3 [2 3]
      """)
    let history = try History(merging: workers, contextNames: ["main", "a \"writer\""])
    let path = directory.file("history.jsonl")
    try history.writeJSONLines(to: path, layout: .notebook)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: ",", maxSplits: 4)[4] } == [
        #""f":"txn","value":[["append",7,3],["r",8,null],["r",9,null]]}"#,
        #""f":"txn","value":[["append",7,3],["r",8,[1,2]],["r",9,[]]],"context":"a \"writer\""}"#,
        #""f":"txn","value":[["r",7,null]]}"#,
        #""f":"txn","value":[["r",7,null]]}"#,
        #""f":"balances","value":{"entity":null,"key":1,"count":1,"value":0}}"#,
        #""f":"balances","value":{"entity":null,"key":1,"count":2,"value":5,"elements":[2,3]},"context":"context 3"}"#,
      ])
    for line in lines { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any]) }
  }
}
