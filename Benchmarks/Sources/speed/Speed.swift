import CPeer
import Foundation

/// Times the workloads with every peer in turn, runs one workload with the stack under valgrind, or times one in a store of
/// some size.
///
/// `scripts/speed` builds and calls it.
@main enum Speed {
  static func main() throws {
    let arguments = Arguments(CommandLine.arguments.dropFirst())
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let name = arguments.value(of: "--count") {
      try count(workload(name), Files(folder, Rows(notes: 100, wordsPerNote: 20)))
    } else if let name = arguments.value(of: "--linear"),
      let words = arguments.value(of: "--words").flatMap({ Int($0) })
    {
      let isOneOwner = arguments.value(of: "--owners") == "1"
      try Linear.run(workload(name), words: words, isOneOwner: isOneOwner, in: folder)
    } else {
      let rounds = Int(arguments.value(of: "--rounds") ?? "7") ?? 7
      let only = arguments.value(of: "--only")?.split(separator: ",").map(String.init)
      let workloads = Workload.allCases.filter { only?.contains($0.rawValue) ?? true }
      let peers = arguments.value(of: "--peers")?.split(separator: ",").map(String.init)
      let files = try Files(folder, Rows(notes: 1_000, wordsPerNote: 20))
      var measured = Rounds(
        workloads: workloads, peers: every.filter { peers?.contains($0.name) ?? true }, files: files)
      try measured.run(max(rounds, 1))
      measured.report(try StackPeer.heapBytes(of: files.copy(of: .fetch)))
      if let path = arguments.value(of: "--csv") {
        try measured.csv.write(toFile: path, atomically: true, encoding: .utf8)
      }
    }
  }

  private static func workload(_ name: String) throws -> Workload {
    guard let workload = Workload(rawValue: name) else { throw Failure(description: "no workload \(name)") }
    return workload
  }

  private static var every: [any Peer] {
    var peers: [any Peer] = [CFloorPeer(), StatementsPeer()]
    #if canImport(GRDB)
      peers.append(RecordsPeer())
    #endif
    return peers + [StackPeer()]
  }

  /// One run to warm up, and one whose instructions are counted.
  private static func count(_ workload: Workload, _ files: Files) throws {
    _ = try StackPeer().run(workload, on: files.copy(of: workload), files.rows)
    _ = try StackPeer(countsInstructions: true).run(workload, on: files.copy(of: workload), files.rows)
    print("units \(workload.units(files.rows))")
  }
}

/// Options of the command line, each with a value.
struct Arguments {
  private let words: [String]

  init(_ words: ArraySlice<String>) { self.words = Array(words) }

  func value(of option: String) -> String? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    return words[place + 1]
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
    let isEmpty = workload == .importOnce || workload == .importOften
    let original = folder.appendingPathComponent(isEmpty ? "empty.sqlite" : "full.sqlite")
    try FileManager.default.copyItem(at: original, to: file)
    return file
  }

  func remove(_ file: URL) { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
}
