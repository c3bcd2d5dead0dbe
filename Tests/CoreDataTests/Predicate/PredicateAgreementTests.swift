import CoreData
import Testing

/// The same predicate gives the same answer in SQL, over unsaved objects, and through a parent.
@Suite(.everyStore, .oneThread) struct PredicateAgreementTests {
  static let texts: [String?] = [
    nil, "", "a", "A", "ab", "abc", "ba", "é", "e\u{301}", "É", "straße", "STRASSE", "단어", "단", "言葉", "👩‍👩‍👧", "🇳🇱x",
    "a*b", "a?b", "a[b]", "a\\b", "a%b", "a_b", "100", " a ", "ﬁ", "ı", "İ",
  ]
  static let numbers: [Int64?] = [nil, Int64.min, -1, 0, 1, 2, 100, Int64.max]

  // Sendable: made once, and a predicate never changes.
  nonisolated(unsafe) static let predicates: [NSPredicate] = {
    var predicates: [NSPredicate] = []
    for value in ["", "a", "A", "ab", "é", "e\u{301}", "단", "👩‍👩‍👧", "a*b", "a[b]", "a\\b", "s"] {
      for op in ["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "IN"] {
        let argument: Any = op == "IN" ? [value, "zz"] : value
        predicates.append(NSPredicate(format: "aString \(op) %@", argument))
        predicates.append(NSPredicate(format: "NOT (aString \(op) %@)", argument))
      }
      for op in ["==[c]", "BEGINSWITH[cd]", "CONTAINS[d]", "ENDSWITH[c]", "LIKE[c]"] {
        predicates.append(NSPredicate(format: "aString \(op) %@", value))
      }
    }
    for pattern in ["*", "a*", "*b", "a?b", "?", "a\\*b", "a[b]", "*단*", "", "??"] {
      predicates.append(NSPredicate(format: "aString LIKE %@", pattern))
      predicates.append(NSPredicate(format: "NOT aString LIKE %@", pattern))
    }
    for number in [-1, 0, 1, 100] {
      for op in ["==", "!=", "<", "<=", ">", ">="] {
        predicates.append(NSPredicate(format: "anInt64 \(op) %d", number))
        predicates.append(NSPredicate(format: "NOT anInt64 \(op) %d", number))
        predicates.append(NSPredicate(format: "aDouble \(op) %f", Double(number) + 0.5))
        predicates.append(NSPredicate(format: "%d \(op) anInt16", number))
        predicates.append(NSPredicate(format: "aDecimal \(op) %d", number))
        predicates.append(NSPredicate(format: "anInt64 \(op) aDouble"))
      }
    }
    predicates += [
      "aString == nil", "aString != nil", "NOT aString == nil", "aString = NULL", "anInt64 BETWEEN {0, 2}",
      "NOT anInt64 BETWEEN {0, 2}", "anInt64 IN {0, 1, 100}", "anInt64 IN {nil, 1}", "NOT anInt64 IN {0, 1}",
      "anInt64 IN {}", "aBool == YES", "aBool == NO", "aBool != YES", "TRUEPREDICATE", "FALSEPREDICATE",
      "aString == 'a' AND anInt64 > 0", "aString == 'a' OR anInt64 > 0", "NOT (aString == 'a' OR anInt64 > 0)",
      "NOT (aString == 'a' AND anInt64 > 0)", "aString == aString", "aString != aString", "aDate > %@", "aDate == nil",
      "aString MATCHES '[a-c]+'", "NOT aString MATCHES '.'", "aURI == 'https://a.example/é'",
    ].map {
      $0.contains("%@") ? NSPredicate(format: $0, Date(timeIntervalSinceReferenceDate: 2)) : NSPredicate(format: $0)
    }
    predicates.append(NSPredicate(format: "aUUID == %@", uuid))
    predicates.append(NSPredicate(format: "aUUID != %@", uuid))
    return predicates
  }()

