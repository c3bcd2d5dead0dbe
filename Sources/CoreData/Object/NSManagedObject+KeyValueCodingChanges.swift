import Foundation
import RowStore

extension NSManagedObject {
  final func currentChanges() -> [String: Any] {
    touch("changedValues")
    guard state.isDirty else { return [:] }
    if values == nil, !changed.isEmpty { _ = realisedValues(nil) }
    var changes: [String: Any] = [:]
    for property in layout.properties where isReallyChanged(property) {
      if case .toMany = property.kind {
        changes[property.name] = toManyValue(property)
      } else {
        changes[property.name] = value(of: property, in: values)
      }
    }
    return changes
  }

  final func lastValues(_ keys: [String]?) -> [String: Any] {
    touch("committedValues")
    if ContextWatch.isOn, let context = registry?.contextOnQueue {
      ContextWatch.tell(.seen(ContextWatch.Context(context), watched))
    }
    if values == nil { _ = realisedValues(nil) }
    // Nothing was ever committed.
    guard snapshot != nil else { return [:] }
    var result: [String: Any] = [:]
    let wanted = keys.map { $0.compactMap { layout.propertiesByName[$0] } } ?? layout.properties
    for property in wanted where !property.isTransient {
      if case .toMany = property.kind {
        // A relationship is only read for a caller that asks for it by name.
        guard keys != nil || knownToMany(property)?.members != nil else { continue }
        result[property.name] = lastMembers(property)
      } else {
        result[property.name] = value(of: property, in: snapshot)
      }
    }
    return result
  }

  /// The members without the unsaved changes.
  private final func lastMembers(_ property: PropertyLayout) -> Any {
    let members = members(property).objects
    if property.relation.isOrdered {
      return NSOrderedSet(array: Array(knownToMany(property)?.order?.stored ?? members))
    }
    let current = Set(members)
    guard let known = knownToMany(property) else { return current }
    return current.subtracting(known.added.objects).union(known.removed.objects)
  }

  /// The value of an attribute or to-one relationship in a row of this object; `NSNull` for null.
  private final func value(of property: PropertyLayout, in row: Row?) -> Any {
    guard let row else { return NSNull() }
    switch (property.kind, row[property.index]) {
    case (.attribute(let type), let slot): return slot.value(as: type) ?? NSNull()
    case (.toOne, .reference(let reference)) where !isDetached:
      return liveContext.object(for: reference, in: property.relation.destination)
    default: return NSNull()
    }
  }
}
