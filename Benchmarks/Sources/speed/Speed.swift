import ArgumentParser
import CPeer
import Foundation

/// Times the workloads with every peer in turn, runs one workload with the stack under valgrind, or times one in a store of
/// some size.
///
/// `scripts/speed` builds and calls it.
@main struct Speed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scripts/speed", abstract: "Times what the stack costs, beside C, statements and GRDB's records.")

  @Option(help: "How often each peer runs each workload.")
  var rounds = 7

  @Option(help: "Workloads, with commas between them: \(Workload.names).")
  var only: Names?

  @Option(help: "Peers, with commas between them: \(Speed.every(false).map(\.name).joined(separator: ", ")).")
  var peers: Names?

  @Option(help: "A file for each round as CSV.")
  var csv: String?

  @Flag(help: "Time the processor, as beside other work.")
  var processor = false

  @Option(help: .hidden)
  var count: Workload?

  @Flag(help: .hidden)
  var history = false

  @Flag(help: .hidden)
  var historyRows = false

  @Flag(help: .hidden)
  var historyRowByRow = false

  @Option(help: .hidden)
  var notes = 100

  @Option(help: .hidden)
  var linear: Workload?

  @Option(help: .hidden)
  var words = 20_000

  @Flag(help: .hidden)
  var oneOwner = false

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds: \(rounds) rounds time nothing; give 1 or more.") }
    try only?.requireAmong(Workload.allCases.map(\.rawValue), "--only")
    try peers?.requireAmong(every.map(\.name), "--peers")
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let count {
      try Self.count(count, Files(folder, Rows(notes: notes, wordsPerNote: 20)), keepsHistory: history)
    } else if historyRows || historyRowByRow {
      try Self.countHistoryRows(in: folder, isOneStatement: historyRows)
    } else if let linear {
      try Linear.run(linear, words: words, isOneOwner: oneOwner, in: folder)
    } else {
      try time(in: folder)
    }
  }

  private func time(in folder: URL) throws {
    if processor { cpeer_measure_processor_time() }
    let workloads = Workload.allCases.filter { only?.words.contains($0.rawValue) ?? true }
    let files = try Files(folder, Rows(notes: 1_000, wordsPerNote: 20))
    var measured = Rounds(
      workloads: workloads, peers: every.filter { peers?.words.contains($0.name) ?? true }, files: files)
    try measured.run(rounds)
    measured.report(try StackPeer.heapBytes(of: files.copy(of: .fetch)))
    if let csv { try measured.csv.write(toFile: csv, atomically: true, encoding: .utf8) }
  }

  private var every: [any Peer] { Self.every(processor) }

  private static func every(_ timesProcessor: Bool) -> [any Peer] {
    var peers: [any Peer] = [
      CFloorPeer(timesProcessor: timesProcessor), CFloorPeer(isByObject: true), StatementsPeer(),
    ]
    #if canImport(GRDB)
      peers.append(RecordsPeer())
    #endif
    return peers + [StackPeer()]
  }

  /// One run to warm up, and one with counted instructions.
  private static func count(_ workload: Workload, _ files: Files, keepsHistory: Bool) throws {
    for counts in [false, true] {
      let peer = StackPeer(countsInstructions: counts, keepsHistory: keepsHistory)
      _ = try peer.run(workload, on: files.copy(of: workload), files.rows)
    }
    print("units \(workload.units(files.rows))")
  }

  /// The instructions that SQLite needs to write the rows of a history alone.
  private static func countHistoryRows(in folder: URL, isOneStatement: Bool) throws {
    let file = folder.appendingPathComponent("history.sqlite")
    _ = try StackPeer.open(file, keepsHistory: true)
    let count: Int64 = 2_000
    try check(cpeer_history(file.path, count, isOneStatement ? 1 : 0) == SQLITE_OK, "no history was written")
    print("units \(count)")
  }
}

extension Workload: ExpressibleByArgument {
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Names with commas between them.
struct Names: ExpressibleByArgument {
  let words: [String]

  init(argument: String) { words = argument.split(separator: ",").map(String.init) }

  func requireAmong(_ known: [String], _ option: String) throws {
    guard !words.isEmpty else {
      throw ValidationError("\(option): none is named; there are \(known.joined(separator: ", ")).")
    }
    for word in words where !known.contains(word) {
      throw ValidationError("\(option): there is no \(word); there are \(known.joined(separator: ", ")).")
    }
  }
}

/// The stores that the workloads begin with: made once, copied for each run.
final class Files {
  let rows: Rows
  private let folder: URL
  private var copies = 0

  init(_ folder: URL, _ rows: Rows) throws {
    (self.folder, self.rows) = (folder, rows)
    try StackPeer.prepare(folder.appendingPathComponent("empty.sqlite"), nil)
    try StackPeer.prepare(folder.appendingPathComponent("full.sqlite"), rows)
    for name in ["empty.sqlite", "full.sqlite"] { try settle(folder.appendingPathComponent(name)) }
  }

  /// Brings everything into the file itself, so that a copy of it is whole.
  private func settle(_ file: URL) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try check(sqlite3_open(file.path, &database) == SQLITE_OK, "the store cannot be opened")
    try check(
      sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK,
      "the store's log cannot be taken in")
  }

  /// A file that no other run has.
  func copy(of workload: Workload) throws -> URL {
    copies += 1
    let own = folder.appendingPathComponent("\(copies)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let file = own.appendingPathComponent("store.sqlite")
    let original = folder.appendingPathComponent(workload.isImport ? "empty.sqlite" : "full.sqlite")
    try FileManager.default.copyItem(at: original, to: file)
    return file
  }

  func remove(_ file: URL) { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
}
