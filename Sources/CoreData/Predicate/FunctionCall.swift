import RowStore

/// A predefined function with the values of its arguments.
struct FunctionCall {
  let name: String
  let arguments: [Any?]

  /// - Throws: when the arguments are of kinds that the function does not take.
  func value() throws(PredicateFailure) -> Any? {
    switch name {
    case "now": return Date()
    case "random": return NSNumber(value: Int64.random(in: 0...Int64(Int32.max)))
    case "randomn:": return try random()
    case "castObject:toType:": return try cast()
    case "objectFrom:withIndex:": return try element()
    case "distinct:": return ValueComparison.distinct(try list())
    case "count:": return NSNumber(value: try list().count)
    case "noindex:": return arguments[0]
    case "median:": return try Statistics(numbers()).median.map { NSNumber(value: $0) }
    case "stddev:": return try Statistics(numbers()).standardDeviation.map { NSNumber(value: $0) }
    case "mode:": return try Statistics(numbers()).modes.map { NSNumber(value: $0) }
    case "sum:": return try aggregate(.listSum)
    case "average:": return try aggregate(.listAverage)
    case "min:": return try aggregate(.listMinimum)
    case "max:": return try aggregate(.listMaximum)
    default: return try scalar()
    }
  }

  private func refusal(_ value: Any?) -> PredicateFailure {
    PredicateFailure(position: nil, message: "\(name) does not take \(value.map { "\(type(of: $0))" } ?? "nil")")
  }

  /// Of one value each; nil among the arguments gives nil.
  private func scalar() throws(PredicateFailure) -> Any? {
    guard let function = ScalarFunction(selector: name) else {
      throw PredicateFailure(position: nil, message: "there is no function \(name)")
    }
    var slots: [Slot] = []
    var types: [ValueType] = []
    for argument in arguments {
      guard let slot = ValueComparison.slot(argument) else { throw refusal(argument) }
      let (_, type) = try ValueType.infer(argument)
      guard type == .null || function.takes(type) else { throw refusal(argument) }
      slots.append(slot)
      types.append(type)
    }
    let result = function(slots)
    if function.type(types) == .date, let seconds = result.double {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    return result.anyValue
  }

  // MARK: Lists

  /// The elements of the one collection among the arguments, else the arguments.
  private func list() throws(PredicateFailure) -> [Any] {
    guard arguments.count == 1 else { return arguments.map { $0 ?? NSNull() } }
    guard let first = arguments[0], let collection = KeyedCollection(first) else { return [arguments[0] ?? NSNull()] }
    return collection.elements
  }

  private func aggregate(_ function: ScalarFunction) throws(PredicateFailure) -> Any? {
    var slots: [Slot] = []
    for element in try list() {
      guard let slot = ValueComparison.slot(element) else { throw refusal(element) }
      let isOrdering = function == .listMinimum || function == .listMaximum
      guard slot.isNull || slot.double != nil || isOrdering else { throw refusal(element) }
      if isOrdering, let other = slots.first(where: { !$0.isNull }), !slot.isNull, other.order(slot) == nil {
        throw refusal(element)
      }
      slots.append(slot)
    }
    return function(slots).anyValue
  }

  private func numbers() throws(PredicateFailure) -> [Double] {
    var numbers: [Double] = []
    for element in try list() where !(element is NSNull) {
      guard let number = ValueComparison.slot(element)?.double else { throw refusal(element) }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: Others

  private func random() throws(PredicateFailure) -> Any? {
    guard case .integer(let limit) = ValueComparison.slot(arguments[0]), limit > 0 else { throw refusal(arguments[0]) }
    return NSNumber(value: Int64.random(in: 0..<limit))
  }

  private func cast() throws(PredicateFailure) -> Any? {
    guard let value = arguments[0] else { return nil }
    guard let type = arguments[1] as? String else { throw refusal(arguments[1]) }
    if let result = ConstantCast.value(value, as: type) { return result }
    throw PredicateFailure(position: nil, message: "\(Swift.type(of: value)) cannot be cast to \(type)")
  }

  /// `list[index]`, or the value of a dictionary under a key.
  private func element() throws(PredicateFailure) -> Any? {
    guard let container = arguments[0] else { return nil }
    if let dictionary = container as? [String: Any], let key = arguments[1] as? String { return dictionary[key] }
    guard let collection = KeyedCollection(container) else { throw refusal(container) }
    let elements = collection.elements
    switch arguments[1] {
    case let symbol as IndexSymbol:
      switch symbol {
      case .size: return NSNumber(value: elements.count)
      case .first: return elements.first
      case .last: return elements.last
      }
    case let index:
      guard case .integer(let number) = ValueComparison.slot(index), elements.indices.contains(Int(number)) else {
        throw PredicateFailure(
          position: nil,
          message: "\(index.map { "\($0)" } ?? "nil") is no index of a list of \(elements.count)")
      }
      return elements[Int(number)]
    }
  }
}

extension Slot {
  /// The value of a slot that belongs to no property; numbers as `NSNumber`.
  var anyValue: Any? {
    switch self {
    case .null, .reference: nil
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .string(let value): value
    case .uuid(let value): value
    case .data(let value): value
    case .boxed(let box): box.value
    }
  }
}
