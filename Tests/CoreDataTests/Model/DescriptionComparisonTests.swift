import Testing

@testable import CoreData

struct DescriptionComparisonTests {
  private static func attribute(_ value: Any?) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "a"
    attribute.userInfo = ["value": value as Any]
    return attribute
  }

  // S9.1
  @Test func valuesThatCannotBeHashedAreComparedByTheirParts() {
    func parts(_ number: Int) -> [String: Any] {
      ["list": [number, "x"] as [Any], "map": ["n": number] as [String: Any]]
    }
    #expect(Self.attribute(parts(1)).isEqual(Self.attribute(parts(1))))
    #expect(!Self.attribute(parts(1)).isEqual(Self.attribute(parts(2))))
    #expect(!Self.attribute(parts(1)).isEqual(Self.attribute([1] as [Any])))
    #expect(Self.attribute([:] as [String: Any]).isEqual(Self.attribute([:] as [String: Any])))
  }

  // S9.2
  @Test func expressionDescriptionsAreCopiedAndComparedByWhatTheyCompute() throws {
    func total(_ key: String, _ type: NSAttributeType = .integer64AttributeType) -> NSExpressionDescription {
      let total = NSExpressionDescription()
      (total.name, total.expressionResultType) = ("total", type)
      total.expression = NSExpression(forKeyPath: key)
      return total
    }
    let copy = try #require(total("rank").copy() as? NSExpressionDescription)
    #expect(copy.expression?.keyPath == "rank")
    #expect(copy.expressionResultType == .integer64AttributeType)
    #expect(copy == total("rank"))
    #expect(copy != total("size"))
    #expect(copy != total("rank", .doubleAttributeType))
  }

  static let requests: [@Sendable (NSFetchRequest<any NSFetchRequestResult>) -> Void] = [
    { $0.fetchLimit = 5 }, { $0.fetchOffset = 5 },
    { $0.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)] },
    { $0.predicate = NSPredicate(value: false) }, { $0.includesSubentities = false },
    { $0.resultType = .countResultType },
    { $0.fetchBatchSize = 20 }, { $0.returnsDistinctResults = true }, { $0.propertiesToFetch = ["n"] },
    { $0.propertiesToGroupBy = ["n"] }, { $0.havingPredicate = NSPredicate(value: true) },
    { $0.relationshipKeyPathsForPrefetching = ["n"] }, { $0.shouldRefreshRefetchedObjects = true },
    { $0.returnsObjectsAsFaults = false }, { $0.includesPropertyValues = false }, { $0.includesPendingChanges = false },
  ]

  // S9.2: a merge of models ends the process where templates of one name differ, and took one of them silently.
  @Test(arguments: requests.indices) func fetchedPropertiesDifferInAllOfTheirRequests(index: Int) {
    func property(_ change: (NSFetchRequest<any NSFetchRequestResult>) -> Void) -> NSFetchedPropertyDescription {
      let property = NSFetchedPropertyDescription()
      property.name = "a"
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      change(request)
      property.fetchRequest = request
      return property
    }
    #expect(property { _ in } == property { _ in })
    #expect(property(Self.requests[index]) == property(Self.requests[index]))
    #expect(property { _ in } != property(Self.requests[index]))
  }

  // S9.2
  @Test func entitiesDifferInTheNameThatASearchShows() {
    func entity(_ key: String?) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = "Note"
      if let key { entity.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: key) }
      return entity
    }
    #expect(entity("title") == entity("title"))
    #expect(entity("title") != entity(nil))
  }

  // S6.2
  @Test func aPragmaThatIsTakenOutLeavesNothing() {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    #expect(description != NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null")))
    description.setValue(nil, forPragmaNamed: "synchronous")
    #expect(description == NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null")))
  }
}
