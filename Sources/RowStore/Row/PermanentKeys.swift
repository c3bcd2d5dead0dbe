/// Knows the permanent keys of objects that are named by temporary ones.
package protocol PermanentKeys: AnyObject, Sendable {
  /// The permanent key that took the place of a temporary one; nil where none did.
  func permanent(for temporary: Int64) -> Int64?
}

extension PermanentKeys {
  /// The permanent key where there is one.
  package func canonical(_ reference: RowReference) -> RowReference {
    guard reference.key < 0, let permanent = permanent(for: reference.key) else { return reference }
    return RowReference(key: permanent, entity: reference.entity)
  }
}

extension Slot {
  /// With the permanent key of a reference, where there is one.
  package func canonical(_ keys: (any PermanentKeys)?) -> Slot {
    guard case .reference(let reference) = self, reference.key < 0, let keys else { return self }
    return .reference(keys.canonical(reference))
  }
}
