import Testing

@testable import CoreData

/// Dictionaries' values of attributes with another form in the file, and of groups. S7.1
@Suite("S7.1 Values of dictionaries", .everyStore)
struct DictionaryValueTests {
  /// Houses 1 to 4 at 10, 20, 30 and no price; 1 and 2 are sold.
  private func stack() throws -> TestStack {
    let stack = try TestStack(model: Estate.model())
    try stack.change { context in
      for (number, price) in [(1, 10), (2, 20), (3, 30), (4, nil)] {
        context.insert("House", ["n": number, "sold": number < 3]).setValue(price, forKey: "price")
      }
    }
    return stack
  }

  private func request(_ properties: [Any]?) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "House")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    return request
  }

  private func description(_ name: String, _ expression: NSExpression) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = expression
    return description
  }

  private static let operators = ["@sum.price", "@avg.price", "@min.price", "@max.price", "@count"]

  // S7.1: without a to-many relationship before them, operators are about the rows.
  @Test(arguments: [true, false]) func operatorsAggregateRows(isFormat: Bool) throws {
    let stack = try stack()
    let columns = Self.operators.map { path in
      description(path, isFormat ? NSExpression(format: path) : NSExpression(forKeyPath: path))
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      let all = request(columns)
      #expect(
        try context.fetch(all) == [
          ["@sum.price": 60, "@avg.price": 20, "@min.price": 10, "@max.price": 30, "@count": 4]
        ])
      let grouped = request(["sold"] + columns)
      grouped.propertiesToGroupBy = ["sold"]
      grouped.sortDescriptors = [NSSortDescriptor(key: "sold", ascending: true)]
      #expect(
        try context.fetch(grouped) == [
          ["sold": false, "@sum.price": 30, "@avg.price": 30, "@min.price": 30, "@max.price": 30, "@count": 2],
          ["sold": true, "@sum.price": 30, "@avg.price": 15, "@min.price": 10, "@max.price": 20, "@count": 2],
        ])
      grouped.havingPredicate = NSPredicate(format: "@max.price < 25 AND @count == 2")
      #expect(try context.fetch(grouped).map { $0["sold"] as? Bool } == [true])
    }
  }

  @Test func whatAnOperatorIsAboutIsNamed() throws {
    let stack = try stack()
    let context = stack.context()
    context.performAndWait {
      for (path, message) in [
        ("@sum.city", "sum is about numbers"), ("@sum", "@sum is followed by the key"),
        ("@sum.owner.houses", "one value of each object"),
        ("@unionOfObjects.n", "directly follow a to-many relationship"),
        ("@sum.@sum.n", "one value of each object"), ("@count.n", "nothing follows @count"),
        ("owner.@sum.n", "directly follow a to-many relationship"),
      ] {
        let error = caught { _ = try context.fetch(request([description("x", NSExpression(forKeyPath: path))])) }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains(message) ?? false, "\(error)")
      }
      let objects = NSFetchRequest<NSManagedObject>(entityName: "House")
      objects.predicate = NSPredicate(format: "@sum.price > 1")
      let error = caught { _ = try context.fetch(objects) }
      #expect(error?.localizedDescription.contains("directly follow a to-many relationship") ?? false)
    }
  }

  // S7.1: as key-value coding has it.
  @Test func aSumBeyondAllIntegersIsADouble() throws {
    let stack = try TestStack(model: Warehouse.model())
    try stack.change { context in
      for _ in 1...2 { context.insert("Thing", ["j": Int64.max]) }
    }
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [description("x", NSExpression(forKeyPath: "@sum.j"))]
      let (rows, things) = (try context.fetch(request), NSArray(array: try context.all("Thing")))
      #expect(rows.map { $0["x"] as? Double } == [0x1p64])
      #expect(things.value(forKeyPath: "@sum.j") as? Double == 0x1p64)
    }
  }

  // S7.1: a value of two kinds of numbers loses no fraction, whichever comes first.
  @Test(arguments: [
    ("TERNARY(i > 5, 1, 0.5)", "0.5"), ("TERNARY(i > 5, i, d)", "0.5"), ("TERNARY(i < 5, d, i)", "0.5"),
    ("TERNARY(i > 5, i, 0.5)", "0.5"), ("TERNARY(i < 5, 0.5, i)", "0.5"), ("TERNARY(i > 5, i, price)", "9.99"),
    ("TERNARY(i > 5, b, 7)", "7"), ("TERNARY(i > 5, b, i)", "3"),
    ("max({price, i})", "9.99"), ("sum({price, i})", "12.99"), ("min({d, price, i})", "0.5"), ("sum({i, i})", "6"),
  ])
  func mixedNumbersKeepTheirFractions(format: String, expected: String) throws {
    let stack = try TestStack(model: Warehouse.model())
    let price = try #require(Decimal(string: "9.99"))
    try stack.change { $0.insert("Thing", ["i": 3, "d": 0.5, "price": price, "b": true]) }
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [description("x", NSExpression(format: format))]
      let rows = try context.fetch(request)
      #expect(rows.map { "\($0["x"] ?? "nil")" } == [expected])
    }
  }

  // S7.1, S9.2: the values are those that an object has.
  @Test(arguments: [true, false]) func encodedValuesAreThoseOfObjects(areNamed: Bool) throws {
    let stack = try TestStack(model: Estate.model())
    let address: [String: Any] = ["city": "Rome", "geo": ["lat": 1.5]]
    try stack.change { context in
      context.insert("House", ["n": 1, "picture": Album.value(1), "list": ["a", "b"], "addr": address])
      context.insert("House", ["n": 2, "picture": Data([1, 2])])
      context.insert("House", ["n": 3])
    }
    let context = stack.context()
    try context.performAndWait {
      let request = request(areNamed ? ["picture", "list", "addr", "n", "addr.geo", "owner.portrait"] : nil)
      request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
      let rows = try context.fetch(request)
      #expect(rows.count == 3)
      #expect(try context.count(for: request) == 3)
      #expect(rows[0]["picture"] as? Data == Album.value(1) && rows[1]["picture"] as? Data == Data([1, 2]))
      #expect(rows[0]["list"] as? [String] == ["a", "b"] && rows[1]["list"] == nil)
      #expect(rows[0]["addr"] as? NSDictionary == NSDictionary(dictionary: address))
      #expect(rows[0]["addr.geo"] as? NSDictionary == (areNamed ? ["lat": 1.5] : nil))
      #expect(rows.map { $0["n"] as? Int } == [1, 2, 3] && rows[2].count == 1)
      request.fetchOffset = 1
      request.predicate = NSPredicate(format: "picture != nil")
      #expect(try context.fetch(request).map { $0["picture"] as? Data } == [Data([1, 2])])
    }
  }

  // S7.1: an attribute with no one value in SQL makes no group, and is not counted.
  @Test func encodedValuesMakeNoGroups() throws {
    let stack = try stack()
    let context = stack.context()
    context.performAndWait {
      for key in ["picture", "list", "addr", "addr.geo"] {
        let grouped = request([key])
        grouped.propertiesToGroupBy = [key]
        let error = caught { _ = try context.fetch(grouped) }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains(key) ?? false, "\(error)")
        let sorted = request([key])
        sorted.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        let second = caught { _ = try context.fetch(sorted) }
        #expect(second?.code == NSCoreDataError && second?.localizedDescription.contains(key) ?? false, "\(second)")
        let distinct = request([key])
        distinct.returnsDistinctResults = true
        let third = caught { _ = try context.fetch(distinct) }
        #expect(third?.code == NSCoreDataError && third?.localizedDescription.contains(key) ?? false, "\(third)")
      }
    }
  }

  // S7.1: the elements of all rows of a group are aggregated together.
  @Test func aggregatesOverRelationshipsCountEveryRowOfAGroup() throws {
    let stack = try TestStack(model: Estate.model())
    try stack.change { context in
      // Two owners of n 1 with prices 10, 20, none and 60; one of n 2 without houses; one of n 3 with a price of 5.
      for (number, prices) in [(1, [10, 20, nil]), (1, [60]), (2, []), (3, [5])] as [(Int, [Double?])] {
        let owner = context.insert("Owner", ["n": number])
        for price in prices { context.insert("House", ["owner": owner]).setValue(price, forKey: "price") }
      }
    }
    let context = stack.context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      let (price, n) = (NSExpression(forKeyPath: "houses.price"), NSExpression(forKeyPath: "n"))
      let columns =
        ["max", "min", "sum", "average"].map { name in
          description(name, NSExpression(forFunction: "\(name):", arguments: [price]))
        } + [
          description("count", NSExpression(format: "count:(houses)")),
          description("owners", NSExpression(forFunction: "count:", arguments: [n])),
          description("twice", NSExpression(format: "houses.@sum.price * 2")),
        ]
      request.propertiesToFetch = ["n"] + columns
      request.propertiesToGroupBy = ["n"]
      request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
      #expect(
        try context.fetch(request) == [
          ["n": 1, "max": 60, "min": 10, "sum": 90, "average": 30, "count": 4, "owners": 2, "twice": 180],
          ["n": 2, "sum": 0, "count": 0, "owners": 1, "twice": 0],
          ["n": 3, "max": 5, "min": 5, "sum": 5, "average": 5, "count": 1, "owners": 1, "twice": 10],
        ])
      request.havingPredicate = NSPredicate(format: "max > 5 AND houses.@count > 1")
      request.sortDescriptors = [NSSortDescriptor(key: "houses.@count", ascending: false)]
      #expect(try context.fetch(request).map { $0["n"] as? Int } == [1])
      request.havingPredicate = nil
      #expect(try context.fetch(request).map { $0["n"] as? Int } == [1, 3, 2])
      // Without groups an aggregate over the rows makes one of them all.
      (request.propertiesToFetch, request.propertiesToGroupBy) = ([columns[0], columns[5]], nil)
      #expect(try context.fetch(request) == [["max": 60, "owners": 4]])
      // So does one over a relationship alone.
      for (column, total) in zip(columns, [60, 5, 95, 23.75, 5]) {
        request.propertiesToFetch = [column]
        #expect(try context.fetch(request) == [[column.name: total] as NSDictionary])
      }
      // Where each row is a group, each has its own; and so has each beside a value of the row.
      request.sortDescriptors = [NSSortDescriptor(key: "sum", ascending: false)]
      request.propertiesToFetch = [columns[2], "objectID"]
      for groups in [["objectID"], nil] {
        request.propertiesToGroupBy = groups
        #expect(try context.fetch(request).map { $0["sum"] as? Double } == [60, 30, 5, 0])
      }
      // A group may be of a value that is counted in each row.
      request.propertiesToFetch = [columns[4], columns[5]]
      request.propertiesToGroupBy = ["count"]
      request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
      #expect(
        try context.fetch(request) == [
          ["count": 0, "owners": 1], ["count": 1, "owners": 2], ["count": 3, "owners": 1],
        ])
    }
  }
}
