import RowStore

/// Writes the copy of a model that a store keeps: the keyed archive that Apple's stores have, compressed.
///
/// It has the parts that the store's tables are made of, which a migration compares: entities and stored properties, without
/// templates, configurations, fetched properties and rules.
struct ModelArchiver {
  private typealias Value = BinaryPropertyList.Value

  private var objects: [Value] = [.string("$null")]
  private var texts: [String: Int] = [:]
  private var classes: [String: Int] = [:]
  private var entities: [ObjectIdentifier: Int] = [:]
  private var properties: [ObjectIdentifier: Int] = [:]
  private let model = 1

  /// The bits of `_P` that say which fields are absent, and those of flags.
  private enum Presence {
    static let always = 0b0000_0001
    static let optional = 0b0000_0010
    static let readOnly = 0b0000_0100
    static let transient = 0b0000_1000
    static let noRules = 0b0011_0000
    static let noUserInfo = 0b0100_0000
    static let noModifier = 0b1000_0000
    static let ordered = 0b100_0000_0000
  }

  /// The content of `Z_MODELCACHE`.
  static func cache(_ entities: [NSEntityDescription], identifiers: [String]) throws -> Data {
    Data(try Deflate.compress(archive(entities, identifiers: identifiers)))
  }

  /// The archive itself.
  static func archive(_ entities: [NSEntityDescription], identifiers: [String]) -> [UInt8] {
    var archiver = ModelArchiver()
    archiver.add(entities, identifiers)
    return BinaryPropertyList.write(
      .dictionary([
        "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
        "$top": .dictionary(["root": .uid(archiver.model)]), "$objects": .array(archiver.objects),
      ]))
  }

  private mutating func add(_ members: [NSEntityDescription], _ identifiers: [String]) {
    objects.append(.null)
    precondition(objects.count == model + 1, "the model has its place behind that of null")
    // Every entity and property has its place before one refers to another.
    for entity in members {
      entities[ObjectIdentifier(entity)] = reserve()
      for property in stored(entity) { properties[ObjectIdentifier(property)] = reserve() }
    }
    for entity in members { add(entity) }
    objects[model] = object(
      "NSManagedObjectModel",
      [
        "NSEntities": dictionary(members.map { ($0.name ?? "", reference($0)) }),
        "NSFetchRequestTemplates": .uid(0),
        "NSVersionIdentifiers": list("NSSet", identifiers.map { text($0) }),
      ])
  }

  private func stored(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    entity.ownProperties.filter { !($0 is NSFetchedPropertyDescription) }
  }

  private mutating func add(_ entity: NSEntityDescription) {
    guard let place = entities[ObjectIdentifier(entity)] else { return }
    for property in stored(entity) { add(property, of: entity) }
    var fields: [String: Value] = [
      "NSEntityName": text(entity.name), "NSClassNameForEntity": text(entity.managedObjectClassName),
      "NSManagedObjectModel": .uid(model), "NSRenamingIdentifier": text(entity.renamingIdentifier),
      "NSVersionHashModifier": text(entity.versionHashModifier), "NSSuperentity": reference(entity.superentity),
      "NSSubentities": dictionary(entity.subentities.map { ($0.name ?? "", reference($0)) }),
      "NSProperties": dictionary(
        stored(entity).map { ($0.name, .uid(properties[ObjectIdentifier($0)] ?? 0)) }),
      "NSUserInfo": userInfo(entity.userInfo),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .bool(true) }
    if !entity.uniquenessConstraints.isEmpty { fields["NSUniqueTuples"] = keyLists(entity.uniquenessConstraints) }
    objects[place] = object("NSEntityDescription", fields)
  }

