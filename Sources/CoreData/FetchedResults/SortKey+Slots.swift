import RowStore

extension [SortKey] {
  /// The sort values of an object that was just fetched, from its row, so that it stays a fault.
  func slotsAtHand(of object: NSManagedObject) -> [Slot] {
    guard object.values == nil, let row = object.snapshot else { return slots(of: object) }
    return map { key in
      guard key.path.count == 1, object.layout.isKind(of: key.path[0].owner), !key.path[0].isRelationship else {
        return key.slot(of: object)
      }
      return key.path[0].part(of: row[key.path[0].index]).comparable
    }
  }
}
