import Scheduling
import Testing

@testable import CoreData

/// S9.1: a model is frozen at first use; every setter refuses a change afterwards.
struct FrozenModelTests {
  /// The model of ``xml``, and its parts.
  private struct Parts {
    let model: NSManagedObjectModel
    let thing: NSEntityDescription
    let part: NSEntityDescription
    let name: NSAttributeDescription
    let upper: NSDerivedAttributeDescription
    let home: NSCompositeAttributeDescription
    let fetched: NSFetchedPropertyDescription
    let parts: NSRelationshipDescription
    let index: NSFetchIndexDescription

    init() throws {
      model = try ModelReadingTests.model(
        """
        <entity name="Thing"><attribute name="name" optional="YES" attributeType="String"/>
          <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="name"/>
          <attribute name="home" optional="YES" attributeType="Composite" compositeName="Home"/>
          <fetchedProperty name="all"><fetchRequest name="f" entity="Thing"/></fetchedProperty>
          <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part" inverseName="thing"/>
          <fetchIndex name="i"><fetchIndexElement property="name"/></fetchIndex></entity>
        <entity name="Part"><relationship name="thing" optional="YES" maxCount="1" destinationEntity="Thing"
          inverseName="parts"/></entity>
        <composite name="Home"><attribute name="city" optional="YES" attributeType="String"/></composite>
        """)
      thing = try #require(model.entitiesByName["Thing"])
      part = try #require(model.entitiesByName["Part"])
      name = try #require(thing.attributesByName["name"])
      upper = try #require(thing.attributesByName["upper"] as? NSDerivedAttributeDescription)
      home = try #require(thing.attributesByName["home"] as? NSCompositeAttributeDescription)
      fetched = try #require(thing.propertiesByName["all"] as? NSFetchedPropertyDescription)
      parts = try #require(thing.relationshipsByName["parts"])
      index = try #require(thing.indexes.first)
    }
  }

