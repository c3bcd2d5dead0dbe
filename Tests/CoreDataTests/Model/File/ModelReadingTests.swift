import Testing

@testable import CoreData

/// The descriptions of a model say the same as its file.
struct ModelReadingTests {
  /// The model with these elements.
  static func model(_ elements: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(xml: Data("<?xml version=\"1.0\"?>\n<model>\n\(elements)\n</model>".utf8))
  }

  private func entity(_ elements: String, name: String = "Thing", _ attributes: String = "") throws
    -> NSEntityDescription
  {
    let model = try Self.model("<entity name=\"\(name)\" \(attributes)>\(elements)</entity>")
    return try #require(model.entitiesByName[name])
  }

  @Test(
    "S9.1 every attribute type is read by its name",
    arguments: [
      ("Integer 16", .integer16AttributeType), ("Integer 32", .integer32AttributeType),
      ("Integer 64", .integer64AttributeType), ("Decimal", .decimalAttributeType), ("Double", .doubleAttributeType),
      ("Float", .floatAttributeType), ("String", .stringAttributeType), ("Boolean", .booleanAttributeType),
      ("Date", .dateAttributeType), ("Binary", .binaryDataAttributeType), ("UUID", .UUIDAttributeType),
      ("URI", .URIAttributeType), ("Transformable", .transformableAttributeType),
    ] as [(String, NSAttributeType)])
  func attributeTypes(name: String, type: NSAttributeType) throws {
    let entity = try entity("<attribute name=\"a\" attributeType=\"\(name)\"/>")
    let attribute = try #require(entity.attributesByName["a"])
    #expect(attribute.attributeType == type)
    #expect(!attribute.isOptional)
  }

  @Test(
    "S9.2 defaults have the attribute's type",
    arguments: [
      ("Integer 16", "-7", "-7"), ("Integer 32", "0.0", "0"), ("Integer 64", "9007199254740993", "9007199254740993"),
      ("Double", "1.5", "1.5"), ("Float", "0.25", "0.25"), ("Boolean", "YES", "true"), ("Boolean", "0", "false"),
      ("String", "a &lt; b", "a < b"),
    ])
  func defaults(type: String, text: String, value: String) throws {
    let entity = try entity("<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>")
    #expect(entity.attributesByName["a"]?.defaultValue.map { "\($0)" } == value)
  }

  @Test("S9.2 defaults of dates, decimals, UUIDs and URIs") func otherDefaults() throws {
    let uuid = UUID()
    let entity = try entity(
      """
      <attribute name="date" attributeType="Date" defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
      <attribute name="decimal" attributeType="Decimal" defaultValueString="12.50"/>
      <attribute name="uuid" attributeType="UUID" defaultValueString="\(uuid.uuidString)"/>
      <attribute name="uri" attributeType="URI" defaultValueString="https://example.org/a"/>
      """)
    let attributes = entity.attributesByName
    #expect(attributes["date"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(attributes["decimal"]?.defaultValue as? Decimal == Decimal(string: "12.5"))
    #expect(attributes["uuid"]?.defaultValue as? UUID == uuid)
    #expect(attributes["uri"]?.defaultValue as? URL == URL(string: "https://example.org/a"))
  }

  @Test("S9.2 what all properties have") func commonAttributes() throws {
    let entity = try entity(
      """
      <attribute name="a" optional="YES" transient="YES" attributeType="String" indexed="YES" elementID="old"
        versionHashModifier="2" spotlightIndexingEnabled="YES" syncable="YES">
        <userInfo><entry key="k" value="v"/><entry key="k.1" value="w"/></userInfo>
      </attribute>
      <attribute name="b" attributeType="Transformable" valueTransformerName="T" customClassName="Color"/>
      <attribute name="c" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"
        allowsCloudEncryption="YES"/>
      <userInfo><entry key="e" value="f"/></userInfo>
      """, "isAbstract=\"YES\" elementID=\"Old\" versionHashModifier=\"v\" representedClassName=\".Thing\"")
    #expect(entity.isAbstract && entity.renamingIdentifier == "Old" && entity.versionHashModifier == "v")
    #expect(entity.managedObjectClassName == ".Thing" && entity.userInfo?["e"] as? String == "f")
    let a = try #require(entity.attributesByName["a"])
    #expect(a.isOptional && a.isTransient && a.isIndexed && a.isIndexedBySpotlight)
    #expect(a.renamingIdentifier == "old" && a.versionHashModifier == "2" && a.userInfo?["k.1"] as? String == "w")
    let b = try #require(entity.attributesByName["b"])
    #expect(b.valueTransformerName == "T" && b.attributeValueClassName == "Color" && b.renamingIdentifier == "b")
    let c = try #require(entity.attributesByName["c"])
    #expect(c.allowsExternalBinaryDataStorage && c.preservesValueInHistoryOnDeletion && c.allowsCloudEncryption)
  }

