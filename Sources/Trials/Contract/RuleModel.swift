import Cells
import CoreData

/// The model of the trials: items in boxes and on shelves, with tags; every kind of attribute and relationship that a rule is about.
enum RuleModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static let number = "number"
  /// Attributes that the store computes from other rows; a context has them only after it has read a row.
  static let derived: Set = ["itemCount", "total", "boxTitle"]

  private static func make() -> NSManagedObjectModel {
    let (item, box, tag) = (ModelParts.entity("Item"), ModelParts.entity("Box"), ModelParts.entity("Tag"))
    let special = NSEntityDescription()
    special.name = "SpecialItem"
    item.subentities = [special]
    item.properties += [
      attribute("name", .stringAttributeType), attribute("rank", .integer32AttributeType, 3),
      attribute("weight", .doubleAttributeType), attribute("isNew", .booleanAttributeType, true),
      attribute("madeAt", .dateAttributeType), attribute("price", .decimalAttributeType),
    ]
    item.attributesByName[number]?.preservesValueInHistoryOnDeletion = true
    let photo = attribute("photo", .binaryDataAttributeType)
    photo.allowsExternalBinaryDataStorage = true
    let mark = attribute("mark", .stringAttributeType)
    mark.isTransient = true
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.isOptional = true
    place.elements = [attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType)]
    item.properties += [
      photo, mark, place, attribute("code", .UUIDAttributeType), attribute("page", .URIAttributeType),
      attribute("ratio", .floatAttributeType), attribute("level", .integer16AttributeType),
      deriving("boxTitle", .stringAttributeType, "box.title"),
    ]
    special.properties = [attribute("remark", .stringAttributeType)]
    let title = attribute("title", .stringAttributeType)
    title.setValidationPredicates([NSPredicate(format: "length <= 30")], withValidationWarnings: nil)
    box.properties += [title, attribute("size", .integer64AttributeType, 1)]
    tag.properties += [
      attribute("label", .stringAttributeType), attribute("weight", .integer32AttributeType, 5),
      attribute("remark", .stringAttributeType),
    ]
    tag.uniquenessConstraints = [["label"]]
    // Two kinds of lists of a box, and one without inverse.
    ModelParts.connect(
      ModelParts.many("items", item, .cascadeDeleteRule), of: box, ModelParts.one("box", box), of: item)
    let list = ModelParts.many("list", item, .nullifyDeleteRule)
    list.isOrdered = true
    ModelParts.connect(list, of: box, ModelParts.one("shelf", box), of: item)
    let tags = ModelParts.many("tags", tag, .nullifyDeleteRule)
    tags.isOrdered = true
    ModelParts.connect(tags, of: item, ModelParts.many("items", item, .nullifyDeleteRule), of: tag)
    ModelParts.connect(ModelParts.one("cover", item), of: box, ModelParts.one("covered", box), of: item)
    box.properties.append(ModelParts.many("shown", item, .nullifyDeleteRule))
    box.properties += [
      deriving("itemCount", .integer64AttributeType, "items.@count"),
      deriving("total", .integer64AttributeType, "items.@sum.rank"),
    ]
    let all = [item, box, tag].flatMap(\.attributesByName.values).filter { $0 is NSDerivedAttributeDescription }
    precondition(Set(all.map(\.name)) == derived, "the attributes that the store computes are listed")
    let model = NSManagedObjectModel()
    // Without relationships, of which a deletion would read the other sides.
    let plain = ModelParts.entity("Plain")
    plain.properties.append(attribute("rank", .integer64AttributeType))
    model.entities = [item, special, box, tag, plain]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, _ defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = ModelParts.attribute(name, type, isOptional: true)
    attribute.defaultValue = defaultValue
    return attribute
  }

  /// An entity of hooked objects.
  static func hooked(_ name: String) -> NSEntityDescription {
    let (entity, shown) = (ModelParts.entity(name), attribute("shown", .stringAttributeType))
    entity.managedObjectClassName = _typeName(HookedObject.self)
    entity.attributesByName[number]?.defaultValue = 0
    shown.isTransient = true
    entity.properties += [attribute("remark", .stringAttributeType), shown]
    return entity
  }

  static func deriving(_ name: String, _ type: NSAttributeType, _ format: String) -> NSAttributeDescription {
    let derived = NSDerivedAttributeDescription()
    derived.name = name
    derived.attributeType = type
    derived.derivationExpression = NSExpression(format: format)
    return derived
  }

  /// Values of an attribute that are easily confused; null among them.
  static func values(_ attribute: String) -> [Any?] {
    switch attribute {
    case "name", "title", "label", "remark":
      [nil, "", "alpha", "Alpha", "alphabet", "caf\u{e9}", "cafe\u{301}", "cafe\u{301}s", "be*?%_ta", "Z"]
    case "rank", "size": [-7, 0, 1, 1, 2, 3, 2_147_483_647]
    case "weight": [nil, 0, 0, -1, 2, 5, 1_000_000]
    case "isNew": [true, false]
    case "madeAt": [nil, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 86_400.5)]
    case "price":
      [nil] + ["0.1", "12.50", "-3", "-250e127"].map { NSDecimalNumber(string: $0) }
    case "place":
      [nil, ["city": "alpha", "zip": 1], ["city": "alpha"], ["zip": -2], ["city": "Z", "zip": 2_147_483_647]]
    case "code": [nil, DrawnValue.value(.UUIDAttributeType, 1), DrawnValue.value(.UUIDAttributeType, 2)]
    case "page": [nil, DrawnValue.value(.URIAttributeType, 1), DrawnValue.value(.URIAttributeType, 2)]
    case "ratio": [nil, Float(0.25), Float(-1.5), Float(7.5)]
    case "level": [nil, -32_768, 0, 1, 32_767]
    case "photo":
      [nil, Data(), Data([1, 2, 3]), Data(repeating: 7, count: 120_000), Data(repeating: 9, count: 150_000)]
    default: [nil]
    }
  }

  /// The attributes of an entity that are given values.
  static func attributes(of entity: String) -> [String] {
    switch entity {
    case "Item":
      ["name", "rank", "weight", "isNew", "madeAt", "price", "photo", "place", "code", "page", "ratio", "level"]
    case "SpecialItem": attributes(of: "Item") + ["remark"]
    case "Box": ["title", "size"]
    case "Tag": ["label", "weight", "remark"]
    default: preconditionFailure("\(entity) is an entity of the model")
    }
  }
}