  static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private func insertSamples(_ context: NSManagedObjectContext) {
    for (index, text) in Self.texts.enumerated() {
      let sample = context.insert("Sample", ["anInt32": index])
      let number = Self.numbers[index % Self.numbers.count]
      sample.setValue(text, forKey: "aString")
      sample.setValue(number, forKey: "anInt64")
      sample.setValue(index % 3 == 0 ? nil : Int16(index % 5 - 2), forKey: "anInt16")
      sample.setValue(index % 4 == 0 ? nil : Double(index % 7) - 0.5, forKey: "aDouble")
      sample.setValue(index % 5 == 0 ? nil : Decimal(index % 3), forKey: "aDecimal")
      sample.setValue(index % 3 == 1 ? nil : index % 2 == 0, forKey: "aBool")
      sample.setValue(index % 2 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(index % 4)), forKey: "aDate")
      sample.setValue(index % 6 == 0 ? Self.uuid : nil, forKey: "aUUID")
      sample.setValue(index % 7 == 0 ? URL(string: "https://a.example/%C3%A9") : nil, forKey: "aURI")
    }
  }

  private func answers(_ context: NSManagedObjectContext) throws -> [[Int32]] {
    try Self.predicates.map { predicate in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
      request.predicate = predicate
      let found = try context.fetch(request).compactMap { $0.value(forKey: "anInt32") as? Int32 }
      #expect(try context.count(for: request) == found.count, "\(predicate)")
      return found.sorted()
    }
  }

  // S7.2
  @Test func theStoreAndMemoryGiveTheSameAnswers() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    let child = stack.child(of: context)
    let (unsaved, inChild, saved, evaluated) = try context.performAndWait {
      insertSamples(context)
      let unsaved = try answers(context)
      let inChild = try child.performAndWait { try answers(child) }
      try context.save()
      let all = try context.all("Sample")
      let evaluated = Self.predicates.map { predicate in
        all.filter { predicate.evaluate(with: $0) }.compactMap { $0.value(forKey: "anInt32") as? Int32 }.sorted()
      }
      return (unsaved, inChild, try answers(context), evaluated)
    }
    for (index, predicate) in Self.predicates.enumerated() {
      #expect(unsaved[index] == saved[index], "\(predicate): unsaved against SQL")
      #expect(inChild[index] == saved[index], "\(predicate): in a child against SQL")
      #expect(evaluated[index] == saved[index], "\(predicate): evaluated against SQL")
    }
    // The table is only worth something where predicates tell rows apart.
    let telling = saved.filter { !$0.isEmpty && $0.count < Self.texts.count }.count
    #expect(telling * 3 > Self.predicates.count * 2)
  }

  // S7.2
  @Test(arguments: [
    ("title == nil", [3]), ("title != nil", [1, 2]), ("title != 'one'", [2, 3]), ("title == 'one'", [1]),
    ("title BEGINSWITH 'o'", [1]), ("number BETWEEN {2, 3}", [2, 3]), ("NOT number IN {1, 2}", [3]),
    ("title CONTAINS[c] 'O'", [1, 2]), ("title LIKE '?n*'", [1]), ("title MATCHES 'o.e'", [1]),
    ("SELF.number > 1 AND NOT title == nil", [2]), ("number == 1 OR number == 3", [1, 3]),
  ])
  func aPredicateMeansWhatItSays(format: String, numbers: [Int64]) throws {
    let context = try TestStack().context()
    try context.performAndWait {
      for (number, title) in [(1, "one"), (2, "two"), (3, nil)] { context.insertNote(Int64(number), title: title) }
      let before = try context.notes(NSPredicate(format: format)).map(\.number)
      try context.save()
      let after = try context.notes(NSPredicate(format: format)).map(\.number)
      #expect(before == numbers)
      #expect(after == numbers)
    }
  }

  // S7.2
  @Test func relationshipsAreFollowedAndCompared() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let first = context.insertNote(1, title: "one", words: ["a", "b"])
      context.insertNote(2, words: ["c"])
      Word(context: context).term = "d"
      for _ in 0..<2 {
        let answers = try [
          NSPredicate(format: "note == %@", first), NSPredicate(format: "note.number == 2"),
          NSPredicate(format: "note == nil"), NSPredicate(format: "note.title == nil"),
          NSPredicate(format: "note IN %@", [first]), NSPredicate(format: "SELF IN %@", Array(first.words)),
          NSPredicate(format: "NOT note.number == 1"),
        ].map { try context.words($0).compactMap(\.term).joined() }
        #expect(answers == ["ab", "c", "d", "cd", "ab", "ab", "cd"])
        try context.save()
      }
    }
  }

  // S7.2: more values than SQLite takes as parameters.
  @Test func aVeryLongListIsStillAnswered() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let numbers = try context.notes(NSPredicate(format: "number IN %@", (2...50_000).map { $0 })).map(\.number)
      #expect(numbers == [2, 3])
    }
  }
}

@Suite(.everyStore) struct SortTests {
  // S7.1: nulls first, texts by code points; the same in SQL and in memory.
  @Test(arguments: [true, false]) func storeAndMemorySortAlike(ascending: Bool) throws {
    let context = try TestStack(model: Zoo.model()).context()
    try context.performAndWait {
      for (index, text) in PredicateAgreementTests.texts.enumerated() {
        let sample = context.insert("Sample", ["anInt32": index, "aDouble": Double(index % 3)])
        sample.setValue(text, forKey: "aString")
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
      request.sortDescriptors = [
        NSSortDescriptor(key: "aDouble", ascending: !ascending), NSSortDescriptor(key: "aString", ascending: ascending),
        NSSortDescriptor(key: "anInt32", ascending: true),
      ]
      let unsaved = try context.fetch(request).map { $0.value(forKey: "anInt32") as? Int32 }
      try context.save()
      let saved = try context.fetch(request).map { $0.value(forKey: "anInt32") as? Int32 }
      #expect(unsaved == saved)
      #expect(saved.count == PredicateAgreementTests.texts.count)
    }
  }

  // S7.1
  @Test func sortingFollowsToOneRelationships() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      context.insertNote(2, words: ["a"])
      context.insertNote(1, words: ["b"])
      Word(context: context).term = "c"
      for _ in 0..<2 {
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.sortDescriptors = [NSSortDescriptor(key: "note.number", ascending: true)]
        let terms = try context.fetch(request).compactMap(\.term)
        #expect(terms == ["c", "b", "a"])
        try context.save()
      }
    }
  }
}
