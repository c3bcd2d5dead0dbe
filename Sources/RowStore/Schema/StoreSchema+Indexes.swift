import Foundation

extension StoreSchema {
  /// The statements for the indexes that entities of a table ask for: fetch indexes, and their predecessors in old models.
  package func indexes(_ table: TableSchema, _ model: any StoredModel) -> [String] {
    var names: Set<String> = []
    var statements: [String] = []
    func add(_ name: String, _ columns: [String]) {
      guard !columns.isEmpty, names.insert(name.uppercased()).inserted else { return }
      // A model may have names that are no words.
      let isWord = name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
      let quoted = isWord ? name : "\"\(name.replacing("\"", with: "\"\""))\""
      statements.append("CREATE INDEX \(quoted) ON \(table.name) (\(columns.joined(separator: ", ")))")
    }
    for entity in table.root.family {
      let wanted = model.indexes(of: entity)
      for property in wanted.properties.compactMap({ entity.propertiesByName[$0] }) {
        guard let column = column(property, table), property.encoding == nil, !property.isRelationship else { continue }
        add("\(table.name)_\(column)_INDEX", [column])
      }
      for compound in wanted.compounds {
        guard let columns = columns(compound, of: entity, table) else { continue }
        add("\(table.name)_\(columns.joined(separator: "_"))", columns)
      }
      for index in wanted.indexes {
        guard let columns = columns(index.elements.map(\.property), of: entity, table) else { continue }
        let parts = zip(columns, index.elements).map { "\($0) COLLATE BINARY \($1.isAscending ? "ASC" : "DESC")" }
        add("Z_\(entity.name)_\(index.name)", parts)
      }
    }
    return statements
  }

  /// Nil where one of the keys has no column of its own.
  private func columns(_ keys: [String], of entity: EntityLayout, _ table: TableSchema) -> [String]? {
    var columns: [String] = []
    for key in keys {
      guard let property = entity.property(atPath: key), let column = column(property, table) else { return nil }
      columns.append(column)
    }
    return columns
  }

  private func column(_ property: PropertyLayout, _ table: TableSchema) -> String? {
    if property.isTransient { return nil }
    if case .toMany = property.kind { return nil }
    if case .composite? = property.encoding { return nil }
    return table.column(property).name
  }
}
