/// How values of one type go in and out of an object: the support functions that an accessor calls.
enum AccessorForm {
  case integer(String)
  case bool
  case double
  case float
  /// A value that may be missing, `_string`, `_setString`; the default of a type that is never nil, or nil for a trap.
  case value(String, missing: String?)
  /// A class of Foundation that wraps the value of `get`: `NSDate`.
  case wrapped(String, get: String)
  case number
  case decimalNumber
  case rawValue(String, raw: String)
  case toOne(String)
  case toMany(String)
  case set
  case orderedSet
  /// Anything else: a transformable attribute.
  case any(String)

  init(_ type: ResolvedType, _ resolver: TypeResolver) throws(Unresolved) {
    let isOptional = type.isOptional
    let text = type.unwrapped.text
    switch type.unwrapped {
    case .nominal(let nominal):
      if let form = try Self.scalar(nominal, isOptional: isOptional, text: text) {
        self = form
      } else if let form = Self.foundation[nominal.name], TypeTable.nominal(nominal.name) == nominal {
        self = form
      } else if resolver.isManagedObject(nominal) {
        self = .toOne(text)
      } else if let declaration = resolver.declaration(of: nominal), declaration.kind == .enum {
        self = .rawValue(text, raw: try Self.rawType(declaration, isOptional: isOptional, text: text))
      } else {
        self = .any(text)
      }
    case .bound(let nominal, let arguments):
      if nominal.name == "Set", case .nominal(let element)? = arguments.first, resolver.isManagedObject(element) {
        self = .toMany(element.name)
      } else {
        self = .any(text)
      }
    case .optional: throw Unresolved(message: "\(type.text) is an optional of an optional; take one off")
    case .any: self = .any(text)
    }
  }

  private static let foundation: [String: AccessorForm] = [
    "String": .value("String", missing: "\"\""), "Data": .value("Data", missing: "Data()"),
    "Decimal": .value("Decimal", missing: "Decimal()"), "Date": .value("Date", missing: nil),
    "UUID": .value("UUID", missing: nil), "URL": .value("URL", missing: nil), "NSNumber": .number,
    "NSDecimalNumber": .decimalNumber, "NSString": .wrapped("NSString", get: "String"),
    "NSDate": .wrapped("NSDate", get: "Date"), "NSData": .wrapped("NSData", get: "Data"),
    "NSURL": .wrapped("NSURL", get: "URL"), "NSUUID": .wrapped("NSUUID", get: "UUID"), "NSSet": .set,
    "NSOrderedSet": .orderedSet,
  ]

  private static let integers: Set<String> = ["Int16", "Int32", "Int64", "Int", "Int8"]

  private static func scalar(_ nominal: Nominal, isOptional: Bool, text: String) throws(Unresolved) -> AccessorForm? {
    guard nominal.module == "Swift" else { return nil }
    let form: AccessorForm
    switch nominal.name {
    case _ where integers.contains(nominal.name): form = .integer(nominal.name)
    case "Bool": form = .bool
    case "Double": form = .double
    case "Float": form = .float
    default: return nil
    }
    if isOptional {
      throw Unresolved(
        message: """
          \(text)? cannot be the type of an @NSManaged property, on Apple's systems neither: Objective-C has no optional \
          numbers. Declare NSNumber?, or \(text)
          """)
    }
    return form
  }

  private static func rawType(_ type: DeclaredType, isOptional: Bool, text: String) throws(Unresolved) -> String {
    guard !isOptional, case .named(let parts)? = type.inherited.first, parts.count == 1,
      integers.contains(parts[0].name)
    else {
      throw Unresolved(
        message: """
          \(text)\(isOptional ? "?" : "") cannot be the type of an @NSManaged property: only enums with an integer as raw \
          value can, and they are never optional. Keep the raw value in the property, and compute the enum from it
          """)
    }
    return parts[0].name
  }

  // MARK: Source text

