/// A property of an entity: what attributes and relationships have in common.
///
/// - SeeAlso: Apple, "NSPropertyDescription".
open class NSPropertyDescription: NSObject {
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

  /// Anything the developer wants to keep with the property.
  open var userInfo: [AnyHashable: Any]? {
    willSet { requireMutable() }
  }

  /// The name in the version before, for migration; the name itself by default.
  open var renamingIdentifier: String? {
    willSet { requireMutable() }
  }

  /// Something that makes the version hash another one though the structure is the same.
  open var versionHashModifier: String? {
    willSet { requireMutable() }
  }

  /// What a value other than nil must meet before its object is saved, with `SELF` for the value: `SELF >= 1`,
  /// `length <= 20`, `SELF MATCHES '[a-z]+'`.
  open private(set) var validationPredicates: [NSPredicate] = []

  /// What is wrong with a value that does not meet the predicate at the same position: a sentence, or an error's code as
  /// `NSNumber`.
  open private(set) var validationWarnings: [Any] = []

  /// Sets what values must meet; without a warning, a predicate's form says which error it makes.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    requireMutable()
    self.validationPredicates = validationPredicates ?? []
    self.validationWarnings = validationWarnings ?? []
  }

  /// The entity the property was given to; nil before.
  open internal(set) unowned(unsafe) var entity: NSEntityDescription!

  /// Makes a property without a name.
  public override init() { super.init() }

  func requireMutable() { entity?.requireMutable() }
}
