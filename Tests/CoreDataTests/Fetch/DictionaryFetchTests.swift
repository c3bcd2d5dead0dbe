import Testing

@testable import CoreData

@Suite("S7.1 Fetches of dictionaries", .everyStore)
struct DictionaryFetchTests {
  /// Words of two notes, one of none; levels 1 to 5, one null.
  private func stack() throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      for (number, words) in [(1, ["a", "b", "c"]), (2, ["d"])] {
        context.insertNote(Int64(number), title: "note \(number)", words: words)
      }
      let word = Word(context: context)
      word.term = "e"
      for (level, term) in ["a", "b", "c", "d"].enumerated() {
        try #require(try context.words(NSPredicate(format: "term == %@", term)).first).level = Int64(level + 1)
      }
      word.setValue(nil, forKey: "level")
    }
    return stack
  }

  private func request(_ entity: String, _ properties: [Any]?, sort: [String] = []) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  private func description(
    _ name: String, _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    description.expressionResultType = type
    return description
  }

  private func aggregate(
    _ name: String, of key: String, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let expression = NSExpression(forFunction: "\(name):", arguments: [NSExpression(forKeyPath: key)])
    return description(name, expression, type)
  }

  /// The dictionaries as texts, keys sorted.
  private func texts(_ request: NSFetchRequest<NSDictionary>, _ stack: TestStack) throws -> [String] {
    let context = stack.context()
    return try context.performAndWait { try context.fetch(request).map(Self.text) }
  }

  private static func text(_ dictionary: NSDictionary) -> String {
    let values = dictionary as? [String: Any] ?? [:]
    return values.map { key, value in "\(key)=\(value)" }.sorted().joined(separator: " ")
  }

  /// The message of the error that a request gives.
  private func refusal(_ request: NSFetchRequest<NSDictionary>) throws -> String {
    let stack = try TestStack()
    let context = stack.context()
    return try context.performAndWait {
      let error = try #require(throws: NSError.self) { try context.fetch(request) }
      #expect(error.code == NSCoreDataError)
      return error.localizedDescription
    }
  }

  @Test func propertiesComeByNameDescriptionAndKeyPathAndNullsAreAbsent() throws {
    let stack = try stack()
    let level = try #require(stack.container.managedObjectModel.entitiesByName["Word"]?.propertiesByName["level"])
    #expect(
      try texts(request("Word", ["term", level, "note.number"], sort: ["term"]), stack) == [
        "level=1 note.number=1 term=a", "level=2 note.number=1 term=b", "level=3 note.number=1 term=c",
        "level=4 note.number=2 term=d", "term=e",
      ])
  }

  @Test func withoutPropertiesAllAttributesCome() throws {
    let stack = try stack()
    #expect(try texts(request("Word", nil, sort: ["term"]), stack).first == "level=1 term=a")
  }

  @Test func aSortKeyIsAboutTheMembersOfARow() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      for properties in [nil, ["number"]] as [[Any]?] {
        let rows = try context.fetch(request("Note", properties, sort: ["words.@count"]))
        #expect(rows.map { $0["number"] as? Int } == [2, 1])
      }
    }
    let message = try refusal(request("Word", ["term"], sort: ["@sum.level"]))
    #expect(message.contains("term is neither in propertiesToGroupBy nor an aggregate"))
  }

  @Test func everyTypeComesAsAnObjectHasIt() throws {
    let stack = try TestStack(model: Zoo.model())
    let values: [String: Any] = [
      "aBool": true, "aData": Data([1, 2]), "aDate": Date(timeIntervalSinceReferenceDate: 5), "aDecimal": Decimal(7),
      "aDouble": 1.5, "aFloat": Float(2.5), "anInt16": 3, "anInt32": 4, "anInt64": 5, "aString": "s",
      "aURI": try #require(URL(string: "https://example.com/a")), "aUUID": UUID(),
    ]
    try stack.change { $0.insert("Sample", values) }
    let context = stack.context()
    try context.performAndWait {
      let dictionary = try #require(try context.fetch(request("Sample", nil)).first as? [String: Any])
      let object = try #require(try context.all("Sample").first)
      #expect(dictionary.count == values.count)
      for (key, value) in dictionary {
        #expect("\(value)" == "\(object.value(forKey: key) ?? "nil")", "\(key)")
        // A dictionary of Foundation's has its classes.
        #expect(value is Decimal || type(of: value) == type(of: object.value(forKey: key) ?? ""), "\(key)")
      }
    }
  }

  @Test func relationshipsAndTheObjectItselfComeAsIDs() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      let lion = context.insert("Lion", ["name": "l"])
      context.insert("Keeper", ["name": "k", "favourite": lion])
      context.insert("Keeper", ["name": "m"])
    }
    let itself = description("objectID", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType)
    let context = stack.context()
    try context.performAndWait {
      let rows = try context.fetch(request("Keeper", [itself, "favourite"], sort: ["name"]))
      #expect(
        rows.map { $0["objectID"] as? NSManagedObjectID } == [
          try context.all("Keeper", where: "name", is: "k")[0].objectID,
          try context.all("Keeper", where: "name", is: "m")[0].objectID,
        ])
      let favourite = try #require(rows[0]["favourite"] as? NSManagedObjectID)
      #expect(favourite == (try context.all("Lion")[0].objectID) && favourite.entity.name == "Lion")
      #expect(rows[1]["favourite"] == nil)
      let animals = try context.fetch(request("Animal", [itself]))
      #expect((animals[0]["objectID"] as? NSManagedObjectID) == favourite)
    }
  }

  @Test func aggregatesWithoutGroupsGiveOneDictionary() throws {
    let stack = try stack()
    let names = ["count", "sum", "min", "max", "average"]
    let all = request("Word", names.map { aggregate($0, of: "level") })
    #expect(try texts(all, stack) == ["average=2.5 count=4 max=4 min=1 sum=10"])
    all.predicate = NSPredicate(format: "term == 'nobody'")
    #expect(try texts(all, stack) == ["count=0 sum=0"])
  }

  @Test func groupsAreCountedChosenAndSorted() throws {
    let stack = try stack()
    let grouped = request("Word", ["note.number", aggregate("count", of: "term"), aggregate("sum", of: "level")])
    grouped.propertiesToGroupBy = ["note.number"]
    grouped.sortDescriptors = [
      NSSortDescriptor(key: "count", ascending: false), NSSortDescriptor(key: "note.number", ascending: true),
    ]
    let all = ["count=3 note.number=1 sum=6", "count=1 sum=0", "count=1 note.number=2 sum=4"]
    #expect(try texts(grouped, stack) == all)
    let context = stack.context()
    try context.performAndWait { () throws in #expect(try context.count(for: grouped) == 3) }
    // Every way to write a condition about groups.
    for having in [
      NSPredicate(format: "count > 1"), NSPredicate(format: "$count > 1"),
      NSPredicate(format: "%@ > 1", NSExpression(forVariable: "count")), NSPredicate(format: "sum:(level) == 6"),
    ] {
      grouped.havingPredicate = having
      #expect(try texts(grouped, stack) == [all[0]], "\(having)")
    }
    grouped.havingPredicate = nil
    grouped.fetchLimit = 1
    grouped.fetchOffset = 1
    #expect(try texts(grouped, stack) == [all[1]])
  }

  @Test func groupsMayBeOfRelationshipsAndExpressions() throws {
    let stack = try stack()
    let parity = description("odd", NSExpression(format: "modulus:by:(level, 2)"), .integer16AttributeType)
    let grouped = request("Word", [parity, aggregate("count", of: "term")], sort: ["odd"])
    grouped.propertiesToGroupBy = [parity]
    grouped.predicate = NSPredicate(format: "level != nil")
    let parities = try texts(grouped, stack)
    #expect(parities == ["count=2 odd=0", "count=2 odd=1"])
    let note = try #require(stack.container.managedObjectModel.entitiesByName["Word"]?.propertiesByName["note"])
    let byNote = request("Word", ["note", aggregate("max", of: "level")], sort: ["note"])
    byNote.propertiesToGroupBy = [note]
    let context = stack.context()
    try context.performAndWait {
      let rows = try context.fetch(byNote)
      #expect(rows.map { $0["note"] as? NSManagedObjectID } == [nil] + (try context.notes().map(\.objectID)))
      #expect(rows.map { $0["max"] as? Int } == [nil, 3, 4])
    }
  }

  @Test func theResultTypeConvertsValues() throws {
    let stack = try stack()
    for (type, expected) in [
      (NSAttributeType.integer64AttributeType, "2"), (.doubleAttributeType, "2.5"), (.stringAttributeType, "2.5"),
      (.decimalAttributeType, "2.5"), (.booleanAttributeType, "true"),
    ] {
      #expect(try texts(request("Word", [aggregate("average", of: "level", type)]), stack) == ["average=\(expected)"])
    }
  }

  @Test func distinctResultsComeOnce() throws {
    let stack = try stack()
    let distinct = request("Word", ["note.title"], sort: ["note.title"])
    distinct.returnsDistinctResults = true
    #expect(try texts(distinct, stack) == ["", "note.title=note 1", "note.title=note 2"])
    let context = stack.context()
    try context.performAndWait { () throws in #expect(try context.count(for: distinct) == 3) }
  }

  // As code for Apple's systems counts the groups there would be.
  @Test func distinctValuesAreCountedOnce() throws {
    let stack = try stack()
    try stack.change { context in for word in try context.words() where word.level == 2 { word.level = 1 } }
    func distinct(_ value: NSExpression) -> NSExpressionDescription {
      let values = NSExpression(forFunction: "distinct:", arguments: [value])
      return description("n", NSExpression(forFunction: "count:", arguments: [values]))
    }
    for (value, count) in [
      (NSExpression(forKeyPath: "level"), 3), (NSExpression(forKeyPath: "note"), 2),
      (NSExpression(forKeyPath: "note.title"), 2), (NSExpression.expressionForEvaluatedObject(), 5),
    ] {
      #expect(try texts(request("Word", [distinct(value)]), stack) == ["n=\(count)"], "\(value)")
    }
    let grouped = request("Word", ["note", distinct(NSExpression(forKeyPath: "level"))], sort: ["note"])
    grouped.propertiesToGroupBy = ["note"]
    #expect(try texts(grouped, stack).map { $0.prefix(3) } == ["n=0", "n=2", "n=1"])
    let words = distinct(NSExpression(forKeyPath: "words"))
    #expect(try refusal(request("Note", [words])).contains("is not supported of a collection"))
  }

  @Test("S7.3: unsaved changes never count, of parents neither")
  func unsavedChangesNeverCount() throws {
    let stack = try stack()
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    let count = request("Note", [aggregate("count", of: "number")])
    try parent.performAndWait {
      parent.insertNote(3)
      try parent.note(1).number = 9
      #expect(
        try parent.fetch(request("Note", ["number"], sort: ["number"])).map(Self.text) == ["number=1", "number=2"])
    }
    try child.performAndWait { () throws in
      child.insertNote(4)
      #expect(try child.fetch(count).map(Self.text) == ["count=2"])
    }
  }

  @Test func aPredicateThatSQLCannotSayIsEvaluatedInMemory() throws {
    let stack = try stack()
    let some = request("Word", [aggregate("sum", of: "level")])
    some.predicate = NSPredicate { object, _ in (object as? Word)?.term != "a" }
    #expect(try texts(some, stack) == ["sum=9"])
  }

  @Test func dictionariesCanBeCastAndComeWithoutAnElementType() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["number"]
      let rows = try #require(try context.fetch(request) as? [[String: Any]])
      #expect(rows.compactMap { $0["number"] as? Int64 } == [1, 2])
    }
  }

  @Test func subentitiesCountUnlessTheRequestSaysOtherwise() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in for entity in ["Cat", "Lion", "Bird"] { context.insert(entity, ["name": entity]) } }
    let cats = request("Cat", ["name"], sort: ["name"])
    #expect(try texts(cats, stack) == ["name=Cat", "name=Lion"])
    cats.includesSubentities = false
    #expect(try texts(cats, stack) == ["name=Cat"])
  }

  // S7.1
  @Test func anAggregateOfAllRowsIsOneRowWhateverTheOrder() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let request = request("Note", [aggregate("max", of: "number")])
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let rows = try context.fetch(request)
      #expect(rows.count == 1)
      #expect(rows.first?.allValues.first as? Int == 3)
    }
  }

  @Test func whatHasNoOneValueIsRefusedByName() throws {
    let grouped = request("Word", ["term", aggregate("count", of: "level")])
    #expect(try refusal(grouped).contains("term is neither in propertiesToGroupBy nor an aggregate"))
    grouped.propertiesToGroupBy = ["level"]
    #expect(try refusal(grouped).contains("term is neither"))
    grouped.propertiesToGroupBy = ["term"]
    grouped.sortDescriptors = [NSSortDescriptor(key: "level", ascending: true)]
    #expect(try refusal(grouped).contains("a sort key is neither"))
    #expect(try refusal(request("Note", ["words"])).contains("words"))
    #expect(try refusal(request("Note", ["nothing"])).contains("nothing"))
    #expect(try refusal(request("Note", [])).contains("propertiesToFetch"))
    #expect(try refusal(request("Note", [NSExpressionDescription()])).contains("no expression"))
    let having = request("Note", ["number"])
    having.havingPredicate = NSPredicate(format: "number > 1")
    #expect(try refusal(having).contains("propertiesToGroupBy"))
  }

  @Test func severalStoresAreNotMixed() throws {
    let stack = try TestStack(.memory)
    let coordinator = stack.container.persistentStoreCoordinator
    let second = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    try stack.change { context in
      context.insertNote(1)
      context.assign(context.insertNote(2), to: second)
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      #expect(Set(try context.fetch(request("Note", ["number"])).map(Self.text)) == ["number=1", "number=2"])
      let count = request("Note", [aggregate("count", of: "number")])
      #expect(cocoaCode { _ = try context.fetch(count) } == NSPersistentStoreOperationError)
      count.affectedStores = [second]
      #expect(try context.fetch(count).map(Self.text) == ["count=1"])
    }
  }

  // S7.1: the greatest of a list is one of each row, though a count is in the list.
  @Test(arguments: ["max({words.@count, 2})", "max(words.@count, 2)"])
  func aFunctionOfAListIsOfEachRow(format: String) throws {
    let greatest = description("x", NSExpression(format: format))
    #expect(try texts(request("Note", [greatest], sort: ["number"]), stack()) == ["x=3", "x=2"])
  }
}
