import CPeer
import Foundation

/// Swift with prepared statements: what a program without any layer would write.
struct StatementsPeer: Peer {
  let name = "statements"

  private struct Word {
    var key: Int64
    var version: Int64
    var level: Int64
    var number: Int64
    var note: Int64
    var meaning: String
    var term: String
  }

  func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double? {
    let database = try Database(file.path)
    switch workload {
    case .importOnce: return try importRows(rows, into: database, notesPerSave: rows.notes.count)
    case .importOften: return try importRows(rows, into: database, notesPerSave: notesPerSmallSave)
    case .firstFetch: return try fetch(database, "ZTERM", isFirst: true)
    case .fetch, .values: return try fetch(database, "ZTERM")
    case .firstFetchByKey: return try fetch(database, "ZNUMBER", isFirst: true)
    case .fetchByKey: return try fetch(database, "ZNUMBER")
    case .lookUp: return try lookUp(database, rows)
    case .fileFault: return try readByKey(database, rows)
    case .update: return try update(database, rows)
    case .delete: return try delete(rows.allNotes, database)
    case .deleteHalf: return try delete(rows.everySecondNote, database)
    case .importGoingOn, .importPushed, .importNested, .cachedFault, .updateByText, .deleteFetched, .deleteByText,
      .besideReader, .merge, .mergeByText:
      return nil
    }
  }

  private func measured<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = now()
    let result = try body()
    let seconds = now() - start
    return withExtendedLifetime(result) { seconds }
  }

  private func importRows(_ rows: Rows, into database: Database, notesPerSave: Int) throws -> Double {
    let note = try database.prepare(
      "INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZREVISION, ZISPINNED, ZCREATEDAT, ZMODIFIEDAT, ZTITLE, ZBODY, "
        + "ZLANGUAGE, ZUUID) VALUES (?, 1, 1, ?, 1, ?, ?, ?, ?, ?, ?, ?)")
    let word = try database.prepare(
      "INSERT INTO ZWORD(Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZLEVEL, ZTERM, ZMEANING, ZNOTE) VALUES (?, 2, 1, ?, ?, ?, ?, ?)")
    return try measured {
      for index in rows.notes.indices {
        if index % notesPerSave == 0 { try database.execute("BEGIN IMMEDIATE") }
        let row = rows.notes[index]
        note.bind(row.number, 1)
        note.bind(row.number, 2)
        note.bind(row.isPinned ? 1 : 0, 3)
        sqlite3_bind_double(note.handle, 4, row.createdAt.timeIntervalSinceReferenceDate)
        sqlite3_bind_double(note.handle, 5, row.modifiedAt.timeIntervalSinceReferenceDate)
        note.bind(row.title, 6)
        note.bind(row.body, 7)
        note.bind(row.language, 8)
        withUnsafeBytes(of: row.uuid.uuid) { _ = cpeer_bind_blob(note.handle, 9, $0.baseAddress, 16) }
        try note.run()
        for own in rows.words(of: index) {
          word.bind(own.number, 1)
          word.bind(own.number, 2)
          word.bind(Int64(own.level), 3)
          word.bind(own.term, 4)
          word.bind(own.meaning, 5)
          word.bind(row.number, 6)
          try word.run()
        }
        if (index + 1) % notesPerSave == 0 || index + 1 == rows.notes.count { try database.execute("COMMIT") }
      }
    }
  }

  private static let columns = "SELECT Z_PK, Z_OPT, ZLEVEL, ZNUMBER, ZNOTE, ZMEANING, ZTERM FROM ZWORD "

  private func word(_ statement: Statement) -> Word {
    Word(
      key: statement.int64(0), version: statement.int64(1), level: statement.int64(2), number: statement.int64(3),
      note: statement.int64(4), meaning: statement.string(5), term: statement.string(6))
  }

  private func fetch(_ database: Database, _ order: String, isFirst: Bool = false) throws -> Double {
    let statement = try database.prepare(Self.columns + "ORDER BY " + order)
    func read() throws -> [Word] {
      var words: [Word] = []
      while try statement.step() { words.append(word(statement)) }
      statement.reset()
      let sum = words.reduce(0) { $0 + Int($1.number) + Int($1.level) + $1.term.utf8.count + $1.meaning.utf8.count }
      try check(sum > 0, "nothing was read")
      return words
    }
    if !isFirst { _ = try read() }
    return try measured(read)
  }

  private func lookUp(_ database: Database, _ rows: Rows) throws -> Double {
    let statement = try database.prepare(Self.columns)
    final class Box {
      let word: Word
      init(_ word: Word) { self.word = word }
    }
    var words: [Int64: Box] = [:]
    while try statement.step() { words[statement.int64(0)] = Box(word(statement)) }
    var sum: Int64 = 0
    let keys = Order.shuffled(rows.words.count)
    let seconds = measured { for key in keys { sum += words[key]?.word.number ?? 0 } }
    try check(sum > 0, "nothing was found")
    return seconds
  }

  private func readByKey(_ database: Database, _ rows: Rows) throws -> Double {
    let statement = try database.prepare(Self.columns + "WHERE Z_PK = ?")
    var words: [Word] = []
    words.reserveCapacity(rows.words.count)
    let keys = Order.shuffled(rows.words.count)
    return try measured {
      for key in keys {
        statement.bind(key, 1)
        try check(try statement.step(), "a row is missing")
        words.append(word(statement))
        statement.reset()
      }
    }
  }

  private func update(_ database: Database, _ rows: Rows) throws -> Double {
    let statement = try database.prepare("UPDATE ZWORD SET ZLEVEL = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
    return try measured {
      try database.execute("BEGIN IMMEDIATE")
      for key in Order.rising(rows.words.count) {
        statement.bind(7, 1)
        statement.bind(2, 2)
        statement.bind(key, 3)
        statement.bind(1, 4)
        try statement.run()
      }
      try database.execute("COMMIT")
    }
  }

  private func delete(_ notes: [Int64], _ database: Database) throws -> Double {
    let words = try database.prepare("DELETE FROM ZWORD WHERE ZNOTE = ?")
    let note = try database.prepare("DELETE FROM ZNOTE WHERE Z_PK = ?")
    return try measured {
      try database.execute("BEGIN IMMEDIATE")
      for key in notes {
        for statement in [words, note] {
          statement.bind(key, 1)
          try statement.run()
        }
      }
      try database.execute("COMMIT")
    }
  }
}

/// A connection without anything around it.
private final class Database {
  let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    try check(
      sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, "cannot open")
    handle = opened!
    try execute("PRAGMA synchronous = NORMAL")
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, String(cString: sqlite3_errmsg(handle)))
  }

  func prepare(_ sql: String) throws -> Statement {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, String(cString: sqlite3_errmsg(handle)))
    return Statement(statement!)
  }
}

private final class Statement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Int64, _ index: Int32) { sqlite3_bind_int64(handle, index, value) }

  func bind(_ text: String, _ index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = cpeer_bind_text(handle, index, $0.baseAddress, Int32($0.count))
      }
    }
  }

  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    try check(code == SQLITE_ROW || code == SQLITE_DONE, "a step ended with \(code)")
    return code == SQLITE_ROW
  }

  func run() throws {
    _ = try step()
    reset()
  }

  func reset() { sqlite3_reset(handle) }

  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func string(_ column: Int32) -> String {
    guard let text = sqlite3_column_text(handle, column) else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
  }
}
