/// An attribute whose value the store computes from other values when an object is saved.
///
/// - SeeAlso: Apple, "NSDerivedAttributeDescription".
open class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression as the model's file has it.
  final var derivationFormat: String? {
    willSet { requireMutable() }
  }
}
