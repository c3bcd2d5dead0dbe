import RowStore
import SQLite
import Testing

/// A row that is put aside has the values that it came with.
@Suite struct RawRowsTests {
  private func look(_ row: some ColumnValues, _ forms: [RawRows.Form]) -> [String] {
    forms.indices.map { column in
      let index = Int32(column)
      return switch forms[column] {
      case .integer: "\(row.isNull(at: index)) \(row.int64(at: index))"
      case .real: "\(row.isNull(at: index)) \(row.double(at: index))"
      case .text: row.text(at: index) ?? "none"
      case .bytes: "\(row.isNull(at: index)) \(row.withBytes(at: index) { [UInt8]($0) })"
      }
    }
  }

  // More columns than a word has bits, and a text that fills a chunk.
  @Test func valuesOfEveryFormInManyColumns() throws {
    let connection = try Connection(path: ":memory:")
    let one: [(RawRows.Form, String)] = [
      (.integer, "0"), (.integer, "-7"), (.integer, "NULL"), (.real, "0.0"), (.real, "-0.5"), (.real, "NULL"),
      (.text, "''"), (.text, "'één'"), (.text, "NULL"), (.text, "9"), (.bytes, "x''"), (.bytes, "x'00FF'"),
      (.bytes, "NULL"), (.text, "CAST(x'FF41' AS TEXT)"),
    ]
    let columns = (0..<6).flatMap { _ in one } + [(.text, "printf('%.*c', 70000, 'a')"), (.integer, "1")]
    let forms = columns.map(\.0)
    let sql = "SELECT \(Connection.collector)(\(columns.map(\.1).joined(separator: ", "))) FROM (VALUES (1), (2), (3))"
    let rows = RawRows(forms, sql: sql)
    var came: [[String]] = []
    var putAside: [RawRow] = []
    _ = try connection.collect(sql, bind: { _ in }) { values in
      came.append(look(values, forms))
      putAside.append(try #require(rows.add(values)))
      return true
    }
    #expect(came.count == 3)
    #expect(putAside.map { look($0, forms) } == came)
    #expect(putAside.map { look(rows.row(at: $0.place), forms) } == came)
    #expect(putAside[0].storage(at: 2) == .null && putAside[0].storage(at: 4) == .real)
    withExtendedLifetime(rows) {}
  }
}
