import Scheduling
import Testing

@testable import CoreData

/// S7.1, S7.3: random fetches over contexts with unsaved changes and their parents, against a plain list.
@Suite struct RandomFetchTests {
  /// One animal as the plain list has it.
  private struct Animal: Equatable {
    var entity: String
    var name: String?
    var legs: Int
    var keeper: String?
  }

  /// The objects that one level of contexts sees: the store, the parent, the child.
  private typealias Level = [String: Animal]

  /// A fetch, and its counterpart on a plain list.
  private struct Question {
    var entity = "Animal"
    var includesSubentities = true
    var legs: Int?
    var prefix: String?
    var keeper: String?
    var ascending: [Bool] = []
    var limit = 0
    var offset = 0
    var batch = 0
    var prefetches = false
    var includesPendingChanges = true

    static let families = [
      "Animal": ["Animal", "Bird", "Cat", "Lion"], "Cat": ["Cat", "Lion"], "Bird": ["Bird"], "Lion": ["Lion"],
    ]

    init(_ random: inout SeededRandom) {
      entity = ["Animal", "Animal", "Cat", "Bird", "Lion"].randomElement(using: &random) ?? entity
      includesSubentities = Int.random(in: 0..<4, using: &random) > 0
      if Bool.random(using: &random) { legs = Int.random(in: 0...4, using: &random) }
      if Int.random(in: 0..<3, using: &random) == 0 { prefix = ["a", "b"].randomElement(using: &random) }
      if Int.random(in: 0..<4, using: &random) == 0 { keeper = ["k", "l"].randomElement(using: &random) }
      ascending = (0..<Int.random(in: 0...2, using: &random)).map { _ in Bool.random(using: &random) }
      if Bool.random(using: &random) { limit = Int.random(in: 1...6, using: &random) }
      if Bool.random(using: &random) { offset = Int.random(in: 0...5, using: &random) }
      if Bool.random(using: &random) { batch = Int.random(in: 1...5, using: &random) }
      prefetches = Bool.random(using: &random)
      includesPendingChanges = Int.random(in: 0..<6, using: &random) > 0
    }

    func request<Result>() -> NSFetchRequest<Result> {
      let request = NSFetchRequest<Result>(entityName: entity)
      var parts: [NSPredicate] = []
      if let legs { parts.append(NSPredicate(format: "legs >= %d", legs)) }
      if let prefix { parts.append(NSPredicate(format: "name BEGINSWITH %@", prefix)) }
      if let keeper { parts.append(NSPredicate(format: "keeper.name == %@", keeper)) }
      if !parts.isEmpty { request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts) }
      request.sortDescriptors = zip(["legs", "name"], ascending).map { NSSortDescriptor(key: $0, ascending: $1) }
      (request.includesSubentities, request.includesPendingChanges) = (includesSubentities, includesPendingChanges)
      (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, batch)
      if prefetches { request.relationshipKeyPathsForPrefetching = ["keeper.animals"] }
      return request
    }

    func matches(_ animal: Animal) -> Bool {
      guard includesSubentities ? Self.families[entity]?.contains(animal.entity) ?? false : animal.entity == entity
      else {
        return false
      }
      if let legs, animal.legs < legs { return false }
      if let prefix, animal.name?.hasPrefix(prefix) != true { return false }
      return keeper == nil || animal.keeper == keeper
    }

    /// The values that the list's order looks at.
    func keys(_ animal: Animal) -> [String] {
      [String(animal.legs), animal.name ?? ""].prefix(ascending.count).map { $0 }
    }

