import SQLite
import Testing

@testable import CoreData

/// Parts of real models that are unusual, and Xcode's compiler takes, though it is not as the editor makes it. S9.3
@Suite struct OneSidedModelTests {
  private static let covers = """
    <entity name="Book">
      <relationship name="front" optional="YES" maxCount="1" destinationEntity="Cover" inverseName="front"
        inverseEntity="Cover"/>
      <relationship name="covers" optional="YES" toMany="YES" destinationEntity="Cover" inverseName="owner"
        inverseEntity="Cover"/>
    </entity>
    <entity name="Cover">
      <relationship name="front" optional="YES" maxCount="1" destinationEntity="Book" inverseName="front"
        inverseEntity="Book"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Book" inverseName="front"
        inverseEntity="Book"/>
    </entity>
    """

  // S9.3: as the editor makes a composite before attributes are added.
  @Test func aCompositeMayHaveNoAttributes() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="Item">
        <attribute name="outer" optional="YES" attributeType="Composite" composite="Outer"/>
        <attribute name="half" optional="YES" attributeType="Composite" composite="Half"/>
        <attribute name="text" optional="YES" attributeType="String"/>
      </entity>
      <composite name="Outer"/>
      <composite name="Half">
        <attribute name="inner" optional="YES" attributeType="Composite" composite="Outer"/>
        <attribute name="count" optional="YES" attributeType="Integer 16"/>
      </composite>
      """)
    #expect(model.fileWarnings.count { $0.message.contains("its composite has no attributes") } == 2)
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let half: [String: Any] = ["count": 3, "inner": [String: Any]()]
      let item = context.insert("Item", ["text": "a", "outer": [String: Any](), "half": half])
      try context.save()
      context.refresh(item, mergeChanges: false)
      #expect(item.value(forKey: "outer") == nil)
      #expect(item.value(forKey: "half") as? [String: Int] == ["count": 3])
      for (format, count) in [
        ("outer == nil", 1), ("outer != nil", 0), ("half.inner == nil", 1), ("half.count == 3", 1),
      ] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        #expect(try context.count(for: request) == count, "\(format)")
      }
      let request = NSFetchRequest<NSDictionary>(entityName: "Item")
      request.resultType = .dictionaryResultType
      #expect(try context.fetch(request) == [["text": "a", "half": ["count": 3]] as NSDictionary])
    }
  }

  // S9.3: an inverse that names another relationship.
  @Test func inversesNeedNotBeMutual() throws {
    let model = try ModelReadingTests.model(Self.covers)
    let cover = try #require(model.entitiesByName["Cover"])
    #expect(cover.relationshipsByName["owner"]?.inverseRelationship?.name == "front")
    #expect(model.fileWarnings.count { $0.message.contains("does not name it as inverse") } == 2)
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let (book, front) = (context.insert("Book"), context.insert("Cover"))
      front.setValue(book, forKey: "front")
      try context.save()
      context.reset()
      let read = try #require(try context.all("Cover").first)
      #expect(read.value(forKeyPath: "front.front") as? NSManagedObject === read)
    }
  }

  // S9.3: the destination counts.
  @Test func anInverseEntityMayContradictTheDestination() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="Part"><relationship name="whole" optional="YES" maxCount="1" destinationEntity="Whole"
        inverseName="parts" inverseEntity="Part"/></entity>
      <entity name="Whole"><relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part"
        inverseName="whole" inverseEntity="Part"/></entity>
      """)
    #expect(model.entitiesByName["Part"]?.relationshipsByName["whole"]?.inverseRelationship?.name == "parts")
    #expect(
      model.fileWarnings.map(\.message).contains { $0.contains("its inverseEntity Part is not its destination Whole") })
    _ = try TestStack(model: model)
  }

  // S9.3: a composite may be called like the type.
  @Test func aCompositeMayBeCalledComposite() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="Item"><attribute name="place" optional="YES" attributeType="Composite" composite="Composite1"/></entity>
      <composite name="Composite"><attribute name="inner" optional="YES" attributeType="Composite" composite="Composite1"/>
      </composite>
      <composite name="Composite1"><attribute name="right" optional="YES" attributeType="Integer 16"/></composite>
      """)
    let place = model.entitiesByName["Item"]?.attributesByName["place"] as? NSCompositeAttributeDescription
    #expect(place?.elements.map(\.name) == ["right"])
  }

  // S9.2: hashes that stores of Apple's systems have.
  @Test func hashesOfApplesStores() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="Person"><relationship name="spouse" optional="YES" maxCount="1" destinationEntity="Person"
        inverseName="spouse" inverseEntity="Person"/></entity>
      <entity name="Note"><attribute name="uid" optional="YES" attributeType="String"/>
        <attribute name="code" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="uid"/></uniquenessConstraint>
        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints></entity>
      """)
    for (name, start) in [("Person", "69cd102e61a4a391"), ("Note", "d139e8a63c9a0df5")] {
      let hash = try #require(model.entitiesByName[name]?.versionHash)
      #expect(hash.prefix(8).map { String(format: "%02x", $0) }.joined() == start)
    }
  }

  // S6.4: the entity that comes first by name has the table, not by number.
  @Test func aJoinTableIsOfTheEntityWhoseNameComesFirst() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="Middle"><relationship name="lows" optional="YES" toMany="YES" destinationEntity="Low"
        inverseName="middles" inverseEntity="Low"/></entity>
      <entity name="Low" parentEntity="Root"><relationship name="middles" optional="YES" toMany="YES"
        destinationEntity="Middle" inverseName="lows" inverseEntity="Middle"/></entity>
      <entity name="Root" isAbstract="YES"/>
      """)
    let stack = try TestStack(.file, model: model)
    let tables = try stack.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(tables == ["Z_3MIDDLES"])
  }

  // S6.3: a sub-entity that was renamed keeps its old name in the list of keys.
  @Test func aRenamedSubentityIsFoundByItsNumber() throws {
    let text = """
      <entity name="Base"><attribute name="title" optional="YES" attributeType="String"/></entity>
      <entity name="New" parentEntity="Base"/>
      """
    let stack = try TestStack(.file, model: try ModelReadingTests.model(text))
    try stack.change { $0.insert("New").setValue("a", forKey: "title") }
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.remove(#require(coordinator.persistentStores.first))
    try Connection.write(stack.url, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' WHERE Z_NAME = 'New'")
    let again = try TestStack(model: try ModelReadingTests.model(text), url: stack.url)
    let context = again.context()
    try context.performAndWait {
      let titles = try context.all("New").map { $0.value(forKey: "title") as? String }
      #expect(titles == ["a"])
    }
  }
}
