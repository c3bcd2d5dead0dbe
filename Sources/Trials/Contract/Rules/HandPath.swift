import CoreData

/// A value, or a collection of values, with key paths followed by hand.
indirect enum HandPath {
  enum Kind: CaseIterable {
    case array, ordered, set
  }

  case none
  case null
  case number(Double)
  case string(String)
  case date(Double)
  case object(NSManagedObject)
  case many(Kind, [HandPath])
  /// A result in no order.
  case loose([HandPath])
  case other(Any)

  var isLoose: Bool { if case .loose = self { true } else { false } }

  private var isCollection: Bool { if case .many = self { true } else { isLoose } }

  /// - Parameter isLoose: whether a collection's order counts for nothing.
  init(_ value: Any?, isLoose: Bool = false) {
    guard let value else {
      self = .none
      return
    }
    // Swift's sets are not asked for a class, for which Foundation would copy them.
    if let set = type(of: value) is AnyClass ? nil : value as? Set<AnyHashable> {
      let elements = set.map { HandPath($0.base) }
      self = isLoose ? .loose(elements) : .many(.set, elements)
    } else if let array = type(of: value) is AnyClass ? nil : value as? [Any] {
      let elements = array.map { HandPath($0) }
      self = isLoose ? .loose(elements) : .many(.array, elements)
    } else {
      self = Self.single(value)
    }
  }

  private static func single(_ value: Any) -> HandPath {
    switch value {
    case is NSNull: .null
    case let object as NSManagedObject: .object(object)
    case let text as String: .string(text)
    case let date as Date: .date(date.timeIntervalSinceReferenceDate)
    case let decimal as Decimal: .number(NSDecimalNumber(decimal: decimal).doubleValue)
    case let number as NSNumber: .number(number.doubleValue)
    case let data as Data: .other(data)
    case let url as URL: .other(url)
    case let ordered as NSOrderedSet: .many(.ordered, ordered.array.map { HandPath($0) })
    case let set as NSSet: .many(.set, set.allObjects.map { HandPath($0) })
    default: .other(value)
    }
  }

  var text: String {
    switch self {
    case .none: "nil"
    case .null: "null"
    // An average of decimals has other last digits.
    case .number(let number): "\((number * 1e9).rounded() / 1e9)"
    case .string(let text): "'\(text)'"
    case .date(let seconds): "date \(seconds)"
    case .object(let object): "#\(RulePicture.number(object))"
    case .many(.set, let elements): "{\(elements.map(\.text).sorted().joined(separator: ", "))}"
    case .many(.ordered, let elements): "<\(elements.map(\.text).joined(separator: ", "))>"
    case .many(.array, let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .loose(let elements): "any \(elements.map(\.text).sorted().joined(separator: ", "))"
    case .other(let value): "\(value)"
    }
  }

  // MARK: Draws

  /// Values of an attribute that sums, orders and unions have to tell apart; nil for an attribute that is left alone.
  static func values(_ key: String) -> [Any?]? {
    switch key {
    case "name", "title", "remark": [nil, "", "alpha", "beta", "Beta", "12"]
    case "rank", "size": [-7, 0, 1, 1, 2, 3]
    case "weight": [nil, 0, 1, 2, 2, -4]
    case "ratio": [nil, Float(0.25), Float(-1.5)]
    case "price": [nil] + ["0.5", "12.25", "-3"].map { NSDecimalNumber(string: $0) }
    case "madeAt": [nil] + [0, 86_400.5, -3].map { Date(timeIntervalSinceReferenceDate: $0) }
    case "page": [nil] + ["https://one.example/a/b.txt", "mailto:one@mail", "a/b.txt"].map { URL(string: $0) }
    case "photo": [nil, Data(), Data([1, 2, 3])]
    default: nil
    }
  }

  private static let operators = [
    "@count", "@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects", "@unionOfArrays",
    "@unionOfSets", "@distinctUnionOfArrays", "@distinctUnionOfSets",
  ]

  /// Keys from objects of an entity: relationships, operators, an attribute, and parts of its value; not all can be followed.
  static func keys(from entity: String, _ trial: RuleTrial) -> [String] {
    var keys: [String] = []
    var entity = RuleModel.shared.entitiesByName[entity]
    precondition(entity != nil, "the path begins at an entity of the model")
    for _ in 0..<trial.draw(3) {
      if trial.chance(1, of: 3), let name = trial.pick(operators), name != "@count" { keys.append(name) }
      let relationships = (entity?.relationshipsByName ?? [:]).values.sorted { $0.name < $1.name }
      guard let relationship = trial.pick(relationships) else { break }
      keys.append(relationship.name)
      entity = relationship.destinationEntity
    }
    if trial.chance(1, of: 2), let name = trial.pick(operators) {
      keys.append(name)
      precondition(name.hasPrefix("@"), "an operator is called by its sign")
      if name == "@count" { return keys }
    } else if !keys.isEmpty, trial.chance(1, of: 5) {
      return keys
    }
    let attributes = (entity?.attributesByName ?? [:]).keys.filter { values($0) != nil || $0 == RuleModel.number }
    let attribute = trial.pick(attributes.sorted()) ?? RuleModel.number
    keys.append(attribute)
    guard trial.chance(1, of: 3), let part = trial.pick(parts(of: attribute)) else { return keys }
    return keys + [part]
  }

  /// The objects that keys lead to.
  static func objects(_ object: NSManagedObject, _ keys: ArraySlice<String>) -> [NSManagedObject] {
    guard let key = keys.first else { return [object] }
    return switch HandPath(object.value(forKey: key)) {
    case .object(let next): objects(next, keys.dropFirst())
    case .many(_, let elements):
      elements.flatMap { element -> [NSManagedObject] in
        guard case .object(let next) = element else { return [] }
        return objects(next, keys.dropFirst())
      }
    default: []
    }
  }

  // MARK: Following

  /// The end of the keys; nil where the question may not be asked.
  static func follow(_ value: HandPath, _ keys: ArraySlice<String>) -> HandPath? {
    guard let key = keys.first else { return value }
    let rest = keys.dropFirst()
    switch value {
    case .none: return HandPath.none
    case .object(let object):
      guard key.first != "@" else { return nil }
      return follow(HandPath(object.value(forKey: key)), rest)
    case .many(let kind, let elements):
      if key.first == "@" { return apply(key, elements, kind, rest) }
      // Foundation's sets on Linux hash no decimal numbers: these are asked for in sets and arrays of objects alone.
      guard key != "price" || (kind != .ordered && !elements.contains(where: \.isCollection)) else { return nil }
      var found: [HandPath] = []
      for element in elements {
        guard let next = follow(element, [key]) else { return nil }
        if case .none = next {
          if kind != .set { found.append(.null) }
        } else {
          found.append(next)
        }
      }
      return follow(.many(kind, kind == .array ? found : unique(found)), rest)
    case .loose: return nil
    default: return part(of: value, key).flatMap { follow($0, rest) }
    }
  }

  private static func unique(_ values: [HandPath]) -> [HandPath] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0.text).inserted }
  }

  /// An operator takes the rest of the path.
  private static func apply(
    _ name: String, _ elements: [HandPath], _ kind: Kind, _ path: ArraySlice<String>
  ) -> HandPath? {
    if name == "@count" { return path.isEmpty ? .number(Double(elements.count)) : nil }
    var values: [HandPath] = []
    for element in elements where element != .null {
      guard let value = follow(element, path) else { return nil }
      if value != .none, value != .null { values.append(value) }
    }
    // Parts in no order are not compared inside of others.
    let hasArrays = values.contains { value in
      if case .many(.array, _) = value { true } else { value.isLoose }
    }
    guard !hasArrays, !path.contains("price") || !values.contains(where: \.isCollection) else { return nil }
    switch name {
    case "@sum", "@avg":
      let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
      guard numbers.count == values.count else { return nil }
      let sum = numbers.reduce(0, +)
      return .number(name == "@sum" ? sum : elements.isEmpty ? 0 : sum / Double(elements.count))
    case "@min", "@max": return extreme(values, isLeast: name == "@min")
    case "@unionOfObjects": return kind == .set ? .loose(values) : .many(.array, values)
    case "@distinctUnionOfObjects": return kind == .set ? .many(.set, unique(values)) : .loose(unique(values))
    default:
      var flat: [HandPath] = []
      for value in values {
        guard case .many(_, let inner) = value, !inner.contains(.null) else { return nil }
        flat += inner
      }
      if name == "@distinctUnionOfSets" { return .many(.set, unique(flat)) }
      return .loose(name.hasPrefix("@distinct") ? unique(flat) : flat)
    }
  }

  private static func extreme(_ values: [HandPath], isLeast: Bool) -> HandPath? {
    guard var best = values.first else { return HandPath.none }
    for value in values {
      switch (value, best) {
      case (.number(let one), .number(let other)): if one != other, (one < other) == isLeast { best = value }
      case (.date(let one), .date(let other)): if one != other, (one < other) == isLeast { best = value }
      case (.string(let one), .string(let other)): if one != other, (one < other) == isLeast { best = value }
      default: return nil
      }
    }
    return best
  }

  // MARK: Parts of values

  private static func parts(of attribute: String) -> [String] {
    switch attribute {
    case "name", "title", "label", "remark":
      ["length", "uppercaseString", "lowercaseString", "intValue", "doubleValue", "self"]
    case "madeAt": ["timeIntervalSinceReferenceDate", "timeIntervalSince1970", "self"]
    case "page": ["host", "scheme", "path", "lastPathComponent", "pathExtension", "absoluteString", "self"]
    case "photo": ["length", "self"]
    // Nor do sets hash what a decimal number is asked for.
    case "price": []
    default: ["intValue", "doubleValue", "boolValue", "stringValue", "self"]
    }
  }

  /// The value that Foundation's classes have under a key; nil where they have none.
  private static func part(of value: HandPath, _ key: String) -> HandPath? {
    precondition(!key.isEmpty, "a path has no empty keys")
    if key == "self", value != .null { return value }
    return switch (value, key) {
    case (.string(let text), "length"): .number(Double(text.utf16.count))
    case (.string(let text), "uppercaseString"): .string(text.uppercased())
    case (.string(let text), "lowercaseString"): .string(text.lowercased())
    case (.string(let text), "intValue"), (.string(let text), "doubleValue"): .number(Double(text) ?? 0)
    case (.number(let number), "doubleValue"): .number(number)
    case (.number(let number), "boolValue"): .number(number == 0 ? 0 : 1)
    case (.number(let number), "intValue") where number == number.rounded(): .number(number)
    case (.date(let seconds), "timeIntervalSinceReferenceDate"): .number(seconds)
    case (.date(let seconds), "timeIntervalSince1970"): .number(seconds + Date.timeIntervalBetween1970AndReferenceDate)
    // Of a whole number the text has no fraction.
    case (.number(let number), "stringValue"): .string(Int(exactly: number).map { "\($0)" } ?? "\(number)")
    case (.other(let url as URL), "host"): HandPath(url.host)
    case (.other(let url as URL), "scheme"): HandPath(url.scheme)
    case (.other(let url as URL), "path"): .string(url.path)
    case (.other(let url as URL), "lastPathComponent"): .string(url.lastPathComponent)
    case (.other(let url as URL), "pathExtension"): .string(url.pathExtension)
    case (.other(let url as URL), "absoluteString"): .string(url.absoluteString)
    case (.other(let data as Data), "length"): .number(Double(data.count))
    default: nil
    }
  }
}

extension HandPath: Equatable {
  static func == (one: HandPath, other: HandPath) -> Bool { one.text == other.text }
}
