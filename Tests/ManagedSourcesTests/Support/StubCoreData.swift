/// The parts of the module `CoreData` that generated code names, without anything behind them.
enum StubCoreData {
  static let text = """
    @_exported import Foundation
    open class NSManagedObject: NSObject {}
    open class NSExpression: NSObject {}
    public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer
    public struct _KeyedProperty {
      public init<R: NSManagedObject, V>(_ key: String, _ path: KeyPath<R, V>) {}
      public init<R: NSManagedObject, V>(_ key: String, _ path: ReferenceWritableKeyPath<R, V>) {}
    }
    public struct _KeyedValidator {
      public init<O: NSManagedObject>(
        _ key: String, _ owner: O.Type,
        _ validate: @escaping (O, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void) {}
    }
    open class _ManagedClassNames {
      open class var classes: [String: AnyClass] { [:] }
      open class var properties: [_KeyedProperty] { [] }
      open class var keyPaths: [AnyKeyPath: String] { [:] }
      open class var validators: [_KeyedValidator] { [] }
    }
    public final class _PropertyKey: Sendable { public init(_ name: String) {} }
    extension NSManagedObject {
      public final func _integer(_ k: _PropertyKey) -> Int64 { 0 }
      public final func _setInteger(_ k: _PropertyKey, _ v: Int64) {}
      public final func _bool(_ k: _PropertyKey) -> Bool { false }
      public final func _setBool(_ k: _PropertyKey, _ v: Bool) {}
      public final func _double(_ k: _PropertyKey) -> Double { 0 }
      public final func _setDouble(_ k: _PropertyKey, _ v: Double) {}
      public final func _string(_ k: _PropertyKey) -> String? { nil }
      public final func _setString(_ k: _PropertyKey, _ v: String?) {}
      public final func _date(_ k: _PropertyKey) -> Date? { nil }
      public final func _setDate(_ k: _PropertyKey, _ v: Date?) {}
      public final func _data(_ k: _PropertyKey) -> Data? { nil }
      public final func _setData(_ k: _PropertyKey, _ v: Data?) {}
      public final func _uuid(_ k: _PropertyKey) -> UUID? { nil }
      public final func _setUUID(_ k: _PropertyKey, _ v: UUID?) {}
      public final func _url(_ k: _PropertyKey) -> URL? { nil }
      public final func _setURL(_ k: _PropertyKey, _ v: URL?) {}
      public final func _decimal(_ k: _PropertyKey) -> Decimal? { nil }
      public final func _setDecimal(_ k: _PropertyKey, _ v: Decimal?) {}
      public final func _number(_ k: _PropertyKey) -> NSNumber? { nil }
      public final func _setNumber(_ k: _PropertyKey, _ v: NSNumber?) {}
      public final func _decimalNumber(_ k: _PropertyKey) -> NSDecimalNumber? { nil }
      public final func _set(_ k: _PropertyKey) -> NSSet { NSSet() }
      public final func _setSet(_ k: _PropertyKey, _ v: NSSet?) {}
      public final func _orderedSet(_ k: _PropertyKey) -> NSOrderedSet { NSOrderedSet() }
      public final func _setOrderedSet(_ k: _PropertyKey, _ v: NSOrderedSet?) {}
      public final func _toOne<T: NSManagedObject>(_ k: _PropertyKey, as: T.Type) -> T? { nil }
      public final func _setToOne(_ k: _PropertyKey, _ v: NSManagedObject?) {}
      public final func _toMany<T: NSManagedObject>(_ k: _PropertyKey, of: T.Type) -> Set<T> { [] }
      public final func _setToMany<T: NSManagedObject>(_ k: _PropertyKey, of: Set<T>) {}
      public final func _value<T>(_ k: _PropertyKey, as: T.Type) -> T? { nil }
      public final func _setValue(_ k: _PropertyKey, _ v: Any?) {}
      public final func _required<T>(_ v: T?, _ k: _PropertyKey) -> T { v! }
      public final func _add(_ o: NSManagedObject, to: _PropertyKey) {}
      public final func _remove(_ o: NSManagedObject, from: _PropertyKey) {}
      public final func _add(all: Any, to: _PropertyKey) {}
      public final func _remove(all: Any, from: _PropertyKey) {}
      public final func _insert(_ o: NSManagedObject, into: _PropertyKey, at: Int) {}
      public final func _insert(all: Any, into: _PropertyKey, at: Any) {}
      public final func _remove(from: _PropertyKey, at: Any) {}
      public final func _replace(in: _PropertyKey, at: Any, with: Any) {}
    }
    """
}
