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

  /// The entity the property was given to; nil before.
  open internal(set) unowned(unsafe) var entity: NSEntityDescription!

  /// Makes a property without a name.
  public override init() { super.init() }

  func requireMutable() { entity?.requireMutable() }
}
