import CPeer
import FloorC
import Foundation

/// C with prepared statements: what the others are compared with; or the same with the statements that a Core Data store
/// takes, object by object, where they are others.
struct CFloorPeer: Peer {
  var isByObject = false
  /// Whether the processor's time is asked for, of floors that have a clock of their own.
  var timesProcessor = false

  var name: String { isByObject ? "C by object" : "C" }

  private static let pragmas = """
    PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL
    """

  func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double? {
    let path = file.path
    if isByObject { return try runByObject(workload, path, rows) }
    let keys = Order.shuffled(rows.words.count)
    switch workload {
    case .importOnce: return try importRows(to: path, rows, notesPerCommit: rows.notes.count)
    case .importOften: return try importRows(to: path, rows, notesPerCommit: notesPerSmallSave)
    case .importGoingOn: return try importGoingOn(path, rows)
    case .importPushed, .importNested: return try importRows(to: path, rows, notesPerCommit: notesPerPush)
    case .firstFetch: return try measured { cpeer_fetch(path, "ZTERM", 1, &$0) }
    case .fetch, .values: return try fetch(path)
    case .firstFetchByKey: return try measured { cpeer_fetch(path, "ZNUMBER", 1, &$0) }
    case .fetchByKey: return try measured { cpeer_fetch(path, "ZNUMBER", 0, &$0) }
    case .lookUp: return try measured { cpeer_look_up(keys, keys.count, &$0) }
    case .cachedFault: return nil
    case .fileFault: return try measured { cpeer_read_by_key(path, keys, keys.count, &$0) }
    case .update, .updateByText:
      let keys = Order.rising(rows.words.count)
      return try measured { cpeer_update(path, keys, keys.count, keys.count, &$0) }
    case .merge, .mergeByText:
      let keys = Order.rising(rows.words.count)
      return try measured { cpeer_update_and_refresh(path, keys, keys.count, &$0) }
    case .delete, .deleteFetched, .deleteByText: return try delete(path, rows.allNotes)
    case .deleteHalf: return try delete(path, rows.everySecondNote)
    case .besideReader:
      let keys = Order.rising(rows.words.count)
      let reader = cpeer_start_reader(path)
      defer { _ = cpeer_stop_reader(reader) }
      return try measured { cpeer_update(path, keys, keys.count, wordsPerSmallSave, &$0) }
    }
  }

  /// Where the statements are the same as those that one would write there is nothing to time.
  private func runByObject(_ workload: Workload, _ path: String, _ rows: Rows) throws -> Double? {
    switch workload {
    case .importGoingOn: try importGoingOn(path, rows)
    case .deleteFetched: try measured { cpeer_delete_by_object(path, "ZNUMBER", &$0) }
    case .deleteByText: try measured { cpeer_delete_by_object(path, "ZBODY", &$0) }
    default: nil
    }
  }

  private func importGoingOn(_ path: String, _ rows: Rows) throws -> Double {
    try rows.withFloorRows(notesPerCommit: rows.notes.count) { rows in
      try measured { cpeer_import(path, &rows, rowsPerSave, isByObject ? 1 : 0, &$0) }
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
    return timesProcessor ? result.cpu_seconds : result.seconds
  }

  private func fetch(_ path: String) throws -> Double {
    var result = cfloor_fetch_result()
    let code = cfloor_fetch_words(path, "PRAGMA query_only = 1", 0, &result)
    try check(code == 0, "the floor's fetch ended with \(code)")
    return timesProcessor ? result.cpu_seconds : result.seconds
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
