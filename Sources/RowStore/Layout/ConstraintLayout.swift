/// Attributes that are unique together among the rows of a table.
package final class ConstraintLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  /// The entity that declares the constraint; its sub-entities inherit it.
  package unowned(unsafe) let owner: EntityLayout
  package let properties: [PropertyLayout]
  /// The entity that declares the lowest of the properties, the owner or a parent of its: the index is over the whole table,
  /// so that the values of every object of this kind have to be unique.
  package unowned(unsafe) let reach: EntityLayout

  package init(owner: EntityLayout, properties: [PropertyLayout]) {
    self.owner = owner
    self.properties = properties
    reach = properties.map(\.owner).first { entity in properties.allSatisfy { entity.isKind(of: $0.owner) } } ?? owner
  }

  /// Name of the unique index, as Apple's stores have it.
  package var indexName: String {
    let names = properties.map { $0.name.replacing(".", with: "_") }
    return "Z_\(owner.name)_UNIQUE_\(names.joined(separator: "_"))"
  }

  /// The attributes and relationships that give an object its values: for a form of another attribute, that one.
  package var originals: [PropertyLayout] { properties.map { $0.original?.attribute ?? $0 } }

  /// The values that an object has once it is written, in the constraint's order; nil when one is null, so that nothing can
  /// collide.
  package func values(of row: Row) -> [Slot]? {
    var slots: [Slot] = []
    for property in properties {
      var slot = property.part(of: row[property.index])
      if let (attribute, form) = property.original {
        slot = row[attribute.index]
        if case .string(let text) = slot { slot = .string(form.of(text)) }
      }
      if slot.isNull { return nil }
      slots.append(slot)
    }
    return slots
  }
}
