import CSQLite

/// A result code of SQLite, extended or primary.
///
/// `~=` matches an extended code against its primary code, so `case .busy` also takes `SQLITE_BUSY_SNAPSHOT`.
/// - SeeAlso: SQLite, "Result and Error Codes".
package struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let row = ResultCode(rawValue: SQLITE_ROW)
  package static let done = ResultCode(rawValue: SQLITE_DONE)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  package static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  package static let outOfRange = ResultCode(rawValue: SQLITE_RANGE)
  package static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  package static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))

  /// The code without its extension bits.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  package var description: String { String(cString: sqlite3_errstr(rawValue)) }

  package static func ~= (pattern: ResultCode, value: ResultCode) -> Bool {
    pattern == value || pattern == value.primary
  }
}
