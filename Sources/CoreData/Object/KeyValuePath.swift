import RowStore

/// Follows key paths through objects, collections and dictionaries, collection operators included.
///
/// - SeeAlso: Apple, "Key-Value Coding Programming Guide: Using Collection Operators".
enum KeyValuePath {
  /// The value at the end of the path from `target`; nil as soon as a key leads nowhere.
  ///
  /// - Precondition: the keys exist, and operators follow collections of values that they take.
  static func value(_ target: Any, _ path: Substring) -> Any? {
    do {
      return try find(target, path)
    } catch {
      preconditionFailure("\(path): \(error)")
    }
  }

  /// The same with an error where the path cannot be followed.
  static func find(_ target: Any, _ path: Substring) throws(PredicateFailure) -> Any? {
    let (key, rest) = split(path)
    if key.first == "@" {
      guard let collection = KeyedCollection(target) else {
        throw PredicateFailure(
          position: nil, message: "\(key) must follow a to-many relationship, not \(type(of: target))")
      }
      return try CollectionOperator.apply(key[...], rest, to: collection)
    }
    let next = try value(target, key: key)
    guard let next, !rest.isEmpty else { return next }
    return next is NSNull ? nil : try find(next, rest)
  }

  /// Sets the last key of the path; of every element, where the path before it leads to a collection.
  static func set(_ value: Any?, _ target: Any, _ path: String) { set(value, target, path[...]) }

  private static func set(_ value: Any?, _ target: Any, _ path: Substring) {
    let (key, rest) = split(path)
    if rest.isEmpty { return set(value, target, key: key) }
    if key.first == "@" {
      guard let dot = path.lastIndex(of: "."), let owner = self.value(target, path[..<dot]) else { return }
      return set(value, owner, key: String(path[path.index(after: dot)...]))
    }
    if !(target is NSManagedObject), let collection = KeyedCollection(target) {
      for element in collection.elements { set(value, element, path) }
      return
    }
    let (owner, isComposite) = (self.value(target, key[...]), isComposite(target, key))
    if let members = owner as? [String: Any] ?? (isComposite ? [:] : nil) {
      // The value of a composite attribute is a copy: it is changed and given back.
      return set(setting(value, rest, in: members, isComposite: isComposite), target, key: key)
    }
    if let owner { set(value, owner, rest) }
  }

  /// The members with a value at the end of the path. A composite within a composite is made where it has no value yet.
  private static func setting(
    _ value: Any?, _ path: Substring, in members: [String: Any], isComposite: Bool
  ) -> [String: Any] {
    let (key, rest) = split(path)
    var members = members
    if rest.isEmpty {
      members[key] = value
    } else if let inner = members[key] as? [String: Any] ?? (isComposite ? [:] : nil) {
      members[key] = setting(value, rest, in: inner, isComposite: isComposite)
    } else if let inner = members[key] {
      set(value, inner, rest)
    }
    return members
  }

  private static func split(_ path: Substring) -> (key: String, rest: Substring) {
    let key = path.prefix { $0 != "." }
    return (String(key), path.dropFirst(key.count + 1))
  }

  /// Whether the key is that of a composite attribute, which may have no value yet.
  private static func isComposite(_ target: Any, _ key: String) -> Bool {
    guard let object = target as? NSManagedObject, case .composite? = object.layout.propertiesByName[key]?.encoding
    else { return false }
    return true
  }

  private static func set(_ value: Any?, _ target: Any, key: String) {
    if let object = target as? NSManagedObject {
      object.setValue(value, forKey: key)
    } else if let collection = KeyedCollection(target) {
      for element in collection.elements { set(value, element, key: key) }
    } else {
      preconditionFailure("\(type(of: target)) is not key value coding-compliant for the key \"\(key)\"")
    }
  }

  private static func value(_ target: Any, key: String) throws(PredicateFailure) -> Any? {
    if let object = target as? NSManagedObject { return object.value(forKey: key) }
    if let dictionary = target as? [String: Any] { return dictionary[key] }
    if key == "self" || key == "SELF" { return target }
    if let collection = KeyedCollection(target) {
      return try collection.map { element throws(PredicateFailure) in try value(element, key: key) }
    }
    if let found = FoundationKeys.value(target, key) ?? StoredProperties.value(target, key) { return found.value }
    throw PredicateFailure(
      position: nil, message: "\(type(of: target)) is not key value coding-compliant for the key \"\(key)\"")
  }
}

/// A collection that a key path leads through: its elements, and how their values are collected.
struct KeyedCollection {
  enum Kind {
    case array, orderedSet, set
  }

  let elements: [Any]
  let kind: Kind

  /// The collection in `value`; nil for anything else.
  init?(_ value: Any) {
    // Foundation gives an empty Swift set for a subclass of NSSet, so that instances of classes are asked themselves; and a Swift
    // array that is asked whether it is one of Foundation's is copied into one.
    if type(of: value) is AnyClass {
      switch value {
      case let set as NSSet: (elements, kind) = (set.allObjects, .set)
      case let ordered as NSOrderedSet: (elements, kind) = (ordered.array, .orderedSet)
      case let array as NSArray: (elements, kind) = (array.map { $0 }, .array)
      default: return nil
      }
    } else {
      switch value {
      case let array as [Any]: (elements, kind) = (array, .array)
      case let objects as Set<NSManagedObject>: (elements, kind) = (Array(objects), .set)
      case let set as Set<AnyHashable>: (elements, kind) = (set.map(\.base), .set)
      default: return nil
      }
    }
  }

