import CPeer
import FloorC
import Foundation

/// C with prepared statements: what the others are compared with; or the same with the statements that a Core Data store
/// takes, object by object, where they are others.
struct CFloorPeer: Peer {
  var isByObject = false

  var name: String { isByObject ? "C by object" : "C" }

  private static let pragmas = """
    PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL
    """

  func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double? {
    let path = file.path
    if isByObject {
      guard workload == .deleteFetched else { return nil }
      return try measured { cpeer_delete_by_object(path, &$0) }
    }
    let keys = Order.shuffled(rows.words.count)
    switch workload {
    case .importOnce: return try importRows(to: path, rows, notesPerCommit: rows.notes.count)
    case .importOften, .importGoingOn: return try importRows(to: path, rows, notesPerCommit: notesPerSmallSave)
    case .firstFetch: return try measured { cpeer_first_fetch(path, &$0) }
    case .fetch: return try fetch(path)
    case .lookUp: return try measured { cpeer_look_up(keys, keys.count, &$0) }
    case .cachedFault: return nil
    case .fileFault: return try measured { cpeer_read_by_key(path, keys, keys.count, &$0) }
    case .update, .updateByText:
      let keys = Order.rising(rows.words.count)
      return try measured { cpeer_update(path, keys, keys.count, keys.count, &$0) }
    case .merge:
      let keys = Order.rising(rows.words.count)
      return try measured { cpeer_update_and_refresh(path, keys, keys.count, &$0) }
    case .delete, .deleteFetched: return try delete(path, rows.allNotes)
    case .deleteHalf: return try delete(path, rows.everySecondNote)
    case .besideReader:
      let keys = Order.rising(rows.words.count)
      let reader = cpeer_start_reader(path)
      defer { _ = cpeer_stop_reader(reader) }
      return try measured { cpeer_update(path, keys, keys.count, wordsPerSmallSave, &$0) }
    }
  }

  private func delete(_ path: String, _ notes: [Int64]) throws -> Double {
    try measured { cpeer_delete(path, notes, notes.count, &$0) }
  }

  private func importRows(to path: String, _ rows: Rows, notesPerCommit: Int) throws -> Double {
    var result = cfloor_result()
    let own = path + ".floor"
    let code = rows.withFloorRows(notesPerCommit: notesPerCommit) { cfloor_import(own, Self.pragmas, &$0, &result) }
    try check(code == 0, "the floor's import ended with \(code)")
    return result.seconds
  }

  private func fetch(_ path: String) throws -> Double {
    var result = cfloor_fetch_result()
    let code = cfloor_fetch_words(path, "PRAGMA query_only = 1", 0, &result)
    try check(code == 0, "the floor's fetch ended with \(code)")
    return result.seconds
  }

  private func measured(_ body: (inout cpeer_result) -> Int32) throws -> Double {
    var result = cpeer_result()
    let code = body(&result)
    try check(code == 0, withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    return result.seconds
  }
}

/// Primary keys, in the order in which they are used.
enum Order {
  static func rising(_ count: Int) -> [Int64] { (0..<count).map { Int64($0) + 1 } }

  static func shuffled(_ count: Int) -> [Int64] {
    var random = XorShift(state: 0x9E37_79B9_7F4A_7C15)
    return rising(count).shuffled(using: &random)
  }
}
