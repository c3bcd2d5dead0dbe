import Cells
import Checking
import CoreData

// S9.1 to S9.3: a model of XML says what its text says, has the hashes of the same one made in code, and keeps them compiled; what
// is wrong with a file is named, each with its line.

extension RuleTrial {
  func readModels() throws {
    let drawn = DrawnModelFile(self)
    let lines = drawn.lines(extra: chance(1, of: 2))
    note("a model of XML: \(lines.count) lines")
    let text = Data(lines.joined(separator: "\n").utf8)
    let (model, made) = (try NSManagedObjectModel(xml: text), drawn.make())
    let stored = Data(drawn.lines(extra: false).joined(separator: "\n").utf8)
    let compiled = try NSManagedObjectModel(xml: NSManagedObjectModel(xml: stored).archived)
    for (what, other) in [("of XML", model), ("compiled of XML", compiled)] {
      for (name, hash) in made.entityVersionHashesByName.sorted(by: { $0.key < $1.key }) {
        try require(other.entityVersionHashesByName[name], hash, .wrongValue, "the hash of \(name) in a model \(what)")
      }
      try compareModels(other, made, what)
    }
    try require(
      model.entities(forConfigurationName: "Some")?.compactMap(\.name), ["Other"], .wrongValue, "a configuration of XML"
    )
    let template = model.fetchRequestTemplate(forName: "numbered")
    try require(template?.entity?.name, "Base", .wrongValue, "the entity of a template of XML")
    for setting in fetchSettings() {
      try require(
        template.map(setting.text), setting.text(drawn.template), .wrongValue,
        "\(setting.name) of a template of XML, of which \(drawn.settings) is given")
    }
    try useModel(model, drawn)
    try breakModel(drawn)
    for _ in 0..<3 { try instruct(drawn, made) }
  }

  /// An instruction with content changes nothing; one without, and a text that names another encoding than it has, are refused.
  private func instruct(_ drawn: DrawnModelFile, _ made: NSManagedObjectModel) throws {
    var lines = drawn.lines(extra: false)
    precondition(lines[0].hasPrefix("<?xml "), "the first line has the encoding")
    let (target, place) = (pick(["xml", "style", "n", ""]) ?? "n", 1 + draw(lines.count))
    let content = target == "style" && chance(1, of: 2) ? " of=\"\(newNumber())\"" : ""
    var refused: Int? = content.isEmpty ? place + 1 : nil
    if chance(1, of: 2) {
      let (encoding, isRead) =
        pick([("utf-8", true), ("US-ASCII", true), ("UTF-7", false), ("UTF-32", false)]) ?? ("", false)
      lines[0] = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>"
      refused = isRead ? nil : 1
    } else {
      lines.insert("<?\(target)\(content)?>", at: place)
    }
    note("a model of XML with \(lines[0]) and \(place < lines.count ? lines[place] : "no more")")
    do {
      let model = try NSManagedObjectModel(xml: Data(lines.joined(separator: "\n").utf8))
      try require(nil, refused, .wrongValue, "the line of an instruction that is refused")
      try compareModels(model, made, "with an instruction")
    } catch let error as ModelFileError {
      try require(error.problems.first?.line, refused, .wrongValue, "the line of an instruction that is refused")
    }
  }

  /// Two models say the same of entities, attributes and relationships.
  private func compareModels(_ seen: NSManagedObjectModel, _ made: NSManagedObjectModel, _ what: String) throws {
    func text(_ entity: NSEntityDescription?) -> [String] {
      guard let entity else { return [] }
      let attributes = entity.attributesByName.filter { $0.key != "loose" }.map { name, attribute in
        "\(name): \(attribute.attributeType.rawValue), optional \(attribute.isOptional), "
          + "transient \(attribute.isTransient), default \(RulePicture.text(attribute.defaultValue)), "
          + "transformer \(attribute.valueTransformerName ?? "none"), class \(attribute.attributeValueClassName ?? "none")"
      }
      let relationships = entity.relationshipsByName.map { name, relationship in
        "\(name): to \(relationship.destinationEntity?.name ?? "none"), inverse "
          + "\(relationship.inverseRelationship?.name ?? "none"), \(relationship.minCount) to \(relationship.maxCount), "
          + "ordered \(relationship.isOrdered), optional \(relationship.isOptional), rule \(relationship.deleteRule.rawValue)"
      }
      return attributes.sorted() + relationships.sorted() + [
        "abstract \(entity.isAbstract), parent \(entity.superentity?.name ?? "none"), "
          + "\(entity.uniquenessConstraints.count) constraints"
      ]
    }
    for name in ["Base", "Sub", "Other"] {
      try require(
        text(seen.entitiesByName[name]), text(made.entitiesByName[name]), .wrongValue, "\(name) of a model \(what)")
    }
  }

