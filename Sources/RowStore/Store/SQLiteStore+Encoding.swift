import Foundation

extension SQLiteStore {
  /// Encodes transformed and large values for the file, before their rows are written.
  ///
  /// - Throws: `UnencodableValue` where a transformer refuses its value, 134030 when a file cannot be written.
  func encodeValues(_ plan: SavePlan) throws {
    guard schema.hasEncodings else { return }
    for insert in plan.inserts {
      // A row that comes back is written whole, with the values that it had before.
      try encode(insert.row, owner: insert.key, over: insert.base, nil)
    }
    for update in plan.updates { try encode(update.row, owner: update.key, over: update.base, update.mask) }
    for delete in plan.deletes {
      for index in delete.layout.encodedIndices { files.giveUp(delete.base?[index]) }
      if let last = delete.last, history != nil { encodeKept(last) }
    }
  }

  /// Encodes the values of a deleted row that the history keeps. A value that its transformer refuses is not kept, which hinders
  /// no deletion.
  private func encodeKept(_ row: Row) {
    for index in row.layout.encodedIndices where row.layout.properties[index].isKeptInHistory {
      if case (.transformed(let transformer)?, .boxed(let box)) = (row.layout.properties[index].encoding, row[index]) {
        try? (box.value as? TransformedValue)?.encode(transformer)
      }
    }
  }

  /// - Parameter mask: the properties that are written; all with nil.
  private func encode(_ row: Row, owner: Int64, over base: Row?, _ mask: PropertyMask?) throws {
    let layout = row.layout
    for index in layout.encodedIndices where mask?.contains(index) ?? true {
      let property = layout.properties[index]
      switch (property.encoding, row[index]) {
      case (.transformed(let transformer), .boxed(let box)):
        do {
          try (box.value as? TransformedValue)?.encode(transformer)
        } catch {
          throw UnencodableValue(owner: owner, property: property, reason: error)
        }
      case (.external, let slot):
        files.giveUp(base?[index])
        if let file = try storeFile(slot, property) { row[index] = .boxed(SlotBox(file)) }
      default: break
      }
    }
  }

  /// Releases the transformed values of a row that is saved; before it is published.
  func settleValues(_ row: Row) {
    let layout = row.layout
    for index in layout.encodedIndices {
      if case (.transformed(let transformer)?, .boxed(let box)) = (layout.properties[index].encoding, row[index]) {
        (box.value as? TransformedValue)?.settle(transformer)
      }
    }
  }

  /// Writes a value into a file of its own; nil where it stays in its row.
  ///
  /// - Throws: 134030 when the file cannot be written.
  func storeFile(_ slot: Slot, _ property: PropertyLayout) throws -> ExternalData? {
    do {
      return try files.store(slot)
    } catch {
      throw NSError.coreData(
        StoreErrorCode.save,
        "The value of \(property.owner.name).\(property.name) cannot be written to a file.", underlying: error)
    }
  }
}

/// A value of a plan that its attribute's transformer does not take.
package struct UnencodableValue: Error {
  /// The key of the object that has it, perhaps temporary.
  package let owner: Int64
  package let property: PropertyLayout
  package let reason: any Error
}
