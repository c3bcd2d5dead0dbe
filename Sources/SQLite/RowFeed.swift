import CSQLite

/// Where the rows of a ``RowFeed`` come from.
package protocol RowSource: AnyObject {
  /// Goes to the next row, or to the first; false at the end.
  func next() -> Bool

  /// Gives the value of a column of the current row to `value`; columns count from 0. A value that is not set is NULL.
  func write(column: Int, to value: FeedValue)
}

/// A table that one connection can select from, with rows made as SQLite asks for them: with it, one `INSERT … SELECT` writes
/// many rows without a statement run for each.
///
/// A virtual table in SQLite's sense (sqlite.org/vtab.html): it is read from its start to its end, nothing of it is in
/// the database. Used as its connection is.
class RowFeed: Replaceable {
  fileprivate let columnCount: Int
  fileprivate let arena = BindingArena()

  fileprivate init(columnCount: Int) { self.columnCount = columnCount }

  /// Makes the feed a table of `database`, which keeps it.
  func register(_ name: String, in database: OpaquePointer) -> Int32 {
    sqlite3_create_module_v2(database, name, Self.module, Unmanaged.passRetained(self).toOpaque()) {
      Unmanaged<RowFeed>.fromOpaque($0!).release()
    }
  }

  func become(_ other: AnyObject) -> Bool { preconditionFailure("a feed has a source") }

  fileprivate func next() -> Bool { preconditionFailure("a feed has a source") }

  fileprivate func write(_ column: Int32, to context: OpaquePointer) { preconditionFailure("a feed has a source") }

  // MARK: The virtual table

  /// The table as SQLite holds it; SQLite's own part comes first.
  private struct Table {
    var base = sqlite3_vtab()
    let feed: Unmanaged<RowFeed>
  }

  /// One reading as SQLite holds it.
  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    let feed: Unmanaged<RowFeed>
    var position: Int64 = 0
    var isAtEnd = false

    mutating func advance() -> Int32 {
      isAtEnd = !feed._withUnsafeGuaranteedRef { $0.next() }
      position += 1
      return SQLITE_OK
    }
  }

  private static func cursor(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor> {
    UnsafeMutableRawPointer(pointer!).assumingMemoryBound(to: Cursor.self)
  }

  // Never changed and never freed: SQLite keeps the address for as long as a connection lives.
  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    // Without xCreate the table is there under the module's name, and no statement can make another.
    module.xConnect = { database, feed, _, _, table, _ in
      let feed = Unmanaged<RowFeed>.fromOpaque(feed!)
      let columns = (0..<feed.takeUnretainedValue().columnCount).map { "c\($0)" }.joined(separator: ", ")
      let code = sqlite3_declare_vtab(database, "CREATE TABLE feed(\(columns))")
      guard code == SQLITE_OK else { return code }
      let made = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      made.initialize(to: Table(feed: feed))
      table!.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      UnsafeMutableRawPointer(table!).assumingMemoryBound(to: Table.self).deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { table, cursor in
      let feed = UnsafeMutableRawPointer(table!).assumingMemoryBound(to: Table.self).pointee.feed
      let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      made.initialize(to: Cursor(feed: feed))
      cursor!.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      RowFeed.cursor(cursor).deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in RowFeed.cursor(cursor).pointee.advance() }
    module.xNext = { cursor in RowFeed.cursor(cursor).pointee.advance() }
    module.xEof = { cursor in RowFeed.cursor(cursor).pointee.isAtEnd ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      RowFeed.cursor(cursor).pointee.feed._withUnsafeGuaranteedRef { $0.write(column, to: context!) }
      return SQLITE_OK
    }
    module.xRowid = { cursor, position in
      position!.pointee = RowFeed.cursor(cursor).pointee.position
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()
}

/// A feed with a source of a class known here: one that is only known to be a source would be retained for each value.
final class SourcedFeed<Source: RowSource>: RowFeed {
  /// Only kept, not retained: the store that owns both outlives them.
  private var source: Unmanaged<Source>

  init(columnCount: Int, source: Source) {
    self.source = .passUnretained(source)
    super.init(columnCount: columnCount)
  }

  override func become(_ other: AnyObject) -> Bool {
    guard let other = other as? SourcedFeed<Source>, other.columnCount == columnCount else { return false }
    source = other.source
    return true
  }

  fileprivate override func next() -> Bool {
    arena.reset()
    return source._withUnsafeGuaranteedRef { $0.next() }
  }

  fileprivate override func write(_ column: Int32, to context: OpaquePointer) {
    source._withUnsafeGuaranteedRef {
      $0.write(column: Int(column), to: FeedValue(context: context, arena: .passUnretained(arena)))
    }
  }
}

/// The place for one value of a fed row.
package struct FeedValue: ValueSink {
  let context: OpaquePointer
  /// The feed's, which is in use.
  let arena: Unmanaged<BindingArena>

  /// UTF-8 bytes that a `String` may hold in itself; those of a longer one lie elsewhere and stay where they are.
  private static let longestInPlace = 15

  package func setNull() { sqlite3_result_null(context) }

  package func set(_ value: Int64) { sqlite3_result_int64(context, value) }

  /// Sets a number; NaN becomes NULL, since SQLite has no NaN.
  package func set(_ value: Double) { sqlite3_result_double(context, value) }

  package func set(_ text: borrowing String) {
    let isSet: Void? = text.utf8.withContiguousStorageIfAvailable { set(utf8: $0) }
    if isSet == nil {
      var contiguous = copy text
      contiguous.withUTF8 { set(utf8: $0) }
    }
  }

  package func set(textAt place: UnsafeMutablePointer<String>) {
    // In place, since a text that is handed on would be counted.
    place.pointee.withUTF8 { bytes in
      guard bytes.count > Self.longestInPlace else { return set(utf8: bytes) }
      bytes.withMemoryRebound(to: CChar.self) {
        csqlite_result_text_borrowing(context, $0.baseAddress, Int32(bytes.count))
      }
    }
  }

  private func set(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if let copy = arena._withUnsafeGuaranteedRef({ $0.copy(UnsafeRawBufferPointer(bytes)) }) {
      csqlite_result_text_borrowing(context, copy.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    } else {
      bytes.withMemoryRebound(to: CChar.self) {
        csqlite_result_text_copying(context, $0.baseAddress, Int32(bytes.count))
      }
    }
  }

  /// Sets a copy of the bytes; an empty buffer is an empty blob, not NULL.
  package func set(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      sqlite3_result_zeroblob(context, 0)
    } else if let copy = arena._withUnsafeGuaranteedRef({ $0.copy(bytes) }) {
      csqlite_result_blob_borrowing(context, copy, Int32(bytes.count))
    } else {
      csqlite_result_blob_copying(context, bytes.baseAddress, Int32(bytes.count))
    }
  }
}
