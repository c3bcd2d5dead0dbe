import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// The meaning of predicates, case by case; unsaved and in the store. S7.2.
@Suite(.everyStore, .oneThread) struct PredicateCaseTests {
  /// Three things: 1 is red, in box A of room R, with parts p (5), q (nil) and tag t; 2 is "Red", in box B of no room, with
  /// part p (7) and tags t, u; 3 has nothing.
  private func fill(_ context: NSManagedObjectContext) -> [NSManagedObject] {
    let room = context.insert("Room", ["name": "R"])
    let boxes = [context.insert("Box", ["name": "A", "depth": 4, "room": room]), context.insert("Box", ["name": "B"])]
    let tags = [context.insert("Tag", ["name": "t", "rank": 1]), context.insert("Tag", ["name": "u", "rank": 2])]
    let things = [
      context.insert(
        "BigThing", ["n": 1, "s": "red", "i": 7, "box": boxes[0], "size": 9, "price": Decimal(string: "0.1") as Any]),
      context.insert("Thing", ["n": 2, "s": "Red", "i": 2, "d": 2.5, "box": boxes[1], "b": true]),
      context.insert("SmallThing", ["n": 3]),
    ]
    things[0].setValue(Set([tags[0]]), forKey: "tags")
    things[1].setValue(Set(tags), forKey: "tags")
    things[0].setValue(Set([things[1]]), forKey: "friends")
    for (name, weight, thing) in [("p", 5, 0), ("q", nil, 0), ("p", 7, 1)] as [(String, Int?, Int)] {
      let part = context.insert("Part", ["name": name, "thing": things[thing]])
      part.setValue(weight, forKey: "weight")
    }
    things[1].setValue(Date(timeIntervalSinceReferenceDate: 60), forKey: "day")
    return things
  }