  /// Objects of the model have its defaults, and its rules.
  private func useModel(_ model: NSManagedObjectModel, _ drawn: DrawnModelFile) throws {
    let owner = context(try open(model, at: newURL()))
    try owner.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: "Sub", into: owner)
      object.setValue(1, forKey: RuleModel.number)
      for attribute in drawn.attributes {
        try require(
          RulePicture.text(object.value(forKey: attribute.name)), attribute.hasDefault ? attribute.kind.text : "null",
          .wrongValue, "the default of \(attribute.name), \(attribute.kind.name), of a model of XML")
        if !attribute.hasDefault, !attribute.isOptional {
          object.setValue(attribute.kind.value, forKey: attribute.name)
        }
      }
      try save(owner)
      for attribute in drawn.attributes {
        guard let (value, code) = attribute.kind.refused else { continue }
        object.setValue(value, forKey: attribute.name)
        let error = AnythingClient.error { try owner.save() }
        try require(
          error?.code, code, .wrongValue, "the error of \(attribute.name) = \(value), by a rule of a model of XML")
        owner.rollback()
      }
    }
  }

  /// A file with some mistakes is refused with each of them, at its line.
  private func breakModel(_ drawn: DrawnModelFile) throws {
    var lines = drawn.lines(extra: true)
    let places = lines.indices.filter { lines[$0].contains("<attribute name=\"value") }
    precondition(places.count == drawn.attributes.count, "each attribute has a line of its own")
    let chosen = some(places, atMost: 3).sorted()
    for place in chosen {
      switch draw(3) {
      case 0: lines[place] = lines[place].replacingOccurrences(of: "attributeType=\"", with: "attributeType=\"No ")
      case 1:
        lines[place] = lines[place].replacingOccurrences(of: "<attribute ", with: "<attribute transient=\"MAYBE\" ")
      default: lines[place] = lines[place].replacingOccurrences(of: "name=\"value", with: "name=\"not a name ")
      }
    }
    note("lines \(chosen.map { $0 + 1 }) of it are broken")
    do {
      _ = try NSManagedObjectModel(xml: Data(lines.joined(separator: "\n").utf8))
      try require([], chosen.map { $0 + 1 }, .wrongValue, "the lines of a broken model that are refused")
    } catch let error as ModelFileError {
      try require(
        error.problems.map { $0.line ?? 0 }.sorted(), chosen.map { $0 + 1 }, .wrongValue,
        "the lines of a broken model that are refused")
    }
  }
}

/// A drawn model, as XML and made in code.
private struct DrawnModelFile {
  struct Kind {
    let name: String
    let type: NSAttributeType
    /// The default in the file, as text, and as a value.
    let given: String
    let text: String
    let value: Any
    /// A rule in the file, a value that it refuses, and the error's code.
    var rule = ""
    var refused: (Any, Int)?
  }

  struct Attribute {
    let name: String
    let kind: Kind
    let isOptional: Bool
    let hasDefault: Bool
  }

