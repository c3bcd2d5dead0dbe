import RowStore

/// A sort descriptor that knows its key; made by `NSSortDescriptor(key:ascending:)`.
final class KeySortDescriptor: NSSortDescriptor {
  /// Empty for the objects themselves.
  let keyName: String
  /// Compares the values in place of their own order.
  let ownComparator: Comparator?

  init(key: String, ascending: Bool, comparator: Comparator? = nil) {
    keyName = key
    ownComparator = comparator
    // Foundation follows its own key path where it compares; this class follows the key.
    super.init(keyPath: \NSManagedObject.objectID, ascending: ascending) { KeySortDescriptor.order($0, $1) }
  }

  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone?) -> Any { self }

  /// - Precondition: both objects have the key, and values that can be compared.
  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let order = compare(value(of: object1), value(of: object2))
    return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? order
  }

  /// Nil is not given to the comparator: it comes first.
  private func compare(_ left: Any?, _ right: Any?) -> ComparisonResult {
    guard let ownComparator else { return Self.order(left, right) }
    guard let left, let right else {
      return left == nil ? right == nil ? .orderedSame : .orderedAscending : .orderedDescending
    }
    return ownComparator(left, right)
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    if other === self { return true }
    // Closures cannot be compared.
    guard other.ownComparator == nil, ownComparator == nil else { return false }
    return other.keyName == keyName && other.ascending == ascending
  }

  override var hash: Int { keyName.hashValue }

  override var description: String {
    "(\(keyName), \(ascending ? "ascending" : "descending"), \(ownComparator == nil ? "compare:" : "comparator"))"
  }

  override var reversedSortDescriptor: Any {
    KeySortDescriptor(key: keyName, ascending: !ascending, comparator: ownComparator)
  }

  private func value(of object: Any) -> Any? { keyName.isEmpty ? object : KeyValuePath.value(object, keyName[...]) }

  /// - Throws: for an object that has no such key, or a value under it that has no order.
  func check(_ object: Any) throws(PredicateFailure) {
    let value: Any? = try keyName.isEmpty ? object : KeyValuePath.find(object, keyName[...])
    guard ownComparator == nil, Self.slot(value) == nil else { return }
    throw PredicateFailure(position: nil, message: "nothing can be sorted by \(self)")
  }

  /// An attribute's value, or an object by its key; nil for values that no fetch sorts by.
  private static func slot(_ value: Any?) -> Slot? {
    let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
    return id.map { .reference($0.reference) } ?? ValueComparison.slot(value)
  }

  /// The order in which a fetch sorts: nil first, texts by code points.
  fileprivate static func order(_ left: Any?, _ right: Any?) -> ComparisonResult {
    guard let first = slot(left), let second = slot(right), first.hasOrder(second) else {
      preconditionFailure(
        "\(type(of: left)) and \(type(of: right)) have no order; sort by attributes that are numbers, dates or texts")
    }
    let order = first.sortOrder(second)
    return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
  }
}

extension Slot {
  /// Whether one of them sorts before the other, or with it.
  fileprivate func hasOrder(_ other: Slot) -> Bool {
    if isNull || other.isNull { return true }
    if case .reference = self, case .reference = other { return true }
    return order(other) != nil
  }
}

/// A sort descriptor by a Swift key path to values that are optional, or have no order of Swift's.
final class PathSortDescriptor<Root, Value>: NSSortDescriptor {
  private let path: KeyPath<Root, Value>

  init(path: KeyPath<Root, Value>, ascending: Bool) {
    self.path = path
    super.init(keyPath: path, ascending: ascending) { KeySortDescriptor.order(unwrapped($0), unwrapped($1)) }
  }

  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone?) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PathSortDescriptor<Root, Value> else { return false }
    return other.path == path && other.ascending == ascending
  }

  override var hash: Int { path.hashValue }

  override var description: String {
    "(\(keys?.joined(separator: ".") ?? "\(path)"), \(ascending ? "ascending" : "descending"), compare:)"
  }

  override var reversedSortDescriptor: Any { PathSortDescriptor(path: path, ascending: !ascending) }
}

/// The value in an optional that was put into an `Any`; nil where there is none.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.wrapped
}

private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

// Foundation declares `init(key:ascending:)` unavailable on Linux; see `NSPredicate+Format.swift`.

/// Gives `NSSortDescriptor` its initialisers for keys, and for Swift key paths to optional values.
public protocol _SortDescriptorFactory {}

extension NSSortDescriptor: _SortDescriptorFactory {}

extension _SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the property at the end of a key path; nulls first when ascending, texts by code points.
  ///
  /// - Precondition: called on `NSSortDescriptor` itself; a subclass has initialisers of its own.
  public init(key: String?, ascending: Bool) {
    self = KeySortDescriptor(key: key ?? "", ascending: ascending) as! Self
  }

  /// Sorts by the property at the end of a key path as `cmptr` compares its values, nulls first when ascending; no fetch sorts by
  /// it.
  ///
  /// - Precondition: called on `NSSortDescriptor` itself; a subclass has initialisers of its own.
  public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    self = KeySortDescriptor(key: key ?? "", ascending: ascending, comparator: cmptr) as! Self
  }

  /// Sorts by the property at the end of a Swift key path, optional or not; nulls first when ascending, texts by code points.
  ///
  /// - Precondition: called on `NSSortDescriptor` itself; a subclass has initialisers of its own.
  public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self = PathSortDescriptor(path: keyPath, ascending: ascending) as! Self
  }

  /// The key path the descriptor sorts by; of a Swift key path as `_kvcKeyPathString` has it.
  public var key: String? { keys?.joined(separator: ".") }
}

extension NSSortDescriptor {
  /// The keys of the path the descriptor sorts objects of `entity` by.
  ///
  /// - Throws: when the path leads to no stored property, or only a closure knows the order.
  func keys(in entity: EntityLayout) throws(PredicateFailure) -> [String] {
    if (self as? KeySortDescriptor)?.ownComparator != nil {
      throw PredicateFailure(
        position: nil,
        message:
          "the sort descriptor \(self) has a comparator, which a store cannot call; sort the fetched array with it")
    }
    guard let keys = ownKeys ?? KeyPathProbe.keys(of: keyPath, from: entity) else {
      throw PredicateFailure(position: nil, message: "the sort descriptor \(self) has no key")
    }
    return keys
  }

  /// The keys of the path the descriptor sorts by; nil where no model in use tells them.
  var keys: [String]? { ownKeys ?? keyPath._kvcKeyPathString?.split(separator: ".").map(String.init) }

  /// The keys of the path the descriptor sorts by, as far as it tells by itself.
  ///
  /// The description of a Swift key path to stored properties does, `\Note.title`.
  private var ownKeys: [String]? {
    if let descriptor = self as? KeySortDescriptor { return descriptor.keyName.split(separator: ".").map(String.init) }
    return KeyPathProbe.described(keyPath)
  }
}
