/// An index of a store, over one or more properties of an entity.
///
/// - SeeAlso: Apple, "NSFetchIndexDescription".
open nonisolated class NSFetchIndexDescription: NSObject, NSCopying, NSCoding {
  /// The index's name; unique in its entity.
  open var name: String {
    willSet { requireMutable() }
  }

  /// The indexed properties and expressions, in this order.
  open var elements: [NSFetchIndexElementDescription] {
    willSet {
      requireMutable()
      for element in elements where element.indexDescription === self { element.indexDescription = nil }
    }
    didSet { for element in elements { element.indexDescription = self } }
  }

  /// The condition on indexed objects; all with nil.
  open var partialIndexPredicate: NSPredicate? {
    willSet { requireMutable() }
  }

  /// The entity the index was given to; nil before.
  open internal(set) unowned(unsafe) var entity: NSEntityDescription?

  /// Makes an index.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  // Elements that are held longer belong to no index.
  deinit {
    for element in elements where element.indexDescription === self { element.indexDescription = nil }
  }

  /// Refuses: descriptions are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSFetchIndexDescription") }

  /// Ends the process: descriptions are not archived here; keep the `.xcdatamodeld`.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSFetchIndexDescription") }

  /// An index of the same properties that belongs to no entity, and can be changed.
  open func copy(with zone: NSZone? = nil) -> Any { copied { $0 } }

  /// A copy over the properties that `translate` gives.
  final func copied(_ translate: (NSPropertyDescription) -> NSPropertyDescription) -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(name: name, elements: elements.compactMap { $0.copied(translate) })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  /// Whether the other one is an index of that name over properties of the same names.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return other === self
      || name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  final func requireMutable() { entity?.requireMutable() }
}