  private static let setters: [(String, @Sendable (Parts) -> Void)] = [
    ("model.entities", { $0.model.entities = [] }),
    ("model.versionIdentifiers", { $0.model.versionIdentifiers = ["2"] }),
    ("model.localizationDictionary", { $0.model.localizationDictionary = [:] }),
    ("model.setEntities", { $0.model.setEntities([$0.thing], forConfigurationName: "C") }),
    (
      "model.setFetchRequestTemplate",
      { $0.model.setFetchRequestTemplate(NSFetchRequest(entityName: "Thing"), forName: "F") }
    ),
    ("another model's entities", { NSManagedObjectModel().entities = [$0.thing] }),
    ("entity.name", { $0.thing.name = "Other" }),
    ("entity.managedObjectClassName", { $0.thing.managedObjectClassName = "Other" }),
    ("entity.isAbstract", { $0.thing.isAbstract = true }),
    ("entity.renamingIdentifier", { $0.thing.renamingIdentifier = "x" }),
    ("entity.versionHashModifier", { $0.thing.versionHashModifier = "x" }),
    ("entity.uniquenessConstraints", { $0.thing.uniquenessConstraints = [["name"]] }),
    ("entity.compoundIndexes", { $0.thing.compoundIndexes = [["name"]] }),
    (
      "entity.coreSpotlightDisplayNameExpression",
      { $0.thing.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "name") }
    ),
    ("entity.indexes", { $0.thing.indexes = [] }),
    ("entity.subentities", { $0.thing.subentities = [NSEntityDescription()] }),
    ("being a sub-entity", { NSEntityDescription().subentities = [$0.thing] }),
    ("entity.properties", { $0.thing.properties = [] }),
    ("property.name", { $0.name.name = "x" }),
    ("property.isOptional", { $0.name.isOptional = false }),
    ("property.isTransient", { $0.name.isTransient = true }),
    ("property.renamingIdentifier", { $0.name.renamingIdentifier = "x" }),
    ("property.versionHashModifier", { $0.name.versionHashModifier = "x" }),
    ("property.setValidationPredicates", { $0.name.setValidationPredicates([], withValidationWarnings: []) }),
    ("property.isIndexed", { $0.name.isIndexed = true }),
    ("property.isIndexedBySpotlight", { $0.name.isIndexedBySpotlight = true }),
    ("property.isStoredInExternalRecord", { $0.name.isStoredInExternalRecord = true }),
    ("attribute.attributeType", { $0.name.attributeType = .dateAttributeType }),
    ("attribute.type", { $0.name.type = .date }),
    ("attribute.defaultValue", { $0.name.defaultValue = "x" }),
    ("attribute.attributeValueClassName", { $0.name.attributeValueClassName = "x" }),
    ("attribute.valueTransformerName", { $0.name.valueTransformerName = "x" }),
    ("attribute.allowsExternalBinaryDataStorage", { $0.name.allowsExternalBinaryDataStorage = true }),
    ("attribute.preservesValueInHistoryOnDeletion", { $0.name.preservesValueInHistoryOnDeletion = true }),
    ("attribute.allowsCloudEncryption", { $0.name.allowsCloudEncryption = true }),
    ("derived.derivationExpression", { $0.upper.derivationExpression = nil }),
    ("composite.elements", { $0.home.elements = [] }),
    ("an element of a composite", { $0.home.elements[0].isOptional = false }),
    ("fetched.fetchRequest", { $0.fetched.fetchRequest = nil }),
    ("relationship.destinationEntity", { $0.parts.destinationEntity = nil }),
    ("relationship.inverseRelationship", { $0.parts.inverseRelationship = nil }),
    ("relationship.deleteRule", { $0.parts.deleteRule = .denyDeleteRule }),
    ("relationship.maxCount", { $0.parts.maxCount = 1 }),
    ("relationship.minCount", { $0.parts.minCount = 1 }),
    ("relationship.isOrdered", { $0.parts.isOrdered = true }),
    ("index.name", { $0.index.name = "x" }),
    ("index.elements", { $0.index.elements = [] }),
    ("index.partialIndexPredicate", { $0.index.partialIndexPredicate = NSPredicate(value: true) }),
    ("element.collationType", { $0.index.elements[0].collationType = .rTree }),
    ("element.isAscending", { $0.index.elements[0].isAscending = false }),
  ]

  @Test("S9.1 every setter refuses a change of a model in use", arguments: setters.map(\.0))
  func refused(setter: String) throws {
    let change = try #require(Self.setters.first { $0.0 == setter }?.1)
    let refusals = Locked(0)
    let count: @Sendable () -> Void = { refusals.withLock { $0 += 1 } }
    try FrozenModel.$onRefusal.withValue(count) {
      // Before its first use, the model takes the change.
      change(try Parts())
      #expect(refusals.withLock { $0 } == 0)
      let parts = try Parts()
      _ = try parts.model.freeze()
      change(parts)
      #expect(refusals.withLock { $0 } > 0)
    }
  }

  @Test("S9.1 the user info of a model in use may be changed") func userInfo() throws {
    let parts = try Parts()
    _ = try parts.model.freeze()
    parts.thing.userInfo = ["a": 1]
    parts.name.userInfo = ["b": 2]
    #expect(parts.thing.userInfo?["a"] as? Int == 1 && parts.name.userInfo?["b"] as? Int == 2)
  }

  @Test("S9.1 a change of a model in use ends the process") func trap() async {
    await #expect(processExitsWith: .failure) {
      let model = Notebook.model()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      model.setEntities([], forConfigurationName: "Empty")
      withExtendedLifetime(coordinator) {}
    }
  }

  @Test("S9.1 a copy of a model in use can be changed") func copy() throws {
    let parts = try Parts()
    _ = try parts.model.freeze()
    let copy = try #require(parts.model.copy() as? NSManagedObjectModel)
    #expect(copy.isEqual(parts.model) && copy.hash == parts.model.hash)
    copy.entitiesByName["Thing"]?.attributesByName["name"]?.isOptional = false
    #expect(!copy.isEqual(parts.model) && parts.name.isOptional)
    _ = try copy.freeze()
  }
}
