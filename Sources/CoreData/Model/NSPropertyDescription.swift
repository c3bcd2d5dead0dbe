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

  /// The entity the property was given to; nil before.
  open internal(set) unowned(unsafe) var entity: NSEntityDescription!

  /// Makes a property without a name.
  public override init() { super.init() }

  func requireMutable() { entity?.requireMutable() }
}