  /// The elements of a collection, or of a dictionary the values; nil for anything else.
  static func elementsOrValues(_ value: Any) -> [Any]? {
    if let collection = KeyedCollection(value) { return collection.elements }
    // As for sets.
    if type(of: value) is AnyClass, let dictionary = value as? NSDictionary { return dictionary.allValues }
    return (value as? [AnyHashable: Any]).map { Array($0.values) }
  }

  /// The results for the elements, in a collection of the same kind: sets leave out nil, others have `NSNull` for it.
  func map(_ transform: (Any) throws(PredicateFailure) -> Any?) throws(PredicateFailure) -> Any {
    var values: [Any] = []
    for element in elements {
      if let value = try transform(element) ?? (kind == .set ? nil : NSNull()) { values.append(value) }
    }
    return switch kind {
    case .array: values
    case .orderedSet: KeyedOrderedSet(values)
    case .set: try Self.set(values)
    }
  }

  /// A set of the values; of objects where all of them are.
  static func set(_ values: [Any]) throws(PredicateFailure) -> Any {
    let objects = values.lazy.compactMap(managed)
    if !values.isEmpty, objects.count == values.count { return Set(objects) }
    var set: Set<AnyHashable> = []
    for value in values { set.insert(try hashable(value)) }
    return set
  }

  /// The managed object that a value is; a value of Swift is not asked for one, for which Foundation would make objects of all
  /// its parts.
  private static func managed(_ value: Any) -> NSManagedObject? {
    type(of: value) is AnyClass ? value as? NSManagedObject : nil
  }

  /// The values without those that are equal to an earlier one.
  static func unique(_ values: [Any]) throws(PredicateFailure) -> [Any] {
    var seen: Set<AnyHashable> = []
    var found: [Any] = []
    for value in values where try seen.insert(hashable(value)).inserted { found.append(value) }
    return found
  }

  static func hashable(_ value: Any) throws(PredicateFailure) -> AnyHashable {
    if type(of: value) is AnyClass, let ordered = value as? NSOrderedSet {
      return AnyHashable(KeyedOrderedSet(ordered.array))
    }
    // A decimal of Foundation's is equal to the value that it has, and has another hash.
    if type(of: value) is AnyClass, let number = value as? NSDecimalNumber { return AnyHashable(number.decimalValue) }
    if let value = value as? AnyHashable { return value }
    if let value = value as? any Hashable { return AnyHashable(value) }
    // Parts of any type have Foundation's equality, and its hash, of their number.
    if let array = value as? [Any] { return AnyHashable(NSArray(array: array)) }
    if let dictionary = value as? [AnyHashable: Any] { return AnyHashable(NSDictionary(dictionary: dictionary)) }
    throw PredicateFailure(position: nil, message: "\(type(of: value)) cannot be an element of a set")
  }
}

/// An ordered set with each value once that can be in a set: those of Foundation on Linux keep equal elements of an array, and are
/// equal and have different hashes.
private final class KeyedOrderedSet: NSOrderedSet {
  init(_ values: [Any]) {
    let known = NSMutableSet()
    var (objects, texts): ([AnyObject], Set<String>) = ([], [])
    for value in values {
      // Texts that look alike are equal in Foundation too, and have different hashes.
      if let text = value as? String, !texts.insert(text).inserted { continue }
      let object = Self.object(value)
      if known.contains(object) { continue }
      known.add(object)
      objects.append(object)
    }
    super.init(objects: objects, count: objects.count)
  }

  required convenience init(arrayLiteral elements: Any...) { self.init(elements) }

  required convenience init?(coder aDecoder: NSCoder) {
    guard let set = NSOrderedSet(coder: aDecoder) else { return nil }
    self.init(set.array)
  }

  override var hash: Int { count }

  /// The object that Foundation has for a value, with decimals in it that can be hashed.
  private static func object(_ value: Any) -> AnyObject {
    if type(of: value) == NSNull.self { return null }
    // An object of a class is asked for nothing, which would make another one of it.
    if type(of: value) is AnyClass, !(value is NSDecimalNumber) {
      return (value as? NSOrderedSet).map { KeyedOrderedSet($0.array) } ?? value as AnyObject
    }
    switch value {
    case let decimal as Decimal: return KeyedDecimal(decimal: decimal)
    case let set as Set<AnyHashable>: return NSSet(array: set.map { object($0.base) })
    case let array as [Any]: return NSArray(array: array.map(object))
    default: return NSArray(array: [value]).map { $0 as AnyObject }[0]
    }
  }

  /// The one for nil: others are equal, and have different hashes.
  private static let null = NSNull()

  // Foundation's own hash a decimal that is asked for.

  override func contains(_ object: Any) -> Bool { super.contains(Self.object(object)) }

  override func index(of object: Any) -> Int { super.index(of: Self.object(object)) }
}

/// A decimal that can be in one of Foundation's sets: the hash of Foundation's own on Linux never returns.
private final class KeyedDecimal: NSDecimalNumber, @unchecked Sendable {
  // Sendable: numbers do not change.

  override init(decimal: Decimal) { super.init(decimal: decimal) }

  required init(floatLiteral value: Double) { super.init(decimal: Decimal(value)) }

  required init(integerLiteral value: Int) { super.init(decimal: Decimal(value)) }

  required init(booleanLiteral value: Bool) { super.init(decimal: value ? 1 : 0) }

  required init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
    preconditionFailure("decimals of this class are values of key paths; use NSDecimalNumber for others")
  }

  required init?(coder: NSCoder) { nil }

  override var hash: Int { decimalValue.hashValue }

  override func isEqual(_ value: Any?) -> Bool { (value as? NSNumber)?.decimalValue == decimalValue }
}
