/// The constants of an `IN`, looked up by value.
package final class ConstantSet {
  /// Without null, each once.
  package let slots: [Slot]
  let hasNull: Bool
  private let keys: Set<Slot>
  private let temporary: [Slot]

  /// - Parameter slots: folded where the comparison folds.
  package init(_ slots: [Slot]) {
    var keys: Set<Slot> = []
    keys.reserveCapacity(slots.count)
    hasNull = slots.contains(where: \.isNull)
    self.slots = slots.filter { !$0.isNull && keys.insert($0.lookupKey).inserted }
    self.keys = keys
    temporary = self.slots.filter { if case .reference(let reference) = $0 { reference.key < 0 } else { false } }
  }

  /// Whether the value, folded, is one of them; an object under either of its keys.
  package func contains(_ slot: Slot, _ aliases: (any PermanentKeys)?) -> Bool {
    if slot.isNull { return hasNull }
    if keys.contains(slot.lookupKey) { return true }
    guard case .reference = slot, let aliases else { return false }
    return temporary.contains { $0.canonical(aliases).isSame(as: slot) }
  }
}
