import RowStore

extension CompiledModelBuilder {
  /// The bits of `NSFlagsKey`: the third flag of an attribute in Apple's header, and the one that a store's model has for an
  /// attribute that is kept after a deletion.
  private enum AttributeFlag {
    static let externalStorage: Int64 = 4
    static let keptAfterDeletion: Int64 = 16
  }

  /// Composites of composites end here.
  private static var compositeDepthMax: Int { 4 }

  /// Makes a property; the caller sets its name and the parts that all properties have.
  mutating func property(
    _ object: ModelArchive.Object, _ label: String, depth: Int = 0
  ) throws -> NSPropertyDescription? {
    switch object.className {
    case "NSRelationshipDescription":
      let relationship = NSRelationshipDescription()
      relationship.maxCount = Int(clamping: archive.number(object["NSMaxCount"]))
      relationship.minCount = Int(clamping: archive.number(object["NSMinCount"]))
      relationship.isOrdered = archive.flag(object["NSIsOrdered"])
      let rule = archive.number(object["NSDeleteRule"])
      if let known = NSDeleteRule(rawValue: UInt(clamping: rule)) {
        relationship.deleteRule = known
      } else {
        problem("\(label): its delete rule is \(rule), which is not a delete rule")
      }
      return relationship
    case "NSFetchedPropertyDescription": return NSFetchedPropertyDescription()
    case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
      return try attribute(object, label, depth: depth)
    default:
      problem("\(label): is of the class \(object.className), which is no property")
      return nil
    }
  }

  private mutating func attribute(
    _ object: ModelArchive.Object, _ label: String, depth: Int
  ) throws -> NSAttributeDescription? {
    let number = archive.number(object["NSAttributeType"])
    guard let type = NSAttributeType(rawValue: UInt(clamping: number)) else {
      problem("\(label): its type is \(number), which is not an attribute type")
      return nil
    }
    let attribute: NSAttributeDescription
    switch object.className {
    case "NSDerivedAttributeDescription":
      let derived = NSDerivedAttributeDescription()
      if let expression = try formats.expression(object["NSDerivationExpression"], in: archive) {
        derived.derivationExpression = Self.derivation(expression)
      } else {
        problem("\(label): a derived attribute needs an expression")
      }
      attribute = derived
    case "NSCompositeAttributeDescription":
      let composite = NSCompositeAttributeDescription()
      composite.elements = try elements(object, label, depth: depth)
      attribute = composite
    default: attribute = NSAttributeDescription()
    }
    attribute.attributeType = type
    attribute.valueTransformerName = try archive.text(object["NSValueTransformerName"])
    if type == .transformableAttributeType {
      attribute.attributeValueClassName = try archive.text(object["NSAttributeValueClassName"])
    }
    let flags = archive.number(object["NSFlagsKey"])
    attribute.allowsExternalBinaryDataStorage = flags & AttributeFlag.externalStorage != 0
    attribute.preservesValueInHistoryOnDeletion = flags & AttributeFlag.keptAfterDeletion != 0
    do {
      attribute.defaultValue = try archive.foundationValue(object["NSDefaultValue"])
    } catch {
      warning("\(label): its default value is left out: \(error)")
    }
    return attribute
  }

  /// The functions of a compiled derivation as the operators that a model's file has.
  private static func derivation(_ expression: NSExpression) -> NSExpression {
    guard case .function(let name, _, let arguments) = expression.form, ["count:", "sum:"].contains(name),
      arguments.count == 1, case .keyPath(let path) = arguments[0].form
    else { return expression }
    if name == "count:" { return NSExpression(forKeyPath: path + ".@count") }
    var keys = path.split(separator: ".").map(String.init)
    keys.insert("@sum", at: max(keys.count - 1, 0))
    return NSExpression(forKeyPath: keys.joined(separator: "."))
  }

