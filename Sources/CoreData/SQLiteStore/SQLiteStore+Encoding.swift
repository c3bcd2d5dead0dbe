extension SQLiteStore {
  /// Makes what the file keeps of transformed and large values, before their rows are written.
  ///
  /// - Throws: 1550 that names the attribute whose value cannot be transformed, 134030 when a file cannot be written.
  func encodeValues(_ changes: ChangeLists) throws {
    guard schema.hasEncodings else { return }
    for object in changes.inserted where object.layout.hasEncodings { try encode(object) }
    for object in changes.updated where object.layout.hasEncodings { try encode(object) }
    for object in changes.deleted where object.layout.hasEncodings {
      for index in object.layout.encodedIndices { files.giveUp(object.snapshot?[index]) }
    }
  }

  private func encode(_ object: NSManagedObject) throws {
    for index in object.layout.encodedIndices {
      let property = object.layout.properties[index]
      // A row that comes back is written whole, also what it had before.
      let isWritten =
        object.snapshot == nil || object.state.contains(.inserted) || object.isReallyChanged(property)
      guard isWritten, let values = object.values else { continue }
      switch (property.encoding, values[index]) {
      case (.transformed(let transformer), .boxed(let box)):
        do {
          try (box.value as? TransformedValue)?.encode(transformer)
        } catch {
          throw NSError.coreData(
            NSManagedObjectValidationError, "\(error)",
            userInfo: [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name])
        }
      case (.external, let slot):
        files.giveUp(object.snapshot?[index])
        if let file = try storeFile(slot, property) { files.replace(index, of: object, with: file) }
      default: break
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
        NSPersistentStoreSaveError,
        "The value of \(property.owner.name).\(property.name) cannot be written to a file.", underlying: error)
    }
  }
}

extension NSManagedObject {
  /// Puts a value into an object that is being written, past its changes.
  final func replace(_ index: Int, with slot: Slot) {
    guard var row = values else { return }
    if row.isFrozen {
      row = row.mutableCopy()
      values = row
    }
    row[index] = slot
  }
}
