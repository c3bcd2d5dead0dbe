import RowStore

// The values of transient properties belong to one object alone: they are never in a row that others may hold, and so not
// in a snapshot. An object that has any keeps a row of its own, which is not frozen while it is clean.

extension NSManagedObject {
  /// `row`, or a copy of it that has the object's transient values as well.
  ///
  /// - Parameter dropped: properties that do not keep their values.
  final func keepingTransients(over row: Row, except dropped: PropertyMask = .empty) -> Row {
    guard layout.hasTransients, let values else { return row }
    var own: Row?
    for index in layout.transientIndices where !values[index].isNull && !dropped.contains(index) {
      let copy = own ?? row.mutableCopy()
      copy[index] = values[index]
      own = copy
    }
    return own ?? row
  }

  /// Gives transient attributes without a value their defaults, which a row of the store does not have.
  final func setTransientDefaults() {
    guard let values, layout.hasTransientDefaults else { return }
    var own: Row?
    for index in layout.transientIndices where values[index].isNull && !layout.defaultValues[index].isNull {
      let copy = own ?? values.mutableCopy()
      copy[index] = layout.defaultValues[index]
      own = copy
    }
    if let own { self.values = own }
  }

  /// `row`, or a copy of it without transient values; frozen, for others to hold.
  final func withoutTransients(_ row: Row) -> Row {
    guard layout.transientIndices.contains(where: { !row[$0].isNull }) else {
      row.freeze()
      return row
    }
    let shared = row.mutableCopy()
    for index in layout.transientIndices { shared[index] = .null }
    shared.freeze()
    return shared
  }
}
