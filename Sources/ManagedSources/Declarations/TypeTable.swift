import Foundation

/// Types of the standard library and of Foundation that a managed property or its accessors may name.
enum TypeTable {
  /// The type of that name; nil when it is not in the table.
  static func nominal(_ name: String) -> Nominal? {
    if let letter = shortForms[name] {
      return Nominal(module: "Swift", parts: [.init(name: name, letter: .struct)], shortForm: letter)
    }
    if standard.contains(name) { return Nominal(module: "Swift", parts: [.init(name: name, letter: .struct)]) }
    if name == "NSManagedObject" { return Nominal(module: "CoreData", parts: [.init(name: name, letter: .class)]) }
    return foundation[name]
  }

  static let aliases: [String: String] = ["TimeInterval": "Double", "NSTimeInterval": "Double"]

  /// Modules with types in the table, for names written in full.
  static let modules: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "CoreData"]

  private static let shortForms: [String: Character] = [
    "Array": "a", "Bool": "b", "Character": "J", "Dictionary": "D", "Double": "d", "Float": "f", "Int": "i", "Set": "h",
    "String": "S", "Substring": "s", "UInt": "u",
  ]

  private static let standard: Set<String> = [
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "AnyHashable",
  ]

  /// The toolchain itself says in which of its modules each type lives; that differs between its versions.
  private static let foundation: [String: Nominal] = {
    let types: [Any.Type] = [
      AttributedString.self, Calendar.self, CharacterSet.self, Data.self, Date.self, DateComponents.self,
      DateInterval.self, Decimal.self, IndexPath.self, IndexSet.self, Locale.self, NSArray.self,
      NSAttributedString.self, NSData.self, NSDate.self, NSDecimalNumber.self, NSDictionary.self, NSIndexSet.self,
      NSMutableArray.self, NSMutableDictionary.self, NSMutableOrderedSet.self, NSMutableSet.self, NSNumber.self,
      NSObject.self, NSOrderedSet.self, NSRange.self, NSSet.self, NSString.self, NSURL.self, NSUUID.self, NSValue.self,
      PersonNameComponents.self, TimeZone.self, URL.self, UUID.self,
    ]
    return Dictionary(
      types.compactMap { type in _mangledTypeName(type).flatMap(nominal(mangled:)).map { ($0.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// `20FoundationEssentials4DateV` taken apart; nil for anything less plain.
  private static func nominal(mangled: String) -> Nominal? {
    var rest = Substring(mangled)
    func identifier() -> String? {
      let digits = rest.prefix(while: \.isWholeNumber)
      guard let length = Int(digits), length > 0, !digits.hasPrefix("0") else { return nil }
      rest = rest.dropFirst(digits.count)
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }
    guard let module = identifier(), let name = identifier(), let last = rest.first,
      let letter = Nominal.Letter(rawValue: last), rest.count == 1
    else { return nil }
    return Nominal(module: module, parts: [.init(name: name, letter: letter)])
  }
}
