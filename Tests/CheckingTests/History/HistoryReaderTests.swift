import Foundation
import Testing

@testable import Checking

struct HistoryReaderTests {
  let directory: TemporaryDirectory
  let path: String
  let recordSize = HistoryFormat.recordSize

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("0.bin")
  }

  /// The bytes of a history of five records, of a finished writer or a killed one.
  private func bytes(finished: Bool) throws -> [UInt8] {
    let writer = try HistoryWriter(path: path, process: 0, growthRecords: 20)
    for key in 0..<Int64(5) { writer.record(.ok, .push, entity: 1, key: key) }
    if finished { writer.finish() }
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    writer.finish()
    return bytes
  }

  private func count(_ bytes: [UInt8]) throws -> Int {
    try bytes.withUnsafeBytes { try HistoryReader.operations(in: $0).count }
  }

  @Test func aKilledWritersFileMayEndAnywhere() throws {
    let bytes = try bytes(finished: false)
    for length in 64..<(64 + 5 * recordSize) {
      #expect(try count(Array(bytes[..<length])) == (length - 64) / recordSize)
    }
  }

  @Test func aHalfWrittenLastRecordIsPassedOver() throws {
    var bytes = try bytes(finished: false)
    bytes[64 + 5 * recordSize + 8] = 0xFF
    #expect(try count(bytes) == 5)
  }

  @Test func aChangeOfAnyRecordedByteIsFound() throws {
    let bytes = try bytes(finished: true)
    for position in [HistoryFormat.Header.process] + Array(64..<bytes.count) {
      var damaged = bytes
      damaged[position] ^= 0x10
      #expect(throws: Unusable.self, "byte \(position)") { try count(damaged) }
    }
  }

  @Test func aRecordThatIsMissingAmongOthersIsFound() throws {
    var bytes = try bytes(finished: false)
    for position in (64 + 2 * recordSize)..<(64 + 3 * recordSize) { bytes[position] = 0 }
    #expect(throws: Unusable.self) { try count(bytes) }
  }

  @Test func aByteAnywhereBehindTheHalfWrittenRecordIsFound() throws {
    let bytes = try bytes(finished: false)
    for position in [64 + 6 * recordSize, 64 + 7 * recordSize + 3, bytes.count - 1] {
      var damaged = bytes
      damaged[position] = 1
      #expect(throws: Unusable.self, "byte \(position)") { try count(damaged) }
    }
  }

  @Test func aFinishedFileThatLostItsTailIsFound() throws {
    let bytes = try bytes(finished: true)
    #expect(throws: Unusable.self) { try count(Array(bytes.dropLast(recordSize))) }
  }

  @Test func aRecordThatFoundNoRoomMakesTheFileUnusable() throws {
    var bytes = try bytes(finished: true)
    bytes[HistoryFormat.Header.lostRecords] = 2
    bytes[HistoryFormat.Header.failure] = UInt8(ENOSPC)
    let error = #expect(throws: Unusable.self) { try count(bytes) }
    #expect(error?.reason == "2 operations could not be recorded: No space left on device")
  }

  @Test(arguments: [HistoryFormat.Header.magic, HistoryFormat.Header.version, HistoryFormat.Header.recordSize])
  func aForeignHeaderIsRefused(position: Int) throws {
    var bytes = try bytes(finished: true)
    bytes[position] ^= 1
    #expect(throws: Unusable.self) { try count(bytes) }
  }

  @Test func aMissingFileIsUnusable() {
    #expect(throws: Unusable.self) { try HistoryReader.operations(at: directory.file("none.bin")) }
  }
}
