import RowStore

/// A fetch of dictionaries as the store carries it out.
struct DictionaryFetch {
  private(set) var columns: [DictionaryColumn] = []
  var query: StoreQuery
  /// The only stores to ask; every store with nil.
  let affectedStores: [NSPersistentStore]?
  /// The expressions of ``columns`` by the names that a request may call them by.
  private var named: [String: ResolvedColumn] = [:]
  /// Whether an aggregate over a to-many relationship is about all rows of a group: not where each group is of one row.
  private var isOverGroups = false

  /// - Throws: for expressions that the store cannot compute, and for those without one value in a group.
  init(_ request: some FetchRequesting, _ entity: EntityLayout, _ aliases: any PermanentKeys) throws(PredicateFailure) {
    affectedStores = request.affectedStores
    query = StoreQuery(entity: entity, includesSubentities: request.includesSubentities)
    query.aliases = aliases
    query.limit = request.fetchLimit
    query.offset = request.fetchOffset
    query.isDistinct = request.returnsDistinctResults
    if let predicate = request.predicate { query.predicate = try ResolvedPredicate(predicate, entity: entity) }
    for property in request.propertiesToFetch ?? Self.attributes(of: entity) {
      let column = try column(property)
      columns.removeAll { $0.name == column.name }
      columns.append(column)
      named[column.name] = column.resolved
    }
    guard !columns.isEmpty else {
      throw PredicateFailure(position: nil, message: "propertiesToFetch names no property for the dictionaries")
    }
    if query.isDistinct { for column in columns { try column.requirePlain("distinct") } }
    var groups: [DictionaryColumn] = []
    for property in request.propertiesToGroupBy ?? [] { groups.append(try column(property)) }
    for column in groups { try column.requirePlain("grouped by") }
    query.groups = groups.map(\.resolved.expression)
    isOverGroups =
      !groups.contains { $0.resolved.expression.pathsOutsideGroups.contains { $0.scope == 0 && $0.steps.isEmpty } }
      && (!groups.isEmpty || columns.contains { $0.resolved.expression.isGrouped }
        || Self.areTotals(request.propertiesToFetch))
    if isOverGroups {
      for index in columns.indices {
        columns[index] = try columns[index].overGroup()
        named[columns[index].name] = columns[index].resolved
      }
    }
    precondition(named.count == columns.count, "no two columns have one name")
    try resolveHaving(request.havingPredicate)
    try resolveOrder(request.sortDescriptors ?? [])
    try requireGroups(groups)
  }

  /// Whether each dictionary is of one row, whatever other rows there are.
  var isRowByRow: Bool {
    query.groups.isEmpty && query.order.isEmpty && query.limit == 0 && query.offset == 0 && !query.isDistinct
      && !columns.contains { $0.resolved.expression.isGrouped }
  }

  /// A row of the store as a dictionary, without the keys of nulls.
  func dictionary(_ slots: ContiguousArray<Slot>, in store: StoreIdentity) -> [String: Any] {
    precondition(slots.count == columns.count, "a row has a slot for each column")
    var row = [String: Any](minimumCapacity: columns.count)
    for (column, slot) in zip(columns, slots) { row[column.name] = column.value(slot, in: store) }
    return row
  }

  /// Whether nothing but aggregates is asked for: `count:(items)` alone is about the items of all rows.
  private static func areTotals(_ properties: [Any]?) -> Bool {
    guard let properties else { return false }
    return properties.allSatisfy {
      guard case .function(let name, nil, let arguments)? = ($0 as? NSExpressionDescription)?.expression?.form
      else { return false }
      // Of a list, `max({a, b})` or `max(a, b)`, it is a value of each row.
      if arguments.count > 1 { return false }
      if case .aggregate? = arguments.first?.form { return false }
      return GroupAggregate(rawValue: String(name.prefix { $0 != ":" })) != nil
    }
  }

