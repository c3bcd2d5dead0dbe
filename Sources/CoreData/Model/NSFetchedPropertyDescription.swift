/// A property whose value is what a fetch finds.
///
/// - SeeAlso: Apple, "NSFetchedPropertyDescription".
open class NSFetchedPropertyDescription: NSPropertyDescription {
  /// The fetch as the model's file has it.
  final var template: FetchTemplate? {
    willSet { requireMutable() }
  }
}
