import RowStore

/// Makes objects of keyed archives, and keyed archives of objects.
///
/// - SeeAlso: Apple, "NSSecureUnarchiveFromDataTransformer".
open nonisolated class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes an archive's outermost object may be of; Foundation's values and collections of them by default.
  open class var allowedTopLevelClasses: [AnyClass] { KeyedArchive.plainClasses }

  /// The object of an archive; nil for a value that is none.
  open override func transformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { try? KeyedArchive.decode($0, allowing: Self.allowedTopLevelClasses) }
  }

  /// The archive of an object; nil for a value that cannot be archived.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { try? KeyedArchive.encode($0) }
  }
}