  private func numbers(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: true)]
    return try context.fetch(request).compactMap { ($0.value(forKey: "n") as? NSNumber)?.intValue }
  }

  // S7.2
  @Test(
    arguments: [
      // Nulls: `== nil` finds them; `!=` is the opposite of `==`, and finds them too; other comparisons are false.
      ("s == nil", [3]), ("s = NULL", [3]), ("s != nil", [1, 2]), ("s != 'red'", [2, 3]), ("NOT s == 'red'", [2, 3]),
      ("i > 0", [1, 2]), ("NOT i > 0", [3]), ("i < nil", []), ("s CONTAINS nil", []), ("s IN {'red', nil}", [1, 3]),
      // Texts.
      ("s ==[c] 'RED'", [1, 2]), ("s BEGINSWITH 'R'", [2]), ("s BEGINSWITH[c] 'r'", [1, 2]), ("s LIKE '?e*'", [1, 2]),
      ("s LIKE[c] 'R*D'", [1, 2]), ("s MATCHES 'r|red'", [1]), ("s MATCHES[c] 'R\\\\w+'", [1, 2]),
      ("'re' IN s", [1]), ("s.length == 3", [1, 2]), ("uppercase(s) == 'RED'", [1, 2]), ("s == lowercase(s)", [1, 3]),
      // Numbers, and their arithmetic: integers divide as integers.
      ("i / 2 == 3", [1]), ("i / 2.0 == 3.5", [1]), ("i * 2 + 1 == 5", [2]), ("modulus:by:(i, 5) == 2", [1, 2]),
      ("i / 0 == nil", [1, 2, 3]), ("price == 0.1", [1]), ("price < 0.2", [1]), ("d BETWEEN {i, 3}", [2]),
      ("i == d", [3]), ("abs(i - 8) == 1", [1]), ("b == YES", [2]), ("b == NO", []), ("b != YES", [1, 3]),
      ("TERNARY(i > 5, 1, 2) == 1", [1]), ("max({i, d}) == 2.5", [2]), ("day - 60 == 0", [2]),
      // To-one key paths.
      ("box.name == 'A'", [1]), ("box.room.name == 'R'", [1]), ("box.room == nil", [2, 3]), ("box == nil", [3]),
      ("box.depth != 4", [2, 3]),
      // To-many: of nothing ANY is false, ALL and NONE are true.
      ("ANY parts.weight > 5", [2]), ("ALL parts.weight > 5", [2, 3]), ("NONE parts.weight > 5", [1, 3]),
      ("SOME tags.name == 'u'", [2]), ("NOT ANY tags.name == 'u'", [1, 3]), ("ANY tags.name IN {'u', 'v'}", [2]),
      ("'u' IN tags.name", [2]), ("tags.name CONTAINS 'u'", [2]), ("ANY friends.tags.name == 'u'", [1]),
      ("ANY tags.things.friends.s == 'Red'", [1, 2]), ("ANY parts.weight == nil", [1]),
      ("tags.@count == 2", [2]), ("parts.@count > 0", [1, 2]), ("parts.@sum.weight == 5", [1]),
      ("parts.@avg.weight == 2.5", [1]), ("parts.@max.weight == 7", [2]), ("parts.@min.weight == nil", [3]),
      ("parts.@sum.weight == 0", [3]), ("tags[SIZE] == 1", [1]), ("count(tags) == 2", [2]),
      ("sum(parts.weight) > 5", [2]), ("friends.parts.@count == 1", [1]),
      ("SUBQUERY(parts, $p, $p.weight > 4 AND $p.name == 'p').@count == 1", [1, 2]),
      ("SUBQUERY(parts, $p, $p.weight > i).@count > 0", [2]),
      ("SUBQUERY(tags, $t, SUBQUERY($t.things, $x, $x.i > 5).@count > 0).@count == 1", [1, 2]),
      ("ANY SUBQUERY(parts, $p, $p.name == 'q').weight == nil", [1]),
      ("SUBQUERY(parts, $p, $p.weight != nil).@max.weight > 6", [2]),
      // Entities and their keys.
      ("entity.name == 'Thing'", [2]), ("size == 9", [1]), ("size != 9", [2, 3]), ("charm == nil", [1, 2, 3]),
      // Constants.
      ("TRUEPREDICATE", [1, 2, 3]), ("FALSEPREDICATE", []), ("1 == 1", [1, 2, 3]), ("1 + 1 == 3", []),
      ("ANY {1, 2} == i", [2]), ("ALL {1, 2} < i", [1]),
    ] as [(String, [Int])])
  func aPredicateMeansWhatItSays(format: String, expected: [Int]) throws {
    let stack = try TestStack(model: Warehouse.model())
    let context = stack.context()
    try context.performAndWait {
      let things = fill(context)
      let predicate = NSPredicate(format: format)
      #expect(try numbers(context, predicate) == expected, "unsaved")
      try context.save()
      #expect(try numbers(context, predicate) == expected, "in the store")
      let layout = try #require(stack.container.managedObjectModel.layout?.entitiesByName["Thing"])
      let resolved = try ResolvedPredicate(predicate, entity: layout)
      #expect(resolved.isTranslatable, "said in SQL")
      #expect(try things.filter { try resolved.matches($0) }.count == expected.count, "evaluated")
    }
  }

  // S7.2: objects, IDs and entities as constants, of saved and of new objects.
  @Test func objectsAreConstants() throws {
    let context = try TestStack(model: Warehouse.model()).context()
    try context.performAndWait {
      let things = fill(context)
      let tags = try context.all("Tag").sorted { ($0.string("name") ?? "") < ($1.string("name") ?? "") }
      for _ in 0..<2 {
        let answers = try [
          NSPredicate(format: "SELF == %@", things[0]), NSPredicate(format: "SELF IN %@", [things[0], things[2]]),
          NSPredicate(format: "objectID == %@", things[1].objectID), NSPredicate(format: "NOT SELF IN %@", Set(things)),
          NSPredicate(format: "%@ IN tags", tags[1]), NSPredicate(format: "tags CONTAINS %@", tags[0]),
          NSPredicate(format: "ANY tags == %@", tags[1]), NSPredicate(format: "NONE tags IN %@", [tags[1]]),
          NSPredicate(format: "box == %@", things[0].object("box")), NSPredicate(format: "ANY friends == SELF"),
          NSPredicate(format: "entity == %@", things[0].entity),
        ].map { try numbers(context, $0) }
        #expect(answers == [[1], [1, 3], [2], [], [2], [1, 2], [2], [1, 3], [1], [], [1]])
        try context.save()
      }
    }
  }

  // S7.2: more values than SQLite takes parameters, of every type.
  @Test func aListMayHaveAHundredThousandValues() throws {
    let context = try TestStack(model: Warehouse.model()).context()
    try context.performAndWait {
      let things = fill(context)
      let uuid = UUID()
      things[1].setValue(uuid, forKey: "uuid")
      things[2].setValue("x\u{0}\"\\", forKey: "t")
      try context.save()
      let many = Array(0..<100_000)
      let answers = try [
        NSPredicate(format: "n IN %@", many.map { $0 + 2 }),
        NSPredicate(format: "s IN %@", many.map { "\($0)" } + ["red"]),
        NSPredicate(format: "t IN %@", many.prefix(100).map { "\($0)" } + ["x\u{0}\"\\"]),
        NSPredicate(format: "t IN %@", many.prefix(100).map { "\($0)" } + ["x"]),
        NSPredicate(format: "d IN %@", many.map { Double($0) + 0.5 }),
        NSPredicate(format: "uuid IN %@", (0..<100).map { _ in UUID() } + [uuid]),
        NSPredicate(format: "day IN %@", many.map { Date(timeIntervalSinceReferenceDate: Double($0) * 60) }),
        NSPredicate(format: "NOT SELF IN %@", Array(repeating: things[0], count: 50) + Array(things[1...1])),
      ].map { try numbers(context, $0) }
      #expect(answers == [[2, 3], [1], [3], [], [2], [2], [2], [3]])
    }
  }

  // S7.3: the target of a relationship may have unsaved changes though the object itself has none.
  @Test func unsavedChangesOfRelatedObjectsAreSeen() throws {
    let context = try TestStack(model: Warehouse.model()).context()
    try context.performAndWait {
      let things = fill(context)
      try context.save()
      things[0].object("box")?.setValue("Z", forKey: "name")
      for part in things[1].objects("parts") { part.setValue(1, forKey: "weight") }
      #expect(try numbers(context, NSPredicate(format: "box.name == 'Z'")) == [1])
      #expect(try numbers(context, NSPredicate(format: "ANY parts.weight < 3")) == [2])
      #expect(try numbers(context, NSPredicate(format: "parts.@sum.weight == 1 OR box.name == 'A'")) == [2])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: "box.name == 'A'")
      #expect(try context.count(for: request) == 0)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 1)
    }
  }

  // S7.2: a part that SQL cannot express is evaluated in memory over the rows that the rest selects.
  @Test func whatSQLCannotSayIsEvaluatedInMemory() throws {
    let stack = try TestStack(model: Warehouse.model())
    let context = stack.context()
    try context.performAndWait {
      let things = fill(context)
      things[0].setValue("hidden", forKey: "cache")
      try context.save()
      let block = NSPredicate { object, _ in (object as? NSManagedObject)?.string("s")?.first == "r" }
      let layout = try #require(stack.container.managedObjectModel.layout?.entitiesByName["Thing"])
      for predicate in [block, NSPredicate(format: "cache == 'hidden'")] {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "i > 0"), predicate])
        #expect(try numbers(context, both) == [1])
        let resolved = try ResolvedPredicate(both, entity: layout)
        #expect(!resolved.isTranslatable)
        #expect(resolved.candidates(of: layout) { _ in nil }?.isTranslatable == true)
      }
    }
  }

  // S7.2: a number as text is the text that NSNumber has.
  @Test func numbersAsTextsAreWhatNSNumberSays() throws {
    let context = try TestStack(model: Estate.model()).context()
    try context.performAndWait {
      for (number, value) in [(1, 1), (2, 0.1), (3, 1e20), (4, 2.5)] as [(Int, Double)] {
        context.insert("House", ["n": number, "price": value, "rating": Float(value)])
      }
      try context.inEveryState { context, state in
        for key in ["price", "rating"] {
          for (format, numbers) in [
            ("\(key).stringValue == '1'", [1]), ("\(key).stringValue == '0.1'", [2]),
            ("\(key).stringValue == '1e+20'", [3]),
            ("CAST(\(key), 'NSString') == '2.5'", [4]), ("CAST(\(key), 'NSString') ENDSWITH '.0'", []),
            ("\(key).stringValue MATCHES '[0-9]'", [1]),
          ] {
            try context.expect("House", NSPredicate(format: format), finds: numbers, state)
          }
        }
      }
      let values = ["price": 1.0, "rating": Float(0.1)] as [String: Any]
      #expect(NSPredicate(format: "price.stringValue == '1' AND rating.stringValue == '0.1'").evaluate(with: values))
      #expect(NSPredicate(format: "CAST(price, 'NSString') == '1'").evaluate(with: values))
    }
  }

  // S7.2: a pattern from a row that is no regular expression is an error, not an answer.
  @Test func aBadPatternIsNamed() throws {
    let context = try TestStack(model: Warehouse.model()).context()
    try context.performAndWait {
      context.insert("Thing", ["n": 1, "s": "a", "t": "("])
      for _ in 0..<2 {
        #expect(message(context, "s MATCHES t").contains("\"(\" is no regular expression"))
        #expect(message(context, "s MATCHES '['").contains("\"[\" is no regular expression"))
        try context.save()
      }
    }
  }

  // S7.2: a mistake is named.
  @Test(
    arguments: [
      ("nothing == 1", "Thing has no \"nothing\"; it has b, box, d, data"),
      ("box.nothing == 1", "Box has no \"nothing\""),
      ("s.more == 1", "s is an attribute and leads nowhere"), ("parts.name == 'p'", "parts has many values; use ANY"),
      ("i == 'x'", "i is an integer; the text \"x\""),
      ("s == %@", "s is a String; the date"), ("box == 1", "box is an object of Box; the number 1"),
      ("s > i", "a String cannot be compared with an integer"), ("i CONTAINS '1'", "an integer is not one"),
      ("box > box", "an object of Box has no order"), ("i IN 5", "IN takes a list"),
      ("i BETWEEN {1}", "BETWEEN takes a list of two"),
      ("parts.@sum.name > 1", "@sum is about numbers"), ("parts.name.@count > 1", "directly follow a to-many"),
      ("box.@count > 1", "directly follow a to-many"), ("parts.@nothing > 1", "@nothing is not supported"),
      ("mark == 'x'", "BigThing and SmallThing each have a \"mark\""), ("i == $x", "$x has no value"),
      ("sum(i) > 1", "over the rows of a group"), ("uuid == 'x'", "uuid is a UUID; the text \"x\""),
    ] as [(String, String)])
  func whatIsWrongIsNamed(format: String, expected: String) throws {
    let context = try TestStack(model: Warehouse.model()).context()
    context.performAndWait {
      #expect(message(context, format).contains(expected), "\(message(context, format))")
    }
  }

  private func message(_ context: NSManagedObjectContext, _ format: String) -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    let arguments: [Any] = format.contains("%@") ? [Date(timeIntervalSinceReferenceDate: 0)] : []
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return caught { _ = try context.fetch(request) }?.localizedDescription ?? "no error"
  }
}
