/// One property of an index.
///
/// - SeeAlso: Apple, "NSFetchIndexElementDescription".
open class NSFetchIndexElementDescription: NSObject {
  /// The property, an attribute or a to-one relationship.
  public final let property: NSPropertyDescription?

  /// How values are found in the index.
  open var collationType: NSFetchIndexElementType {
    willSet { indexDescription?.requireMutable() }
  }

  /// Whether the index runs from the least value to the greatest; true by default.
  open var isAscending = true {
    willSet { indexDescription?.requireMutable() }
  }

  /// The index that the element was given to; nil before.
  open internal(set) unowned(unsafe) var indexDescription: NSFetchIndexDescription?

  /// Makes an element.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    self.collationType = collationType
    super.init()
  }

  /// The property's name.
  open var propertyName: String? { property?.name }
}

/// How the values of an index are found; raw values are Apple's.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// By order, and equality.
  case binary = 0
  /// By ranges of several numbers at once.
  case rTree = 1
}
