import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// Version hashes as Apple's tools compute them. S9.2
///
/// Expected values were computed from the recipe with Python's hashlib. Those of `AutoClassGen`, an entity without
/// properties, and of the mandatory text `name` are those that Apple's compiler wrote into models.
@Suite struct VersionHashTests {
  private static let elements = """
    <entity name="AutoClassGen"/>
    <entity name="Base" isAbstract="YES"><attribute name="name" attributeType="String"/></entity>
    <entity name="Leaf" parentEntity="Base">
      <attribute name="code" optional="YES" attributeType="String"/>
      <attribute name="draft" optional="YES" transient="YES" attributeType="String"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="code"/><constraint value="name"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Owner">
      <attribute name="size" optional="YES" attributeType="Integer 64"/>
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="folded" optional="YES" attributeType="String" derived="YES"
        derivationExpression="canonical:(name)"/>
      <attribute name="number" optional="YES" attributeType="Integer 64" derived="YES"
        derivationExpression="things.@count"/>
      <attribute name="changed" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
      <attribute name="name" attributeType="String"/>
      <relationship name="things" optional="YES" toMany="YES" destinationEntity="Thing" inverseName="owner"
        inverseEntity="Thing"/>
    </entity>
    <entity name="Thing">
      <relationship name="owner" minCount="1" maxCount="1" destinationEntity="Owner" inverseName="things"
        inverseEntity="Owner"/>
    </entity>
    """

  private static func start(_ hash: Data?) -> String {
    (hash ?? Data()).prefix(8).map { String(format: "%02x", $0) }.joined()
  }

  @Test(arguments: [
    ("AutoClassGen", "78c13046fdf5b871"), ("Base", "d5489d116de11b7a"), ("Leaf", "98b52a6d7e3bf4f7"),
  ])
  func entities(name: String, hash: String) throws {
    let model = try ModelReadingTests.model(Self.elements)
    #expect(Self.start(model.entitiesByName[name]?.versionHash) == hash)
  }

  @Test(arguments: [
    ("Base.name", "8cb9965c0031ac68"), ("Owner.size", "bba85e2460ca650e"), ("Owner.data", "de13fc46b8011ee7"),
    ("Owner.things", "5ff9df2d4e476fc6"), ("Thing.owner", "4ced44f5a25f6dd9"), ("Owner.folded", "18f4376ecb06c516"),
    ("Owner.number", "50772588e85f4e47"), ("Owner.changed", "28a4dae0461e17af"),
  ])
  func properties(path: String, hash: String) throws {
    let model = try ModelReadingTests.model(Self.elements)
    let names = path.split(separator: ".").map(String.init)
    #expect(Self.start(model.entitiesByName[names[0]]?.propertiesByName[names[1]]?.versionHash) == hash)
  }

  @Test func anOrderAndAModifierAreInputs() throws {
    let model = try ModelReadingTests.model(Self.elements)
    let owner = try #require(model.entitiesByName["Owner"])
    owner.attributesByName["size"]?.versionHashModifier = "2"
    #expect(Self.start(owner.propertiesByName["size"]?.versionHash) == "9c1c836e63aea6fa")
    owner.relationshipsByName["things"]?.isOrdered = true
    #expect(Self.start(owner.propertiesByName["things"]?.versionHash) == "7fe5c9590f250efa")
  }

  @Test func digestAndChecksum() throws {
    let model = try ModelReadingTests.model(Self.elements)
    let hashes = model.entityVersionHashesByName.filter { ["Base", "Leaf"].contains($0.key) }
    #expect(
      ModelHashes.digest(hashes)
        == "Sq6qceIL1Dwt2VUxB2NwfDgTYtKuWWKfVNTYWIWTSmhcMyaqrU3YYRa54ndHGFCMpltpJm8fxAFik/lQwLTe+A==")
    #expect(ModelHashes.checksum(hashes) == "ndDTwCVYxB8/caR2PifhGwWFWgQnFmqJ60Te+2ohU4Q=")
  }

  @Test func aNewStoreHasTheHashesAndTheirDigest() throws {
    let stack = try TestStack(.file, model: try ModelReadingTests.model(Self.elements))
    let metadata = try #require(stack.container.persistentStoreCoordinator.persistentStores.first).metadata ?? [:]
    let hashes = stack.container.managedObjectModel.entityVersionHashesByName
    #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
    #expect(metadata["NSStoreModelVersionHashesDigest"] as? String == ModelHashes.digest(hashes))
    #expect(
      metadata["NSStoreModelVersionChecksumKey"] as? String == stack.container.managedObjectModel.versionChecksum)
  }

  /// Variants of an entity, and whether a store or model of Apple's was found to have them.
  private static let kinds: [(String, Bool, @Sendable (NSEntityDescription) -> Void)] = [
    ("plain", true, { _ in }), ("a modifier", false, { $0.versionHashModifier = "1" }),
    ("a modifier of an attribute", true, { $0.attributesByName["size"]?.versionHashModifier = "1" }),
    ("a modifier of a relationship", false, { $0.relationshipsByName["things"]?.versionHashModifier = "1" }),
    ("two constraints", true, { $0.uniquenessConstraints = [["size"], ["name"]] }),
    ("no inverse", true, { $0.relationshipsByName["things"]?.inverseRelationship = nil }),
    ("both flags", false, { $0.attributesByName["data"]?.preservesValueInHistoryOnDeletion = true }),
    ("another letter", false, { $0.attributesByName["size"]?.name = "größe" }),
    (
      "another derivation", false,
      {
        ($0.attributesByName["folded"] as? NSDerivedAttributeDescription)?.derivationExpression =
          NSExpression(format: "uppercase:(name)")
      }
    ),
  ]

  @Test(arguments: kinds.indices) func whatIsKnown(index: Int) throws {
    let (what, isVerified, change) = Self.kinds[index]
    let model = try ModelReadingTests.model(Self.elements)
    let owner = try #require(model.entitiesByName["Owner"])
    change(owner)
    #expect(VersionHash.isVerified(owner) == isVerified, "\(what)")
  }
}
