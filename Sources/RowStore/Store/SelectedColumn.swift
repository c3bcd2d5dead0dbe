import Foundation
import SQLite

/// One value of each row that a query gives in place of whole rows.
package struct SelectedColumn {
  /// How its values come.
  package enum Form {
    case attribute(AttributeType)
    /// An attribute that is stored otherwise than its slot; of a composite one the leaves.
    case encoded(AttributeEncoding, AttributeType, leaves: [ResolvedExpression])
    /// The object at the end of a path, of an entity or its sub-entities: a reference with its key and entity.
    case object(ResolvedPath, EntityLayout)
  }

  package let expression: ResolvedExpression
  package let form: Form

  package init(expression: ResolvedExpression, form: Form) {
    self.expression = expression
    self.form = form
  }

  /// The selected expressions: an object takes its key and its entity, a composite attribute all its leaves.
  package var selection: [ResolvedExpression] {
    switch form {
    case .attribute: [expression]
    case .encoded(_, _, let leaves): leaves
    case .object(let path, let entity): entity.children.isEmpty ? [expression] : [expression, .entity(path)]
    }
  }

  /// The value in the statement's current row. The next column follows the selection.
  fileprivate func slot(_ statement: Statement, at position: Int32, _ store: SQLiteStore) -> Slot {
    switch form {
    case .attribute(let type): return Self.slot(statement, at: position, type)
    case .encoded(.composite(let layout), _, _):
      let slots = layout.leaves.enumerated().map { Self.slot(statement, at: position + Int32($0), $1.type) }
      return CompositeValue.slot(layout, slots)
    case .encoded(.transformed(let coder), _, _):
      guard case .data(let data) = Self.slot(statement, at: position, .data) else { return .null }
      return .boxed(SlotBox(TransformedValue(data, coder)))
    case .encoded(.external, _, _):
      guard !statement.isNull(at: position) else { return .null }
      return statement.withBytes(at: position) { ExternalReference.slot($0, store.files.folder) }
    case .object(_, let entity):
      guard !statement.isNull(at: position) else { return .null }
      let tag = store.tag
      let number = entity.children.isEmpty ? entity.number : Int(statement.int64(at: position + 1))
      let found = entity.model.entity(number: number) ?? entity
      return tag.key(statement.int64(at: position)).map {
        .reference(RowReference(key: $0, entity: UInt16(truncatingIfNeeded: found.number)))
      } ?? .null
    }
  }

  private static func slot(_ statement: Statement, at position: Int32, _ type: AttributeType) -> Slot {
    guard !statement.isNull(at: position) else { return .null }
    switch type {
    case .integer16, .integer32, .integer64:
      if statement.storage(at: position) == .real {
        // A sum may be beyond all integers.
        let number = statement.double(at: position)
        return Int64(exactly: number.rounded(.towardZero)).map { .integer($0) } ?? .real(number)
      }
      return .integer(statement.int64(at: position))
    case .boolean: return .integer(statement.double(at: position) == 0 ? 0 : 1)
    case .double, .float: return .real(statement.double(at: position))
    case .date: return .date(statement.double(at: position))
    case .string: return .string(statement.string(at: position))
    case .decimal: return Slot(decimal: statement.string(at: position))
    case .url: return URL(string: statement.string(at: position)).map { .boxed(SlotBox($0)) } ?? .null
    case .uuid:
      return statement.withBytes(at: position) { bytes in
        bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : .null
      }
    case .data: return .data(statement.withBytes(at: position) { Data($0) })
    default:
      return switch statement.storage(at: position) {
      case .integer: .integer(statement.int64(at: position))
      case .real: .real(statement.double(at: position))
      case .text: .string(statement.string(at: position))
      case .blob: .data(statement.withBytes(at: position) { Data($0) })
      case .null: .null
      }
    }
  }
}

extension SQLiteStore {
  /// Calls `body` with the values of each row that a query gives, one for each column.
  package func forEachRow(
    of query: StoreQuery, selecting columns: [SelectedColumn], _ body: (ContiguousArray<Slot>) -> Void
  ) throws {
    let generated = generate(query, columns)
    try reading { connection, _ in
      let statement = try connection.cached(generated.sql)
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      var slots = ContiguousArray(repeating: Slot.null, count: columns.count)
      while try statement.step() {
        var position: Int32 = 0
        for (index, column) in columns.enumerated() {
          slots[index] = column.slot(statement, at: position, self)
          position += Int32(column.selection.count)
        }
        body(slots)
      }
    }
  }

  /// How many rows a query gives that selects columns.
  package func count(_ query: StoreQuery, selecting columns: [SelectedColumn]) throws -> Int {
    let generated = generate(query, columns)
    return try reading { connection, _ in
      let statement = try connection.cached("SELECT count(*) FROM (\(generated.sql))")
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      return try statement.step() ? Int(statement.int64(at: 0)) : 0
    }
  }

  private func generate(_ query: StoreQuery, _ columns: [SelectedColumn]) -> GeneratedSQL {
    precondition(!columns.isEmpty, "a query selects at least one column")
    return SQLGenerator(schema: schema).select(columns: columns.flatMap(\.selection), query)
  }
}
