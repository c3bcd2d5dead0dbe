import Cells
import Checking
import CoreData

// S9.1: parts of descriptions, moved from one to another.

extension RuleTrial {
  /// Each part belongs to the description that got it last, and to none once that one is set without it, or has ended.
  func moveParts() throws {
    func attributes(_ count: Int) -> [NSAttributeDescription] {
      (0..<count).map { ModelParts.attribute("part\($0)", .stringAttributeType, isOptional: true) }
    }
    let entities = { ModelParts.entity("Owner") }
    try moveParts("attributes of entities", entities, attributes(3), \.properties, owner: \.entity) { $0 }
    try moveParts(
      "indexes of entities", entities, (0..<3).map { NSFetchIndexDescription(name: "by\($0)", elements: []) },
      \.indexes, owner: \.entity
    ) { $0 }
    try moveParts(
      "elements of indexes", { NSFetchIndexDescription(name: "by", elements: []) },
      attributes(3).map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }, \.elements,
      owner: \.indexDescription
    ) { $0 }
    try moveParts(
      "entities of models", NSManagedObjectModel.init, ["One", "Two", "Three"].map(ModelParts.entity), \.entities,
      owner: \.managedObjectModel
    ) { $0 }
    let composites = (0..<3).map { _ in NSCompositeAttributeDescription() }
    for composite in composites { composite.elements = attributes(1) }
    try moveParts("composites of entities", entities, composites, \.properties, owner: \.elements[0].entity) { $0 }
    let composed = { () -> NSEntityDescription in
      let (entity, composite) = (ModelParts.entity("Owner"), NSCompositeAttributeDescription())
      composite.name = "composite"
      entity.properties = [composite]
      return entity
    }
    try moveParts("elements of composites", composed, attributes(3), \.elements, owner: \.entity) { $0 }
  }

  private func moveParts<Owner: AnyObject, Kind: AnyObject, Part: AnyObject>(
    _ what: String, _ make: () -> Owner, _ parts: [Part], _ list: ReferenceWritableKeyPath<Owner, [Kind]>,
    owner: KeyPath<Part, Owner?>, _ kind: (Part) -> Kind
  ) throws {
    precondition(parts.count > 1, "some of several parts are moved")
    var owners = (0..<2).map { _ in make() }
    var homes: [Int?] = parts.map { _ in nil }
    for _ in 0..<6 {
      let (place, ends) = (draw(owners.count), chance(1, of: 4))
      let chosen = ends ? [] : some(Array(parts.indices), atMost: parts.count)
      if ends { owners[place] = make() } else { owners[place][keyPath: list] = chosen.map { kind(parts[$0]) } }
      for part in parts.indices {
        if chosen.contains(part) { homes[part] = place } else if homes[part] == place { homes[part] = nil }
      }
      note("\(what): owner \(place) \(ends ? "ends" : "gets \(chosen)")")
      let seen = parts.map { part in
        owners.firstIndex { $0 === part[keyPath: owner] } ?? (part[keyPath: owner] == nil ? nil : -1)
      }
      try require(seen, homes, .wrongValue, "to which owners \(what) belong")
    }
  }
}

extension NSEntityDescription {
  /// The elements of its one property, a composite.
  fileprivate var elements: [NSAttributeDescription] {
    get { (properties.first as? NSCompositeAttributeDescription)?.elements ?? [] }
    set { (properties.first as? NSCompositeAttributeDescription)?.elements = newValue }
  }
}
