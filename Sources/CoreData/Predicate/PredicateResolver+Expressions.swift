import RowStore

extension PredicateResolver {
  /// An expression that gives one value.
  mutating func value(_ expression: NSExpression) throws(PredicateFailure) -> (ResolvedExpression, ValueType) {
    try value(try operand(expression), "\(expression)")
  }

  private func value(_ operand: Operand, _ label: String) throws(PredicateFailure) -> (ResolvedExpression, ValueType) {
    switch operand {
    case .value(let value, let type): return (value, type)
    case .constant(let constant):
      let (slot, type) = try ValueType.infer(constant)
      return (.constant(slot), type)
    case .list, .collection:
      throw PredicateFailure(position: nil, message: "\(label) gives many values where one is needed")
    }
  }

  mutating func operand(_ expression: NSExpression) throws(PredicateFailure) -> Operand {
    switch expression.form {
    case .constant(let constant): return Self.operand(constant)
    case .itself: return .value(.object(0), .object(entities[0]))
    case .variable(let name):
      guard let scope = variables[name] else {
        // Apple's form of a column in a HAVING.
        if let column = columns[name] { return .value(column.expression, column.type) }
        throw Self.unset(name)
      }
      return .value(.object(scope), .object(entities[scope]))
    case .keyPath(let path): return try keyPath(path, scope: 0)
    case .function(let name, let operand?, let arguments): return try method(name, operand, arguments)
    case .function(let name, nil, let arguments): return try function(name, arguments, "\(expression)")
    case .aggregate(let parts):
      var operands: [Operand] = []
      for part in parts { operands.append(try operand(part)) }
      return .list(operands)
    case .subquery:
      let collection = try subquery(expression)
      let entity = collection.destination
      return .collection(collection, .object(collection.element), .object(entity))
    case .conditional(let predicate, let yes, let no):
      return try conditional(predicate, try operand(yes), try operand(no), "\(expression)")
    case .set, .block, .anyKey, .custom:
      throw PredicateFailure(position: nil, message: "\(expression) cannot be asked of a store")
    }
  }

  private static func operand(_ constant: Any?) -> Operand {
    if let constant, !isPlain(type(of: constant)), let elements = KeyedCollection.elementsOrValues(constant) {
      return .list(elements.map { .constant($0 is NSNull ? nil : $0) })
    }
    return .constant(constant is NSNull ? nil : constant)
  }

  /// Whether the type is one that most constants have: to ask of a value whether it is any kind of collection takes long.
  private static func isPlain(_ type: any Any.Type) -> Bool {
    type == Int64.self || type == Int.self || type == String.self || type == Double.self || type == Bool.self
      || type == Date.self || type == UUID.self
  }

  private static func unset(_ name: String) -> PredicateFailure {
    PredicateFailure(
      position: nil, message: "the variable $\(name) has no value; give it one with withSubstitutionVariables(_:)")
  }

  private mutating func conditional(
    _ predicate: NSPredicate, _ yes: Operand, _ no: Operand, _ label: String
  ) throws(PredicateFailure) -> Operand {
    let condition = try self.predicate(predicate)
    let (first, firstType, second, secondType): (ResolvedExpression, ValueType, ResolvedExpression, ValueType)
    switch (yes, no) {
    case (.value(let value, let type), .constant(let constant)):
      (first, firstType) = (value, type)
      let slot = try type.slot(constant, comparedWith: value)
      (second, secondType) = (.constant(slot), type.holding(slot))
    case (.constant(let constant), .value(let value, let type)):
      let slot = try type.slot(constant, comparedWith: value)
      (first, firstType) = (.constant(slot), type.holding(slot))
      (second, secondType) = (value, type)
    default:
      (first, firstType) = try value(yes, label)
      (second, secondType) = try value(no, label)
    }
    guard firstType.isComparable(with: secondType) else {
      throw PredicateFailure(
        position: nil, message: "\(label) is either \(firstType.description) or \(secondType.description)")
    }
    return .value(.conditional(condition, first, second), firstType.joined(with: secondType))
  }

  // MARK: Subqueries

  /// `SUBQUERY(collection, $variable, predicate)`: the elements that meet the predicate.
  private mutating func subquery(_ expression: NSExpression) throws(PredicateFailure) -> ResolvedCollection {
    guard case .subquery(let source, let variable, let predicate) = expression.form,
      case .collection(let collection, .path(let value), .object) = try operand(source), value.steps.isEmpty
    else {
      throw PredicateFailure(position: nil, message: "\(expression): a subquery is about a to-many relationship")
    }
    let hidden = variables.updateValue(collection.element, forKey: variable)
    let condition = try self.predicate(predicate)
    variables[variable] = hidden
    return ResolvedCollection(
      base: collection.base, steps: collection.steps, element: collection.element,
      filter: collection.filter.map { .and([$0, condition]) } ?? condition)
  }

  // MARK: Methods