  private static func kinds(_ trial: RuleTrial) -> [Kind] {
    // Some are no Double.
    let long = trial.pick([(1 << 53) + 1, -(1 << 60) - 1, .max, .min]) ?? 0
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    return [
      Kind(
        name: "String", type: .stringAttributeType, given: "plain &amp; &quot;x&quot;", text: "plain & \"x\"",
        value: "a",
        rule: " maxValueString=\"20\"", refused: (String(repeating: "a", count: 21), NSValidationStringTooLongError)),
      Kind(
        name: "Integer 16", type: .integer16AttributeType, given: "-3", text: "-3", value: 4,
        rule: " minValueString=\"-5\"", refused: (-6, NSValidationNumberTooSmallError)),
      Kind(
        name: "Integer 32", type: .integer32AttributeType, given: "7.0", text: "7", value: 4,
        rule: " maxValueString=\"90\"", refused: (91, NSValidationNumberTooLargeError)),
      Kind(name: "Integer 64", type: .integer64AttributeType, given: "\(long)", text: "\(long)", value: 4),
      Kind(
        name: "Double", type: .doubleAttributeType, given: "2.5", text: "2.5", value: 4.5,
        rule: " minValueString=\"0.5\"", refused: (0.25, NSValidationNumberTooSmallError)),
      Kind(name: "Float", type: .floatAttributeType, given: "0.5", text: "0.5", value: Float(1.5)),
      Kind(name: "Boolean", type: .booleanAttributeType, given: "YES", text: "1", value: false),
      Kind(name: "Date", type: .dateAttributeType, given: "12.5", text: "12.5", value: date),
    ]
  }

  let attributes: [Attribute]
  private let (isAbstract, isOrdered, minCount, isMandatory): (Bool, Bool, Int, Bool)
  private let rule: (String, NSDeleteRule)
  /// Of an attribute that is transformed.
  private let (transformer, valueClass): (String?, String?)
  /// The settings of the template, as the file has them and as a program makes them.
  let (settings, template): (String, NSFetchRequest<any NSFetchRequestResult>)

  private static let requests: [(text: String, set: @Sendable (NSFetchRequest<any NSFetchRequestResult>) -> Void)] = [
    ("fetchLimit=\"3\"", { $0.fetchLimit = 3 }), ("fetchBatchSize=\"20\"", { $0.fetchBatchSize = 20 }),
    ("includeSubentities=\"NO\"", { $0.includesSubentities = false }),
    ("includePropertyValues=\"NO\"", { $0.includesPropertyValues = false }),
    ("includesPendingChanges=\"NO\"", { $0.includesPendingChanges = false }),
    ("returnObjectsAsFaults=\"NO\"", { $0.returnsObjectsAsFaults = false }),
    ("returnDistinctResults=\"YES\"", { $0.returnsDistinctResults = true }),
    ("resultType=\"1\"", { $0.resultType = .managedObjectIDResultType }),
  ]

  init(_ trial: RuleTrial) {
    let kinds = Self.kinds(trial)
    precondition(!kinds.isEmpty, "attributes are of some kind")
    precondition(kinds.allSatisfy { $0.rule.isEmpty == ($0.refused == nil) }, "a rule refuses some value")
    attributes = (0..<(3 + trial.draw(5))).map { number in
      // One is always there that has a long number.
      let kind = number == 0 ? kinds.first { $0.type == .integer64AttributeType } : trial.pick(kinds)
      return Attribute(
        name: "value\(number)", kind: kind ?? kinds[0], isOptional: trial.chance(1, of: 2),
        hasDefault: number == 0 || trial.chance(1, of: 2))
    }
    (isAbstract, isOrdered, minCount, isMandatory) = (
      trial.chance(1, of: 2), trial.chance(1, of: 2), trial.draw(3), trial.chance(1, of: 3)
    )
    let names = [nil, NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue, "DrawnTransformer"]
    transformer = names[trial.draw(names.count)]
    valueClass = trial.chance(1, of: 2) ? "NSArray" : nil
    rule =
      trial.pick([
        ("Nullify", .nullifyDeleteRule), ("Cascade", .cascadeDeleteRule), ("Deny", .denyDeleteRule),
        ("No Action", .noActionDeleteRule),
      ]) ?? ("Nullify", .nullifyDeleteRule)
    let given = trial.some(Self.requests, atMost: Self.requests.count)
    settings = given.map(\.text).joined(separator: " ")
    template = NSFetchRequest(entityName: "Base")
    template.predicate = NSPredicate(format: "number > 1")
    for setting in given { setting.set(template) }
  }

