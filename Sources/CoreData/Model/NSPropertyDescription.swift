/// A property of an entity: the common part of attributes and relationships.
///
/// - SeeAlso: Apple, "NSPropertyDescription".
open nonisolated class NSPropertyDescription: NSObject, NSCopying, NSCoding {
  /// The property's name; unique in its entity, and not the name of a method of `NSManagedObject`.
  open var name: String = "" {
    willSet { requireMutable() }
  }

  /// Whether the property may be nil when its object is saved; true by default.
  open var isOptional = true {
    willSet { requireMutable() }
  }

  /// Whether the property is kept out of the store; false by default.
  open var isTransient = false {
    willSet { requireMutable() }
  }

  /// Anything the developer wants to keep with the property; it may be changed while the model is in use.
  open var userInfo: [AnyHashable: Any]? = [:]

  /// The name in the version before, for migration; the name itself unless it was set.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set {
      requireMutable()
      ownRenamingIdentifier = newValue
    }
  }

  private var ownRenamingIdentifier: String?

  /// Something that makes the version hash another one though the structure is the same.
  open var versionHashModifier: String? {
    willSet { requireMutable() }
  }

  /// Conditions on a value other than nil before its object is saved, with `SELF` for the value: `SELF >= 1`, `length <= 20`,
  /// `SELF MATCHES '[a-z]+'`.
  open private(set) var validationPredicates: [NSPredicate] = []

  /// Reasons why a value does not meet the predicate at the same position: a sentence, or an error's code as `NSNumber`.
  open private(set) var validationWarnings: [Any] = []

  /// Sets the conditions on values; without a warning, a predicate's form says which error it makes.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    setValidation(validationPredicates ?? [], warnings: validationWarnings ?? [])
  }

  /// - Parameter warnings: sentences, or codes of errors as `NSNumber`.
  final func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
    requireMutable()
    validationPredicates = predicates
    validationWarnings = warnings
  }

  /// Whether the store has an index of the property alone; see `NSEntityDescription.indexes`, which took its place.
  open var isIndexed = false {
    willSet { requireMutable() }
  }

  /// Whether the values are put into the system's search index on Apple's systems; kept with the model, and used by
  /// nothing here.
  open var isIndexedBySpotlight = false {
    willSet { requireMutable() }
  }

  /// 32 bytes that are equal for equal structures: name, type, whether it is optional or transient.
  open var versionHash: Data { VersionHash.of(self) }

  /// Whether Apple's systems keep the value out of the store's rows, in a record for their search; kept with the model, and
  /// used by nothing here.
  open var isStoredInExternalRecord = false {
    willSet { requireMutable() }
  }

  /// The entity the property was given to; nil before.
  open internal(set) unowned(unsafe) var entity: NSEntityDescription!

  /// Makes a property without a name.
  public override init() { super.init() }

  /// Refuses: descriptions are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSPropertyDescription") }

  /// Ends the process: descriptions are not archived here; keep the `.xcdatamodeld`.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSPropertyDescription") }

  /// A property that is equal, belongs to no entity, and can be changed; of a subclass that has no `copy` of its own, one of
  /// Apple's class.
  open func copy(with zone: NSZone? = nil) -> Any { copied() }

  func copied() -> NSPropertyDescription {
    let copy = NSPropertyDescription()
    copyState(to: copy)
    return copy
  }

  func copyState(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.userInfo = userInfo
    copy.ownRenamingIdentifier = ownRenamingIdentifier
    copy.versionHashModifier = versionHashModifier
    copy.setValidation(validationPredicates, warnings: validationWarnings)
    copy.isIndexed = isIndexed
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.isStoredInExternalRecord = isStoredInExternalRecord
  }

  /// Whether the other one is an equal property of the same kind.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return other === self || isSame(other)
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  func isSame(_ other: NSPropertyDescription) -> Bool {
    type(of: self) == type(of: other) && name == other.name && isOptional == other.isOptional
      && isTransient == other.isTransient && ownRenamingIdentifier == other.ownRenamingIdentifier
      && versionHashModifier == other.versionHashModifier && isIndexed == other.isIndexed
      && isIndexedBySpotlight == other.isIndexedBySpotlight
      && isStoredInExternalRecord == other.isStoredInExternalRecord
      && DescriptionComparison.isEqual(userInfo, other.userInfo) && validationPredicates == other.validationPredicates
      && validationWarnings.map { "\($0)" } == other.validationWarnings.map { "\($0)" }
  }

  final func requireMutable() { entity?.requireMutable() }

  /// Sets the entity that takes the property, or none.
  func attach(to entity: NSEntityDescription?) { self.entity = entity }
}

/// Compares values that descriptions keep as `Any`.
enum DescriptionComparison {
  static func isEqual(_ left: [AnyHashable: Any]?, _ right: [AnyHashable: Any]?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.count == right.count && left.allSatisfy { key, value in right[key].map { isEqual(value, $0) } ?? false }
  }

  static func isEqual(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    // Collections with values that cannot be hashed are compared by their parts.
    if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] { return isEqual(left, right) }
    if let left = left as? [Any], let right = right as? [Any] {
      return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
    }
    return (left as AnyObject) === (right as AnyObject)
  }
}
