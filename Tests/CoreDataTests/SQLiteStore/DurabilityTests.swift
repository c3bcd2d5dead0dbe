import Foundation
import SQLite
import Testing

/// The files of a process that was killed.
@Suite struct DurabilityTests {
  // S6.5: changes that save() acknowledged are there after kill -9, and nothing of a save that was not committed.
  @Test(arguments: ["NORMAL", "FULL"], ["save.beforeCommit", "save.afterCommit"])
  func whatWasAcknowledgedOutlivesAKilledProcess(synchronous: String, place: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("store.sqlite").path
    let (reason, status, output) = try Probe.run(["killed-in-save", file, synchronous, place])
    #expect(reason == .uncaughtSignal && status == SIGKILL)
    let acknowledged = output.split(separator: "\n").map(String.init)
    #expect(acknowledged == (1...20).map { "saved \($0)" })
    let connection = try Connection(path: file)
    let rows = try connection.column("SELECT ZNUMBER FROM ZITEM ORDER BY ZNUMBER")
    #expect(rows == (1...(place == "save.afterCommit" ? 21 : 20)).map { "\($0)" })
    #expect(try connection.column("PRAGMA integrity_check") == ["ok"])
    #expect(try connection.column("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["\(rows.count)"])
  }
}