  /// `valueForKeyPath:` of another expression: of a variable, a subquery.
  private mutating func method(
    _ name: String, _ receiver: NSExpression, _ arguments: [NSExpression]
  ) throws(PredicateFailure) -> Operand {
    guard name == "valueForKeyPath:" || name == "valueForKey:", let path = arguments.first?.form.pathText else {
      throw PredicateFailure(position: nil, message: "the method \(name) cannot be asked of a store")
    }
    switch try operand(receiver) {
    case .value(.path(let source), .object) where source.steps.isEmpty: return try keyPath(path, scope: source.scope)
    case .value(.path(let source), .object):
      let keys = source.steps.map(\.name).joined(separator: ".")
      return try keyPath("\(keys).\(path)", scope: source.scope)
    case .collection(let collection, .path(let value), .object) where value.steps.isEmpty:
      return try keyPath(path, of: collection)
    default:
      throw PredicateFailure(position: nil, message: "\(receiver) has no key path \(path)")
    }
  }

  /// A key path or operator behind a subquery.
  private mutating func keyPath(_ path: String, of collection: ResolvedCollection) throws(PredicateFailure) -> Operand {
    let keys = path.split(separator: ".").map(String.init)
    if let first = keys.first, first.hasPrefix("@") {
      return try aggregate(first, Array(keys.dropFirst()), path, of: collection)
    }
    guard case .value(let value, let type) = try keyPath(path, scope: collection.element) else {
      throw PredicateFailure(
        position: nil, message: "keypath \(path): only a to-one key path or an operator can follow a subquery")
    }
    return .collection(collection, value, type)
  }

  // MARK: Functions

  private mutating func function(
    _ name: String, _ arguments: [NSExpression], _ label: String
  ) throws(PredicateFailure) -> Operand {
    switch name {
    case "now": return .constant(Date())
    case "objectFrom:withIndex:": return try element(arguments, label)
    case "castObject:toType:": return try cast(arguments, label)
    default: break
    }
    if let aggregate = GroupAggregate(rawValue: String(name.prefix { $0 != ":" })) {
      return try self.aggregate(aggregate, arguments, label)
    }
    guard let function = ScalarFunction(selector: name) else {
      throw PredicateFailure(position: nil, message: "the function \(name) cannot be asked of a store")
    }
    var values: [ResolvedExpression] = []
    var types: [ValueType] = []
    for argument in arguments {
      let (value, type) = try value(argument)
      guard type == .null || function.takes(type) else {
        throw PredicateFailure(position: nil, message: "\(label): \(name) does not take \(type.description)")
      }
      values.append(value)
      types.append(type)
    }
    if function == .divide || function == .modulus, types.contains(where: \.mayLackFraction) {
      // A column of decimals or dates holds whole numbers as integers, which divide otherwise.
      values = zip(values, types).map { $1 == .real ? $0 : $0.real }
    }
    let result = ResolvedExpression.function(function, values)
    return .value(result.folded, function.type(types))
  }

  /// `list[SIZE]`
  private mutating func element(_ arguments: [NSExpression], _ label: String) throws(PredicateFailure) -> Operand {
    guard arguments.count == 2, case .constant(let index) = arguments[1].form, index as? IndexSymbol == .size,
      case .collection(let collection, .path(let value), _) = try operand(arguments[0]), value.steps.isEmpty
    else {
      throw PredicateFailure(position: nil, message: "\(label): elements by index cannot be asked of a store")
    }
    return .value(.aggregate(.count, collection, .constant(.null)), .integer)
  }

  /// Between numbers and dates, and of numbers to texts.
  private mutating func cast(_ arguments: [NSExpression], _ label: String) throws(PredicateFailure) -> Operand {
    guard arguments.count == 2, case .constant(let name as String) = arguments[1].form else {
      throw PredicateFailure(position: nil, message: "\(label): a cast names its type")
    }
    let (value, type) = try value(arguments[0])
    switch (name, type) {
    case ("NSDate", _) where type.isNumber: return .value(value, .date)
    case ("NSNumber", _) where type.isNumber: return .value(value, type == .date ? .real : type)
    case ("NSDecimalNumber", _) where type.isNumber: return .value(value, .decimal)
    case ("NSString", _) where type.isText: return .value(value, .text)
    case ("NSString", .integer), ("NSString", .boolean), ("NSString", .real):
      return .value(ResolvedExpression.text(of: value).folded, .text)
    default:
      throw PredicateFailure(
        position: nil, message: "\(label): \(type.description) cannot be cast to \(name) in a store")
    }
  }

