/// An attribute made of several others; its value is a dictionary by their names.
///
/// - SeeAlso: Apple, "NSCompositeAttributeDescription".
open nonisolated class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The attributes that it is made of; composites among them have elements of their own.
  open var elements: [NSAttributeDescription] = [] {
    willSet {
      requireMutable()
      for element in elements where element.composite === self {
        element.composite = nil
        element.attach(to: nil)
      }
    }
    didSet {
      for element in elements { element.composite = self }
      if let entity { for element in elements { element.attach(to: entity) } }
    }
  }

  /// Makes a composite without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// Refuses: descriptions are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSCompositeAttributeDescription") }

  override func attach(to entity: NSEntityDescription?) {
    super.attach(to: entity)
    for element in elements where element.composite === self { element.attach(to: entity) }
  }

  override func copied() -> NSPropertyDescription {
    let copy = NSCompositeAttributeDescription()
    copyState(to: copy)
    copy.elements = elements.compactMap { $0.copied() as? NSAttributeDescription }
    return copy
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSCompositeAttributeDescription else { return false }
    return elements == other.elements
  }
}
