// Writes the history of a simulated database as the workers of a cell do, reads it back and has it judged by the
// list-append check:
//
//   swift run -c release CheckSpeed TRANSACTIONS LEVEL
//
// with 100000 and serial by default. The levels are those of `SimulatedDatabase`.
import Checking
import Foundation
import Measuring
import SimulatedDatabase

enum CheckSpeed {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func run(transactions count: Int, level: SimulatedDatabase.Level) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-speed-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder + "/histories", withIntermediateDirectories: true)
    try write(count, level, to: folder)

    let begin = MonotonicClock.now()
    let history = try History(cellDirectory: folder)
    let read = MonotonicClock.now()
    let layout = StoreLayout(entities: [
      EntityLayout(number: 1, name: "List", table: "ZLIST", keyColumn: "ZNUMBER", listColumn: "ZLIST")
    ])
    let result = ListAppendChecker().check(
      Evidence(
        history: .success(history), store: .failure(Unusable("no store")), reports: .success([]),
        parameters: CheckParameters(layout: layout)))
    let end = MonotonicClock.now()
    print("\(count) transactions at level \(level.rawValue), \(history.operations.count) records")
    print("read in \(seconds(begin, read)) s, checked in \(seconds(read, end)) s, together \(seconds(begin, end)) s")
    if let memory = MemoryUsage.current() { print("peak memory \(memory.residentBytesPeak / 1_000_000) MB") }
    print("\(result.verdict.rawValue): \(result.note)")
    for violation in result.violations { print("\(violation.count) × \(violation.kind.rawValue): \(violation.seen)") }
  }

  private static func seconds(_ begin: UInt64, _ end: UInt64) -> String {
    String(format: "%.2f", Double(end - begin) / 1e9)
  }

  /// Writes each process's operations to a file of its own; on a thread of its own, so that of the database
  /// only memory kept by the allocator counts for the check.
  private static func write(_ count: Int, _ level: SimulatedDatabase.Level, to folder: String) throws {
    var database = SimulatedDatabase(level: level, seed: 1)
    let transactions = database.run(transactions: count)
    for (process, own) in Dictionary(grouping: transactions, by: \.process) {
      let writer = try HistoryWriter(path: History.path(of: process, in: folder), process: process)
      for (number, transaction) in own.enumerated() {
        // A step of the database is a microsecond.
        let end = UInt64(transaction.end) * 1_000
        writer.record(.invoke, .transaction, key: Int64(number), at: UInt64(transaction.start) * 1_000)
        for operation in transaction.operations {
          switch operation {
          case .append(let key, let value): writer.record(.info, .append, entity: 1, key: key, value: value, at: end)
          case .read(let key, let values): writer.record(.info, .list, entity: 1, key: key, values: values, at: end)
          }
        }
        writer.record(transaction.outcome, .transaction, key: Int64(number), at: end)
      }
      writer.finish()
    }
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let count = Int(arguments.first ?? "100000"), count > 0,
  let level = SimulatedDatabase.Level(rawValue: arguments.dropFirst().first ?? "serial")
else {
  let levels = SimulatedDatabase.Level.allCases.map(\.rawValue).joined(separator: ", ")
  throw CheckSpeed.Failure(description: "usage: CheckSpeed TRANSACTIONS LEVEL, where LEVEL is one of \(levels)")
}
try CheckSpeed.run(transactions: count, level: level)
