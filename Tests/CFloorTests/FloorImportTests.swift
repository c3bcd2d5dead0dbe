import CFloor
import Checking
import Foundation
import SQLite
import Testing

struct FloorImportTests {
  private static let pragmas = """
    PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    """

  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("floor-\(UUID().uuidString).sqlite")
    .path

  /// Imports notes with three words each and returns the code, the time, and the error's text.
  private func importNotes(
    _ count: Int, commits: [Int], pragmas: String = pragmas
  ) -> (code: Int32, result: cfloor_result, error: String) {
    let texts = (0..<count * 3 + count).map { Array("text \($0) 단어".utf8CString) }
    // One buffer holds all texts, so that their addresses outlive the call.
    let storage = texts.flatMap { $0 }
    return storage.withUnsafeBufferPointer { storage in
      var offset = 0
      func text(_ index: Int) -> cfloor_text {
        defer { offset += texts[index].count }
        return cfloor_text(bytes: storage.baseAddress! + offset, length: Int32(texts[index].count - 1))
      }
      let notes = (0..<count).map { index in
        let shared = text(index)
        return cfloor_note(
          number: Int64(100 + index), revision: 1, is_pinned: 1, created_at: 0.5, modified_at: 1.5, title: shared,
          body: shared, language: shared, uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      }
      let words = (0..<count * 3).map { index in
        let shared = text(count + index)
        return cfloor_word(number: Int64(1_000 + index), level: 4, term: shared, meaning: shared)
      }
      var result = cfloor_result()
      let code = notes.withUnsafeBufferPointer { notes in
        words.withUnsafeBufferPointer { words in
          commits.withUnsafeBufferPointer { commits in
            var rows = cfloor_rows(
              notes: notes.baseAddress, note_count: count, words: words.baseAddress, words_per_note: 3,
              notes_per_commit: commits.baseAddress, commit_count: commits.count)
            return cfloor_import(path, pragmas, &rows, &result)
          }
        }
      }
      let error = withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      return (code, result, error)
    }
  }

  private func removeStore() {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test func theRowsAreInTheStoreWithTheirOwners() throws {
    defer { removeStore() }
    let outcome = importNotes(10, commits: [4, 4, 2])
    #expect(outcome.code == 0)
    #expect(outcome.error.isEmpty)
    #expect(outcome.result.seconds > 0)
    let contents = try StoreContents(storeAt: path, layout: .notebook)
    #expect(
      contents.rows[1] == EntityRows(keys: Array(100..<110), revisions: Array(repeating: 1, count: 10)))
    #expect(contents.rows[2] == EntityRows(keys: Array(1_000..<1_030), orphans: []))
  }

  @Test func columnsAndBookkeepingAreAppleS() throws {
    defer { removeStore() }
    #expect(importNotes(10, commits: [10]).code == 0)
    let connection = try Connection(path: path, mode: .readOnly)
    let row = try connection.prepare(
      """
      SELECT Z_PK, Z_ENT, Z_OPT, ZISPINNED, ZNUMBER, ZREVISION, ZCREATEDAT, ZMODIFIEDAT, ZBODY, ZTITLE, ZUUID
      FROM ZNOTE WHERE ZNUMBER = 103
      """)
    #expect(try row.step())
    #expect((0..<6).map { row.int64(at: $0) } == [4, 1, 1, 1, 103, 1])
    #expect(row.double(at: 6) == 0.5)
    #expect(row.double(at: 7) == 1.5)
    #expect(row.string(at: 8) == "text 3 단어")
    #expect(row.string(at: 9) == "text 3 단어")
    #expect(row.bytes(at: 10) == Array(1...16))
    #expect(try connection.int64("SELECT ZNOTE FROM ZWORD WHERE ZNUMBER = 1010") == 4)
    #expect(try connection.string("SELECT ZTERM FROM ZWORD WHERE ZNUMBER = 1010") == "text 20 단어")
    #expect(try connection.string("SELECT group_concat(Z_NAME || Z_MAX) FROM Z_PRIMARYKEY") == "Note10,Word30")
    #expect(try connection.string("SELECT name FROM sqlite_schema WHERE type = 'index'") == "ZWORD_ZNOTE_INDEX")
    #expect(try connection.int64("PRAGMA auto_vacuum") == 2)
    #expect(try connection.string("PRAGMA journal_mode") == "wal")
    withExtendedLifetime(connection) {}
  }

  @Test func anExistingStoreIsAnErrorWithItsReason() {
    defer { removeStore() }
    #expect(importNotes(1, commits: [1]).code == 0)
    let again = importNotes(1, commits: [1])
    #expect(again.code != 0)
    #expect(again.error == "the store cannot be made: table ZNOTE already exists (1)")
  }

  @Test func commitsThatDoNotHoldAllNotesAreRefused() {
    defer { removeStore() }
    let outcome = importNotes(3, commits: [1, 1])
    #expect(outcome.code != 0)
    #expect(outcome.error == "the commits hold 2 notes, there are 3")
  }

  @Test func aPragmaThatFailsIsAnError() {
    defer { removeStore() }
    #expect(importNotes(1, commits: [1], pragmas: "PRAGMA = WAL").error.contains("syntax error"))
  }

  @Test func everyWordIsFetchedAndUsed() {
    defer { removeStore() }
    #expect(importNotes(10, commits: [10]).code == 0)
    var result = cfloor_fetch_result()
    #expect(cfloor_fetch_words(path, "PRAGMA query_only = 1", 0, &result) == 0)
    let lengths = (10..<40).map { "text \($0) 단어".utf8.count }
    let sum = (1_000..<1_030).reduce(0, +) + 30 * 4 + 2 * lengths.reduce(0, +)
    #expect(result.row_count == 30 && result.sum == Int64(sum) && result.seconds > 0)
    #expect(cfloor_fetch_words(path, "", 7, &result) == 0)
    #expect(result.row_count == 7)
  }

  @Test func aFetchThatFailsGivesItsReason() {
    var result = cfloor_fetch_result()
    #expect(cfloor_fetch_words(path, "", 0, &result) != 0)
    let error = withUnsafeBytes(of: result.error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    #expect(error.contains("unable to open"))
  }
}
