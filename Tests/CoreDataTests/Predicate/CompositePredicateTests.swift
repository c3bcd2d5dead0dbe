import Testing

@testable import CoreData

/// Elements of composite attributes in predicates, orders and dictionaries: the same before and after the save. S7.1, S7.2,
/// S9.2
@Suite(.everyStore, .oneThread) struct CompositePredicateTests {
  /// House 1 is in Rome (zip 10, lat 1.5, lon 2) and belongs to owner 1, in Oslo; 2 in Oslo without zip and to owner 1 too;
  /// 3 has no address and belongs to owner 2, without one either; 4 has only a latitude, and no owner.
  private func fill(_ context: NSManagedObjectContext) {
    let owners = [
      context.insert("Owner", ["n": 1, "addr": ["city": "Oslo", "zip": 10] as [String: Any]]),
      context.insert("Owner", ["n": 2]),
    ]
    let geo: [String: Any] = ["lat": 1.5, "lon": 2]
    let houses = [
      context.insert(
        "House", ["n": 1, "city": "x", "addr": ["city": "Rome", "zip": 10, "geo": geo] as [String: Any]]),
      context.insert("House", ["n": 2, "addr": ["city": "Oslo"]]), context.insert("House", ["n": 3]),
      context.insert("House", ["n": 4, "addr": ["geo": ["lat": -1]]]),
    ]
    for (house, owner) in [(0, 0), (1, 0), (2, 1)] { houses[house].setValue(owners[owner], forKey: "owner") }
  }

  private func inEveryState(_ check: (NSManagedObjectContext, Comment) throws -> Void) throws {
    let context = try TestStack(model: Estate.model()).context()
    try context.performAndWait {
      fill(context)
      try context.inEveryState(check)
    }
  }

  // S7.2
  @Test func elementsAreCompared() throws {
    try inEveryState { context, state in
      for (format, numbers) in [
        ("addr.city == 'Rome'", [1]), ("addr.city != 'Rome'", [2, 3, 4]), ("addr.zip == nil", [2, 3, 4]),
        ("addr.zip != nil", [1]), ("addr.city CONTAINS[c] 'O'", [1, 2]), ("addr.city IN {'Oslo', nil}", [2, 3, 4]),
        ("addr.city BEGINSWITH 'R' AND n > 0", [1]), ("addr.city.length == 4", [1, 2]), ("addr.zip + 1 == 11", [1]),
        ("addr.zip.stringValue == '10'", [1]), ("addr.geo.lat > 1", [1]), ("addr.geo.lat < 0", [4]),
        ("addr.geo.lat BETWEEN {-2, 2}", [1, 4]), ("addr.geo.lon == 2", [1]), ("NOT addr.geo.lon == 2", [2, 3, 4]),
        ("addr == nil", [3]), ("addr != nil", [1, 2, 4]), ("addr.geo == nil", [2, 3]), ("addr.geo != nil", [1, 4]),
        ("owner.addr.city == 'Oslo'", [1, 2]), ("owner.addr.city == addr.city", [2, 3, 4]),
        ("owner.addr.geo == nil", [1, 2, 3, 4]),
        ("owner.addr.zip == addr.zip AND addr.zip != nil", [1]), ("city == 'x'", [1]),
        ("ANY owner.houses.addr.city == 'Rome'", [1, 2]),
      ] {
        try context.expect("House", NSPredicate(format: format), finds: numbers, state)
      }
      for (format, numbers) in [
        ("ANY houses.addr.city == 'Rome'", [1]), ("NONE houses.addr.city == 'Rome'", [2]),
        ("'Oslo' IN houses.addr.city", [1]), ("houses.@max.addr.zip == 10", [1]),
        ("houses.@sum.addr.geo.lat == 1.5", [1]),
        ("SUBQUERY(houses, $h, $h.addr.city == addr.city).@count == 1", [1, 2]),
        ("SUBQUERY(houses, $h, $h.addr.geo.lat == nil).@count == 1", [1, 2]),
      ] {
        try context.expect("Owner", NSPredicate(format: format), finds: numbers, state)
      }
    }
  }