  private mutating func elements(
    _ object: ModelArchive.Object, _ label: String, depth: Int
  ) throws -> [NSAttributeDescription] {
    guard depth < Self.compositeDepthMax else {
      problem("\(label): composites within composites, more than \(Self.compositeDepthMax) deep")
      return []
    }
    var elements: [NSAttributeDescription] = []
    for value in try archive.list(object["NSElements"]) {
      guard let part = try archive.object(value), let name = try identifier(part["NSPropertyName"], of: label),
        let element = try property(part, "\(label).\(name)", depth: depth + 1) as? NSAttributeDescription
      else { continue }
      element.name = name
      try readCommon(part, element)
      elements.append(element)
    }
    if elements.isEmpty { warning("\(label): its composite has no attributes, and so it has no value") }
    return elements
  }

  /// Reads the parts that all properties have.
  mutating func readCommon(_ object: ModelArchive.Object, _ property: NSPropertyDescription) throws {
    property.isOptional = archive.flag(object["NSIsOptional"])
    property.isTransient = !(property is NSFetchedPropertyDescription) && archive.flag(object["NSIsTransient"])
    property.isIndexed = archive.flag(object["NSIsIndexed"])
    property.versionHashModifier = try archive.text(object["NSVersionHashModifier"])
    if let identifier = try archive.text(object["NSRenamingIdentifier"]), identifier != property.name {
      property.renamingIdentifier = identifier
    }
    property.userInfo = try userInfo(object["NSUserInfo"])
    var rules: [NSPredicate] = []
    for value in try archive.list(object["NSValidationPredicates"]) {
      if let rule = try formats.predicate(value, in: archive) { rules.append(rule) }
    }
    let warnings = try archive.list(object["NSValidationWarnings"]).compactMap { try archive.foundationValue($0) }
    property.setValidation(rules, warnings: warnings.filter { $0 is String || $0 is NSNumber })
  }

  // MARK: Indexes

  mutating func readIndexes(_ object: ModelArchive.Object, _ entity: NSEntityDescription) throws {
    let label = entity.name ?? ""
    entity.uniquenessConstraints = try keyLists(object["NSUniqueTuples"], "\(label): a constraint", entity)
    entity.compoundIndexes = try keyLists(object["NSCompoundIndexes"], "\(label): a compound index", entity)
    var indexes: [NSFetchIndexDescription] = []
    for value in try archive.list(object["NSFetchIndexDescriptions"]) {
      guard let index = try archive.object(value),
        let name = try identifier(index["NSIndexName"], of: "\(label): a fetch index")
      else { continue }
      var elements: [NSFetchIndexElementDescription] = []
      for value in try archive.list(index["NSIndexElements"]) {
        guard let part = try archive.object(value) else { continue }
        guard let key = try archive.text(part["NSPropertyName"]), let property = Self.property(key, of: entity) else {
          warning("\(label): an element of the index \(name) is no property of the entity, and left out")
          continue
        }
        let type = NSFetchIndexElementType(rawValue: UInt(clamping: archive.number(part["NSFetchIndexElementType"])))
        let element = NSFetchIndexElementDescription(property: property, collationType: type ?? .binary)
        element.isAscending = archive.flag(part["NSAscending"])
        elements.append(element)
      }
      let description = NSFetchIndexDescription(name: name, elements: elements)
      description.partialIndexPredicate = try formats.predicate(index["NSPartialIndexPredicate"], in: archive)
      indexes.append(description)
    }
    entity.indexes = indexes
  }

  /// A property, or an element of a composite attribute by its path.
  private static func property(_ path: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
    let keys = path.split(separator: ".").map(String.init)
    return keys.first.flatMap { entity.propertiesByName[$0] }?.element(at: keys.dropFirst())
  }

  private mutating func keyLists(
    _ value: ModelArchive.Value?, _ label: String, _ entity: NSEntityDescription
  ) throws -> [[Any]] {
    var lists: [[Any]] = []
    for value in try archive.list(value) {
      let keys = try archive.list(value).compactMap { part in
        try archive.text(part) ?? (try archive.object(part)).flatMap { try archive.text($0["NSPropertyName"]) }
      }
      if let unknown = keys.first(where: { Self.property($0, of: entity) == nil }) {
        problem("\(label): \(unknown) is no property of the entity")
      } else if !keys.isEmpty {
        lists.append(keys)
      }
    }
    return lists
  }
}
