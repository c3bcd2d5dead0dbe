/// A predicate about one entity: keys are properties, constants have the type they are compared with. The same value is
/// evaluated in memory and translated to SQL.
indirect enum ResolvedPredicate {
  case constant(Bool)
  case and([ResolvedPredicate])
  case or([ResolvedPredicate])
  case not(ResolvedPredicate)
  case comparison(left: ResolvedOperand, Comparison, right: ResolvedOperand)
  /// A predicate that only its own code understands.
  case opaque(NSPredicate)

  init(_ node: PredicateNode, entity: EntityLayout) throws(PredicateError) {
    switch node {
    case .constant(let value): self = .constant(value)
    case .and(let nodes): self = .and(try Self.resolve(nodes, entity))
    case .or(let nodes): self = .or(try Self.resolve(nodes, entity))
    case .not(let node): self = .not(try ResolvedPredicate(node, entity: entity))
    case .comparison(let left, let comparison, let right):
      self = try Self.resolve(left, comparison, right, entity)
    }
  }

  /// A predicate of any class: comparisons and compounds of them are resolved, others are evaluated as they are.
  init(_ predicate: NSPredicate, entity: EntityLayout) throws(PredicateError) {
    if let compound = predicate as? NSCompoundPredicate {
      var parts: [ResolvedPredicate] = []
      for part in compound.subpredicates {
        parts.append(try ResolvedPredicate(part, entity: entity))
      }
      switch compound.compoundPredicateType {
      case .and: self = .and(parts)
      case .or: self = .or(parts)
      case .not: self = parts.first.map { .not($0) } ?? .constant(true)
      }
    } else if predicate is NSComparisonPredicate || predicate.constantPredicateValue != nil {
      self = try ResolvedPredicate(PredicateNode(predicate), entity: entity)
    } else {
      self = .opaque(predicate)
    }
  }

  private static func resolve(_ nodes: [PredicateNode], _ entity: EntityLayout) throws(PredicateError)
    -> [ResolvedPredicate]
  {
    var resolved: [ResolvedPredicate] = []
    for node in nodes { resolved.append(try ResolvedPredicate(node, entity: entity)) }
    return resolved
  }

  private static func resolve(
    _ left: PredicateOperand, _ comparison: Comparison, _ right: PredicateOperand, _ entity: EntityLayout
  ) throws(PredicateError) -> ResolvedPredicate {
    // A key stands on the left where the operator allows it, so that SQL and evaluation see one form.
    if case .value = left, let flipped = comparison.flipped, !right.isValue {
      return try resolve(right, flipped, left, entity)
    }
    let leftPath = try left.path(entity)
    let rightPath = try right.path(entity)
    let resolved = ResolvedPredicate.comparison(
      left: try left.resolved(leftPath, comparedWith: rightPath, comparison),
      comparison,
      right: try right.resolved(rightPath, comparedWith: leftPath, comparison))
    return resolved
  }
}

/// One side of a resolved comparison.
enum ResolvedOperand {
  /// Properties to follow; all but the last lead to one object.
  case path([PropertyLayout])
  case itself
  case slot(Slot)
  case list([Slot])
}

extension PredicateOperand {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }

  /// The properties of a key path; nil for a constant, empty for the object itself.
  fileprivate func path(_ entity: EntityLayout) throws(PredicateError) -> [PropertyLayout]? {
    switch self {
    case .value: return nil
    case .itself: return []
    case .keyPath(let keys): return try PropertyLayout.path(keys, from: entity)
    }
  }

  fileprivate func resolved(
    _ path: [PropertyLayout]?, comparedWith other: [PropertyLayout]?, _ comparison: Comparison
  ) throws(PredicateError) -> ResolvedOperand {
    if let path { return path.isEmpty ? .itself : .path(path) }
    guard case .value(let value) = self else { return .itself }
    let takesList = comparison.op == .isIn || comparison.op == .between
    switch value {
    case .list(let values):
      guard takesList else {
        throw PredicateError(position: nil, message: "a list can only be compared with IN and BETWEEN")
      }
      if comparison.op == .between, values.count != 2 {
        throw PredicateError(position: nil, message: "BETWEEN takes two values, not \(values.count)")
      }
      var slots: [Slot] = []
      for value in values { slots.append(try value.slot(comparedWith: other)) }
      return .list(slots)
    case .slot, .object:
      if takesList, other != nil {
        throw PredicateError(position: nil, message: "IN and BETWEEN take a list on the right")
      }
      return .slot(try value.slot(comparedWith: other))
    }
  }
}

