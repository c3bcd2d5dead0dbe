/// Writes the classes that Xcode generates of a model's entities, for those that the model asks it for: a class with its
/// properties ("Class Definition"), or the properties of a class that is written by hand ("Category/Extension").
package struct ModelClassWriter {
  private let entities: [ModelEntity]
  private let classNames: [String: String]

  /// The file's text for all models of a module.
  package static func file(for models: [[ModelEntity]]) -> String {
    let head = "// Made by CoreDataAccessors from the models of this module, as Xcode makes it.\n"
    let bodies = models.map { ModelClassWriter($0).text }.filter { !$0.isEmpty }
    guard !bodies.isEmpty else { return head }
    return head + "\n#if !canImport(ObjectiveC)\nimport CoreData\n\n" + bodies.joined(separator: "\n") + "#endif\n"
  }

  private init(_ entities: [ModelEntity]) {
    self.entities = entities
    classNames = Dictionary(entities.map { ($0.name, $0.className) }, uniquingKeysWith: { first, _ in first })
  }

  private var text: String {
    entities.filter { $0.generation != .none }.map(source).joined(separator: "\n")
  }

  private func source(_ entity: ModelEntity) -> String {
    precondition(entity.generation != .none, "a class is written where the model asks for it")
    let name = entity.className
    var lines: [String] = []
    if entity.generation == .class {
      // The properties are in the class's braces, since no subclass could override those of an extension.
      let parent = entity.parent.flatMap { classNames[$0] } ?? "NSManagedObject"
      let properties = properties(of: entity)
      lines +=
        properties.isEmpty
        ? ["nonisolated public class \(name): \(parent) {}"]
        : ["nonisolated public class \(name): \(parent) {"] + properties + ["}"]
      lines.append("")
    }
    lines += [
      "nonisolated extension \(name) {",
      "  @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {",
      "    NSFetchRequest<\(name)>(entityName: \"\(entity.name)\")", "  }", "",
    ]
    if entity.generation != .class { lines += properties(of: entity) }
    lines.append("}")
    for relationship in entity.relationships where relationship.isToMany {
      lines += ["", "nonisolated extension \(name) {"] + accessors(of: relationship) + ["}"]
    }
    if entity.parent == nil, entity.generation == .class {
      lines += ["", "nonisolated extension \(name): Identifiable {}"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func properties(of entity: ModelEntity) -> [String] {
    let attributes = entity.attributes.compactMap { attribute in attribute.swiftType.map { (attribute.name, $0) } }
    let relationships = entity.relationships.map { ($0.name, type(of: $0)) }
    return (attributes + relationships).map { "  @NSManaged public var \($0): \($1)" }
  }

  private func destination(_ relationship: ModelEntity.Relationship) -> String {
    relationship.destination.flatMap { classNames[$0] } ?? "NSManagedObject"
  }

  private func type(of relationship: ModelEntity.Relationship) -> String {
    guard relationship.isToMany else { return destination(relationship) + "?" }
    return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
  }

  private func accessors(of relationship: ModelEntity.Relationship) -> [String] {
    precondition(relationship.isToMany, "objects are added to a relationship to many and removed from it")
    let name = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
    let destination = destination(relationship)
    let collection = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let ordered = [
      "insertInto\(name)(_ value: \(destination), at idx: Int)", "removeFrom\(name)(at idx: Int)",
      "insertInto\(name)(_ values: [\(destination)], at indexes: NSIndexSet)",
      "removeFrom\(name)(at indexes: NSIndexSet)", "replace\(name)(at idx: Int, with value: \(destination))",
      "replace\(name)(at indexes: NSIndexSet, with values: [\(destination)])",
    ]
    let methods =
      (relationship.isOrdered ? ordered : []) + [
        "addTo\(name)(_ value: \(destination))", "removeFrom\(name)(_ value: \(destination))",
        "addTo\(name)(_ values: \(collection))", "removeFrom\(name)(_ values: \(collection))",
      ]
    return methods.map { "  @NSManaged public func \($0)" }
  }
}

extension ModelEntity.Attribute {
  /// As Xcode declares it; nil for an attribute without a type.
  fileprivate var swiftType: String? {
    switch type {
    case "Integer 16": isScalar ? "Int16" : "NSNumber?"
    case "Integer 32": isScalar ? "Int32" : "NSNumber?"
    case "Integer 64": isScalar ? "Int64" : "NSNumber?"
    case "Double": isScalar ? "Double" : "NSNumber?"
    case "Float": isScalar ? "Float" : "NSNumber?"
    case "Boolean": isScalar ? "Bool" : "NSNumber?"
    case "Decimal": "NSDecimalNumber?"
    case "String": "String?"
    case "Date": "Date?"
    case "Binary": "Data?"
    case "UUID": "UUID?"
    case "URI": "URL?"
    case "Transformable": (customClass ?? "NSObject") + "?"
    default: nil
    }
  }
}
