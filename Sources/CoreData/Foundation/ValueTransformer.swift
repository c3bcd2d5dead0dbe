import Scheduling

/// Turns values of one kind into values of another, and perhaps back: how a transformable attribute becomes data.
///
/// A transformer of an attribute makes `Data` of a value; one that inherits from
/// ``NSSecureUnarchiveFromDataTransformer`` makes a value of `Data`. Register it before the first store is opened.
/// - SeeAlso: Apple, "ValueTransformer".
open nonisolated class ValueTransformer: NSObject, _ValueTransformerFactory {
  // Sendable: transformers are asked from many threads at once and must not change once they are registered.
  private struct Registered: @unchecked Sendable { var transformers: [NSValueTransformerName: ValueTransformer] = [:] }

  private static let registered = Locked(Registered())

  /// Makes a transformer.
  public override init() { super.init() }

  /// Registers a transformer under a name; with nil there is none of that name any more. Any thread.
  open class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
    registered.withLock { $0.transformers[name] = transformer }
  }

  /// The names that transformers are registered under. Any thread.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    registered.withLock { Array($0.transformers.keys) }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The class of the results of ``transformedValue(_:)``.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether ``reverseTransformedValue(_:)`` undoes ``transformedValue(_:)``; true by default.
  open class func allowsReverseTransformation() -> Bool { true }

  /// The value in its other form; the value itself by default. Any thread.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value that ``transformedValue(_:)`` made this of. Any thread.
  ///
  /// - Precondition: ``allowsReverseTransformation()``.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    precondition(Self.allowsReverseTransformation(), "\(type(of: self)) cannot transform back")
    return transformedValue(value)
  }

  /// The transformer of that name: a registered one, one of the stack's, or a new one of the class of that name, which
  /// `@objc(Name)` may have given it.
  static func named(_ name: NSValueTransformerName) -> ValueTransformer? {
    if let known = registered.withLock({ $0.transformers[name] }) { return known }
    switch name {
    case .secureUnarchiveFromDataTransformerName, .unarchiveFromDataTransformerName,
      .keyedUnarchiveFromDataTransformerName, NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"):
      return NSSecureUnarchiveFromDataTransformer()
    default:
      return ClassLookup.classes(called: name.rawValue).lazy.compactMap { $0 as? ValueTransformer.Type }.first?.make()
    }
  }
}

/// The name under which a class is asked for its `init()`, which Swift calls only where it is `required`; no transformer has
/// this class.
open nonisolated class _ValueTransformerClass: ValueTransformer {
  /// The initialiser of the class that the metatype really is.
  public required override init() { super.init() }
}

extension ValueTransformer {
  /// Makes a transformer of the class that this is.
  ///
  /// - Precondition: the class has `init()`, inherited or its own.
  fileprivate static func make() -> ValueTransformer {
    // Nothing but the table of initialisers is read through the other name; see `ObjectMaking`.
    unsafeBitCast(self, to: _ValueTransformerClass.Type.self).init()
  }
}

/// Lets `ValueTransformer(forName:)` give a transformer that exists already.
public protocol _ValueTransformerFactory {}

extension _ValueTransformerFactory {
  /// The transformer registered under that name; nil when there is none.
  public init?(forName name: NSValueTransformerName) {
    guard let transformer = ValueTransformer.named(name) as? Self else { return nil }
    self = transformer
  }
}
