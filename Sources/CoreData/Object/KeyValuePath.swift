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
    case .orderedSet: NSOrderedSet(array: values)
    case .set: try Self.set(values)
    }
  }

  /// A set of the values; of objects where all of them are.
  static func set(_ values: [Any]) throws(PredicateFailure) -> Any {
    if !values.isEmpty, let objects = values as? [NSManagedObject] { return Set(objects) }
    var set: Set<AnyHashable> = []
    for value in values { set.insert(try hashable(value)) }
    return set
  }

  static func hashable(_ value: Any) throws(PredicateFailure) -> AnyHashable {
    if let ordered = value as? NSOrderedSet { return AnyHashable(HashedOrderedSet(ordered.array)) }
    if let value = value as? AnyHashable { return value }
    if let value = value as? any Hashable { return AnyHashable(value) }
    throw PredicateFailure(position: nil, message: "\(type(of: value)) cannot be an element of a set")
  }
}

/// An ordered set that can be in a set: those of Foundation on Linux are equal and have different hashes.
private final class HashedOrderedSet: NSOrderedSet {
  init(_ elements: [Any]) {
    // Foundation bridges the elements itself where it is given an array.
    let objects = NSArray(array: elements).map { $0 as AnyObject }
    super.init(objects: objects, count: objects.count)
  }

  required convenience init(arrayLiteral elements: Any...) { self.init(elements) }

  required convenience init?(coder aDecoder: NSCoder) {
    guard let set = NSOrderedSet(coder: aDecoder) else { return nil }
    self.init(set.array)
  }

  override var hash: Int { count }
}
