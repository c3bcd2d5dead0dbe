/// The page of a fetch: the store's answer, with unsaved changes laid over it.
///
/// The store is asked for the answer from its start, and knows nothing of the changes: each changed object may leave the
/// answer, and may come in elsewhere. Objects with equal keys are in the store's order, changed ones behind them.
struct PendingOverlay {
  let offset: Int
  /// 0 for none.
  let limit: Int

  /// How many rows of the store's answer, from its start, are enough when so many objects may leave it; 0 for all.
  func storeLimit(beside changed: Int) -> Int {
    guard limit > 0 else { return 0 }
    let end = offset.addingReportingOverflow(limit)
    let count = end.partialValue.addingReportingOverflow(changed)
    // So many rows are all that there are.
    return end.overflow || count.overflow ? 0 : count.partialValue
  }

  /// The page's objects.
  ///
  /// - Parameters:
  ///   - stored: the beginning of the store's answer, as long as ``storeLimit(beside:)`` says.
  ///   - isChanged: whether an object has unsaved changes: it is there only as one of `additions`.
  ///   - additions: changed objects that the fetch asks for, in its order.
  ///   - isBehind: whether a stored object comes after an addition.
  /// - Complexity: O(*n* + *m* log *n*) for *n* stored objects and *m* additions.
  func page<Item, Addition>(
    _ stored: ContiguousArray<Item>, without isChanged: (Item) -> Bool, with additions: ContiguousArray<Addition>,
    item: (Addition) -> Item, isBehind: (Item, Addition) -> Bool
  ) -> ContiguousArray<Item> {
    var unchanged = stored
    unchanged.removeAll(where: isChanged)
    var merged: ContiguousArray<Item> = []
    merged.reserveCapacity(unchanged.count + additions.count)
    var position = 0
    for addition in additions {
      var (low, high) = (position, unchanged.count)
      while low < high {
        let middle = (low + high) / 2
        if isBehind(unchanged[middle], addition) { high = middle } else { low = middle + 1 }
      }
      merged.append(contentsOf: unchanged[position..<low])
      merged.append(item(addition))
      position = low
    }
    merged.append(contentsOf: unchanged[position...])
    return cut(merged)
  }

  /// Without the items before the offset and after the limit.
  func cut<Item>(_ found: ContiguousArray<Item>) -> ContiguousArray<Item> {
    if offset == 0, limit == 0 || found.count <= limit { return found }
    let rest = found.dropFirst(offset)
    return ContiguousArray(limit > 0 ? rest.prefix(limit) : rest)
  }
}
