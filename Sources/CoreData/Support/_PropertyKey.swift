import Synchronization
import RowStore

/// The name of a property, with the index it has in the entity that was last asked.
///
/// For generated accessors: one static constant a property.
public final class _PropertyKey: Sendable {
  /// The property's name.
  public let name: String
  /// Identifier of the entity asked last in the upper half, the property's index there in the lower.
  private let cached = Atomic<UInt64>(0)

  /// Makes a key for the property `name`.
  public init(_ name: String) { self.name = name }

  /// The index of that property in the object's entity; a load and a comparison when the same entity was asked before.
  @inline(__always)
  final func index(_ object: NSManagedObject) -> Int {
    let word = cached.load(ordering: .relaxed)
    let entity = object.layoutReference._withUnsafeGuaranteedRef { $0.identifier }
    if word >> 32 == UInt64(entity) { return Int(word & 0xFFFF_FFFF) }
    return resolve(object.layout)
  }

  @inline(never)
  private func resolve(_ layout: EntityLayout) -> Int {
    guard let property = layout.propertiesByName[name] else {
      preconditionFailure("\(layout.name) has no property \"\(name)\"; it has \(layout.propertiesByName.keys.sorted())")
    }
    cached.store(UInt64(layout.identifier) << 32 | UInt64(property.index), ordering: .relaxed)
    return property.index
  }
}