  /// `sum:` and its kin: over a collection, a list, or the rows of a group.
  private mutating func aggregate(
    _ aggregate: GroupAggregate, _ arguments: [NSExpression], _ label: String
  ) throws(PredicateFailure) -> Operand {
    if arguments.count == 1, let first = arguments.first {
      if aggregate == .count, case .function("distinct:", nil, let values) = first.form {
        return try self.aggregate(.countDistinct, values, label)
      }
      switch try operand(first) {
      case .collection(let collection, let value, let type):
        guard let over = aggregate.overCollection else {
          throw PredicateFailure(position: nil, message: "\(label) is not supported of a collection")
        }
        if over == .count, case .path(let path) = value, !path.steps.isEmpty {
          throw PredicateFailure(position: nil, message: "\(label): count: takes the relationship itself")
        }
        return .value(
          .aggregate(over, collection, over == .count ? .constant(.null) : value), try over.type(type, label))
      case .list(let parts): return try list(aggregate, parts, label)
      case .value(let value, let type):
        guard isGrouped else {
          throw PredicateFailure(
            position: nil,
            message: "\(label) is over the rows of a group: use it in propertiesToFetch or in havingPredicate")
        }
        return .value(.group(aggregate, value), try aggregate.type(type, label))
      case .constant:
        throw PredicateFailure(position: nil, message: "\(label) is about a list, a collection or the rows of a group")
      }
    }
    var parts: [Operand] = []
    for argument in arguments { parts.append(try operand(argument)) }
    return try list(aggregate, parts, label)
  }

  private func list(_ aggregate: GroupAggregate, _ parts: [Operand], _ label: String) throws(PredicateFailure)
    -> Operand
  {
    guard let function = aggregate.overList else {
      throw PredicateFailure(position: nil, message: "\(label) is not supported of a list")
    }
    var values: [ResolvedExpression] = []
    var listType = ValueType.null
    for part in parts {
      let (value, type) = try value(part, label)
      guard type.isComparable(with: listType),
        aggregate == .min || aggregate == .max || aggregate == .count || type.isNumber
      else {
        throw PredicateFailure(position: nil, message: "\(label): \(type.description) is among other values")
      }
      values.append(value)
      listType = listType.joined(with: type)
    }
    let type: ValueType = aggregate == .count ? .integer : aggregate == .average ? .real : listType
    return .value(ResolvedExpression.function(function, values).folded, type)
  }
}

extension ExpressionForm {
  /// The path of `valueForKeyPath:`.
  fileprivate var pathText: String? {
    switch self {
    case .constant(let text as String): text
    case .keyPath(let path): path
    default: nil
    }
  }
}

extension ResolvedExpression {
  /// A number as text; an attribute of single precision with the digits that it has.
  static func text(of number: ResolvedExpression) -> ResolvedExpression {
    if case .path(let path) = number, case .attribute(.float)? = path.steps.last?.kind {
      return .function(.singleText, [number])
    }
    return .function(.text, [number])
  }

  /// The value as a floating-point number.
  fileprivate var real: ResolvedExpression {
    if case .constant(let slot) = self { return .constant(ScalarFunction.real([slot])) }
    return .function(.real, [self])
  }

  /// A function of constants is a constant.
  fileprivate var folded: ResolvedExpression {
    guard case .function(let function, let arguments) = self else { return self }
    var slots: [Slot] = []
    for argument in arguments {
      guard case .constant(let slot) = argument else { return self }
      slots.append(slot)
    }
    return .constant(function(slots))
  }
}

extension ValueType {
  /// Whether whole numbers are integers in the file though the type has fractions.
  fileprivate var mayLackFraction: Bool {
    switch self {
    case .decimal, .date: true
    default: false
    }
  }

  /// The type of values of which some have this type and some the other, so that none loses its fraction.
  fileprivate func joined(with other: ValueType) -> ValueType {
    if self == .null { return other }
    guard isNumber, other.isNumber, self != other else { return self }
    let (widest, types) = ([ValueType.date, .real, .decimal], [self, other])
    return widest.first { types.contains($0) } ?? .integer
  }

  /// The type of a constant that was converted to be compared with values of this type, and is a number of its own kind still.
  fileprivate func holding(_ slot: Slot) -> ValueType {
    switch (self, slot) {
    case (.boolean, .integer(0...1)): .boolean
    case (.boolean, .integer): .integer
    case (.boolean, .real), (.integer, .real): .real
    case (.boolean, .date), (.integer, .date): .date
    default: self
    }
  }
}

extension GroupAggregate {
  fileprivate var overCollection: CollectionAggregate? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .average: .average
    case .min: .minimum
    case .max: .maximum
    case .countDistinct, .median, .mode, .stddev: nil
    }
  }

  fileprivate var overList: ScalarFunction? {
    switch self {
    case .count: .listCount
    case .sum: .listSum
    case .average: .listAverage
    case .min: .listMinimum
    case .max: .listMaximum
    case .countDistinct, .median, .mode, .stddev: nil
    }
  }

  /// The type of the result for values of a type.
  func type(_ type: ValueType, _ label: String) throws(PredicateFailure) -> ValueType {
    switch self {
    case .count, .countDistinct: return .integer
    case .min, .max: return try CollectionAggregate.minimum.type(type, label)
    case .sum: return try CollectionAggregate.sum.type(type, label)
    case .mode:
      _ = try CollectionAggregate.sum.type(type, label)
      return type
    case .average, .median, .stddev: return try CollectionAggregate.average.type(type, label)
    }
  }
}