  @Test("S9.3 an attribute without a type is read, and not stored") func attributeWithoutType() throws {
    let model = try Self.model(
      "<entity name=\"Thing\" future=\"1\"><attribute name=\"a\" optional=\"YES\" later=\"x\"/><future/></entity>")
    let attribute = try #require(model.entitiesByName["Thing"]?.attributesByName["a"])
    #expect(attribute.attributeType == .undefinedAttributeType && attribute.isTransient)
    #expect(model.fileWarnings.count == 2)
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["a": "any value"])
      #expect(thing.value(forKey: "a") as? String == "any value")
      try context.save()
      thing.setValue(7, forKey: "a")
      #expect(thing.value(forKey: "a") as? Int == 7)
    }
  }

  @Test("S9.2 relationships, their inverses and rules") func relationships() throws {
    let model = try Self.model(
      """
      <entity name="Owner" isAbstract="YES"><relationship name="things" optional="YES" toMany="YES" minCount="2"
        maxCount="9" deletionRule="Cascade" ordered="YES" destinationEntity="Thing" inverseName="owner" inverseEntity="Thing"/>
      </entity>
      <entity name="Rich" parentEntity="Owner"/>
      <entity name="Thing"><relationship name="owner" maxCount="1" deletionRule="Deny" destinationEntity="Owner"
        inverseName="things" inverseEntity="Owner"/>
        <relationship name="next" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="Thing"/></entity>
      """)
    let things = try #require(model.entitiesByName["Rich"]?.relationshipsByName["things"])
    #expect(things.isToMany && things.isOrdered && things.minCount == 2 && things.maxCount == 9)
    #expect(things.deleteRule == .cascadeDeleteRule)
    let owner = try #require(model.entitiesByName["Thing"]?.relationshipsByName["owner"])
    #expect(things.inverseRelationship === owner && owner.inverseRelationship === things)
    #expect(!owner.isToMany && owner.deleteRule == .denyDeleteRule && !owner.isOptional)
    let next = try #require(model.entitiesByName["Thing"]?.relationshipsByName["next"])
    #expect(next.inverseRelationship == nil && next.deleteRule == .noActionDeleteRule)
    #expect(model.entitiesByName["Rich"]?.superentity?.name == "Owner")
    #expect(try model.freeze().entities.count == 3)
  }

  @Test("S9.2 constraints and indexes") func indexes() throws {
    let entity = try entity(
      """
      <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Double"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
      </uniquenessConstraints>
      <compoundIndexes><compoundIndex><index value="b"/></compoundIndex></compoundIndexes>
      <fetchIndex name="byA"><fetchIndexElement property="a" type="Binary" order="descending"/>
        <fetchIndexElement property="b" type="RTree" order="ascending"/></fetchIndex>
      """)
    #expect(entity.uniquenessConstraints as? [[String]] == [["a", "b"]])
    #expect(entity.compoundIndexes as? [[String]] == [["b"]])
    let index = try #require(entity.indexes.first)
    #expect(index.name == "byA" && index.entity === entity && index.elements.map(\.propertyName) == ["a", "b"])
    #expect(index.elements.map(\.isAscending) == [false, true] && index.elements[1].collationType == .rTree)
  }

  @Test("S9.2 constraints and indexes of composite attributes") func indexesOfComposites() throws {
    let model = try Self.model(
      """
      <entity name="Thing"><attribute name="home" optional="YES" attributeType="Composite" compositeName="Address"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="home.city"/></uniquenessConstraint>
        </uniquenessConstraints>
        <fetchIndex name="byCity"><fetchIndexElement property="home.city" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      <composite name="Address"><attribute name="city" optional="YES" attributeType="String"/></composite>
      """)
    let entity = try #require(model.entitiesByName["Thing"])
    #expect(entity.uniquenessConstraints as? [[String]] == [["home.city"]])
    #expect(entity.indexes.first?.elements.map { $0.property?.keyPath } == ["home.city"])
    _ = try model.freeze()
  }

  @Test("S9.2 derived and composite attributes") func derivedAndComposite() throws {
    let model = try Self.model(
      """
      <entity name="Thing"><attribute name="a" attributeType="String"/>
        <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(a)"/>
        <attribute name="home" optional="YES" attributeType="Composite" compositeName="Address"/></entity>
      <composite name="Address"><attribute name="city" optional="YES" attributeType="String" maxValueString="9"/></composite>
      """)
    let attributes = try #require(model.entitiesByName["Thing"]?.attributesByName)
    #expect((attributes["upper"] as? NSDerivedAttributeDescription)?.derivationExpression?.function == "uppercase:")
    let home = try #require(attributes["home"] as? NSCompositeAttributeDescription)
    #expect(home.attributeType == .compositeAttributeType && home.elements.map(\.name) == ["city"])
    #expect(home.elements[0].validationPredicates.count == 1)
  }
}
