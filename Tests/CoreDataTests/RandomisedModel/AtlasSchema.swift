import CoreData

/// The entities of the randomised test: every kind of relationship, every delete rule, as data.
enum AtlasSchema {
  struct Property: Sendable {
    enum Kind: Sendable {
      case number, text, toOne, toMany
      /// How many words a note has, as the store computes it.
      case wordCount
    }

    let name: String
    let kind: Kind
    var destination = 0
    /// Index of the inverse among the destination's properties.
    var inverse = 0
    var rule = NSDeleteRule.nullifyDeleteRule
    /// Whether the members have an order in ordered worlds.
    var canBeOrdered = false

    /// As a model file has it.
    var ruleName: String {
      switch rule {
      case .cascadeDeleteRule: "Cascade"
      case .denyDeleteRule: "Deny"
      case .noActionDeleteRule: "No Action"
      case .nullifyDeleteRule: "Nullify"
      }
    }

    var isRelationship: Bool { kind == .toOne || kind == .toMany }
  }

  struct Entity: Sendable {
    let name: String
    let properties: [Property]
    let relationships: [Int]
    let attributes: [Int]
    /// Those that can be set.
    let settable: [Int]
    let derived: [Int]
    let toOnes: [Int]
    let toManys: [Int]

    init(_ name: String, _ properties: [Property]) {
      self.name = name
      self.properties = properties
      func indices(_ condition: (Property) -> Bool) -> [Int] { properties.indices.filter { condition(properties[$0]) } }
      relationships = indices(\.isRelationship)
      attributes = indices { $0.kind == .number || $0.kind == .text }
      derived = indices { $0.kind == .wordCount }
      settable = indices { $0.kind != .wordCount }
      toOnes = indices { $0.kind == .toOne }
      toManys = indices { $0.kind == .toMany }
    }
  }

  static let (cover, note, shelf, tag, word) = (0, 1, 2, 3, 4)

  /// In alphabetical order, as the store numbers them.
  static let entities = [
    Entity(
      "Cover",
      [Property(name: "color", kind: .number), Property(name: "note", kind: .toOne, destination: note, inverse: 2)]),
    Entity(
      "Note",
      [
        Property(name: "title", kind: .text), Property(name: "number", kind: .number),
        Property(name: "cover", kind: .toOne, destination: cover, inverse: 1, rule: .cascadeDeleteRule),
        Property(name: "shelf", kind: .toOne, destination: shelf, inverse: 1),
        Property(
          name: "words", kind: .toMany, destination: word, inverse: 1, rule: .cascadeDeleteRule, canBeOrdered: true),
        Property(name: "wordCount", kind: .wordCount),
      ]),
    Entity(
      "Shelf",
      [
        Property(name: "label", kind: .text),
        Property(name: "notes", kind: .toMany, destination: note, inverse: 3, rule: .denyDeleteRule),
      ]),
    Entity(
      "Tag",
      [
        Property(name: "name", kind: .text),
        Property(name: "words", kind: .toMany, destination: word, inverse: 2, canBeOrdered: true),
      ]),
    Entity(
      "Word",
      [
        Property(name: "term", kind: .text), Property(name: "note", kind: .toOne, destination: note, inverse: 4),
        Property(name: "tags", kind: .toMany, destination: tag, inverse: 1),
      ]),
  ]

  /// By entity, the relationship with ordered members in ordered worlds.
  static let orderable = Dictionary(
    uniqueKeysWithValues: entities.enumerated().compactMap { number, entity in
      entity.properties.firstIndex(where: \.canBeOrdered).map { (number, $0) }
    })

  /// The same as a model file.
  static func write(to folder: URL) throws {
    let elements = entities.map { entity in
      let properties = entity.properties.map { property in
        switch property.kind {
        case .number: "<attribute name=\"\(property.name)\" optional=\"YES\" attributeType=\"Integer 64\"/>"
        case .wordCount:
          "<attribute name=\"\(property.name)\" optional=\"YES\" attributeType=\"Integer 64\" derived=\"YES\" "
            + "derivationExpression=\"words.@count\"/>"
        case .text: "<attribute name=\"\(property.name)\" optional=\"YES\" attributeType=\"String\"/>"
        case .toOne, .toMany:
          "<relationship name=\"\(property.name)\" optional=\"YES\" \(property.kind == .toOne ? "maxCount=\"1\"" : "toMany=\"YES\"") "
            + "deletionRule=\"\(property.ruleName)\" destinationEntity=\"\(entities[property.destination].name)\" "
            + "inverseName=\"\(entities[property.destination].properties[property.inverse].name)\" "
            + "inverseEntity=\"\(entities[property.destination].name)\"/>"
        }
      }
      return "<entity name=\"\(entity.name)\">\(properties.joined())</entity>"
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("<?xml version=\"1.0\"?>\n<model>\n\(elements.joined(separator: "\n"))\n</model>".utf8)
      .write(to: folder.appending(path: "contents"))
  }

  private static func wordCount(_ name: String) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    attribute.derivationExpression = NSExpression(format: "words.@count")
    return attribute
  }

  /// The same as a managed object model.
  static func model(isOrdered: Bool = false) -> NSManagedObjectModel {
    let descriptions = entities.map { Notebook.entity($0.name, NSManagedObject.self) }
    var all: [[NSPropertyDescription]] = []
    for entity in entities {
      all.append(
        entity.properties.map { property in
          switch property.kind {
          case .number: Notebook.attribute(property.name, .integer64AttributeType)
          case .wordCount: wordCount(property.name)
          case .text: Notebook.attribute(property.name, .stringAttributeType)
          case .toOne, .toMany:
            Notebook.relationship(
              property.name, to: descriptions[property.destination], maxCount: property.kind == .toOne ? 1 : 0,
              rule: property.rule)
          }
        })
    }
    for (number, entity) in entities.enumerated() {
      for index in entity.relationships {
        let property = entity.properties[index]
        let relationship = all[number][index] as? NSRelationshipDescription
        relationship?.isOrdered = isOrdered && property.canBeOrdered
        relationship?.inverseRelationship =
          all[property.destination][property.inverse] as? NSRelationshipDescription
      }
      descriptions[number].properties = all[number]
    }
    let model = NSManagedObjectModel()
    model.entities = descriptions
    return model
  }
}
