import Checking
import CoreData
import SQLite
import Scheduling
import Testing

@testable import Cells

/// A class that takes everything.
final class LenientParcel: NSManagedObject {
  override func validateForInsert() throws {}
  override func validateForUpdate() throws {}
}

struct OwnModelTests {
  /// The shipped model, which has every construct that data is made for.
  private static func library() throws -> NSManagedObjectModel {
    let file = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return try ModelSource.model(at: "/\(file)/Scenarios/models/Library.xcdatamodeld")
  }

  private static func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func aModelAcceptsTheDataMadeForIt(seed: UInt64) throws {
    let model = try Self.library()
    let context = try Self.context(model)
    var planner = try ClusterPlanner(model, seed: seed)
    for _ in 0..<3 {
      let cluster = try planner.cluster(12)
      try context.performAndWait {
        try OwnModelClient.insert(cluster, into: context)
        try context.save()
      }
    }
    try context.performAndWait {
      for entity in model.entities where !entity.isAbstract {
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
        #expect(count >= 30, "\(entity.name ?? "")")
      }
    }
  }

  @Test func derivedValuesAreHeldAgainstWhatTheyComeFrom() throws {
    let store = try TestStore()
    let model = try Self.library()
    let container = try NotebookStore.open(in: store.directory, model: model)
    let writer = container.newBackgroundContext()
    var planner = try ClusterPlanner(model, seed: 1)
    let cluster = try planner.cluster(12)
    try writer.performAndWait {
      try OwnModelClient.insert(cluster, into: writer)
      try writer.save()
    }
    func wrong() throws -> Set<String> {
      let reader = container.newBackgroundContext()
      return try reader.performAndWait {
        var names: Set<String> = []
        for entity in model.entities where !entity.isAbstract {
          for object in try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
            names.formUnion(DerivedValue.differences(in: object).map { "\($0.name) \($0.expected) \($0.seen)" })
          }
        }
        return names
      }
    }
    #expect(try wrong() == [])
    // Nothing that they come from changes, so that the store does not compute them again.
    let connection = try Connection(path: store.path)
    try connection.execute("UPDATE ZAUTHOR SET ZWORKCOUNT = 77, ZSORTNAME = 'none', Z_OPT = Z_OPT + 1")
    try connection.execute("UPDATE ZITEM SET ZWORDCOUNT = -1, ZROOM = 'cellar', Z_OPT = Z_OPT + 1")
    let names = Set(try wrong().map { $0.split(separator: " ")[0] })
    #expect(names == ["workCount", "sortName", "wordCount", "room"])
  }

  // MARK: Rules

  /// Breaks the rules of a model with a store that `insert` fills: how many, and the reported properties.
  private static func breaches(of model: NSManagedObjectModel, _ insert: (NSManagedObjectContext) throws -> Void) throws
    -> (tried: Int, properties: [String])
  {
    let store = try TestStore()
    let container = try NotebookStore.open(in: store.directory, model: model)
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      try insert(writer)
      try writer.save()
    }
    let context = container.newBackgroundContext()
    // This policy would settle conflicts that must be refused here.
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    var audit = RuleAudit(context: context) { _ in false }
    try audit.run()
    return (audit.tried, audit.violations.map(\.subject))
  }

  @Test func everyRuleOfAModelIsBrokenInVain() throws {
    let model = try Self.library()
    var planner = try ClusterPlanner(model, seed: 1)
    let cluster = try planner.cluster(12)
    let (tried, properties) = try Self.breaches(of: model) { try OwnModelClient.insert(cluster, into: $0) }
    #expect(properties == [])
    // Of authors: two that lack a value, a name too short and one too long, a date too early and one too late, an address
    // that matches nothing, one that another has, a new one without a value; and as much of the others.
    #expect(tried >= 40)
  }

  @Test func aSaveThatARuleForbidsIsReported() throws {
    let entity = NSEntityDescription()
    entity.name = "Parcel"
    entity.managedObjectClassName = _typeName(LenientParcel.self)
    func attribute(_ name: String, _ type: NSAttributeType, _ rules: [String], isOptional: Bool = true) {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
      attribute.setValidationPredicates(
        rules.map { NSPredicate(format: $0) }, withValidationWarnings: rules.map { _ in "" })
      entity.properties.append(attribute)
    }
    attribute("code", .stringAttributeType, ["SELF MATCHES '[a-z]+'"])
    attribute("label", .stringAttributeType, ["length >= 2", "length <= 5"])
    attribute("note", .stringAttributeType, [])
    attribute("owner", .stringAttributeType, [], isOptional: false)
    attribute("sent", .dateAttributeType, ["SELF >= CAST(1000, 'NSDate')"])
    attribute("weight", .integer16AttributeType, ["SELF > 5"])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let (tried, properties) = try Self.breaches(of: model) { context in
      let parcel = NSEntityDescription.insertNewObject(forEntityName: "Parcel", into: context)
      parcel.setValuesForKeys([
        "code": "abc", "label": "abc", "owner": "me", "weight": 10, "sent": Date(timeIntervalSinceReferenceDate: 5000),
      ])
    }
    #expect(tried == 7)
    let names = ["owner", "code", "label", "label", "sent", "weight", "owner"]
    #expect(properties == names.map { "Parcel.\($0)" })
  }

  @Test func aSeedGivesTheSameData() throws {
    let model = try Self.library()
    func texts(_ seed: UInt64) throws -> [String] {
      var planner = try ClusterPlanner(model, seed: seed)
      return try planner.cluster(10).map {
        "\($0.entity) \($0.values["title"] ?? "") \($0.links.sorted { $0.key < $1.key })"
      }
    }
    let first = try texts(7)
    let again = try texts(7)
    let other = try texts(8)
    #expect(first == again)
    #expect(first != other)
  }

  @Test func uniqueValuesAreDrawnOnce() throws {
    var planner = try ClusterPlanner(try Self.library(), seed: 1)
    var seen: Set<String> = []
    for _ in 0..<20 {
      for author in try planner.cluster(40) where author.entity == "Author" {
        let email = try #require(author.values["email"] as? String)
        #expect(seen.insert(email).inserted)
      }
    }
    #expect(seen.count >= 800)
  }

  @Test(arguments: [
    #"[a-z]+@[a-z]{2,5}\.(org|net)"#, #"97[89]-\d{10}"#, #"\p{Lu}\w*\s?[^\d]"#, #"^(?:ab|cd){2,3}$"#, "a?b*c+", "",
    #"[\]\-a]{3}"#, #"(?<year>\d{4})-\x41"#,
  ])
  func textsDrawnFromAPatternMatchIt(pattern: String) throws {
    let drawn = try TextPattern(pattern)
    let predicate = NSPredicate(format: "SELF MATCHES %@", pattern)
    var random = SeededRandom(seed: 5)
    for spread in 0..<60 {
      let text = drawn.draw(spread: spread % 9, &random)
      #expect(predicate.evaluate(with: text), "\(text)")
    }
  }

  @Test(arguments: [
    "(?=a)b", #"(a)\1"#, "[a", "(a", "a{3,1}", "*a", "(?<!a)b", "(?<a", "a)", #"\"#, "[a&&b]", "[z-a]",
  ])
  func patternsThatNothingCanBeDrawnFromAreRefused(pattern: String) {
    #expect(throws: TextPattern.Unsupported.self) { try TextPattern(pattern) }
  }

  @Test func aRuleThatIsAsWideAsItsTypeIsMet() throws {
    let attribute = NSAttributeDescription()
    attribute.name = "number"
    attribute.attributeType = .integer64AttributeType
    let rules = [("SELF >= %@", Int64.min), ("SELF <= %@", Int64.max)]
    attribute.setValidationPredicates(
      rules.map { NSPredicate(format: $0, NSNumber(value: $1)) }, withValidationWarnings: ["least", "greatest"])
    var generator = try AttributeGenerator(attribute, isUnique: true)
    var random = SeededRandom(seed: 1)
    for _ in 0..<5 {
      let value = try generator.draw(&random)
      #expect(value != nil)
    }
  }

  @Test func aRuleThatNoValueMeetsIsNamed() throws {
    let model = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Parcel"
    let weight = NSAttributeDescription()
    weight.name = "weight"
    weight.attributeType = .integer16AttributeType
    weight.isOptional = false
    weight.setValidationPredicates(
      [NSPredicate(format: "SELF > 5"), NSPredicate(format: "SELF < 3")], withValidationWarnings: ["", ""])
    entity.properties = [weight]
    model.entities = [entity]
    var planner = try ClusterPlanner(model, seed: 1)
    let error = #expect(throws: AttributeGenerator.Impossible.self) { try planner.cluster(2) }
    #expect(error?.description.contains("Parcel.weight") == true)
  }

  /// Each object of a circle of entities asks for two of the next: no number of objects is enough.
  @Test func aModelThatNoDataCanMeetIsRefusedWhateverTheSize() throws {
    let model = NSManagedObjectModel()
    let entities = ["A", "B", "C"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    for (position, entity) in entities.enumerated() {
      let next = entities[(position + 1) % entities.count]
      let (many, one) = (NSRelationshipDescription(), NSRelationshipDescription())
      (many.name, many.destinationEntity, many.isOptional, many.minCount) = ("many", next, false, 2)
      (one.name, one.destinationEntity, one.isOptional, one.maxCount) = ("one", entity, false, 1)
      (many.inverseRelationship, one.inverseRelationship) = (one, many)
      entity.properties += [many]
      next.properties += [one]
    }
    model.entities = entities
    let schema = WorkloadSchema(model: model, layout: try StoreLayout(of: model))
    let error = #expect(throws: ModelSource.Unusable.self) {
      try OwnModelSchema.requirePlan(of: schema, at: "Circle", saveEvery: 30)
    }
    #expect(error?.description.contains("no save_every helps") == true)
    let library = try Self.library()
    let fitting = WorkloadSchema(model: library, layout: try StoreLayout(of: library))
    #expect(throws: Never.self) { try OwnModelSchema.requirePlan(of: fitting, at: "Library", saveEvery: 100) }
  }

  @Test func relationshipsHaveAsManyObjectsAsTheyMust() throws {
    let model = NSManagedObjectModel()
    let team = NSEntityDescription()
    team.name = "Team"
    let player = NSEntityDescription()
    player.name = "Player"
    let players = NSRelationshipDescription()
    players.name = "players"
    players.destinationEntity = player
    players.isOptional = false
    players.minCount = 3
    players.maxCount = 5
    let of = NSRelationshipDescription()
    of.name = "team"
    of.destinationEntity = team
    of.maxCount = 1
    of.isOptional = false
    players.inverseRelationship = of
    of.inverseRelationship = players
    team.properties = [players]
    player.properties = [of]
    model.entities = [team, player]
    var planner = try ClusterPlanner(model, seed: 1)
    let objects = try planner.cluster(11)
    var sizes: [Int: Int] = [:]
    for object in objects where object.entity == "Player" {
      sizes[try #require(object.links["team"]?.first), default: 0] += 1
    }
    #expect(sizes.count == objects.count { $0.entity == "Team" })
    #expect(sizes.values.allSatisfy { 3...5 ~= $0 })
  }
}
