import RowStore

extension PredicateResolver {
  /// The operand at a key path from the object of a scope.
  mutating func keyPath(_ path: String, scope: Int) throws(PredicateFailure) -> Operand {
    try keyPath(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init), path, scope)
  }

  /// - Parameter path: the whole path, for messages.
  private mutating func keyPath(_ keys: [String], _ path: String, _ scope: Int) throws(PredicateFailure) -> Operand {
    if scope == 0, let column = columns[path], entities[0].propertiesByName[path] == nil {
      return .value(column.expression, column.type)
    }
    var steps: [PropertyLayout] = []
    var entity = entities[scope]
    for (position, key) in keys.enumerated() {
      var rest = keys[(position + 1)...]
      if key.hasPrefix("@") { return try aggregate(key, Array(rest), path, steps, scope) }
      guard var property = try PropertyLayout.named(key, in: entity, path) else {
        switch key {
        case "self", "SELF": continue
        case "objectID" where rest.isEmpty: return end(steps, scope, .object(entity)) { .path($0) }
        case "entity" where rest.isEmpty: return end(steps, scope, .entity) { .entity($0) }
        case "entity" where Array(rest) == ["name"]: return end(steps, scope, .text) { .entityName($0) }
        default: throw PropertyLayout.unknown(key, in: entity, path)
        }
      }
      property = try property.descend(&rest, path)
      steps.append(property)
      guard case .attribute(let type) = property.kind else {
        entity = property.relation.destination
        continue
      }
      let valueType = ValueType(type)
      if rest.isEmpty { return end(steps, scope, valueType) { .path($0) } }
      switch (Array(rest), valueType) {
      case (["length"], .text), (["length"], .data):
        return end(steps, scope, .integer) { .function(.length, [.path($0)]) }
      case (["stringValue"], .integer), (["stringValue"], .boolean), (["stringValue"], .real):
        return end(steps, scope, .text) { .text(of: .path($0)) }
      default:
        if let next = rest.first, next.hasPrefix("@") {
          return try aggregate(next, Array(rest.dropFirst()), path, steps, scope)
        }
        throw PredicateFailure(
          position: nil, message: "keypath \(path): \(property.name) is an attribute and leads nowhere")
      }
    }
    return end(steps, scope, .object(entity)) { .path($0) }
  }

  /// The value at the end of a path, or for each element of the collection that it leads to.
  private mutating func end(
    _ steps: [PropertyLayout], _ scope: Int, _ type: ValueType, _ expression: (ResolvedPath) -> ResolvedExpression
  ) -> Operand {
    guard let last = steps.lastIndex(where: { $0.isRelationship && $0.relation.isToMany }) else {
      return .value(expression(ResolvedPath(scope: scope, steps: steps)), type)
    }
    let element = newScope(steps[last].relation.destination)
    let collection = ResolvedCollection(base: scope, steps: Array(steps[...last]), element: element, filter: nil)
    return .collection(collection, expression(ResolvedPath(scope: element, steps: Array(steps[(last + 1)...]))), type)
  }

  // MARK: Collection operators

  /// `@count` and its kin behind the relationships `steps`.
  private mutating func aggregate(
    _ key: String, _ rest: [String], _ path: String, _ steps: [PropertyLayout], _ scope: Int
  ) throws(PredicateFailure) -> Operand {
    if steps.isEmpty, scope == 0, isGrouped, let aggregate = CollectionAggregate(rawValue: key)?.overRows {
      return try group(aggregate, key, rest, path)
    }
    guard let last = steps.last, last.isRelationship, last.relation.isToMany else {
      throw PredicateFailure(
        position: nil, message: "keypath \(path): \(key) must directly follow a to-many relationship")
    }
    let element = newScope(last.relation.destination)
    let collection = ResolvedCollection(base: scope, steps: steps, element: element, filter: nil)
    return try aggregate(key, rest, path, of: collection)
  }

  /// `@count` and its kin over the rows of a group.
  private mutating func group(
    _ aggregate: GroupAggregate, _ key: String, _ rest: [String], _ path: String
  ) throws(PredicateFailure) -> Operand {
    precondition(isGrouped, "rows are counted and added up where they are grouped")
    guard aggregate != .count else {
      try requireNothing(behindCount: rest, path)
      return .value(.group(.count, nil), .integer)
    }
    let (value, type) = try elementValue(rest, path, key, scope: 0)
    return .value(.group(aggregate, value), try aggregate.type(type, path))
  }

  private func requireNothing(behindCount rest: [String], _ path: String) throws(PredicateFailure) {
    guard rest.isEmpty else {
      throw PredicateFailure(position: nil, message: "keypath \(path): nothing follows @count")
    }
  }

  /// `@count` and its kin over a collection.
  mutating func aggregate(
    _ key: String, _ rest: [String], _ path: String, of collection: ResolvedCollection
  ) throws(PredicateFailure) -> Operand {
    if key == "@unionOfObjects" || key == "@distinctUnionOfObjects" {
      let (value, type) = try elementValue(rest, path, key, scope: collection.element)
      return .collection(collection, value, type)
    }
    guard let aggregate = CollectionAggregate(rawValue: key) else {
      throw PredicateFailure(
        position: nil,
        message: "keypath \(path): \(key) is not supported; there are @count, @sum, @avg, @min, @max, @unionOfObjects")
    }
    if aggregate == .count {
      try requireNothing(behindCount: rest, path)
      return .value(.aggregate(.count, collection, .constant(.null)), .integer)
    }
    let (value, type) = try elementValue(rest, path, key, scope: collection.element)
    return .value(.aggregate(aggregate, collection, value), try aggregate.type(type, path))
  }

  private mutating func elementValue(
    _ keys: [String], _ path: String, _ key: String, scope: Int
  ) throws(PredicateFailure) -> (ResolvedExpression, ValueType) {
    guard !keys.isEmpty else {
      throw PredicateFailure(
        position: nil, message: "keypath \(path): \(key) is followed by the key of what it is about")
    }
    // An aggregate over rows has no aggregate over rows in it.
    guard keys.first?.hasPrefix("@") == false, case .value(let value, let type) = try keyPath(keys, path, scope) else {
      throw PredicateFailure(
        position: nil, message: "keypath \(path): \(key) must be followed by one value of each object")
    }
    return (value, type)
  }
}

