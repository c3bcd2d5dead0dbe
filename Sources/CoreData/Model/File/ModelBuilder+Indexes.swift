import RowStore

extension ModelBuilder {
  /// Reads uniqueness constraints, fetch indexes and the compound indexes of old models.
  mutating func readIndexes(_ entity: Entity) {
    var constraints: [[Any]] = []
    for element in entity.element.children("uniquenessConstraints").flatMap({ $0.children("uniquenessConstraint") }) {
      let names = names(element, "constraint", "\(entity.name): uniquenessConstraint", of: entity)
      if !names.isEmpty { constraints.append(names) }
    }
    entity.description.uniquenessConstraints = constraints
    var compound: [[Any]] = []
    for element in entity.element.children("compoundIndexes").flatMap({ $0.children("compoundIndex") }) {
      let names = names(element, "index", "\(entity.name): compoundIndex", of: entity)
      if !names.isEmpty { compound.append(names) }
    }
    entity.description.compoundIndexes = compound
    var indexes: [NSFetchIndexDescription] = []
    for element in entity.element.children("fetchIndex") {
      guard let name = name(element, of: "\(entity.name): fetchIndex") else { continue }
      if indexes.contains(where: { $0.name == name }) {
        problem(element, "\(entity.name): two fetch indexes are called \(name)")
        continue
      }
      let elements = element.children("fetchIndexElement").compactMap { indexElement($0, name, entity) }
      let index = NSFetchIndexDescription(name: name, elements: elements)
      if let text = element["partialIndexPredicate"], !text.isEmpty {
        index.partialIndexPredicate = predicate(
          text, element, "\(entity.name): fetchIndex \(name): partialIndexPredicate")
      }
      indexes.append(index)
    }
    entity.description.indexes = indexes
  }

  private mutating func names(_ element: ModelElement, _ part: String, _ label: String, of entity: Entity) -> [String] {
    let parts = element.children(part)
    if parts.isEmpty { problem(element, "\(label): names no attribute") }
    return parts.compactMap { part in
      guard let name = part["value"], indexed(name, of: entity.description) != nil else {
        problem(part, "\(label): \(part["value"] ?? "?") is no property of the entity")
        return nil
      }
      return name
    }
  }

  /// A property, or an element of a composite attribute by its path.
  private func indexed(_ path: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
    let keys = path.split(separator: ".").map(String.init)
    return keys.first.flatMap { property($0, of: entity) }?.description.element(at: keys.dropFirst())
  }

  private mutating func indexElement(
    _ element: ModelElement, _ index: String, _ entity: Entity
  ) -> NSFetchIndexElementDescription? {
    let label = "\(entity.name): fetchIndex \(index)"
    guard let name = element["property"] else {
      if let expression = element["expression"] {
        warning(element, "\(label): the index of the expression \(expression) is left out")
      } else {
        problem(element, "\(label): names no property")
      }
      return nil
    }
    guard let property = indexed(name, of: entity.description) else {
      problem(element, "\(label): \(name) is no property of the entity")
      return nil
    }
    var type = NSFetchIndexElementType.binary
    switch element["type"]?.lowercased() ?? "binary" {
    case "binary": break
    case "rtree": type = .rTree
    case let other: problem(element, "\(label): type is \"\(other)\"; Binary or RTree")
    }
    let result = NSFetchIndexElementDescription(property: property, collationType: type)
    switch element["order"]?.lowercased() ?? "ascending" {
    case "ascending": break
    case "descending": result.isAscending = false
    case let other: problem(element, "\(label): order is \"\(other)\"; ascending or descending")
    }
    return result
  }
}
