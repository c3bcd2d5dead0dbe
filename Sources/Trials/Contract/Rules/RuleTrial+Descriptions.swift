import Cells
import Checking
import CoreData

// S9.1, S9.2: each setting of everything that a model has: it is what was set, a copy has it, equality and version hashes see a
// change of it or not; and a model made of copies opens the store of its originals, with the same defaults, rules and indexes.

extension RuleTrial {
  func descriptions() throws {
    for _ in 0..<2 {
      try copyProperties()
      try copyIndexes()
      try copyEntities()
    }
    try copyModels()
    try moveParts()
    try askModels()
  }

  // MARK: Settings

  private func propertySettings() -> [Settable<NSPropertyDescription>] {
    let rules: [[NSPredicate]] = [[], [NSPredicate(format: "SELF > 1")], [NSPredicate(format: "length < 9")]]
    return [
      Settable("name", \.name, ["alpha", "beta", "caf\u{e9}"], isHashed: true),
      Settable("isOptional", \.isOptional, [true, false], isHashed: true),
      Settable("isTransient", \.isTransient, [false, true], isHashed: true),
      Settable("userInfo", \.userInfo, [nil, [:], ["key": "1"], ["key": "2"], ["other": 1]]),
      Settable("renamingIdentifier", \.renamingIdentifier, ["before", "long before"]),
      Settable("versionHashModifier", \.versionHashModifier, [nil, "1", "2"], isHashed: true),
      Settable("isIndexed", \.isIndexed, [false, true]),
      Settable("isIndexedBySpotlight", \.isIndexedBySpotlight, [false, true]),
      Settable("isStoredInExternalRecord", \.isStoredInExternalRecord, [false, true]),
      Settable(
        "validation", ["none", "[SELF > 1]", "[length < 9] \"too long\""],
        set: { $0.setValidationPredicates(rules[$1], withValidationWarnings: $1 == 2 ? ["too long"] : nil) },
        text: { property in
          guard let first = property.validationPredicates.first else { return "none" }
          return "[\(first)]" + property.validationWarnings.map { " \"\($0)\"" }.joined()
        }),
    ]
  }

  private func attributeSettings() -> [Settable<NSAttributeDescription>] {
    let types: [NSAttributeType] = [
      .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType, .dateAttributeType, .decimalAttributeType,
      .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType, .transformableAttributeType,
    ]
    let newTypes: [NSAttributeDescription.AttributeType] = [
      .string, .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .decimal, .binaryData, .uuid, .uri,
      .transformable,
    ]
    precondition(types.count == newTypes.count, "each type has its newer name")
    let own: [Settable<NSAttributeDescription>] = [
      Settable(
        "type", types.map { "\($0)" }, isHashed: true,
        set: { if $1.isMultiple(of: 2) { $0.attributeType = types[$1] } else { $0.type = newTypes[$1] } },
        text: { "\($0.type.rawValue == $0.attributeType ? $0.attributeType : .undefinedAttributeType)" }),
      Settable("defaultValue", \.defaultValue, [nil, 1, "text", 2.5, Data([1])]),
      Settable("valueTransformerName", \.valueTransformerName, [nil, "One", "Other"]),
      Settable(
        "allowsExternalBinaryDataStorage", \.allowsExternalBinaryDataStorage, [false, true], isHashed: true),
      Settable(
        "preservesValueInHistoryOnDeletion", \.preservesValueInHistoryOnDeletion, [false, true], isHashed: true),
      Settable("allowsCloudEncryption", \.allowsCloudEncryption, [false, true]),
      Settable("attributeValueClassName", \.attributeValueClassName, ["NSArray", "NSString"]),
    ]
    return propertySettings().map { $0.of(NSAttributeDescription.self) } + own
  }

