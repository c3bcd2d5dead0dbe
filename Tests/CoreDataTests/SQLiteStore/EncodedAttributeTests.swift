import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// Attributes with another form in the file: transformed, in parts, in files beside. S6.4, S9.2
@Suite struct EncodedAttributeTests {
  /// Text backwards, as UTF-8.
  private final class Reverser: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      (value as? String).map { Data(String($0.reversed()).utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    }
  }

  private static let reverser = NSValueTransformerName("EncodedAttributeTests.Reverser")

  private static func model(transformer: String? = nil) -> NSManagedObjectModel {
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    let list = Notebook.attribute("list", .transformableAttributeType)
    list.valueTransformerName = transformer
    let picture = Notebook.attribute("picture", .binaryDataAttributeType)
    picture.allowsExternalBinaryDataStorage = true
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    let location = NSCompositeAttributeDescription()
    location.name = "location"
    location.elements = [
      Notebook.attribute("latitude", .doubleAttributeType), Notebook.attribute("longitude", .doubleAttributeType),
    ]
    place.elements = [Notebook.attribute("street", .stringAttributeType), location]
    thing.properties = [
      Notebook.attribute("name", .stringAttributeType), Notebook.attribute("street", .stringAttributeType), list,
      picture,
      place,
    ]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }

  private func files(_ stack: TestStack) -> Int {
    let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count
  }

  private func value(_ context: NSManagedObjectContext, _ name: String, _ key: String) throws -> Any? {
    try context.named("Thing", name).value(forKey: key)
  }

