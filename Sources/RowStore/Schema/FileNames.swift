import Foundation
import SQLite

/// The tables of a file with their columns, by which a schema finds names other than those in a new file.
///
/// Apple's tools number a name that is taken; which of two gets the number is not documented.
package struct FileNames {
  /// A column and its declared type.
  package struct Column {
    package let name: String
    package let type: String
  }

  private let columns: [String: [Column]]

  /// For a new file: every name is as the rules say.
  package init() { columns = [:] }

  /// Looks at the tables of the file behind `connection`; views are none.
  package init(_ connection: Connection) throws {
    var columns: [String: [Column]] = [:]
    let names = try connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z*'")
    var tables: [String] = []
    while try names.step() { tables.append(names.string(at: 0)) }
    let info = try connection.prepare("SELECT name, type FROM pragma_table_info(?)")
    for table in tables {
      info.reset()
      info.bind(table, at: 1)
      while try info.step() {
        columns[table, default: []].append(Column(name: info.string(at: 0), type: info.string(at: 1).uppercased()))
      }
    }
    self.columns = columns
  }

  /// The columns of a table; none where there is no such table.
  package func columns(of table: String) -> [Column] { columns[table] ?? [] }

  /// Tables called `name`, or that with a number behind it; the plain name first.
  package func tables(numbered name: String) -> [String] { Self.numbered(name, among: Array(columns.keys)) }

  /// Columns of a table called `name`, or that with a number behind it.
  package func columns(of table: String, numbered name: String) -> [String] {
    Self.numbered(name, among: columns(of: table).map(\.name))
  }

  /// The column of a property that is not taken: of its type if possible; nil where the file has none.
  package func column(of table: String, numbered name: String, type: String, taken: Set<String>) -> String? {
    let types = Dictionary(columns(of: table).map { ($0.name, $0.type) }) { first, _ in first }
    let free = columns(of: table, numbered: name).filter { !taken.contains($0) }
    guard let first = free.first, first == name || taken.contains(name) else { return nil }
    return types[first] == type ? first : free.first { types[$0] == type } ?? first
  }

  private static func numbered(_ name: String, among names: [String]) -> [String] {
    names.compactMap { candidate -> (String, Int)? in
      guard candidate.hasPrefix(name) else { return nil }
      let rest = candidate.dropFirst(name.count)
      if rest.isEmpty { return (candidate, 0) }
      return rest.allSatisfy({ $0.isASCII && $0.isNumber }) ? Int(rest).map { (candidate, $0) } : nil
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