extension PredicateValue {
  /// The constant in the type of the property it is compared with.
  fileprivate func slot(comparedWith path: [PropertyLayout]?) throws(PredicateError) -> Slot {
    switch self {
    case .list: throw PredicateError(position: nil, message: "a list cannot stand in a list")
    case .object(let id):
      if let last = path?.last, !last.isRelationship {
        throw PredicateError(
          position: nil, message: "\(last.name) is an attribute; an object cannot be compared with it")
      }
      return .reference(RowReference(key: id.key, entity: UInt16(truncatingIfNeeded: id.layout.number)))
    case .slot(let slot):
      guard let last = path?.last, case .attribute(let type) = last.kind else {
        if path != nil, !slot.isNull {
          throw PredicateError(
            position: nil, message: "an object can only be compared with objects, their IDs, and nil")
        }
        return slot
      }
      return try slot.coerced(to: type, of: last)
    }
  }
}

extension Slot {
  /// The same value in the attribute's type, where that is possible without loss.
  fileprivate func coerced(to type: NSAttributeType, of property: PropertyLayout) throws(PredicateError) -> Slot {
    let mismatch = PredicateError(
      position: nil, message: "\(property.name) is \(type.valueDescription); \(self) cannot be compared with it")
    switch (type, self) {
    case (_, .null): return self
    case (.integer16AttributeType, _), (.integer32AttributeType, _), (.integer64AttributeType, _),
      (.booleanAttributeType, _), (.doubleAttributeType, _), (.floatAttributeType, _), (.decimalAttributeType, _):
      switch self {
      case .integer, .real: return self
      case .boxed(let box):
        guard let decimal = box.value as? Decimal else { throw mismatch }
        return .real(NSDecimalNumber(decimal: decimal).doubleValue)
      case .string(let text):
        if let value = Int64(text) { return .integer(value) }
        guard let value = Double(text) else { throw mismatch }
        return .real(value)
      default: throw mismatch
      }
    case (.dateAttributeType, .date), (.stringAttributeType, .string), (.UUIDAttributeType, .uuid),
      (.binaryDataAttributeType, .data):
      return self
    case (.dateAttributeType, .integer(let seconds)): return .date(Double(seconds))
    case (.dateAttributeType, .real(let seconds)): return .date(seconds)
    case (.UUIDAttributeType, .string(let text)):
      guard let uuid = UUID(uuidString: text) else { throw mismatch }
      return .uuid(uuid)
    case (.URIAttributeType, .string(let text)): return .string(text)
    case (.URIAttributeType, .boxed(let box)):
      guard let url = box.value as? URL else { throw mismatch }
      return .string(url.absoluteString)
    case (.stringAttributeType, .integer(let value)): return .string("\(value)")
    default: throw mismatch
    }
  }
}

extension PropertyLayout {
  /// The properties that `keys` name, one after the other.
  ///
  /// - Throws: when a key is unknown, or one before the last is not a to-one relationship.
  static func path(_ keys: [String], from entity: EntityLayout) throws(PredicateError) -> [PropertyLayout] {
    var path: [PropertyLayout] = []
    var entity = entity
    for (position, key) in keys.enumerated() {
      let found = entity.propertiesByName[key] ?? entity.family.lazy.compactMap { $0.propertiesByName[key] }.first
      guard let property = found else {
        throw PredicateError(
          position: nil,
          message: "keypath \(keys.joined(separator: ".")): \(entity.name) has no \"\(key)\"; it has "
            + entity.propertiesByName.keys.sorted().joined(separator: ", "))
      }
      if case .toMany = property.kind {
        throw PredicateError(
          position: nil,
          message: "keypath \(keys.joined(separator: ".")): the to-many relationship \(key) cannot be compared")
      }
      path.append(property)
      if position < keys.count - 1 {
        guard case .toOne = property.kind else {
          throw PredicateError(
            position: nil, message: "keypath \(keys.joined(separator: ".")): \(key) is an attribute and leads nowhere")
        }
        entity = property.relation.destination
      }
    }
    return path
  }
}
