import Cells
import Checking
import CoreData
import SQLite

// S6.4, S9.1, S9.2: a model with drawn indexes, templates and relationships, asked for each of them; and what a copy of it makes of
// its store.

extension RuleTrial {
  /// A model answers for what it was made of, and so do its copy and the copy of that, for one store.
  func askModels() throws {
    let drawn = DrawnParts(self)
    let model = drawn.make()
    let copy = model.copy() as? NSManagedObjectModel
    guard let copy, let second = copy.copy() as? NSManagedObjectModel else {
      return try report(.wrongValue, "the copy of a model", expected: "a model", seen: "none")
    }
    note("a model with the indexes \(drawn.indexes) and the relationships \(drawn.relationships)")
    let url = newURL()
    let order = shuffled([(model, "a model"), (copy, "its copy"), (second, "the copy of its copy")])
    for (number, (asked, text)) in order.enumerated() {
      try ask(asked, drawn, text)
      // Asked again once it is in use.
      try use(asked, drawn, number, at: url, text)
      try ask(asked, drawn, text + " in use")
    }
    for (asked, text) in order {
      let alone = newURL()
      let coordinator = try open(asked, at: alone)
      try require(try indexes(at: alone), drawn.statements, .wrongValue, "the indexes of a store of \(text)")
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  // MARK: Answers

  private func ask(_ model: NSManagedObjectModel, _ drawn: DrawnParts, _ text: String) throws {
    guard let base = model.entitiesByName["Base"], let other = model.entitiesByName["Other"] else {
      return try report(.wrongValue, "the entities of \(text)", expected: "Base, Other", seen: "neither")
    }
    let heirs = base.subentitiesByName
    try require(heirs.keys.sorted(), drawn.heirs, .wrongValue, "the sub-entities of \(text)")
    try require(
      heirs.allSatisfy { $0.value.name == $0.key && $0.value.superentity === base && $0.value.isKindOf(entity: base) },
      true, .wrongValue, "whether sub-entities of \(text) have their names and their parent")
    for entity in [base] + heirs.values.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      let name = entity.name ?? ""
      for (key, destination) in model.entitiesByName {
        let seen = entity.relationships(forDestination: destination).map(\.name).sorted()
        let expected = drawn.relationships.filter { $0.value == key }.keys.sorted()
        try require(seen, expected, .wrongValue, "relationships of \(name) to \(key) in \(text)")
      }
      try require(
        entity.attributesByName.keys.sorted(),
        (["number", "text", "size"] + (name == "Base" ? [] : ["of" + name])).sorted(),
        .wrongValue, "the attributes of \(name) in \(text)")
    }
    try require(other.relationships(forDestination: other).count, 0, .wrongValue, "relationships of Other to itself")
    try askTemplates(model, drawn, text)
    try require(
      base.indexes.map(\.name), drawn.indexes.map(\.name), .wrongValue, "the names of the indexes of \(text)")
    for (index, expected) in zip(base.indexes, drawn.indexes) {
      let elements = index.elements.map { "\($0.propertyName ?? "") \($0.isAscending) \($0.collationType)" }
      try require(
        elements, expected.keys.map { "\($0) \(expected.isAscending) \(expected.type)" }, .wrongValue,
        "the elements of index \(index.name) of \(text)")
      try require(
        index.partialIndexPredicate.map { "\($0)" },
        expected.predicate.map { "\(NSPredicate(format: $0, argumentArray: []))" },
        .wrongValue, "the predicate of index \(index.name) of \(text)")
      try require(
        [
          index.entity === base,
          index.elements.allSatisfy { $0.property === base.propertiesByName[$0.propertyName ?? ""] },
        ],
        [true, true], .wrongValue, "whether index \(index.name) is about the entity of \(text)")
    }
  }

  /// Templates by name, each a copy, and with values in the place of variables.
  private func askTemplates(_ model: NSManagedObjectModel, _ drawn: DrawnParts, _ text: String) throws {
    let all = model.fetchRequestTemplatesByName
    try require(Set(all.keys), ["sized", "numbered"], .wrongValue, "the templates of \(text)")
    all["numbered"]?.predicate = nil
    all["numbered"]?.fetchLimit = 1
    let numbered = model.fetchRequestTemplate(forName: "numbered")
    try require(
      [numbered?.predicate.map { "\($0)" }, numbered.map { "\($0.fetchLimit)" }],
      ["\(NSPredicate(format: "number >= 0"))", "0"], .wrongValue, "a template of \(text) after a change of its copy")
    let sized = model.fetchRequestFromTemplate(withName: "sized", substitutionVariables: ["LEAST": drawn.least])
    try require(
      sized?.predicate.map { "\($0)" }, "\(NSPredicate(format: "size >= %ld", drawn.least))", .wrongValue,
      "the predicate of a template of \(text) with a value")
    try require(
      [sized?.entityName, sized.map { "\($0.fetchLimit)" }], ["Base", "2"], .wrongValue,
      "entity and limit of a template of \(text)")
    try require(
      model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil, true, .wrongValue,
      "whether there is no template of another name")
  }

  // MARK: Stores

  /// Inserts an object, finds it and those of the models before by templates, and is refused what a rule refuses.
  private func use(
    _ model: NSManagedObjectModel, _ drawn: DrawnParts, _ number: Int, at url: URL, _ text: String
  ) throws {
    let coordinator = try open(model, at: url)
    let owner = context(coordinator)
    try owner.performAndWait {
      let name = pick(drawn.heirs) ?? "Base"
      let object = NSEntityDescription.insertNewObject(forEntityName: name, into: owner)
      try require(
        [RulePicture.text(object.value(forKey: "text")), RulePicture.text(object.value(forKey: "size"))],
        [drawn.given, "0"], .wrongValue, "the defaults of an object of \(text)")
      object.setValue(number, forKey: "number")
      object.setValue(drawn.least + number, forKey: "size")
      try save(owner)
      object.setValue("much too long", forKey: "text")
      let error = AnythingClient.error { try owner.save() }
      try require(error?.code, NSValidationStringTooLongError, .wrongValue, "the error of a rule of \(text)")
      owner.rollback()
      for (template, count) in [("numbered", number + 1), ("sized", min(2, number + 1))] {
        guard
          let request = model.fetchRequestFromTemplate(
            withName: template, substitutionVariables: ["LEAST": drawn.least])
        else { continue }
        try require(
          try owner.fetch(request).count, count, .wrongValue, "objects by \(template), a template of \(text)")
      }
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The indexes of the table of Base that the model asked for.
  private func indexes(at url: URL) throws -> [String] {
    precondition(FileManager.default.fileExists(atPath: url.path), "the store is in a file")
    let connection = try Connection(path: url.path, mode: .readOnly)
    defer { connection.close() }
    let statement = try connection.prepare(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND name GLOB 'Z_Base_by*' ORDER BY sql")
    var found: [String] = []
    while try statement.step() { found += [statement.text(at: 0)].compactMap { $0 } }
    statement.reset()
    return found
  }
}

/// Drawn indexes, relationships, sub-entities and values.
private struct DrawnParts {
  struct Index {
    let name: String
    let keys: [String]
    let isAscending: Bool
    let type: NSFetchIndexElementType
    let predicate: String?
  }

  let indexes: [Index]
  /// Destinations by name.
  let relationships: [String: String]
  let heirs: [String]
  let least: Int
  /// The default of a text.
  let given: String

  init(_ trial: RuleTrial) {
    indexes = (0..<(1 + trial.draw(4))).map { number in
      let keys = trial.shuffled(["number", "text", "size"]).prefix(1 + trial.draw(3))
      return Index(
        name: "by\(trial.pick(["", " ", "-", "\"", "'"]) ?? "")\(number)", keys: Array(keys),
        isAscending: trial.chance(1, of: 2),
        type: keys.contains("text") || trial.chance(2, of: 3) ? .binary : .rTree,
        predicate: trial.chance(1, of: 3) ? "size > 3" : nil)
    }
    let count = 1 + trial.draw(4)
    relationships = Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("to\($0)", trial.pick(["Base", "Other", "SubA"]) ?? "Base") })
    heirs = ["SubA"] + trial.some(["SubB", "SubC"], atMost: 2).sorted()
    least = trial.draw(100)
    given = trial.pick(["", "a", "default"]) ?? ""
    precondition(Set(indexes.map(\.name)).count == indexes.count, "no two indexes have one name")
  }

  /// The statements of the indexes that a file has: those of some rows, or of ranges, are left out.
  var statements: [String] {
    indexes.filter { $0.predicate == nil && $0.type == .binary }.map { index in
      let columns = index.keys.map { "Z\($0.uppercased()) COLLATE BINARY \(index.isAscending ? "ASC" : "DESC")" }
      let isWord = index.name.allSatisfy { $0.isLetter || $0.isNumber }
      let name = "Z_Base_" + index.name.replacing("\"", with: "\"\"")
      return "CREATE INDEX \(isWord ? name : "\"\(name)\"") ON ZBASE (\(columns.joined(separator: ", ")))"
    }.sorted()
  }

  func make() -> NSManagedObjectModel {
    let (base, other) = (ModelParts.entity("Base"), ModelParts.entity("Other"))
    let text = ModelParts.attribute("text", .stringAttributeType, isOptional: true)
    text.defaultValue = given
    text.setValidationPredicates([NSPredicate(format: "length <= 9")], withValidationWarnings: nil)
    let size = ModelParts.attribute("size", .integer32AttributeType, isOptional: false)
    size.defaultValue = 0
    base.properties += [text, size]
    base.subentities = heirs.map { name in
      let heir = NSEntityDescription()
      heir.name = name
      heir.properties = [ModelParts.attribute("of" + name, .integer64AttributeType, isOptional: true)]
      return heir
    }
    let entities = [base, other] + base.subentities
    precondition(
      relationships.values.allSatisfy { name in entities.contains { $0.name == name } },
      "a relationship leads to an entity of the model")
    for (name, destination) in relationships.sorted(by: { $0.key < $1.key }) {
      guard let entity = entities.first(where: { $0.name == destination }) else { continue }
      base.properties.append(ModelParts.many(name, entity, .nullifyDeleteRule))
    }
    base.indexes = indexes.map { index in
      let elements = index.keys.compactMap { base.attributesByName[$0] }.map { attribute in
        let element = NSFetchIndexElementDescription(property: attribute, collationType: index.type)
        element.isAscending = index.isAscending
        return element
      }
      let made = NSFetchIndexDescription(name: index.name, elements: elements)
      made.partialIndexPredicate = index.predicate.map { NSPredicate(format: $0, argumentArray: []) }
      return made
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    let sized = NSFetchRequest<any NSFetchRequestResult>(entityName: "Base")
    sized.predicate = NSPredicate(format: "size >= $LEAST")
    sized.fetchLimit = 2
    model.setFetchRequestTemplate(sized, forName: "sized")
    let numbered = NSFetchRequest<any NSFetchRequestResult>(entityName: "Base")
    numbered.predicate = NSPredicate(format: "number >= 0")
    model.setFetchRequestTemplate(numbered, forName: "numbered")
    return model
  }
}