  private func relationshipSettings() -> [Settable<NSRelationshipDescription>] {
    let rules: [NSDeleteRule] = [.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule]
    let others = ["Other", "Another"].map(ModelParts.entity)
    let inverses = ["first", "second"].map { ModelParts.one($0, others[0]) }
    let own: [Settable<NSRelationshipDescription>] = [
      Settable("deleteRule", \.deleteRule, rules),
      Settable("maxCount", \.maxCount, [0, 1, 5], isHashed: true),
      Settable("minCount", \.minCount, [0, 1, 2], isHashed: true),
      Settable("isOrdered", \.isOrdered, [false, true], isHashed: true),
      // The setting holds them: a relationship does not.
      Settable(
        "destinationEntity", ["Other", "Another", "none"], isHashed: true,
        set: { $0.destinationEntity = $1 < others.count ? others[$1] : nil },
        text: { $0.destinationEntity?.name ?? "none" }),
      Settable(
        "inverseRelationship", ["first", "second", "none"], isHashed: true,
        set: { $0.inverseRelationship = $1 < inverses.count ? inverses[$1] : nil },
        text: { $0.inverseRelationship?.name ?? "none" }),
    ]
    return propertySettings().map { $0.of(NSRelationshipDescription.self) } + own
  }

  private func request(_ number: Int) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: number == 0 ? "Other" : "Another")
    request.predicate = NSPredicate(format: "number > %ld", number)
    return request
  }

  // MARK: Copies

  private func copyProperties() throws {
    try tryCopies(propertySettings(), versionHash: \.versionHash, "a property", NSPropertyDescription.init)
    try tryCopies(attributeSettings(), versionHash: \.versionHash, "an attribute", NSAttributeDescription.init)
    try tryCopies(
      relationshipSettings(), versionHash: \.versionHash, "a relationship", NSRelationshipDescription.init)
    let formats = ["name.length", "items.@count", "now()"]
    // Of a derived attribute the expression alone is hashed.
    let derived =
      attributeSettings().map { $0.of(NSDerivedAttributeDescription.self, isHashed: false) } + [
        Settable(
          "derivationExpression", formats, isHashed: true,
          set: { $0.derivationExpression = NSExpression(format: formats[$1]) },
          text: { $0.derivationExpression.map { "\($0)" } ?? "none" })
      ]
    try tryCopies(derived, versionHash: \.versionHash, "a derived attribute", NSDerivedAttributeDescription.init)
    let composite =
      attributeSettings().filter { $0.name != "type" }.map { $0.of(NSCompositeAttributeDescription.self) } + [
        Settable(
          "elements", ["[]", "[\"a\"]", "[\"a\", \"b\"]"], isHashed: true,
          set: { owner, count in
            owner.elements = ["a", "b"].prefix(count).map {
              ModelParts.attribute($0, .stringAttributeType, isOptional: true)
            }
          }, text: { "\($0.elements.map(\.name))" })
      ]
    let made = try tryCopies(
      composite, versionHash: \.versionHash, "a composite", NSCompositeAttributeDescription.init)
    let copy = made.copy() as? NSCompositeAttributeDescription
    for (element, copied) in zip(made.elements, copy?.elements ?? []) {
      try require(
        [copied == element, copied === element], [true, false], .wrongValue, "an element of the copy of a composite")
    }
    let fetched =
      propertySettings().map { $0.of(NSFetchedPropertyDescription.self) } + [
        Settable(
          "fetchRequest", ["Other number > 0", "Another number > 1", "none"],
          set: { $0.fetchRequest = $1 < 2 ? self.request($1) : nil },
          text: { property in
            property.fetchRequest.map { "\($0.entityName ?? "") \($0.predicate.map { "\($0)" } ?? "")" } ?? "none"
          })
      ]
    try tryCopies(fetched, versionHash: \.versionHash, "a fetched property", NSFetchedPropertyDescription.init)
    try tryCopies([requestSetting()], "a fetched property, by all of its request", NSFetchedPropertyDescription.init)
    let computed =
      propertySettings().map { $0.of(NSExpressionDescription.self) } + [
        Settable("expression", \.expression, [nil] + formats.map { NSExpression(format: $0) }),
        Settable(
          "expressionResultType", \.expressionResultType,
          [.undefinedAttributeType, .stringAttributeType, .doubleAttributeType]),
      ]
    try tryCopies(computed, "an expression description", NSExpressionDescription.init)
  }

  /// A request of one property: each differs from the first in one drawn setting.
  private func requestSetting() -> Settable<NSFetchedPropertyDescription> {
    let table = fetchSettings()
    let chosen =
      [nil] + shuffled(Array(table.indices)).prefix(4).map { Optional(($0, 1 + draw(table[$0].texts.count - 1))) }
    func make(_ number: Int) -> NSFetchRequest<any NSFetchRequestResult> {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      for setting in table { setting.set(request, 0) }
      if let (index, value) = chosen[number] { table[index].set(request, value) }
      return request
    }
    func text(_ request: NSFetchRequest<any NSFetchRequestResult>) -> String {
      table.map { "\($0.name) \($0.text(request))" }.joined(separator: ", ")
    }
    return Settable(
      "fetchRequest", chosen.indices.map { text(make($0)) }, set: { $0.fetchRequest = make($1) },
      text: { $0.fetchRequest.map(text) ?? "none" })
  }

  private func copyIndexes() throws {
    let attributes = ["one", "two"].map { ModelParts.attribute($0, .stringAttributeType, isOptional: true) }
    try tryCopies(
      [
        Settable("collationType", \.collationType, [.binary, .rTree]),
        Settable("isAscending", \.isAscending, [true, false]),
      ] as [Settable<NSFetchIndexElementDescription>], "an element of an index"
    ) { NSFetchIndexElementDescription(property: attributes[0], collationType: .binary) }
    let index: [Settable<NSFetchIndexDescription>] = [
      Settable("name", \.name, ["byOne", "byTwo"]),
      Settable(
        "partialIndexPredicate", \.partialIndexPredicate,
        [nil, NSPredicate(format: "one == 'a'"), NSPredicate(format: "two == nil")]),
      Settable(
        "elements", ["", "one", "one two", "two one"],
        set: { owner, number in
          let names = [[], [0], [0, 1], [1, 0]][number]
          owner.elements = names.map {
            NSFetchIndexElementDescription(property: attributes[$0], collationType: .binary)
          }
        }, text: { $0.elements.compactMap(\.propertyName).joined(separator: " ") }),
    ]
    let made = try tryCopies(index, "an index") { NSFetchIndexDescription(name: "index", elements: nil) }
    let copy = made.copy() as? NSFetchIndexDescription
    try require(
      copy?.elements.allSatisfy { $0.indexDescription === copy } ?? false, true, .wrongValue,
      "whether the elements of the copy of an index are its own")
  }

  private func copyEntities() throws {
    let entity: [Settable<NSEntityDescription>] = [
      Settable("name", \.name, ["One", "Two"], isHashed: true),
      Settable("managedObjectClassName", \.managedObjectClassName, ["NSManagedObject", "Note"]),
      Settable("isAbstract", \.isAbstract, [false, true], isHashed: true),
      Settable("userInfo", \.userInfo, [nil, ["key": "1"], ["key": 1]]),
      Settable("renamingIdentifier", \.renamingIdentifier, ["Before", "LongBefore"]),
      Settable("versionHashModifier", \.versionHashModifier, [nil, "1", "2"], isHashed: true),
      Settable(
        "coreSpotlightDisplayNameExpression", \.coreSpotlightDisplayNameExpression,
        [NSExpression(forConstantValue: nil), NSExpression(forKeyPath: "text"), NSExpression(format: "text.length")]),
      Settable(
        "uniquenessConstraints", ["[]", "[[\"number\"]]", "[[\"number\", \"text\"]]"], isHashed: true,
        set: { $0.uniquenessConstraints = [[], [["number"]], [["number", "text"]]][$1] },
        text: { "\($0.uniquenessConstraints as? [[String]] ?? [["?"]])" }),
      Settable(
        "compoundIndexes", ["[]", "[[\"number\", \"text\"]]"],
        set: { $0.compoundIndexes = [[], [["number", "text"]]][$1] },
        text: { "\($0.compoundIndexes as? [[String]] ?? [["?"]])" }),
      Settable(
        "indexes", ["none", "byNumber", "byText"],
        set: { owner, number in
          let names = [nil, "number", "text"][number]
          owner.indexes =
            names.flatMap { owner.propertiesByName[$0] }.map {
              let element = NSFetchIndexElementDescription(property: $0, collationType: .binary)
              return [NSFetchIndexDescription(name: "by" + $0.name.capitalized, elements: [element])]
            } ?? []
        }, text: { $0.indexes.first?.name ?? "none" }),
      Settable(
        "text's type", ["string", "binary"], isHashed: true,
        set: { $0.attributesByName["text"]?.attributeType = [.stringAttributeType, .binaryDataAttributeType][$1] },
        text: { $0.attributesByName["text"]?.attributeType == .stringAttributeType ? "string" : "binary" }),
    ]
    let made = try tryCopies(entity, versionHash: \.versionHash, "an entity") {
      let made = ModelParts.entity("Made")
      made.properties.append(ModelParts.attribute("text", .stringAttributeType, isOptional: true))
      return made
    }
    let copy = made.copy() as? NSEntityDescription
    for element in copy?.indexes.flatMap(\.elements) ?? [] {
      try require(
        element.property === copy?.propertiesByName[element.propertyName ?? ""], true, .wrongValue,
        "whether an index of the copy of an entity is about its properties")
    }
    try require(
      [copy?.managedObjectModel == nil, copy?.properties.allSatisfy { $0.entity === copy }], [true, true], .wrongValue,
      "whether the copy of an entity has no model, and properties of its own")
  }

  /// A copy of a model has its identifiers and its names for users, of which equality knows nothing.
  private func copyModels() throws {
    let model: [Settable<NSManagedObjectModel>] = [
      Settable("versionIdentifiers", \.versionIdentifiers, [[], ["1"], ["2"]], isCompared: false),
      Settable(
        "localizationDictionary", \.localizationDictionary, [nil, ["Entity/One": "one"], ["Entity/One": "eins"]],
        isCompared: false),
      Settable(
        "configuration", ["none", "One", "Two"],
        set: { owner, number in
          owner.setEntities(number == 0 ? [] : [owner.entities[number - 1]], forConfigurationName: "First")
        }, text: { $0.entities(forConfigurationName: "First")?.first?.name ?? "none" }),
      Settable(
        "template", ["none", "Other number > 0", "Another number > 1"], isCompared: false,
        set: { $0.setFetchRequestTemplate($1 == 0 ? nil : self.request($1 - 1), forName: "template") },
        text: { model in
          model.fetchRequestTemplate(forName: "template").map {
            "\($0.entityName ?? "") \($0.predicate.map { "\($0)" } ?? "")"
          } ?? "none"
        }),
      Settable(
        "text's type", ["string", "binary"], isHashed: true,
        set: {
          $0.entities[0].attributesByName["text"]?.attributeType = [.stringAttributeType, .binaryDataAttributeType][$1]
        },
        text: { $0.entities[0].attributesByName["text"]?.attributeType == .stringAttributeType ? "string" : "binary" }),
    ]
    try tryCopies(model, versionHash: { Data($0.versionChecksum.utf8) }, "a model") {
      let (one, two) = (ModelParts.entity("One"), ModelParts.entity("Two"))
      one.properties.append(ModelParts.attribute("text", .stringAttributeType, isOptional: true))
      let made = NSManagedObjectModel()
      made.entities = [one, two]
      return made
    }
  }
}
