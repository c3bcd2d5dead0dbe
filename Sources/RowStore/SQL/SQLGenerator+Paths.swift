extension SQLGenerator {
  // MARK: Columns

  /// The column at the end of a path; the key of the object for a path without steps.
  package mutating func column(_ path: ResolvedPath) -> String {
    guard let last = path.steps.last else { return scope(path.scope).key }
    let alias = table(path.scope, path.steps.dropLast())
    let column = "\(alias).\(schema.table(last.owner).column(last).name)"
    // A decimal that is not a number lies in the file as a text, and compares as the null that one of floating point is.
    if case .attribute(.decimal) = last.kind { return "nullif(\(column), 'NaN')" }
    return column
  }

  private func scope(_ number: Int) -> SQLScope {
    guard let scope = scopes[number] else {
      preconditionFailure("a collection's element is used inside the collection")
    }
    return scope
  }

  /// The alias of the table at the end of a path of to-one relationships.
  package mutating func table(_ number: Int, _ path: ArraySlice<PropertyLayout>) -> String {
    guard let last = path.last else { return table(number) }
    let key = path.map { ObjectIdentifier($0) }
    if let known = scope(number).joins.first(where: { $0.path == key }) { return known.alias }
    let source = table(number, path.dropLast())
    let alias = newAlias("t")
    let table = schema.table(last.relation.destination)
    let foreignKey = schema.table(last.owner).column(last).name
    scopes[number]?.joins.append(
      (key, alias, " LEFT JOIN \(table.name) \(alias) ON \(alias).Z_PK = \(source).\(foreignKey)"))
    return alias
  }

  private mutating func table(_ number: Int) -> String {
    let scope = scope(number)
    if let alias = scope.alias { return alias }
    let alias = newAlias("t")
    scopes[number]?.alias = alias
    scopes[number]?.joins.append(
      ([], alias, " JOIN \(schema.table(scope.entity).name) \(alias) ON \(alias).Z_PK = \(scope.key)"))
    return alias
  }

  // MARK: Collections

  /// A SELECT over a collection's elements that meet its filter.
  ///
  /// - Parameter content: writes the selection and a further condition, in the scope of the elements.
  mutating func select(
    _ collection: ResolvedCollection, isDistinct: Bool = false,
    _ content: (inout SQLGenerator) -> (selection: String, condition: String?)
  ) -> String {
    var (from, conditions) = open(collection)
    if isDistinct, collection.isDeep {
      // Each element once, however many ways lead to it.
      let key = scope(collection.element).key
      let joins = scope(collection.element).joins.map(\.sql).joined()
      let keys = "SELECT \(key) FROM \(from)\(joins) WHERE \(conditions.joined(separator: " AND "))"
      let alias = newAlias("t")
      scopes[collection.element] = SQLScope(entity: collection.destination, key: "\(alias).Z_PK", alias: alias)
      from = "\(schema.table(collection.destination).name) \(alias)"
      conditions = ["\(alias).Z_PK IN (\(keys))"]
    }
    if let filter = collection.filter { conditions.append(condition(filter)) }
    let (selection, condition) = content(&self)
    if let condition { conditions.append(condition) }
    let joins = scope(collection.element).joins.map(\.sql).joined()
    scopes[collection.element] = nil
    return "SELECT \(selection) FROM \(from)\(joins) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Makes the scope of a collection's elements; gives the tables that lead to them from the outer object, and how.
  private mutating func open(_ collection: ResolvedCollection) -> (from: String, conditions: [String]) {
    let first = collection.steps.firstIndex { $0.relation.isToMany } ?? 0
    var key =
      first == 0
      ? scope(collection.base).key : "\(table(collection.base, collection.steps[..<first])).Z_PK"
    var alias: String?
    var from = ""
    var conditions: [String] = []
    func add(_ table: String, _ condition: String) {
      if from.isEmpty {
        from = table
        conditions.append(condition)
      } else {
        from += " JOIN \(table) ON \(condition)"
      }
    }
    for property in collection.steps[first...] {
      if property.relation.isToMany {
        let place = schema.members(property)
        let next = newAlias(place.isJoin ? "j" : "t")
        add("\(place.table) \(next)", "\(next).\(place.owner) = \(key)")
        key = "\(next).\(place.member)"
        alias = place.isJoin ? nil : next
      } else {
        let table = schema.table(property.owner)
        let current = alias ?? newAlias("t")
        if alias == nil { add("\(table.name) \(current)", "\(current).Z_PK = \(key)") }
        key = "\(current).\(table.column(property).name)"
        alias = nil
      }
    }
    precondition(!from.isEmpty, "a collection is selected from the table of its members")
    scopes[collection.element] = SQLScope(entity: collection.destination, key: key, alias: alias)
    return (from, conditions)
  }
}
