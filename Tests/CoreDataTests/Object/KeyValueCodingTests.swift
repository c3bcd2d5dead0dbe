import CoreData
import Testing

/// A note with a key that its entity does not have, and a computed value under one that it has.
final class RichNote: NSManagedObject {
  var mood = "calm"
  /// The keys that were read.
  var read: [String] = []

  override func value(forKey key: String) -> Any? {
    read.append(key)
    return key == "title" ? (super.value(forKey: key) as? String)?.uppercased() : super.value(forKey: key)
  }

  override func value(forUndefinedKey key: String) -> Any? {
    key == "mood" ? mood : super.value(forUndefinedKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    if key == "mood" { mood = value as? String ?? "" } else { super.setValue(value, forUndefinedKey: key) }
  }
}

@Suite struct KeyValueCodingTests {
  /// A note with three words of levels 1, 2 and 2, the last one without a term.
  private func notebook(_ body: (NSManagedObjectContext, Note) throws -> Void) throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(7, title: "seven")
      for (term, level) in [("a", 1), ("b", 2), (nil, 2)] as [(String?, Int64)] {
        let word = Word(context: context)
        word.term = term
        word.level = level
        word.note = note
      }
      try body(context, note)
    }
  }

  // S2.6
  @Test func numbersComeInEveryTypeThatHoldsThem() throws {
    let context = try TestStack(model: Zoo.model()).context()
    context.performAndWait {
      let sample = context.insert("Sample", ["anInt16": 5, "anInt64": Int64(6), "aDouble": 1.5, "aBool": true])
      #expect(sample.value(forKey: "anInt16") as? Int == 5)
      #expect(sample.value(forKey: "anInt16") as? Int16 == 5)
      #expect(sample.value(forKey: "anInt64") as? Int == 6)
      #expect(sample.value(forKey: "anInt64") as? NSNumber == 6)
      #expect(sample.value(forKey: "aDouble") as? Double == 1.5)
      #expect(sample.value(forKey: "aBool") as? Bool == true)
      #expect(sample.value(forKey: "aBool") as? NSNumber == 1)
      sample.setValue(NSNumber(value: 8), forKey: "anInt16")
      sample.setValue(NSNull(), forKey: "anInt64")
      #expect(sample.value(forKey: "anInt16") as? Int == 8)
      #expect(sample.value(forKey: "anInt64") == nil)
    }
  }

  // S2.6: Foundation's ordered sets on Linux are equal and have different hashes, which a set does not survive.
  @Test func orderedMembersOfASetOfObjectsAreASet() throws {
    let (owner, list, member) = (
      Notebook.entity("Owner", NSManagedObject.self), Notebook.entity("List", NSManagedObject.self),
      Notebook.entity("Member", NSManagedObject.self)
    )
    member.properties = [Notebook.attribute("label", .stringAttributeType)]
    let members = Notebook.relationship("members", to: member, maxCount: 0)
    members.isOrdered = true
    list.properties = [members]
    owner.properties = [Notebook.relationship("lists", to: list, maxCount: 0)]
    let model = NSManagedObjectModel()
    model.entities = [owner, list, member]
    let context = try TestStack(model: model).context()
    context.performAndWait {
      let first = context.insert("Member", ["label": "a"])
      for _ in 0..<20 {
        let owner = context.insert("Owner", [:])
        let lists = (0..<4).map { number in
          let members = NSOrderedSet(array: number < 2 ? [first] : [])
          return context.insert("List", ["members": members])
        }
        owner.setValue(Set(lists), forKey: "lists")
        #expect((owner.value(forKeyPath: "lists.members") as? Set<AnyHashable>)?.count == 2)
        #expect((owner.value(forKeyPath: "lists.members.label") as? Set<AnyHashable>)?.count == 2)
      }
    }
  }

  // S2.6
  @Test func aSubclassMayAnswerItself() throws {
    let note = Notebook.entity("Note", RichNote.self)
    note.properties = [Notebook.attribute("title", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let note = try #require(context.insert("Note", ["title": "loud", "mood": "angry"]) as? RichNote)
      #expect(note.string("title") == "LOUD")
      note.read = []
      #expect(note.value(forKeyPath: "self.title") as? String == "LOUD")
      #expect(note.read.count(where: { $0 == "title" }) == 1, "its getter may be costly, or count")
      #expect(note.string("mood") == "angry")
      #expect(note.value(forKey: "objectID") as? NSManagedObjectID == note.objectID)
    }
  }

  // S2.6
  @Test func anUndefinedKeyEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let context = try TestStack().context()
      context.performAndWait { _ = context.insertNote(1).value(forKey: "nonsense") }
    }
  }

  // S2.6
  @Test func dictionariesOfValuesGoInAndOut() throws {
    try notebook { _, note in
      note.setValuesForKeys(["number": 8, "title": NSNull()])
      let values = note.dictionaryWithValues(forKeys: ["number", "title"])
      #expect(values["number"] as? Int == 8)
      #expect(values["title"] is NSNull)
      #expect(note.title == nil)
    }
  }

  // S2.6
  @Test func keyPathsLeadThroughRelationships() throws {
    try notebook { context, note in
      let word = try #require(note.words.compactMap { $0 as? Word }.first { $0.term == "a" })
      #expect(word.value(forKeyPath: "note.title") as? String == "seven")
      #expect(word.value(forKeyPath: "note.title.length") as? Int == 5)
      word.setValue("new", forKeyPath: "note.title")
      #expect(note.title == "new")
      #expect(note.value(forKeyPath: "words.term") as? Set<String> == ["a", "b"], "sets leave out nil")
      #expect(note.value(forKeyPath: "words.level") as? Set<Int> == [1, 2])
      #expect(note.value(forKeyPath: "words.note") as? Set<NSManagedObject> == [note])
      note.setValue(9, forKeyPath: "words.level")
      #expect(word.level == 9)
      word.note = nil
      #expect(word.value(forKeyPath: "note.title") == nil)
      word.setValue("nowhere", forKeyPath: "note.title")
    }
  }

  // S2.6
  @Test func collectionOperatorsReckonOverTheObjects() throws {
    try notebook { context, note in
      #expect(note.value(forKeyPath: "words.@count") as? Int == 3)
      #expect(note.value(forKeyPath: "words.@sum.level") as? Int == 5)
      let average = try #require(note.value(forKeyPath: "words.@avg.level") as? Double)
      #expect(abs(average - 5.0 / 3) < 1e-12)
      #expect(note.value(forKeyPath: "words.@min.level") as? Int == 1)
      #expect(note.value(forKeyPath: "words.@max.level") as? Int == 2)
      #expect(note.value(forKeyPath: "words.@max.term") as? String == "b")
      #expect((note.value(forKeyPath: "words.@unionOfObjects.level") as? [Int])?.sorted() == [1, 2, 2])
      #expect(note.value(forKeyPath: "words.@distinctUnionOfObjects.level") as? Set<Int> == [1, 2])
      #expect(note.value(forKeyPath: "words.@sum.note.number") as? Int == 21)
      #expect(note.value(forKeyPath: "words.note.@count") as? Int == 1)
      let tag = context.insert("Tag", ["name": "t"])
      for case let word as Word in note.words where word.term != nil { word.tags = [tag] }
      #expect(note.value(forKeyPath: "words.@distinctUnionOfSets.tags") as? Set<NSManagedObject> == [tag])
      #expect((note.value(forKeyPath: "words.@unionOfSets.tags.name") as? [String]) == ["t", "t"])
      note.words = []
      #expect(note.value(forKeyPath: "words.@sum.level") as? Int == 0)
      #expect(note.value(forKeyPath: "words.@avg.level") as? Double == 0)
      #expect(note.value(forKeyPath: "words.@max.level") == nil)
    }
  }

  // S2.6: decimals stay exact.
  @Test func decimalsAreSummedAsDecimals() throws {
    let box = Notebook.entity("Box", NSManagedObject.self)
    let coin = Notebook.entity("Coin", NSManagedObject.self)
    let coins = Notebook.relationship("coins", to: coin, maxCount: 0)
    let owner = Notebook.relationship("box", to: box, maxCount: 1)
    (coins.inverseRelationship, owner.inverseRelationship) = (owner, coins)
    box.properties = [coins]
    coin.properties = [Notebook.attribute("worth", .decimalAttributeType), owner]
    let model = NSManagedObjectModel()
    model.entities = [box, coin]
    let context = try TestStack(model: model).context()
    context.performAndWait {
      let box = context.insert("Box")
      for worth in ["0.1", "0.2", "0.3"] {
        context.insert("Coin", ["worth": Decimal(string: worth) ?? 0, "box": box])
      }
      #expect(box.value(forKeyPath: "coins.@sum.worth") as? Decimal == Decimal(string: "0.6"))
      #expect(box.value(forKeyPath: "coins.@avg.worth") as? Decimal == Decimal(string: "0.2"))
      #expect(box.value(forKeyPath: "coins.@max.worth") as? Decimal == Decimal(string: "0.3"))
    }
  }

  // S2.6
  @Test func theMutableArrayIsTheValue() throws {
    let list = Notebook.attribute("list", .transformableAttributeType)
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    thing.properties = [list]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["list": ["a", "b"]])
      try context.save()
      let array = thing.mutableArrayValue(forKey: "list")
      #expect(array.count == 2 && array[1] as? String == "b" && array.index(of: "b") == 1)
      array.add("c")
      #expect(thing.hasChanges && thing.value(forKey: "list") as? [String] == ["a", "b", "c"])
      array.insert("z", at: 0)
      array.remove("a")
      array.exchangeObject(at: 0, withObjectAt: 1)
      array.replaceObject(at: 2, with: "d")
      array.addObjects(from: ["e", "f", "g"])
      array.removeObjects(in: ["e"])
      array.removeLastObject()
      #expect(thing.value(forKey: "list") as? [String] == ["b", "z", "d", "f"])
      array.sort(using: [NSSortDescriptor(key: nil, ascending: true)])
      #expect((array.copy() as? NSArray) as? [String] == ["b", "d", "f", "z"])
      thing.setValue(["new"], forKey: "list")
      #expect(array.count == 1 && array.contains("new"), "the array follows the value")
      array.removeObject(at: 0)
      array.setArray(["x"])
      #expect(thing.value(forKey: "list") as? [String] == ["x"])
      array.removeAllObjects()
      thing.setValue(nil, forKey: "list")
      #expect(array.count == 0)
      array.add(1)
      #expect(thing.value(forKey: "list") as? [Int] == [1])
    }
  }

  // S2.6
  @Test func theMutableSetIsTheRelationship() throws {
    try notebook { context, note in
      try context.save()
      let words = note.mutableSetValue(forKey: "words")
      #expect(words.count == 3)
      #expect(!context.hasChanges)
      let word = Word(context: context)
      words.add(word)
      words.add(word)
      #expect(word.note === note)
      #expect(note.words.contains(word))
      #expect(words.contains(word))
      #expect(words.count == 4)
      #expect(note.isUpdated)
      words.remove(word)
      #expect(word.note == nil)
      #expect(!words.contains(word))
      words.union([word])
      #expect(words.count == 4)
      words.minus([word])
      #expect(word.note == nil)
      word.note = note
      #expect(words.count == 4, "the set follows the relationship")
      words.intersect([word])
      #expect(note.words == [word])
      words.removeAllObjects()
      #expect(note.words.isEmpty)
      words.addObjects(from: [word])
      words.setSet([])
      #expect(note.words.isEmpty)
      words.add(word)
      #expect(words.allObjects as? [Word] == [word])
      #expect(words.anyObject() as? Word == word)
      let other = context.insertNote(8)
      other.setValue(words, forKey: "words")
      #expect(words.count == 0)
      #expect(other.words == [word])
      words.add(word)
      #expect(words.map { $0 as? Word } == [word])
      let copy = words.copy() as? NSSet
      words.removeAllObjects()
      #expect(copy?.count == 1)
      try context.save()
      let path = word.mutableSetValue(forKeyPath: "tags")
      path.add(context.insert("Tag"))
      #expect(word.tags.count == 1)
      note.setValue(NSSet(array: [word]), forKey: "words")
      #expect(word.note === note)
      word.mutableSetValue(forKeyPath: "note.words").removeAllObjects()
      #expect(word.note == nil)
    }
  }

  // S2.6: changes of the set are in the store after a save.
  @Test func changesOfTheMutableSetAreSaved() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    try stack.change { context in
      let words = try context.note(1).mutableSetValue(forKey: "words")
      for case let word as Word in words.allObjects where word.term == "a" { words.remove(word) }
    }
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE IS NULL") == ["a"])
    #expect(try stack.sql("SELECT ZTERM FROM ZWORD WHERE ZNOTE = 1") == ["b"])
  }

  // S2.3
  @Test func theIDsOfARelationshipFireNoOtherFault() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      let ids = note.objectIDs(forRelationshipNamed: "words")
      #expect(Set(ids) == Set(note.words.map(\.objectID)))
      #expect(note.words.allSatisfy { $0.isFault })
      let word = try #require(context.words().first)
      #expect(word.objectIDs(forRelationshipNamed: "note") == [note.objectID])
    }
  }
}