  /// All that is stored of an entity but its relationships.
  private static func attributes(of entity: EntityLayout) -> [Any] {
    entity.properties.filter { !$0.isRelationship && !$0.isTransient }.map(\.name)
  }

  /// A property by its name or description.
  private func column(_ property: Any) throws(PredicateFailure) -> DictionaryColumn {
    switch property {
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        throw PredicateFailure(
          position: nil, message: "the expression description \(description.name) has no expression")
      }
      return try DictionaryColumn(
        description.name, try ResolvedColumn(expression, entity: query.entity),
        declared: description.expressionResultType.rowType)
    case let description as NSPropertyDescription: return try column(named: description.keyPath)
    case let name as String: return try column(named: name)
    default:
      throw PredicateFailure(
        position: nil, message: "\(property) is neither the name nor the description of a property or expression")
    }
  }

  private func column(named name: String) throws(PredicateFailure) -> DictionaryColumn {
    if query.entity.propertiesByName[name] == nil, let column = named[name] {
      return try DictionaryColumn(name, column)
    }
    if let property = query.entity.propertiesByName[name], case .toMany = property.kind {
      throw PredicateFailure(
        position: nil, message: "the to-many relationship \(name) has no one value for a dictionary; use an aggregate")
    }
    return try DictionaryColumn(name, try ResolvedColumn(NSExpression(forKeyPath: name), entity: query.entity))
  }

  private mutating func resolveHaving(_ predicate: NSPredicate?) throws(PredicateFailure) {
    guard let predicate else { return }
    guard !query.groups.isEmpty else {
      throw PredicateFailure(position: nil, message: "havingPredicate chooses groups; set propertiesToGroupBy")
    }
    let having = try ResolvedPredicate(predicate, entity: query.entity, columns: named, isGrouped: true)
    guard having.isTranslatable else {
      throw PredicateFailure(position: nil, message: "the store cannot evaluate havingPredicate: \(predicate)")
    }
    query.having = isOverGroups ? having.overGroup : having
  }

  private mutating func resolveOrder(_ descriptors: [NSSortDescriptor]) throws(PredicateFailure) {
    for descriptor in descriptors {
      let keys = try descriptor.keys(in: query.entity)
      let name = keys.isEmpty ? "self" : keys.joined(separator: ".")
      var column = try column(named: name)
      if isOverGroups { column = try column.overGroup() }
      try column.requirePlain("sorted by")
      query.order.append(StoreQuery.Order(expression: column.resolved.expression, isAscending: descriptor.ascending))
    }
  }

  /// Checks that with groups, or with an aggregate over all rows, every other value is the same in a group.
  private mutating func requireGroups(_ groups: [DictionaryColumn]) throws(PredicateFailure) {
    let isGrouped =
      columns.contains { $0.resolved.expression.isGrouped } || query.order.contains { $0.expression.isGrouped }
    guard !groups.isEmpty || isGrouped else { return }
    let paths = groups.flatMap { $0.resolved.expression.pathsOutsideGroups }
    func requireGroup(_ expression: ResolvedExpression, _ name: String) throws(PredicateFailure) {
      for path in expression.pathsOutsideGroups where path.scope == 0 {
        guard paths.contains(where: { $0.isSame(as: path) }) else {
          throw PredicateFailure(
            position: nil,
            message: "\(name) is neither in propertiesToGroupBy nor an aggregate, and has many values in a group")
        }
      }
    }
    for column in columns where !groups.contains(where: { $0.name == column.name }) {
      try requireGroup(column.resolved.expression, column.name)
    }
    // One row has no order.
    if groups.isEmpty { query.order = [] }
    for order in query.order { try requireGroup(order.expression, "a sort key") }
  }
}

extension ResolvedPath {
  fileprivate func isSame(as other: ResolvedPath) -> Bool {
    scope == other.scope && steps.count == other.steps.count && zip(steps, other.steps).allSatisfy { $0 === $1 }
  }
}