  // S7.2
  @Test func whatIsNoElementIsNamed() throws {
    let context = try TestStack(model: Estate.model()).context()
    context.performAndWait {
      for (format, message) in [
        ("addr.street == 'x'", "addr has no element \"street\"; it has city, geo, zip"),
        ("addr.geo.alt == 1", "addr.geo has no element \"alt\"; it has lat, lon"),
        ("addr.city.name == 'x'", "addr.city is an attribute and leads nowhere"),
        ("addr.city > 4.5", "addr.city is a String"), ("addr.zip == 'x'", "addr.zip is an integer"),
      ] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "House")
        request.predicate = NSPredicate(format: format)
        let error = caught { _ = try context.fetch(request) }
        #expect(error?.code == NSCoreDataError && error?.localizedDescription.contains(message) ?? false, "\(error)")
      }
    }
  }

  // S7.1
  @Test(arguments: [
    (["addr.city", "n"], [3, 4, 2, 1]), (["addr.geo.lat", "n"], [2, 3, 4, 1]),
    (["addr.zip", "addr.city", "n"], [3, 4, 2, 1]),
    (["owner.addr.city", "addr.city", "n"], [3, 4, 2, 1]),
  ])
  func elementsAreSortedBy(keys: [String], numbers: [Int]) throws {
    try inEveryState { context, state in
      for ascending in [true, false] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "House")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: ascending) }
        let expected = ascending ? numbers : numbers.reversed()
        #expect(try context.fetch(request).map { $0.value(forKey: "n") as? Int } == expected, "\(state)")
        request.fetchLimit = 2
        #expect(
          try context.fetch(request).map { $0.value(forKey: "n") as? Int } == Array(expected.prefix(2)), "\(state)")
        let array = try context.all("House") as NSArray
        let sorted = array.sortedArray(using: request.sortDescriptors ?? [])
        #expect(sorted.map { ($0 as? NSManagedObject)?.value(forKey: "n") as? Int } == expected, "\(state), an array")
      }
    }
  }

  // S7.5
  @Test func aControllerHasSectionsByElements() throws {
    try inEveryState { context, state in
      let request = NSFetchRequest<NSManagedObject>(entityName: "House")
      request.sortDescriptors = ["addr.city", "n"].map { NSSortDescriptor(key: $0, ascending: true) }
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "addr.city", cacheName: nil)
      try controller.performFetch()
      #expect(
        controller.sections?.map { "\($0.name) \($0.numberOfObjects)" } == [" 2", "Oslo 1", "Rome 1"], "\(state)")
    }
  }

  // S7.1
  @Test func dictionariesHaveElements() throws {
    let context = try TestStack(model: Estate.model()).context()
    try context.performAndWait {
      fill(context)
      try context.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "House")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["n", "addr.city", "addr.geo.lat", "owner.addr.zip"]
      request.sortDescriptors = [
        NSSortDescriptor(key: "addr.city", ascending: false), NSSortDescriptor(key: "n", ascending: true),
      ]
      #expect(
        try context.fetch(request) == [
          ["n": 1, "addr.city": "Rome", "addr.geo.lat": 1.5, "owner.addr.zip": 10],
          ["n": 2, "addr.city": "Oslo", "owner.addr.zip": 10], ["n": 3], ["n": 4, "addr.geo.lat": -1.0],
        ])
      let house = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["House"])
      let addr = try #require(house.attributesByName["addr"] as? NSCompositeAttributeDescription)
      request.propertiesToFetch = [addr.elements[0]]
      #expect(try context.fetch(request) == [["addr.city": "Rome"], ["addr.city": "Oslo"], [:], [:]])
      let most = NSExpressionDescription()
      most.name = "most"
      most.expression = NSExpression(format: "max:(addr.geo.lat)")
      request.propertiesToFetch = ["addr.city", most]
      request.propertiesToGroupBy = ["addr.city"]
      request.havingPredicate = NSPredicate(format: "addr.city != nil")
      request.sortDescriptors = [NSSortDescriptor(key: "addr.city", ascending: true)]
      #expect(try context.fetch(request) == [["addr.city": "Oslo"], ["addr.city": "Rome", "most": 1.5]])
    }
  }

  // S7.4
  @Test func batchesReadElements() throws {
    let stack = try TestStack(model: Estate.model())
    try stack.change { fill($0) }
    let context = stack.context()
    try context.performAndWait {
      let update = NSBatchUpdateRequest(entityName: "House")
      update.predicate = NSPredicate(format: "addr.zip == 10")
      update.propertiesToUpdate = [
        "price": NSExpression(format: "addr.geo.lat * 2"), "city": NSExpression(format: "addr.city"),
      ]
      try context.execute(update)
      try context.execute(
        NSBatchDeleteRequest(
          fetchRequest: {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "House")
            request.predicate = NSPredicate(format: "addr.geo.lat < 0 OR addr == nil")
            return request
          }()))
    }
    #expect(
      try stack.sql("SELECT ZN || ' ' || ifnull(ZPRICE, '-') || ' ' || ifnull(ZCITY1, '-') FROM ZHOUSE ORDER BY 1") == [
        "1 3.0 Rome", "2 - -",
      ])
  }
}
