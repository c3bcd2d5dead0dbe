/// One property of an index.
///
/// - SeeAlso: Apple, "NSFetchIndexElementDescription".
open nonisolated class NSFetchIndexElementDescription: NSObject, NSCopying, NSCoding {
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

  /// Refuses: descriptions are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSFetchIndexElementDescription") }

  /// Ends the process: descriptions are not archived here; keep the `.xcdatamodeld`.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSFetchIndexElementDescription") }

  /// An element of the same property that belongs to no index, and can be changed.
  open func copy(with zone: NSZone? = nil) -> Any { copied { $0 } ?? self }

  final func copied(_ translate: (NSPropertyDescription) -> NSPropertyDescription) -> NSFetchIndexElementDescription? {
    guard let property else { return nil }
    let copy = NSFetchIndexElementDescription(property: translate(property), collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }

  /// Whether the other one is about a property of that name in the same way.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return other === self
      || propertyName == other.propertyName && collationType == other.collationType && isAscending == other.isAscending
  }

  /// The hash of the property's name.
  open override var hash: Int { propertyName.hashValue }

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
