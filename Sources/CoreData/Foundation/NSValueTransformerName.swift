/// The name of a value transformer.
///
/// - SeeAlso: Apple, "NSValueTransformerName".
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as models have it.
  public let rawValue: String

  /// The transformer of that name, whether there is one or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The transformer of that name, whether there is one or not.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Makes objects of keyed archives, and archives of objects; the default of transformable attributes.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")

  /// The older name of the same.
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")

  /// The older name of the same.
  public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName("NSKeyedUnarchiveFromData")
}
