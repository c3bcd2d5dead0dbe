import Foundation
import Testing

@testable import Checking

struct HistoryWriterTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func recordsComeBackAsTheyWereWritten() throws {
    let path = directory.file("3.bin")
    let writer = try HistoryWriter(path: path, process: 3)
    writer.record(.invoke, .insert, entity: 2, key: -5, count: 500, value: .min, at: 10)
    writer.record(.fail, .save, value: 133_020, context: .max, object: -3, at: 10)
    let time = writer.record(.info, .drained)
    writer.finish()
    #expect(
      try HistoryReader.operations(at: path) == [
        Checking.Operation(
          time: 10, type: .invoke, function: .insert, process: 3, entity: 2, key: -5, count: 500, value: .min),
        Checking.Operation(
          time: 10, type: .fail, function: .save, process: 3, value: 133_020, context: .max, object: -3),
        Checking.Operation(time: time, type: .info, function: .drained, process: 3),
      ])
  }

  @Test(arguments: [0, 1, 300]) func aHistoryWhoseWriterDiedIsCutToItsRecords(records: Int) throws {
    try FileManager.default.createDirectory(atPath: directory.file("histories"), withIntermediateDirectories: true)
    let path = History.path(of: 256, in: directory.file(""))
    let writer = try HistoryWriter(path: path, process: 256)
    for record in 0..<records { writer.record(.ok, .read, key: Int64(record), value: 0) }
    let before = try HistoryReader.operations(at: path)
    try History.cutFiles(in: directory.file(""))
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(size == HistoryFormat.headerSize + records * HistoryFormat.recordSize)
    #expect(try HistoryReader.operations(at: path) == before && before.count == records)
  }

  @Test func whatAUnitInvokesBeganWithTheUnit() throws {
    let path = directory.file("0.bin")
    let writer = try HistoryWriter(path: path, process: 0)
    let before = writer.record(.ok, .drained)
    var read: UInt64 = 0
    var within: [UInt64] = []
    let begin = writer.recordingUnit {
      let begin = HistoryWriter.now()
      writer.record(.invoke, .delete, key: 1)
      read = writer.record(.ok, .read, key: 1)
      within = [writer.record(.invoke, .update, key: 1), writer.record(.invoke, .update, key: 2)]
      return begin
    }
    writer.record(.ok, .update, key: 1)
    let after = writer.record(.invoke, .update, key: 3)
    writer.finish()
    let times = try HistoryReader.operations(at: path).map(\.time)
    #expect(times[0] == before && times[1] >= before && times[1] <= begin, "not when it was recorded")
    #expect(within == [read, read], "never before what the worker had recorded")
    #expect(times == times.sorted() && after == times.last && after > read)
  }

  @Test(arguments: [0, 1, 5, 6, 7, 100])
  func aListComesBackWithAllItsValues(count: Int64) throws {
    let path = directory.file("0.bin")
    let values = (0..<count).map { $0.isMultiple(of: 2) ? Int64(Int32.max) - $0 : Int64(Int32.min) + $0 }
    let writer = try HistoryWriter(path: path, process: 0)
    writer.record(.invoke, .balances, key: 4)
    writer.record(.ok, .balances, key: 4, values: values, context: 2)
    writer.record(.ok, .drained)
    writer.finish()
    let operations = try HistoryReader.operations(at: path)
    #expect(operations[1].count == count)
    #expect(operations[1].context == 2)
    let elements = try History(merging: [operations]).elements { $0 == .balances }
    #expect(elements[1, default: []] == values)
  }

  @Test(arguments: [1, 3, 1_000])
  func aHistoryGrowsBeyondItsFirstRoom(growthRecords: Int) throws {
    let path = directory.file("0.bin")
    let writer = try HistoryWriter(path: path, process: 0, growthRecords: growthRecords)
    for key in 0..<Int64(2_500) { writer.record(.ok, .push, entity: 1, key: key) }
    #expect(writer.count == 2_500)
    writer.finish()
    #expect(try HistoryReader.operations(at: path).map(\.key) == Array(0..<2_500))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 64 + 2_500 * HistoryFormat.recordSize)
  }

  @Test func whatWasRecordedCanBeReadWithoutTheWriterBeingFinished() throws {
    let path = directory.file("0.bin")
    let writer = try HistoryWriter(path: path, process: 0, growthRecords: 10)
    for count in 0...25 {
      #expect(try HistoryReader.operations(at: path).count == count)
      writer.record(.ok, .push, key: Int64(count))
    }
  }

  @Test func aCopyOfAnUnfinishedFileIsWhole() throws {
    let path = directory.file("0.bin")
    let writer = try HistoryWriter(path: path, process: 0)
    for key in 0..<Int64(100) { writer.record(.ok, .push, key: key) }
    let copy = directory.file("1.bin")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    writer.record(.ok, .push, key: 100)
    #expect(try HistoryReader.operations(at: copy).map(\.key) == Array(0..<100))
  }

  @Test func anExistingFileIsNotOverwritten() throws {
    let path = directory.file("0.bin")
    try Data("kept".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: Unusable.self) { try HistoryWriter(path: path, process: 0) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("kept".utf8))
  }

  @Test func theCostOfARecordIsMeasuredAndLeavesNothingBehind() throws {
    #expect(try HistoryWriter.measureCost(records: 50_000, directory: directory.path) > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}