  // S9.2, S6.4: each element has a column named after it alone, and nested ones lie flat.
  @Test func aCompositeLiesInAColumnForEachElement() throws {
    let stack = try TestStack(.file, model: Self.model())
    #expect(
      try stack.sql("SELECT sql FROM sqlite_master WHERE name = 'ZTHING'") == [
        "CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLATITUDE FLOAT, "
          + "ZLONGITUDE FLOAT, ZNAME VARCHAR, ZSTREET VARCHAR, ZSTREET1 VARCHAR, ZLIST BLOB, ZPICTURE BLOB )"
      ])
    try stack.change { context in
      let thing = context.make("Thing", "a")
      thing.setValue(
        ["street": "Main", "location": ["latitude": 1.5, "longitude": -2.5] as [String: Any]] as [String: Any],
        forKey: "place")
      context.make("Thing", "b").setValue(3.5, forKeyPath: "place.location.latitude")
      context.make("Thing", "c")
    }
    #expect(
      try stack.sql(
        "SELECT ZNAME || ' ' || ifnull(ZSTREET, '-') || ' ' || ifnull(ZLATITUDE, '-') FROM ZTHING ORDER BY 1") == [
          "a Main 1.5", "b - 3.5", "c - -",
        ])
    try stack.read { context in
      let thing = try context.named("Thing", "a")
      #expect(thing.value(forKeyPath: "place.location.longitude") as? Double == -2.5)
      #expect((thing.value(forKey: "place") as? [String: Any])?["street"] as? String == "Main")
      let none = try value(context, "c", "place")
      #expect(none == nil)
    }
    try stack.change { try $0.named("Thing", "a").setValue("Side", forKeyPath: "place.street") }
    #expect(try stack.sql("SELECT ZSTREET || ZLATITUDE || Z_OPT FROM ZTHING WHERE ZNAME = 'a'") == ["Side1.52"])
  }

  // S2.6, S9.2
  @Test func aPathOverRelationshipsReachesCompositesWithoutAValue() throws {
    let model = Self.model()
    let friend = NSRelationshipDescription()
    (friend.name, friend.destinationEntity, friend.maxCount) = ("friend", model.entities[0], 1)
    model.entities[0].properties.append(friend)
    let stack = try TestStack(.file, model: model)
    try stack.change { context in
      let (first, second) = (context.make("Thing", "a"), context.make("Thing", "b"))
      first.setValue(second, forKey: "friend")
      first.setValue(3.5, forKeyPath: "friend.place.location.latitude")
      first.setValue("Side", forKeyPath: "friend.place.street")
      first.setValue("lost", forKeyPath: "friend.friend.place.street")
      #expect(second.value(forKeyPath: "place.location.latitude") as? Double == 3.5)
    }
    #expect(try stack.sql("SELECT ZSTREET || ZLATITUDE FROM ZTHING WHERE ZNAME = 'b'") == ["Side3.5"])
    #expect(try stack.sql("SELECT count(*) FROM ZTHING WHERE ZSTREET IS NOT NULL") == ["1"])
  }

  // S9.2
  @Test func aCompositeCanOnlyHoldPlainElements() throws {
    let model = Self.model()
    let place = model.entities[0].properties.compactMap { $0 as? NSCompositeAttributeDescription }[0]
    place.elements = [Notebook.attribute("list", .transformableAttributeType)]
    let error = #expect(throws: ModelError.self) { _ = try model.freeze() }
    #expect(error?.problems == ["Thing.place: the element list is of a type that no composite can hold"])
  }

  // S6.4: a transformable attribute lies in the file as a keyed archive.
  @Test func theDefaultTransformerArchives() throws {
    let stack = try TestStack(.file, model: Self.model())
    let values: [String: Any] = [
      "array": ["a", "ü", "단어"], "number": 3, "flag": true, "date": Date(timeIntervalSinceReferenceDate: 1.5),
      "data": Data([0, 255]), "uuid": PredicateAgreementTests.uuid, "nested": ["x": [1.5, -2]] as [String: [Double]],
    ]
    try stack.change { context in
      context.make("Thing", "a").setValue(["a", "b"], forKey: "list")
      context.make("Thing", "b").setValue(values, forKey: "list")
      context.make("Thing", "c")
    }
    try stack.read { context in
      let (first, none) = (try value(context, "a", "list"), try value(context, "c", "list"))
      #expect(first as? [String] == ["a", "b"] && none == nil)
      let read = try #require(try value(context, "b", "list") as? [String: Any])
      #expect(read["array"] as? [String] == ["a", "ü", "단어"])
      #expect((read["number"] as? NSNumber)?.intValue == 3 && (read["flag"] as? NSNumber)?.boolValue == true)
      #expect(read["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
      #expect(read["data"] as? Data == Data([0, 255]) && read["uuid"] as? UUID == PredicateAgreementTests.uuid)
      #expect((read["nested"] as? [String: [NSNumber]])?["x"]?.map(\.doubleValue) == [1.5, -2])
    }
    #expect(try stack.sql("SELECT CAST(substr(ZLIST, 1, 8) AS TEXT) FROM ZTHING WHERE ZNAME = 'a'") == ["bplist00"])
  }

  /// Dictionaries and sets by another way, texts that are one object or several.
  private static var equalValues: [(Any, Any)] {
    let names = (0..<40).map { "name \($0)" }
    var grown: [String: Any] = Dictionary(minimumCapacity: 4_000)
    for name in names.reversed() { grown[name] = [name, "x"] }
    let text = NSString(string: "shared text")
    return [
      (Dictionary(uniqueKeysWithValues: names.map { ($0, [$0, "x"]) }), grown),
      (NSSet(array: names), NSSet(array: names.reversed())),
      (NSArray(array: [text, text]), NSArray(array: [NSString(string: "shared" + " text"), text])),
      (
        ["a": NSSet(array: [1, 2, ["b": 1, "c": 2]])], ["a": NSSet(array: [["c": 2, "b": 1] as [String: Int], 2, 1])]
      ),
    ]
  }

  // S6.4
  @Test(arguments: 0..<4) func equalValuesAreTheSameBytes(number: Int) throws {
    let (one, other) = Self.equalValues[number]
    let archive = try KeyedArchive.encode(one)
    #expect(try KeyedArchive.encode(other) == archive)
    let read = try KeyedArchive.decode(archive)
    #expect(KeyedArchive.areEqual(read, one))
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClasses: KeyedArchive.plainClasses, from: archive) != nil)
  }

  // S6.4, S5.6
  @Test func anEqualTransformedValueIsNotUnique() throws {
    let model = Self.model()
    model.entities[0].uniquenessConstraints = [["list"]]
    let context = try TestStack(.file, model: model).context()
    context.performAndWait {
      context.insert("Thing", ["list": ["a": 1, "b": 2, "c": 3]])
      context.insert("Thing", ["list": ["c": 3, "b": 2, "a": 1]])
      #expect(throws: (any Error).self) { try context.save() }
    }
  }

  // S9.2: the code that registers a transformer decides the bytes in the file.
  @Test func aRegisteredTransformerIsUsed() throws {
    ValueTransformer.setValueTransformer(Reverser(), forName: Self.reverser)
    let stack = try TestStack(.file, model: Self.model(transformer: Self.reverser.rawValue))
    try stack.change { $0.make("Thing", "a").setValue("abc", forKey: "list") }
    #expect(try stack.sql("SELECT typeof(ZLIST) FROM ZTHING") == ["blob"])
    try stack.read { context in
      let read = try value(context, "a", "list")
      #expect(read as? String == "abc")
    }
    #expect(try stack.sql("SELECT CAST(ZLIST AS TEXT) FROM ZTHING") == ["cba"])
    #expect(ValueTransformer.valueTransformerNames().contains(Self.reverser))
    #expect(ValueTransformer(forName: Self.reverser) is Reverser)
    #expect(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName) is NSSecureUnarchiveFromDataTransformer)
    #expect(ValueTransformer(forName: NSValueTransformerName("nobody")) == nil)
  }

  // S9.2, S3.1
  @Test func aValueThatCannotBeArchivedFailsTheSaveByName() throws {
    final class Secret {}
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    context.performAndWait {
      context.make("Thing", "a").setValue(Secret(), forKey: "list")
      let error = caught { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.localizedDescription.contains("Thing.list") ?? false)
      #expect(error?.localizedDescription.contains("Secret") ?? false)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["0"])
  }

  // S6.4: data that cannot be decoded stay as they are, and harm nothing else.
  @Test func dataThatCannotBeDecodedStay() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { $0.make("Thing", "a").setValue(["x"], forKey: "list") }
    try Connection.write(stack.url, "UPDATE ZTHING SET ZLIST = X'0102'")
    let other = try TestStack(model: stack.container.managedObjectModel, url: stack.url)
    try other.change { context in
      let thing = try context.named("Thing", "a")
      #expect(thing.value(forKey: "list") == nil)
      thing.setValue("b", forKey: "name")
    }
    #expect(try stack.sql("SELECT ZNAME || quote(ZLIST) FROM ZTHING") == ["bX'0102'"])
  }

  // S2.4: an equal value is no persistent change.
  @Test func equalTransformedValuesAreNoChange() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { $0.make("Thing", "a").setValue(["x"], forKey: "list") }
    try stack.change { context in
      let thing = try context.named("Thing", "a")
      thing.setValue(["x"], forKey: "list")
      #expect(!thing.hasPersistentChangedValues)
      thing.setValue(["y"], forKey: "list")
      #expect(thing.hasPersistentChangedValues)
    }
    #expect(try stack.sql("SELECT Z_OPT FROM ZTHING") == ["2"])
  }

  // S6.4: a byte says whether data lie in the row or in a file.
  @Test func largeDataLieInFilesBesideTheStore() throws {
    let stack = try TestStack(.file, model: Self.model())
    let large = Data(repeating: 7, count: 200_000)
    try stack.change { context in
      context.make("Thing", "small").setValue(Data([1, 2, 3]), forKey: "picture")
      context.make("Thing", "large").setValue(large, forKey: "picture")
    }
    #expect(
      try stack.sql("SELECT hex(substr(ZPICTURE, 1, 1)) || length(ZPICTURE) FROM ZTHING ORDER BY ZNAME DESC") == [
        "014", "0238",
      ])
    #expect(files(stack) == 1)
    try stack.read { context in
      let (first, second) = (try value(context, "small", "picture"), try value(context, "large", "picture"))
      #expect(first as? Data == Data([1, 2, 3]) && second as? Data == large)
    }
    // Another value has another file, and the last one goes with its row.
    try stack.change { try $0.named("Thing", "large").setValue(large + large, forKey: "picture") }
    #expect(files(stack) == 1)
    try stack.read { context in
      let read = try value(context, "large", "picture")
      #expect((read as? Data)?.count == 400_000)
    }
    try stack.change { $0.delete(try $0.named("Thing", "large")) }
    #expect(files(stack) == 0)
  }

  // S3.1, S6.4
  @Test func aFailedSaveLeavesNoFile() throws {
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      context.make("Thing", "a").setValue(Data(repeating: 1, count: 200_000), forKey: "picture")
      try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      #expect(files(stack) == 0)
      try stack.withWriter { $0.connection.faults = nil }
      context.rollback()
    }
  }

  // S3.1, S9.2: what a save encoded that failed is still the value of the program, which may change it.
  @Test func aValueMayChangeAfterAFailedSave() throws {
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let list = NSMutableArray(array: ["x"])
      let thing = context.make("Thing", "a")
      thing.setValue(list, forKey: "list")
      try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
      #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
      try stack.withWriter { $0.connection.faults = nil }
      list.add("y")
      #expect(thing.value(forKey: "list") as? NSMutableArray === list)
      try context.save()
      #expect(thing.value(forKey: "list") as? [String] == ["x", "y"])
      #expect(thing.value(forKey: "list") as? NSMutableArray !== list)
    }
    try stack.read { context in
      let read = try value(context, "a", "list")
      #expect(read as? [String] == ["x", "y"])
    }
  }

  // S6.4: whatever the bytes are, decoding ends.
  @Test func brokenArchivesAreErrors() throws {
    let good = try KeyedArchive.encode(["a": [1, 2, 3], "b": Date()] as [String: Any])
    #expect(try KeyedArchive.decode(good) is [String: Any])
    var seed = UInt64(20_261_121)
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    for _ in 0..<20_000 {
      var bytes = [UInt8](good)
      for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
      if random(4) == 0 { bytes.removeLast(random(bytes.count)) }
      _ = try? KeyedArchive.decode(Data(bytes))
    }
    #expect(throws: KeyedArchive.Failure.self) { _ = try KeyedArchive.decode(Data()) }
  }
}
