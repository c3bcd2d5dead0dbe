/// An index of a store, over one or more properties of an entity.
///
/// - SeeAlso: Apple, "NSFetchIndexDescription".
open class NSFetchIndexDescription: NSObject {
  /// The index's name; unique in its entity.
  open var name: String {
    willSet { requireMutable() }
  }

  /// What is indexed, in this order.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { requireMutable() }
    didSet { for element in elements { element.indexDescription = self } }
  }

  /// Which objects are in the index; all with nil.
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

  final func requireMutable() { entity?.requireMutable() }
}