  private mutating func add(_ property: NSPropertyDescription, of entity: NSEntityDescription) {
    guard let place = properties[ObjectIdentifier(property)] else { return }
    var fields = common(property)
    fields["NSEntity"] = reference(entity)
    switch property {
    case let relationship as NSRelationshipDescription:
      let inverse = relationship.inverseRelationship
      fields["NSDestinationEntity"] = reference(relationship.destinationEntity)
      fields["_NSDestinationEntityName"] = text(relationship.destinationEntity?.name)
      fields["NSInverseRelationship"] = .uid(inverse.flatMap { properties[ObjectIdentifier($0)] } ?? 0)
      fields["_NSInverseRelationshipName"] = text(inverse?.name)
      fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
      fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
      fields["NSMinCount"] = .integer(Int64(relationship.minCount))
      if relationship.isOrdered { fields["NSIsOrdered"] = .bool(true) }
      objects[place] = object("NSRelationshipDescription", fields)
    case let attribute as NSAttributeDescription: objects[place] = archived(attribute, fields)
    default: break
    }
  }

  private mutating func archived(_ attribute: NSAttributeDescription, _ common: [String: Value]) -> Value {
    var fields = common
    fields["NSAttributeType"] = .integer(Int64(attribute.attributeType.rawValue))
    fields["NSAttributeValueClassName"] = text(attribute.attributeValueClassName)
    fields["NSValueTransformerName"] = text(attribute.valueTransformerName)
    fields["NSDefaultValue"] = defaultValue(attribute)
    fields["NSFlagsKey"] = .integer(
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
    if let derived = attribute as? NSDerivedAttributeDescription {
      fields["NSIsReadOnly"] = .bool(true)
      fields["NSDerivationExpression"] = derived.derivationExpression.map { expression($0) } ?? .uid(0)
      return object("NSDerivedAttributeDescription", fields)
    }
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return object("NSAttributeDescription", fields)
    }
    fields["NSElements"] = list("NSArray", composite.elements.map { .uid(add(archived($0, self.common($0)))) })
    return object("NSCompositeAttributeDescription", fields)
  }

  private mutating func common(_ property: NSPropertyDescription) -> [String: Value] {
    var presence = Presence.always | Presence.noRules
    if property.isOptional { presence |= Presence.optional }
    if property.isTransient { presence |= Presence.transient }
    if property is NSDerivedAttributeDescription { presence |= Presence.readOnly }
    if (property as? NSRelationshipDescription)?.isOrdered ?? false { presence |= Presence.ordered }
    presence |= (property.userInfo ?? [:]).isEmpty ? Presence.noUserInfo : 0
    presence |= property.versionHashModifier == nil ? Presence.noModifier : 0
    var fields: [String: Value] = [
      "NSPropertyName": text(property.name), "NSRenamingIdentifier": text(property.renamingIdentifier),
      "_P": .integer(Int64(presence)),
    ]
    if property.isOptional { fields["NSIsOptional"] = .bool(true) }
    if property.isTransient { fields["NSIsTransient"] = .bool(true) }
    if property.isIndexed { fields["NSIsIndexed"] = .bool(true) }
    if let modifier = property.versionHashModifier { fields["NSVersionHashModifier"] = text(modifier) }
    if !(property.userInfo ?? [:]).isEmpty { fields["NSUserInfo"] = userInfo(property.userInfo) }
    return fields
  }

  // MARK: Values

  private mutating func reserve() -> Int { add(.null) }

  private mutating func add(_ value: Value) -> Int {
    objects.append(value)
    return objects.count - 1
  }

  private func reference(_ entity: NSEntityDescription?) -> Value {
    .uid(entity.flatMap { entities[ObjectIdentifier($0)] } ?? 0)
  }

  private mutating func text(_ text: String?) -> Value {
    guard let text else { return .uid(0) }
    if let known = texts[text] { return .uid(known) }
    let place = add(.string(text))
    texts[text] = place
    return .uid(place)
  }

  private mutating func object(_ className: String, _ fields: [String: Value]) -> Value {
    var place = classes[className]
    if place == nil {
      let names = [className] + (Self.ancestors[className] ?? []) + ["NSObject"]
      place = add(.dictionary(["$classname": .string(className), "$classes": .array(names.map { .string($0) })]))
      classes[className] = place
    }
    return .dictionary(fields.merging(["$class": .uid(place ?? 0)]) { own, _ in own })
  }

