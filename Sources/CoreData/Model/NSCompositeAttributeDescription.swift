/// An attribute made of several others; its value is a dictionary by their names.
///
/// - SeeAlso: Apple, "NSCompositeAttributeDescription".
open class NSCompositeAttributeDescription: NSAttributeDescription {
  /// The attributes that it is made of; composites among them have elements of their own.
  open var elements: [NSAttributeDescription] = [] {
    willSet { requireMutable() }
  }

  /// Makes a composite without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }
}