    func isBefore(_ left: Animal, _ right: Animal) -> Bool {
      for ((one, other), ascends) in zip(zip(keys(left), keys(right)), ascending) where one != other {
        return ascends == (one < other)
      }
      return false
    }
  }

  /// Three levels, their lists, and the objects' IDs.
  private final class World {
    let stack: TestStack
    let parent: NSManagedObjectContext
    let child: NSManagedObjectContext
    var (stored, pushed, seen): (Level, Level, Level) = ([:], [:], [:])
    var next = 0

    init() throws {
      stack = try TestStack(model: Zoo.model())
      parent = stack.context("parent")
      child = stack.child(of: parent)
      try stack.change { context in
        for name in ["k", "l"] { context.insert("Keeper", ["name": name]) }
      }
    }

    /// One random change in the child, or in the parent where the child has none of its own.
    func change(_ random: inout SeededRandom) throws {
      let childHasChanges = child.performAndWait { child.hasChanges }
      let inChild = Bool.random(using: &random) || childHasChanges
      // An object that the child has realised keeps its values, whatever its parent does.
      if !inChild { child.performAndWait { child.reset() } }
      let context = inChild ? child : parent
      let known = (inChild ? seen : pushed).keys.sorted()
      let name = known.randomElement(using: &random)
      let new = Self.animal(&random, number: next)
      try context.performAndWait {
        switch (Int.random(in: 0..<4, using: &random), name) {
        case (0, _), (_, nil):
          next += 1
          try set(new, context.insert(new.animal.entity), context)
          note(new.identifier, new.animal, inChild)
        case (1, let name?):
          context.delete(try object(name, context))
          note(name, nil, inChild)
        case (_, let name?):
          var changed = new.animal
          changed.entity = (inChild ? seen : pushed)[name]?.entity ?? changed.entity
          try set((name, changed), try object(name, context), context)
          note(name, changed, inChild)
        }
      }
    }

    /// Notes a change in the parent for a child without changes of its own: its fetches see it.
    private func note(_ name: String, _ animal: Animal?, _ inChild: Bool) {
      seen[name] = animal
      if !inChild { pushed[name] = animal }
    }

    private static func animal(
      _ random: inout SeededRandom, number: Int
    ) -> (identifier: String, animal: Animal) {
      (
        "\(number)",
        Animal(
          entity: ["Bird", "Cat", "Lion"].randomElement(using: &random) ?? "Cat",
          name: [nil, "a", "b", "ab", "é"].randomElement(using: &random) ?? nil,
          legs: Int.random(in: 0...5, using: &random), keeper: [nil, "k", "l"].randomElement(using: &random) ?? nil)
      )
    }

    private func set(
      _ new: (identifier: String, animal: Animal), _ object: NSManagedObject, _ context: NSManagedObjectContext
    ) throws {
      object.setValue(Double(new.identifier), forKey: "weight")
      object.setValue(new.animal.name, forKey: "name")
      object.setValue(new.animal.legs, forKey: "legs")
      let keeper = try new.animal.keeper.map { try context.named("Keeper", $0) }
      object.setValue(keeper, forKey: "keeper")
    }

    private func object(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
      try #require(try context.all("Animal", where: "weight", is: Double(name)).first)
    }

    func save(_ random: inout SeededRandom) throws {
      try child.performAndWait { try child.save() }
      pushed = seen
      guard Bool.random(using: &random) else { return }
      try parent.performAndWait { try parent.save() }
      stored = pushed
    }

    /// Compares every shape of the answer with the list's.
    func ask(_ question: Question, _ context: NSManagedObjectContext, _ level: Level, _ label: String) throws {
      let level = question.includesPendingChanges ? level : stored
      let all = level.filter { question.matches($0.value) }
      let expected = all.values.sorted(by: question.isBefore).map(question.keys)
      let page = expected.dropFirst(question.offset).prefix(question.limit > 0 ? question.limit : .max)
      try context.performAndWait {
        let objects: [NSManagedObject] = try context.fetch(question.request())
        #expect(objects.count == page.count, "\(label)")
        #expect(Set(objects.map(ObjectIdentifier.init)).count == objects.count, "\(label): no object is listed twice")
        guard question.includesPendingChanges else { return }
        let found = objects.map { object in
          Animal(
            entity: object.entity.name ?? "", name: object.string("name"),
            legs: (object.value(forKey: "legs") as? NSNumber)?.intValue ?? -1,
            keeper: object.object("keeper")?.string("name"))
        }
        let names = objects.map { String(Int(($0.value(forKey: "weight") as? NSNumber)?.doubleValue ?? -1)) }
        #expect(zip(names, found).allSatisfy { all[$0] == $1 }, "\(label)")
        // Equals stand in no particular order.
        #expect(found.map(question.keys) == Array(page), "\(label)")
        #expect(try context.count(for: question.request() as NSFetchRequest<NSManagedObject>) == page.count, "\(label)")
        let request: NSFetchRequest<NSManagedObjectID> = question.request()
        request.resultType = .managedObjectIDResultType
        let ids = try context.fetch(request)
        #expect(ids.count == page.count && Set(ids).count == ids.count, "\(label)")
        #expect(try ids.allSatisfy { question.matches(try #require(level[name($0, context)])) }, "\(label)")
        context.checkInvariants()
      }
    }

    private func name(_ id: NSManagedObjectID, _ context: NSManagedObjectContext) -> String {
      String(Int((context.object(with: id).value(forKey: "weight") as? NSNumber)?.doubleValue ?? -1))
    }
  }

  @Test(arguments: 0..<12) func randomFetchesAgreeWithAPlainList(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let world = try World()
    for step in 0..<60 {
      for _ in 0..<Int.random(in: 0...3, using: &random) { try world.change(&random) }
      let question = Question(&random)
      let label = "seed \(seed), step \(step)"
      // Past its parent's changes a child finds the store's rows, but for those that the parent deleted.
      if question.includesPendingChanges { try world.ask(question, world.child, world.seen, label + ", child") }
      try world.ask(question, world.parent, world.pushed, label + ", parent")
      try world.ask(question, world.stack.context("fresh"), world.stored, label + ", store")
      if Int.random(in: 0..<5, using: &random) == 0 { try world.save(&random) }
    }
  }
}
