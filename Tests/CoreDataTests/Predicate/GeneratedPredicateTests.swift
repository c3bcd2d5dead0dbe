import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Generated predicates over generated rows: the store, unsaved objects and evaluation give one answer. S7.2, S7.3.
@Suite(.everyStore, .oneThread) struct GeneratedPredicateTests {
  private static let thingCount = 36
  private static let predicateCount = 350

  private func numbers(_ objects: [NSManagedObject]) -> [Int] {
    objects.compactMap { ($0.value(forKey: "n") as? NSNumber)?.intValue }.sorted()
  }

  @Test(arguments: 0..<6) func theStoreAndMemoryAgree(seed: Int) throws {
    let stack = try TestStack(model: Warehouse.model())
    let context = stack.context()
    try context.performAndWait {
      var random = SeededRandom(seed: UInt64(seed))
      let things = Warehouse.fill(context, Self.thingCount, &random)
      var objects = ["Thing": things]
      for entity in ["Box", "Room", "Tag"] { objects[entity] = try context.all(entity) }
      let layout = try #require(stack.container.managedObjectModel.layout?.entitiesByName["Thing"])
      var generator = PredicateGenerator(seed: UInt64(seed), objects: objects)
      let unsaved = try (0..<Self.predicateCount).map { _ in
        let (predicate, label) = generator.predicate()
        #expect(try ResolvedPredicate(predicate, entity: layout).isTranslatable, "\(label) is said in SQL")
        return numbers(try context.fetch(request(predicate)))
      }
      try context.save()
      // Objects with values that no column keeps as they are, NaN and long decimals, take the store's.
      context.refreshAllObjects()
      // The same predicates again, with the permanent IDs of the objects.
      generator = PredicateGenerator(seed: UInt64(seed), objects: objects)
      var telling = 0
      for unsaved in unsaved {
        let (predicate, label) = generator.predicate()
        let stored = numbers(try context.fetch(request(predicate)))
        let resolved = try ResolvedPredicate(predicate, entity: layout)
        // An object without such a key cannot be evaluated with a key that only a sub-entity has.
        let isOfAll = !label.contains("size") && !label.contains("charm")
        let evaluated = numbers(
          try things.filter { try isOfAll ? predicate.evaluate(with: $0) : resolved.matches($0) })
        #expect(evaluated == stored, "seed \(seed): \(label): evaluated, and SQL")
        #expect(unsaved == stored, "seed \(seed): \(label): unsaved, and SQL")
        #expect(try context.count(for: request(predicate)) == stored.count, "seed \(seed): \(label): counted")
        if !stored.isEmpty, stored.count < Self.thingCount { telling += 1 }
      }
      // The comparison is only worth something where predicates tell rows apart.
      #expect(telling * 2 > Self.predicateCount)
    }
  }

  private func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = predicate
    return request
  }
}