  private static let ancestors = [
    "NSAttributeDescription": ["NSPropertyDescription"], "NSRelationshipDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSMutableDictionary": ["NSDictionary"], "NSMutableArray": ["NSArray"],
    "NSConstantValueExpression": ["NSExpression"], "NSSelfExpression": ["NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"], "NSFunctionExpression": ["NSExpression"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"],
  ]

  private mutating func list(_ className: String, _ members: [Value]) -> Value {
    .uid(add(object(className, ["NS.objects": .array(members)])))
  }

  private mutating func dictionary(_ pairs: [(String, Value)]) -> Value {
    let keys = pairs.map { text($0.0) }
    return .uid(add(object("NSMutableDictionary", ["NS.keys": .array(keys), "NS.objects": .array(pairs.map(\.1))])))
  }

  private mutating func userInfo(_ info: [AnyHashable: Any]?) -> Value {
    let pairs = (info ?? [:]).compactMap { key, value in
      (key.base as? String).flatMap { key in (value as? String).map { (key, $0) } }
    }
    return dictionary(pairs.sorted { $0.0 < $1.0 }.map { ($0, text($1)) })
  }

  private mutating func keyLists(_ lists: [[Any]]) -> Value {
    let members = lists.map { keys in
      list("NSMutableArray", keys.map { text(NSPropertyDescription.keyPath(of: $0)) })
    }
    return list("NSMutableArray", members)
  }

  /// Numbers, texts and dates; others have no influence on a table, and are left out.
  private mutating func defaultValue(_ attribute: NSAttributeDescription) -> Value {
    switch attribute.defaultValue {
    case let flag as Bool where attribute.attributeType == .booleanAttributeType: return .uid(add(.bool(flag)))
    case let text as String: return self.text(text)
    case let date as Date:
      return .uid(add(object("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])))
    case let number as NSNumber where !(number is NSDecimalNumber):
      // As a Double, an integer of more than 53 bits is another number.
      let isFraction = [0x64, 0x66].contains(number.objCType.pointee)
      let whole = isFraction ? Int64(exactly: number.doubleValue) : number.int64Value
      return .uid(add(whole.map { .integer($0) } ?? .real(number.doubleValue)))
    default: return .uid(0)
    }
  }

  // MARK: Derivations

  private mutating func expression(_ expression: NSExpression) -> Value {
    switch expression.form {
    case .keyPath(let path):
      let keys = path.split(separator: ".").map(String.init)
      // A collection's operators are archived as functions.
      if let position = keys.firstIndex(where: { $0.hasPrefix("@") }) {
        let rest = keys.enumerated().filter { $0.offset != position }.map(\.element).joined(separator: ".")
        return function("\(keys[position].dropFirst()):", [keyPath(rest)])
      }
      return keyPath(path)
    case .function(let name, nil, let arguments):
      return function(name, arguments.map { self.expression($0) })
    default: return .uid(0)
    }
  }

  private mutating func function(_ name: String, _ arguments: [Value]) -> Value {
    let utilities = object(
      "NSConstantValueExpression",
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": text("_NSPredicateUtilities")])
    return .uid(
      add(
        object(
          "NSFunctionExpression",
          [
            "NSExpressionType": .integer(4), "NSSelectorName": text(name), "NSOperand": .uid(add(utilities)),
            "NSArguments": list("NSMutableArray", arguments),
          ])))
  }

  private mutating func keyPath(_ path: String) -> Value {
    let own = add(object("NSSelfExpression", ["NSExpressionType": .integer(1)]))
    let specifier = add(
      object("NSKeyPathSpecifierExpression", ["NSExpressionType": .integer(10), "NSKeyPath": text(path)]))
    return .uid(
      add(
        object(
          "NSKeyPathExpression",
          [
            "NSExpressionType": .integer(3), "NSOperand": .uid(own),
            "NSSelectorName": text(path.contains(".") ? "valueForKeyPath:" : "valueForKey:"),
            "NSArguments": list("NSMutableArray", [.uid(specifier)]),
          ])))
  }
}