  /// The lines of the XML; with what is not understood, or not stored, as well.
  func lines(extra: Bool) -> [String] {
    // Every second attribute is of the parent.
    let texts = attributes.map { attribute in
      let date = attribute.kind.type == .dateAttributeType ? "defaultDateTimeInterval" : "defaultValueString"
      return "    <attribute name=\"\(attribute.name)\" attributeType=\"\(attribute.kind.name)\""
        + (attribute.isOptional ? " optional=\"YES\"" : "") + attribute.kind.rule
        + (attribute.hasDefault ? " \(date)=\"\(attribute.kind.given)\"" : "")
        + (extra ? " newInTheEditor=\"7\"" : "") + "/>"
    }
    func own(_ rest: Int) -> [String] { texts.indices.filter { $0 % 2 == rest }.map { texts[$0] } }
    let number = "    <attribute name=\"number\" attributeType=\"Integer 64\"/>"
    let more = extra ? ["    <attribute name=\"loose\" optional=\"YES\"/>", "    <novelty name=\"x\"/>"] : []
    let sealed =
      "    <attribute name=\"sealed\" optional=\"YES\" attributeType=\"Transformable\""
      + (transformer.map { " valueTransformerName=\"\($0)\"" } ?? "")
      + (valueClass.map { " customClassName=\"\($0)\"" } ?? "") + "/>"
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<model documentVersion=\"1.0\">"]
    lines += ["  <entity name=\"Sub\" parentEntity=\"Base\">", sealed] + own(1) + more
    lines += [
      "    <relationship name=\"other\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"Other\" inverseName=\"subs\" inverseEntity=\"Other\"/>", "  </entity>",
    ]
    lines += ["  <entity name=\"Base\"\(isAbstract ? " isAbstract=\"YES\"" : "")>", number] + own(0) + ["  </entity>"]
    lines += ["  <entity name=\"Other\">", number]
    lines += [
      "    <relationship name=\"subs\"\(isMandatory ? "" : " optional=\"YES\"") toMany=\"YES\" minCount=\"\(minCount)\" "
        + "maxCount=\"9\"\(isOrdered ? " ordered=\"YES\"" : "") deletionRule=\"\(rule.0)\" "
        + "destinationEntity=\"Sub\" inverseName=\"other\" inverseEntity=\"Sub\"/>",
      "    <uniquenessConstraints>", "      <uniquenessConstraint>", "        <constraint value=\"number\"/>",
      "      </uniquenessConstraint>", "    </uniquenessConstraints>", "  </entity>",
      "  <configuration name=\"Some\">", "    <memberEntity name=\"Other\"/>", "  </configuration>",
      "  <fetchRequest name=\"numbered\" entity=\"Base\" predicateString=\"number &gt; 1\" \(settings)/>", "</model>",
    ]
    return lines
  }

  func make() -> NSManagedObjectModel {
    let (base, sub, other) = (ModelParts.entity("Base"), NSEntityDescription(), ModelParts.entity("Other"))
    sub.name = "Sub"
    base.isAbstract = isAbstract
    for (index, attribute) in attributes.enumerated() {
      let made = ModelParts.attribute(attribute.name, attribute.kind.type, isOptional: attribute.isOptional)
      if attribute.hasDefault { made.defaultValue = madeDefault(attribute.kind) }
      (index % 2 == 0 ? base : sub).properties.append(made)
    }
    let sealed = ModelParts.attribute("sealed", .transformableAttributeType, isOptional: true)
    (sealed.valueTransformerName, sealed.attributeValueClassName) = (transformer, valueClass)
    sub.properties.append(sealed)
    let subs = ModelParts.many("subs", sub, rule.1)
    (subs.minCount, subs.maxCount, subs.isOrdered, subs.isOptional) = (minCount, 9, isOrdered, !isMandatory)
    ModelParts.connect(subs, of: other, ModelParts.one("other", other), of: sub)
    other.uniquenessConstraints = [["number"]]
    base.subentities = [sub]
    let model = NSManagedObjectModel()
    model.entities = [base, sub, other]
    return model
  }

  private func madeDefault(_ kind: Kind) -> Any? {
    switch kind.type {
    case .stringAttributeType: kind.text
    case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 12.5)
    case .booleanAttributeType: true
    case .doubleAttributeType, .floatAttributeType: Double(kind.text)
    default: Int(kind.text)
    }
  }
}
