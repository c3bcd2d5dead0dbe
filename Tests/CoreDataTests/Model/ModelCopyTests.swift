import Testing

@testable import CoreData

/// Copies, equality, versions and merging of models.
struct ModelCopyTests {
  private static let xml = """
    <entity name="Base" isAbstract="YES"><attribute name="name" optional="YES" attributeType="String" maxValueString="9"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="things"/></entity>
    <entity name="Thing" parentEntity="Base"><attribute name="size" optional="YES" attributeType="Integer 16"/>
      <fetchedProperty name="all"><fetchRequest name="f" entity="Thing" predicateString="name == $FETCH_SOURCE.name"/>
      </fetchedProperty>
      <fetchIndex name="bySize"><fetchIndexElement property="size"/><fetchIndexElement property="name"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="size"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Owner"><relationship name="things" optional="YES" toMany="YES" destinationEntity="Base"
      inverseName="owner"/></entity>
    <configuration name="Half"><memberEntity name="Owner"/></configuration>
    <fetchRequest name="Big" entity="Thing" predicateString="size &gt; $SIZE" fetchLimit="3" resultType="1"/>
    """

  private func model() throws -> NSManagedObjectModel { try ModelReadingTests.model(Self.xml) }

  @Test("S9.2 a copy leads only to copies") func copy() throws {
    let model = try model()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.isEqual(model) && model.isEqual(copy))
    let entities = copy.entitiesByName
    for (name, entity) in model.entitiesByName {
      let other = try #require(entities[name])
      #expect(other !== entity && other.managedObjectModel === copy && other.isEqual(entity))
      #expect(other.superentity === entity.superentity.flatMap { entities[$0.name ?? ""] })
      for (name, relationship) in other.relationshipsByName {
        #expect(relationship.destinationEntity === entities[relationship.destinationEntity?.name ?? ""])
        let inverse = try #require(relationship.inverseRelationship)
        #expect(inverse === relationship.destinationEntity?.relationshipsByName[inverse.name])
        #expect(entity.relationshipsByName[name] !== relationship)
      }
      for (index, element) in other.indexes.flatMap(\.elements).enumerated() {
        #expect(element.property === other.propertiesByName[element.propertyName ?? ""], "\(index)")
      }
    }
    #expect(copy.fetchRequestTemplate(forName: "Big")?.entity === entities["Thing"])
    let fetched = try #require(entities["Thing"]?.propertiesByName["all"] as? NSFetchedPropertyDescription)
    #expect(fetched.fetchRequest?.entity === entities["Thing"])
    #expect(copy.entities(forConfigurationName: "Half")?.first === entities["Owner"])
    _ = try copy.freeze()
    _ = try model.freeze()
  }

  @Test("S9.2 copies of an entity and of a property belong to no model, and can be changed") func partialCopies() throws
  {
    let model = try model()
    _ = try model.freeze()
    let thing = try #require(model.entitiesByName["Owner"])
    let copy = try #require(thing.copy() as? NSEntityDescription)
    #expect(copy.isEqual(thing) && copy.managedObjectModel == nil)
    copy.name = "Other"
    #expect(!copy.isEqual(thing))
    let things = try #require(thing.relationshipsByName["things"])
    let other = try #require(things.copy() as? NSRelationshipDescription)
    #expect(other.isEqual(things) && other.entity == nil && other.destinationEntity === things.destinationEntity)
    other.minCount = 7
    #expect(!other.isEqual(things) && other.hash == things.hash)
  }

  @Test("S9.2 the version hash follows the structure, and nothing else") func versionHash() throws {
    let original = try model()
    let before = try #require(original.entitiesByName["Thing"])
    let same = try model()
    let again = same.entitiesByName["Thing"]?.versionHash
    #expect(before.versionHash.count == 32 && before.versionHash == again)
    let changes: [(String, Bool, (NSEntityDescription) -> Void)] = [
      ("class", false, { $0.managedObjectClassName = "X" }), ("user info", false, { $0.userInfo = ["a": 1] }),
      ("rules", false, { $0.attributesByName["name"]?.setValidationPredicates([], withValidationWarnings: []) }),
      ("default", false, { $0.attributesByName["size"]?.defaultValue = 3 }),
      ("name", true, { $0.name = "Other" }), ("abstract", true, { $0.isAbstract = true }),
      ("modifier", true, { $0.versionHashModifier = "2" }),
      ("property modifier", true, { $0.attributesByName["size"]?.versionHashModifier = "2" }),
      ("type", true, { $0.attributesByName["size"]?.attributeType = .integer32AttributeType }),
      ("optional", true, { $0.attributesByName["size"]?.isOptional = false }),
      ("inherited", true, { $0.superentity?.relationshipsByName["owner"]?.minCount = 1 }),
      ("delete rule", false, { $0.superentity?.relationshipsByName["owner"]?.deleteRule = .denyDeleteRule }),
    ]
    for (what, isOther, change) in changes {
      let model = try model()
      let thing = try #require(model.entitiesByName["Thing"])
      change(thing)
      #expect((thing.versionHash != before.versionHash) == isOther, "\(what)")
    }
    let model = try model()
    let checksum = try self.model().versionChecksum
    #expect(model.versionChecksum == checksum)
    #expect(Data(base64Encoded: model.versionChecksum)?.count == 32)
  }

  @Test("S9.2 a store's metadata tell whether a configuration made it") func compatibility() throws {
    let model = try model()
    let all = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: "Half", compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: "None", compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    let half = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { $0.key == "Owner" }]
    #expect(model.isConfiguration(withName: "Half", compatibleWithStoreMetadata: half))
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: all)?.isEqual(model) ?? false)
    #expect(NSManagedObjectModel(byMerging: [], forStoreMetadata: all) == nil)
  }

  @Test("S9.2 a written store has the model's version hashes") func storedHashes() throws {
    let stack = try TestStack(.file, model: try model())
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    let metadata = stack.container.persistentStoreCoordinator.metadata(for: store)
    #expect(stack.container.managedObjectModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test("S9.2 merging takes equal entities once, and everything else") func merging() throws {
    let other = try ModelReadingTests.model(
      """
      <entity name="Other"/><configuration name="Half"><memberEntity name="Other"/></configuration>
      <fetchRequest name="Others" entity="Other"/>
      """)
    let merged = try #require(NSManagedObjectModel(byMerging: [try model(), other, try model()]))
    #expect(merged.entities.compactMap(\.name).sorted() == ["Base", "Other", "Owner", "Thing"])
    #expect(merged.entities(forConfigurationName: "Half")?.compactMap(\.name) == ["Owner", "Other"])
    #expect(merged.fetchRequestTemplatesByName.keys.sorted() == ["Big", "Others"])
    #expect(merged.entitiesByName["Thing"]?.superentity === merged.entitiesByName["Base"])
    _ = try merged.freeze()
    #expect(NSManagedObjectModel(byMerging: nil)?.entities.isEmpty ?? false)
  }

  @Test("S9.2 two different entities of one name cannot be merged") func mergingDifferent() async {
    await #expect(processExitsWith: .failure) {
      let (one, two) = (Notebook.model(), Notebook.model(titleIsOptional: false))
      _ = NSManagedObjectModel(byMerging: [one, two])
    }
  }

  @Test("S9.1 descriptions are not archived") func archiving() async {
    await #expect(processExitsWith: .failure) {
      NSEntityDescription().encode(with: NSKeyedArchiver(requiringSecureCoding: false))
    }
  }

  @Test("S9.2 configurations") func configurations() throws {
    let model = try model()
    #expect(model.configurations == ["Half"])
    #expect(model.entities(forConfigurationName: nil)?.count == 3)
    #expect(model.entities(forConfigurationName: "Half")?.map(\.name) == ["Owner"])
    #expect(model.entities(forConfigurationName: "No") == nil)
    let thing = try #require(model.entitiesByName["Thing"])
    model.setEntities([thing], forConfigurationName: "Mine")
    #expect(model.configurations == ["Half", "Mine"])
    model.entities = model.entities.filter { $0 !== thing }
    #expect(model.entities(forConfigurationName: "Mine")?.isEmpty ?? false)
  }

  @Test("S9.2 templates are given out as copies, their variables filled") func templates() throws {
    let model = try model()
    let request = try #require(model.fetchRequestTemplate(forName: "Big"))
    #expect(
      request.fetchLimit == 3 && request.resultType == .managedObjectIDResultType && request.entityName == "Thing")
    request.fetchLimit = 9
    #expect(model.fetchRequestTemplatesByName["Big"]?.fetchLimit == 3)
    let filled = try #require(model.fetchRequestFromTemplate(withName: "Big", substitutionVariables: ["SIZE": "4"]))
    #expect(filled.predicate == NSPredicate(format: "size > '4'"))
    #expect(model.fetchRequestFromTemplate(withName: "No", substitutionVariables: [:]) == nil)
    model.setFetchRequestTemplate(request, forName: "Mine")
    request.fetchLimit = 1
    #expect(model.fetchRequestTemplate(forName: "Mine")?.fetchLimit == 9)
    model.setFetchRequestTemplate(nil, forName: "Mine")
    #expect(model.fetchRequestTemplate(forName: "Mine") == nil)
  }

  @Test("S9.2 a template without a value for its variable ends the process") func missingVariable() async {
    await #expect(processExitsWith: .failure) {
      _ = NSPredicate(format: "size > $SIZE").withSubstitutionVariables(["OTHER": 1])
    }
  }

  @Test("S7.2 variables are filled everywhere but where a subquery declares them") func substitution() {
    let predicate = NSPredicate(format: "a == $x AND NOT SUBQUERY(b, $x, $x.c == $y).@count > $z")
    let filled = predicate.withSubstitutionVariables(["x": "one", "y": "two", "z": "three"])
    #expect(
      filled == NSPredicate(format: "a == 'one' AND NOT SUBQUERY(b, $x, $x.c == 'two').@count > 'three'"), "\(filled)")
  }

  @Test("S7.2 a path from a variable becomes the value it leads to") func substitutedPath() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let note = context.insertNote(1)
      note.title = "a"
      let filled = NSPredicate(format: "title == $NOTE.title").withSubstitutionVariables(["NOTE": note])
      #expect(filled == NSPredicate(format: "title == 'a'"), "\(filled)")
    }
  }

  @Test("S9.2 a fetched property is what its request finds") func fetchedProperty() throws {
    let stack = try TestStack(.file, model: try model())
    try stack.change { context in
      let first = context.insert("Thing", ["name": "a", "size": 1])
      context.insert("Thing", ["name": "b", "size": 2])
      #expect((first.value(forKey: "all") as? [NSManagedObject])?.count == 1)
      context.insert("Thing", ["name": "a", "size": 3])
      let found = try #require(first.value(forKey: "all") as? [NSManagedObject])
      #expect(Set(found.compactMap { $0.value(forKey: "size") as? Int }) == [1, 3])
    }
  }
}
