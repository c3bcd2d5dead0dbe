import Testing

@testable import CoreData
@testable import RowStore

/// Models as Apple's compiler makes them. S9.1
@Suite(.oneThread) struct CompiledModelTests {
  private static func model(_ data: Data = CompiledModelSample.archive) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(xml: data, path: "m.mom", plainObjects: true)
  }

  @Test func entitiesAndPropertiesAreRead() throws {
    let model = try Self.model()
    #expect(model.fileWarnings.isEmpty)
    #expect(model.entities.compactMap(\.name).sorted() == ["Child", "Note", "Tag"])
    #expect(model.versionIdentifiers == ["7"])
    let note = try #require(model.entitiesByName["Note"])
    let tag = try #require(model.entitiesByName["Tag"])
    #expect(model.entitiesByName["Child"]?.superentity === note)
    #expect(model.entitiesByName["Child"]?.ownProperties.isEmpty ?? false)
    #expect(tag.renamingIdentifier == "Label" && note.uniquenessConstraints as? [[String]] == [["title"]])
    let title = try #require(note.attributesByName["title"])
    #expect(title.defaultValue as? String == "none" && !title.isOptional && title.userInfo?["k"] as? String == "v")
    #expect(title.validationPredicates.map(\.description) == ["length <= 20"])
    #expect((title.validationWarnings as? [NSNumber])?.map(\.intValue) == [1660])
    #expect(note.attributesByName["price"]?.defaultValue as? Decimal == Decimal(string: "-12.5"))
    let data = try #require(note.attributesByName["data"])
    #expect(data.allowsExternalBinaryDataStorage && data.preservesValueInHistoryOnDeletion)
    let tags = try #require(note.relationshipsByName["tags"])
    #expect(tags.isOrdered && tags.isToMany && tags.deleteRule == .cascadeDeleteRule)
    #expect(tags.destinationEntity === tag && tags.inverseRelationship === tag.relationshipsByName["note"])
    #expect(tags.inverseRelationship?.minCount == 1 && tags.inverseRelationship?.isOptional == false)
    let derived = note.properties.compactMap { $0 as? NSDerivedAttributeDescription }
    #expect(derived.map(\.derivationFormat) == ["tags.@count", "canonical:(title)"])
    #expect(note.indexes.map(\.name) == ["byTitle"] && note.indexes.first?.elements.first?.isAscending == false)
  }

  @Test func requestsAndConfigurationsAreRead() throws {
    let model = try Self.model()
    let template = try #require(model.fetchRequestTemplate(forName: "Some"))
    let predicate = try #require(template.predicate)
    #expect(
      PredicateText.text(of: predicate)
        == "(note.title BEGINSWITH[c] $TITLE AND name != \"x\") OR name IN {\"a\", \"b\"}")
    #expect(template.fetchLimit == 5 && template.fetchBatchSize == 2)
    #expect(template.resultType == .dictionaryResultType && template.returnsDistinctResults)
    #expect(template.includesSubentities && !template.includesPendingChanges)
    let recent = model.entitiesByName["Note"]?.propertiesByName["recent"] as? NSFetchedPropertyDescription
    #expect(recent?.fetchRequest?.predicate?.description == "$FETCH_SOURCE.title == name")
    #expect(model.entities(forConfigurationName: "Half")?.compactMap(\.name) == ["Tag"])
  }

  @Test func theModelMakesAStore() throws {
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let (note, tag) = (context.insert("Note", ["title": "Ä"]), context.insert("Tag", ["name": "t"]))
      note.setValue(NSOrderedSet(array: [tag]), forKey: "tags")
      try context.save()
    }
    #expect(try stack.sql("SELECT ZFOLDED || ZCOUNT FROM ZNOTE") == ["a1"])
  }

  @Test func aFolderOfVersionsIsRead() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString).momd")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["Notes.mom", "Notes 2.mom", "Notes 10.mom"] {
      try CompiledModelSample.archive.write(to: folder.appendingPathComponent(name))
    }
    try Data("momv2$".utf8).write(to: folder.appendingPathComponent("Notes 2.omo"))
    try Data("momv2$".utf8).write(to: folder.appendingPathComponent("Alone.omo"))
    func current(_ name: String) throws {
      let info = try PropertyListSerialization.data(
        fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": name], format: .binary, options: 0)
      try info.write(to: folder.appendingPathComponent("VersionInfo.plist"))
    }
    try current("Notes 2")
    let file = try ModelFile(folder.path)
    #expect(file.versions.map(\.name) == ["Notes", "Notes 2", "Notes 10"])
    #expect(try file.current.name == "Notes 2")
    #expect(NSManagedObjectModel(contentsOf: folder)?.entities.count == 3)
    #expect(NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Notes 2.omo"))?.entities.count == 3)
    let alone = message { _ = try NSManagedObjectModel(reading: ModelFile(folder.path + "/Alone.omo")) }
    #expect(alone.contains("is an optimised model (.omo), which is not read"))
    try current("Gone")
    let gone = try ModelFile(folder.path)
    #expect(gone.currentName == nil && gone.versions.count == 3)
    #expect(message { _ = try gone.current }.contains("names the version Gone"))
    #expect(try NSManagedObjectModel(reading: gone, version: gone.version("Notes")).entities.count == 3)
  }

  private static func archive(_ objects: [BinaryPropertyList.Value]) -> Data {
    Data(
      BinaryPropertyList.write(
        .dictionary(["$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null")] + objects)])))
  }

  private static func type(_ name: String) -> BinaryPropertyList.Value { .dictionary(["$classname": .string(name)]) }

  /// A model with an entity A that has a fetch request with that predicate, at place 9.
  private static func withPredicate(_ objects: [BinaryPropertyList.Value]) -> Data {
    archive(
      [
        .dictionary(["$class": .uid(2), "NSEntities": .uid(3), "NSFetchRequestTemplates": .uid(7)]),
        type("NSManagedObjectModel"),
        .dictionary(["$class": .uid(4), "NS.keys": .array([.string("A")]), "NS.objects": .array([.uid(5)])]),
        type("NSDictionary"), .dictionary(["$class": .uid(6), "NSEntityName": .string("A")]),
        type("NSEntityDescription"),
        .dictionary(["$class": .uid(4), "NS.keys": .array([.string("R")]), "NS.objects": .array([.uid(8)])]),
        .dictionary(["$class": .uid(10), "NSEntity": .uid(5), "NSPredicate": .uid(9)]),
      ] + objects.prefix(1) + [type("NSFetchRequest")] + objects.dropFirst())
  }

  private func problem(_ data: Data) -> String { message { _ = try Self.model(data) } }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test func whatIsNoModelSaysWhy() {
    #expect(problem(Data("bplist00".utf8)).contains("m.mom: is no keyed archive"))
    #expect(problem(Data("text".utf8)).contains("m.mom: is no compiled model"))
    #expect(
      problem(Self.archive([.dictionary(["$class": .uid(2)]), Self.type("NSTask")])).contains(
        "is an archive of NSTask, not of a model"))
    #expect(
      problem(Self.withPredicate([.dictionary(["$class": .uid(11)]), Self.type("NSTask")])).contains(
        "has a predicate of the class NSTask, which is not known"))
  }

  /// Each compound predicate has the next one twice: written out, it would have 2 to the 40th parts.
  @Test func aPredicateThatWouldGrowWithoutEndIsRefused() {
    let depth = 40
    var objects: [BinaryPropertyList.Value] = []
    // Places from 12: a predicate and its list in turn; 9 is the first predicate.
    func compound(_ list: Int) -> BinaryPropertyList.Value {
      .dictionary(["$class": .uid(11), "NSCompoundPredicateType": .integer(1), "NSSubpredicates": .uid(list)])
    }
    objects += [compound(13), Self.type("NSCompoundPredicate"), Self.type("NSArray")]
    for level in 0..<depth {
      let list = 13 + 2 * level
      objects.append(.dictionary(["$class": .uid(12), "NS.objects": .array([.uid(list + 1), .uid(list + 1)])]))
      objects.append(compound(list + 2))
    }
    objects.append(.dictionary(["$class": .uid(12), "NS.objects": .array([])]))
    #expect(problem(Self.withPredicate(objects)).contains("has a predicate of more than 10000 parts"))
  }

  /// One text of a megabyte in the place of every member of a long list.
  @Test func aLargeTextThatIsReferredToOftenIsReadOnce() throws {
    let (text, count) = (String(repeating: "x", count: 1 << 20), 100_000)
    var list = BinaryPropertyList.write(.array([.string(text)] + Array(repeating: .string("y"), count: count)))
    // Every reference to the second text, four bytes each, becomes one to the first.
    let toBoth = [0, 0, 0, 0] + Array(repeating: [UInt8]([0, 0, 0, 1]), count: count).flatMap(\.self)
    let references = try #require(list.firstRange(of: toBoth))
    list.replaceSubrange(references, with: [UInt8](repeating: 0, count: toBoth.count))
    guard case .array(let members) = try BinaryPropertyList.read(Data(list)), case .string(let last)? = members.last
    else {
      Issue.record("a list of texts was expected")
      return
    }
    #expect(members.count == count + 1 && last == text)
  }
}
