import CoreData
import Testing

@Suite(.everyStore) struct RelationshipTests {
  // S2.6
  @Test func settingTheToOneMaintainsTheToMany() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let (first, second) = (context.insertNote(1), context.insertNote(2))
      let word = Word(context: context)
      word.note = first
      #expect(first.words == [word])
      word.note = second
      #expect(first.words.isEmpty)
      #expect(second.words == [word])
      word.note = nil
      #expect(second.words.isEmpty)
    }
  }

  // S2.6
  @Test func changingTheToManyMaintainsTheToOne() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let (first, second) = (context.insertNote(1), context.insertNote(2))
      let words = (0..<3).map { _ in Word(context: context) }
      first.words = [words[0], words[1]]
      #expect(words.map { $0.note } == [first, first, nil])
      second.words = [words[1], words[2]]
      #expect(first.words == [words[0]])
      #expect(words.map { $0.note } == [first, second, second])
      second.removeFromWords(words[2])
      first.addToWords(words[2])
      first.removeFromWords(words[0])
      #expect(words.map { $0.note } == [nil, second, first])
    }
  }

  // S2.6
  @Test func faultsTakePartInInverses() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let second = try #require(context.object(with: ids[1]) as? Note)
      let word = try context.words(NSPredicate(format: "note.number == 1"))[0]
      word.note = second
      #expect(second.words.count == 2)
      #expect(try context.note(1).words.isEmpty)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["2", "2"])
    // S3.3: a to-many change raises its owner's version.
    #expect(try stack.sql("SELECT Z_OPT FROM ZNOTE ORDER BY Z_PK") == ["2", "2"])
  }

  // S2.6, S8.3: another context had moved the word, and this one had not read that of the note that lost it.
  @Test func aMemberThatWasDeletedMayBeSetAgainWithTheOthers() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.words.count == 2)
      let word = try #require(note.words.first as? Word)
      try stack.change { other in
        (other.object(with: word.objectID) as? Word)?.note = try other.note(2)
      }
      context.refresh(word, mergeChanges: true)
      context.delete(word)
      try context.save()
      #expect(word.managedObjectContext == nil)
      let new = context.insert("Word", ["term": "c"])
      note.words = note.words.union([new])
      #expect(new.value(forKey: "note") as? Note === note)
    }
  }

  // S2.6
  @Test func manyToManyIsKeptInAJoinTable() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let words = (0..<2).map { _ in Word(context: context) }
      let tags = ["x", "y"].map { context.insert("Tag", ["name": $0]) }
      words[0].tags = Set(tags)
      #expect(tags.allSatisfy { $0.objects("words") == [words[0]] })
      tags[0].setValue(Set(words), forKey: "words")
      #expect(words[1].tags == [tags[0]])
      try context.save()
      #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["3"])
      words[0].tags = []
      try context.save()
      #expect(tags[0].objects("words") == [words[1]])
    }
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["1"])
    let reader = stack.context()
    try reader.performAndWait {
      let tag = try #require(try reader.all("Tag", where: "name", is: "x").first)
      let members = tag.objects("words")
      #expect(members.count == 1)
      #expect(members.first?.objects("tags") == [tag])
    }
  }

  // S2.6
  @Test func oneToOneIsMaintainedOnAllFourObjects() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let (anna, bert) = (context.insert("Keeper", ["name": "Anna"]), context.insert("Keeper", ["name": "Bert"]))
      let (one, two) = (context.insert("Badge", ["code": 1]), context.insert("Badge", ["code": 2]))
      anna.setValue(one, forKey: "badge")
      two.setValue(bert, forKey: "keeper")
      try context.save()
      // Anna takes Bert's badge: both old partners are left alone.
      anna.setValue(two, forKey: "badge")
      #expect(two.object("keeper") === anna)
      #expect(one.object("keeper") == nil)
      #expect(bert.object("badge") == nil)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZBADGE FROM ZKEEPER ORDER BY ZNAME") == ["2", "NULL"])
    #expect(try stack.sql("SELECT ZKEEPER FROM ZBADGE ORDER BY ZCODE") == ["NULL", "1"])
  }

  // S2.6
  @Test func aRelationshipThatIsItsOwnInverseIsMutual() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let keepers = ["a", "b", "c"].map { context.insert("Keeper", ["name": $0]) }
      keepers[0].setValue(Set([keepers[1], keepers[2]]), forKey: "friends")
      #expect(keepers[1].names("friends") == ["a"])
      try context.save()
      keepers[2].setValue(Set<NSManagedObject>(), forKey: "friends")
      #expect(keepers[0].names("friends") == ["b"])
      try context.save()
    }
    let reader = stack.context()
    try reader.performAndWait {
      let names = try reader.all("Keeper").map { "\($0.string("name") ?? ""):\($0.names("friends").joined())" }
      #expect(names.sorted() == ["a:b", "b:a", "c:"])
    }
  }

  // S2.6: on both sides at once, and only once.
  @Test func anObjectMayBeItsOwnFriend() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let anna = context.insert("Keeper", ["name": "Anna"])
      let bert = context.insert("Keeper", ["name": "Bert", "friends": Set([anna])])
      anna.setValue(Set([anna, bert]), forKey: "friends")
      #expect(anna._toManyCount(_PropertyKey("friends")) == 2)
      try context.save()
      anna.setValue(Set([bert]), forKey: "friends")
      #expect(anna.names("friends") == ["Bert"])
      try context.save()
      context.refresh(anna, mergeChanges: false)
      #expect(anna.names("friends") == ["Bert"])
      #expect(bert.names("friends") == ["Anna"])
    }
    #expect(try stack.sql("SELECT count(*) FROM Z_6FRIENDS") == ["2"])
  }

  // S2.6
  @Test func aToOneThatIsItsOwnInverseIsMutual() throws {
    let person = Notebook.entity("Person", NSManagedObject.self)
    let spouse = Notebook.relationship("spouse", to: person, maxCount: 1)
    spouse.inverseRelationship = spouse
    let mentor = Notebook.relationship("mentor", to: person, maxCount: 1)
    person.properties = [Notebook.attribute("name", .stringAttributeType), spouse, mentor]
    let model = NSManagedObjectModel()
    model.entities = [person]
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let people = ["a", "b", "c", "d"].map { context.insert("Person", ["name": $0]) }
      func spouses() -> [String?] { people.map { $0.object("spouse")?.string("name") } }
      people[0].setValue(people[1], forKey: "spouse")
      people[2].setValue(people[3], forKey: "spouse")
      #expect(spouses() == ["b", "a", "d", "c"])
      try context.save()
      people[0].setValue(people[2], forKey: "spouse")
      #expect(spouses() == ["c", nil, "a", nil])
      people[1].setValue(people[1], forKey: "spouse")
      #expect(spouses() == ["c", "b", "a", nil])
      try context.save()
      people[1].setValue(people[3], forKey: "spouse")
      #expect(spouses() == ["c", "d", "a", "b"])
      // Without an inverse no other object is changed.
      people[0].setValue(people[3], forKey: "mentor")
      people[1].setValue(people[3], forKey: "mentor")
      try context.save()
    }
    #expect(try stack.sql("SELECT ZSPOUSE FROM ZPERSON ORDER BY ZNAME") == ["3", "4", "1", "2"])
    let other = stack.context()
    try other.performAndWait {
      let mentors = try other.all("Person").filter { $0.object("mentor")?.string("name") == "d" }
      #expect(Set(mentors.compactMap { $0.string("name") }) == ["a", "b"])
    }
  }

  // S2.6
  @Test func twoManyToManyEndsOnOneEntityKeepTheirDirections() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let keepers = ["a", "b", "c"].map { context.insert("Keeper", ["name": $0]) }
      keepers[0].setValue(Set([keepers[1], keepers[2]]), forKey: "pupils")
      try context.save()
    }
    let reader = stack.context()
    try reader.performAndWait {
      let names = try reader.all("Keeper").map {
        "\($0.string("name") ?? ""):\($0.names("pupils").joined()):\($0.names("mentors").joined())"
      }
      #expect(names.sorted() == ["a:bc:", "b::a", "c::a"])
    }
  }

  // S2.6, S6.4: the destination may be of any entity of the hierarchy.
  @Test func aToOneToAHierarchyComesBackAsTheSubEntity() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let lion = context.insert("Lion", ["name": "Leo", "voice": "roar", "pride": 3])
      context.insert("Keeper", ["name": "Anna", "favourite": lion])
      try context.save()
    }
    let reader = stack.context()
    try reader.performAndWait {
      let favourite = try #require(try reader.all("Keeper").first?.object("favourite"))
      #expect(favourite.entity.name == "Lion")
      #expect(favourite.value(forKey: "pride") as? Int64 == 3)
      #expect(favourite.names("fans") == ["Anna"])
    }
  }

  // S1.5: realised relationships hold their targets until the object becomes a fault.
  @Test func aRealisedRelationshipHoldsItsTargets() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      weak let word = note.words.first
      #expect(word != nil)
      context.refresh(note, mergeChanges: false)
      #expect(word == nil)
    }
  }

  // S2.6: a fault that was deleted and saved has no values and no context.
  @Test func whatNoActionLeftBehindCanBeTakenOut() throws {
    let model = Notebook.model(wordsRule: .noActionDeleteRule)
    for property in model.entitiesByName["Word"]?.relationshipsByName.values.map(\.self) ?? [] {
      property.deleteRule = .noActionDeleteRule
    }
    let stack = try TestStack(model: model)
    try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      let word = try #require(note.words.first as? Word)
      context.delete(word)
      try context.save()
      #expect(word.managedObjectContext == nil)
      note.words = []
      #expect(note.words.isEmpty)
      let orphan = try #require(try context.words().first { $0.note != nil && $0.note?.isFault == true })
      context.delete(try #require(orphan.note))
      try context.save()
      orphan.note = note
      #expect(note.words == [orphan])
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE = 1") == ["1"])
  }

  // Both belong to the main queue.
  @Test func twoMainQueueContextsAreTwoContexts() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      await MainActor.run {
        let contexts = (0..<2).map { _ in
          let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
          context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
          return context
        }
        let word = Word(context: contexts[1])
        Note(context: contexts[0]).addToWords(word)
      }
    }
  }
}