extension CollectionAggregate {
  /// The same over the rows of a group.
  fileprivate var overRows: GroupAggregate {
    switch self {
    case .count: .count
    case .sum: .sum
    case .average: .average
    case .minimum: .min
    case .maximum: .max
    }
  }

  /// The type of the result for values of a type.
  func type(_ type: ValueType, _ path: String) throws(PredicateFailure) -> ValueType {
    switch self {
    case .count: return .integer
    case .minimum, .maximum:
      guard type.isOrdered else {
        throw PredicateFailure(position: nil, message: "\(path): \(type.description) has no order")
      }
      return type
    case .sum, .average:
      guard type.isNumber else {
        throw PredicateFailure(position: nil, message: "\(path): \(rawValue) is about numbers, not \(type.description)")
      }
      return self == .average ? .real : type == .boolean ? .integer : type == .date ? .real : type
    }
  }
}

extension PropertyLayout {
  /// The property with that name, also one that only sub-entities have; nil where there is none.
  ///
  /// - Throws: when several sub-entities have one each.
  static func named(_ key: String, in entity: EntityLayout, _ path: String) throws(PredicateFailure) -> PropertyLayout?
  {
    if let property = entity.propertiesByName[key] { return property }
    guard !entity.children.isEmpty else { return nil }
    var found: PropertyLayout?
    for property in entity.family.lazy.compactMap({ $0.propertiesByName[key] }) where property !== found {
      if let other = found {
        throw PredicateFailure(
          position: nil,
          message:
            "keypath \(path): \(other.owner.name) and \(property.owner.name) each have a \"\(key)\" of their own; "
            + "ask for one of these entities")
      }
      found = property
    }
    return found
  }

  /// The element of a composite attribute that the keys lead to, without those keys; the property itself for all others.
  ///
  /// - Throws: when a composite has no such element.
  func descend(_ keys: inout ArraySlice<String>, _ path: String) throws(PredicateFailure) -> PropertyLayout {
    var property = self
    while property.isComposite, let key = keys.first, !key.hasPrefix("@") {
      guard let element = property.element(key) else {
        let names = property.elements.map { $0.name.dropFirst(property.name.count + 1) }.sorted()
        throw PredicateFailure(
          position: nil,
          message:
            "keypath \(path): \(property.name) has no element \"\(key)\"; it has \(names.joined(separator: ", "))")
      }
      property = element
      keys.removeFirst()
    }
    return property
  }

  static func unknown(_ key: String, in entity: EntityLayout, _ path: String) -> PredicateFailure {
    PredicateFailure(
      position: nil,
      message: "keypath \(path): \(entity.name) has no \"\(key)\"; it has "
        + entity.propertiesByName.keys.sorted().joined(separator: ", "))
  }

  /// The properties that `keys` name, one after the other, for sorting; of a path to an object those that lead to it, none for
  /// the objects themselves.
  ///
  /// - Throws: when a key is unknown, leads to many objects, or one before the last is not a to-one relationship.
  static func path(_ keys: [String], from entity: EntityLayout) throws(PredicateFailure) -> [PropertyLayout] {
    let name = keys.joined(separator: ".")
    var path: [PropertyLayout] = []
    var entity = entity
    for (position, key) in keys.enumerated() {
      var rest = keys[(position + 1)...]
      guard var property = try named(key, in: entity, name) else {
        switch key {
        case "self", "SELF": continue
        case "objectID" where rest.isEmpty: return path
        default: throw unknown(key, in: entity, name)
        }
      }
      property = try property.descend(&rest, name)
      guard !property.isTransient else {
        throw PredicateFailure(
          position: nil,
          message: "keypath \(name): \(key) is transient, and not in the store; sort the fetched array by it")
      }
      path.append(property)
      switch property.kind {
      case .toMany:
        throw PredicateFailure(
          position: nil, message: "keypath \(name): the to-many relationship \(key) has no one value to sort by")
      case .toOne: entity = property.relation.destination
      case .attribute(let type):
        guard rest.isEmpty else {
          throw PredicateFailure(
            position: nil, message: "keypath \(name): \(property.name) is an attribute and leads nowhere")
        }
        // Archives, and data that may lie in a file of its own, are other bytes in the column.
        guard property.encoding == nil, ValueType(type).isOrdered else {
          throw PredicateFailure(
            position: nil,
            message:
              "keypath \(name): the values of \(property.name) have no order; sort by a number, date, text, UUID or data"
          )
        }
        return path
      }
    }
    return path
  }
}