  /// The body of a getter.
  func getter(_ key: String, isOptional: Bool) -> String {
    switch self {
    case .integer("Int64"): "_integer(\(key))"
    case .integer(let name): "\(name)(truncatingIfNeeded: _integer(\(key)))"
    case .bool: "_bool(\(key))"
    case .double: "_double(\(key))"
    case .float: "Float(_double(\(key)))"
    case .value(let name, let missing):
      isOptional ? "_\(Self.lowered(name))(\(key))" : orElse("_\(Self.lowered(name))(\(key))", missing, key)
    case .wrapped(_, let get):
      isOptional
        ? "_\(Self.lowered(get))(\(key))?._bridgeToObjectiveC()"
        : orElse("_\(Self.lowered(get))(\(key))?._bridgeToObjectiveC()", nil, key)
    case .number: isOptional ? "_number(\(key))" : orElse("_number(\(key))", nil, key)
    case .decimalNumber: isOptional ? "_decimalNumber(\(key))" : orElse("_decimalNumber(\(key))", nil, key)
    case .rawValue(let name, let raw):
      orElse("\(name)(rawValue: \(AccessorForm.integer(raw).getter(key, isOptional: false)))", nil, key)
    case .toOne(let name):
      isOptional ? "_toOne(\(key), as: \(name).self)" : orElse("_toOne(\(key), as: \(name).self)", nil, key)
    case .toMany(let name): "_toMany(\(key), of: \(name).self)"
    case .set: "_set(\(key))"
    case .orderedSet: "_orderedSet(\(key))"
    case .any(let name):
      isOptional ? "_value(\(key), as: \(name).self)" : orElse("_value(\(key), as: \(name).self)", nil, key)
    }
  }

  /// The body of a getter of a stored value, of `primitiveTitle`.
  func primitiveGetter(_ key: String, _ type: ResolvedType) -> String {
    let value = "_primitive(\(key), as: \(type.unwrapped.text).self)"
    if type.isOptional { return value }
    switch self {
    case .integer, .double, .float: return orElse(value, "0", key)
    case .bool: return orElse(value, "false", key)
    case .value(_, let missing): return orElse(value, missing, key)
    default: return orElse(value, nil, key)
    }
  }

  private func orElse(_ value: String, _ missing: String?, _ key: String) -> String {
    missing.map { "\(value) ?? \($0)" } ?? "_required(\(value), \(key))"
  }

  /// The body of a setter for `newValue`.
  func setter(_ key: String, isOptional: Bool) -> String {
    switch self {
    case .integer("Int64"): "_setInteger(\(key), newValue)"
    case .integer: "_setInteger(\(key), Int64(newValue))"
    case .bool: "_setBool(\(key), newValue)"
    case .double: "_setDouble(\(key), newValue)"
    case .float: "_setDouble(\(key), Double(newValue))"
    case .value(let name, _): "_set\(name)(\(key), newValue)"
    case .wrapped(_, let get):
      isOptional
        ? "_set\(get)(\(key), newValue.map { \(get)._unconditionallyBridgeFromObjectiveC($0) })"
        : "_set\(get)(\(key), \(get)._unconditionallyBridgeFromObjectiveC(newValue))"
    case .number: "_setNumber(\(key), newValue)"
    case .decimalNumber: "_setDecimal(\(key), newValue\(isOptional ? "?" : "").decimalValue)"
    case .rawValue: "_setInteger(\(key), Int64(newValue.rawValue))"
    case .toOne: "_setToOne(\(key), consume newValue)"
    case .toMany: "_setToMany(\(key), of: newValue\(isOptional ? " ?? []" : ""))"
    case .set: "_setSet(\(key), newValue)"
    case .orderedSet: "_setOrderedSet(\(key), newValue)"
    case .any: "_setValue(\(key), newValue)"
    }
  }

  private static func lowered(_ name: String) -> String {
    ["UUID": "uuid", "URL": "url"][name] ?? name.prefix(1).lowercased() + name.dropFirst()
  }
}
