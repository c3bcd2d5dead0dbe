/// A property of a class that key-value coding finds by its name, as Objective-C finds the accessors of `@objc` properties.
///
/// For generated code.
public struct _KeyedProperty {
  let key: String
  let owner: AnyClass
  let get: (NSManagedObject) -> Any?
  /// Nil for a property that cannot be set.
  let set: ((NSManagedObject, Any?) -> Void)?

  /// A property that can be read.
  public init<Root: NSManagedObject, Value>(_ key: String, _ path: KeyPath<Root, Value>) {
    self.key = key
    owner = Root.self
    get = { KeyedValue.boxed(unsafeDowncast($0, to: Root.self)[keyPath: path]) }
    set = nil
  }

  /// A property that can be read and set.
  public init<Root: NSManagedObject, Value>(_ key: String, _ path: ReferenceWritableKeyPath<Root, Value>) {
    self.key = key
    owner = Root.self
    get = { KeyedValue.boxed(unsafeDowncast($0, to: Root.self)[keyPath: path]) }
    set = { object, value in
      guard let converted = KeyedValue.converted(value, to: Value.self) else {
        preconditionFailure(
          "Unacceptable type of value for \(Root.self).\(key): \(value.map { "\(type(of: $0))" } ?? "nil") is no \(Value.self)"
        )
      }
      unsafeDowncast(object, to: Root.self)[keyPath: path] = converted
    }
  }
}

/// A method of a class that validates the property of a name, `validateTitle(_:)`.
///
/// For generated code.
public struct _KeyedValidator {
  let key: String
  let owner: AnyClass
  let validate: (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  /// The method of objects of `owner`.
  public init<Owner: NSManagedObject>(
    _ key: String, _ owner: Owner.Type,
    _ validate: @escaping (Owner, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    self.key = key
    self.owner = owner
    self.validate = { try validate(unsafeDowncast($0, to: Owner.self), $1) }
  }
}

/// Values as key-value coding gives and takes them.
private enum KeyedValue {
  /// Integers and floating-point numbers as `NSNumber`, enumerations by their raw values; nil for an empty optional.
  static func boxed(_ value: Any) -> Any? {
    guard let value = unwrapped(value) else { return nil }
    // Foundation's casts take an object that wraps a number for a number.
    if type(of: value) is AnyClass { return value }
    switch value {
    case let number as any BinaryInteger: return NSNumber(value: Int64(truncatingIfNeeded: number))
    case let number as any BinaryFloatingPoint: return NSNumber(value: Double(number))
    case let raw as any RawRepresentable:
      guard let number = raw.rawValue as? any BinaryInteger else { return value }
      return NSNumber(value: Int64(truncatingIfNeeded: number))
    default: return value
    }
  }

  static func converted<Value>(_ value: Any?, to type: Value.Type) -> Value? {
    let value = value is NSNull ? nil : value
    if let found = (value as Any) as? Value { return found }
    // A number of another type, or the raw value of an enumeration.
    guard let number = value.flatMap(boxed) as? NSNumber else { return nil }
    if let found = number as? Value { return found }
    return (type as? any RawRepresentable.Type).flatMap { raw(number, $0) } as? Value
  }

  private static func raw<Raw: RawRepresentable>(_ number: NSNumber, _ type: Raw.Type) -> Any? {
    (number as? Raw.RawValue).flatMap { type.init(rawValue: $0) }
  }
}
