import CoreData
import Journal
import Palette
import Testing

/// An app's model, classes, import and list, from a model file that the plugin has made a resource of.
@MainActor @Suite(.serialized) struct JournalTests {
  @Test func theModelIsFoundByName() throws {
    let stack = try JournalStack(inMemory: true)
    #expect(Set(stack.container.managedObjectModel.entitiesByName.keys) == ["Binder", "Entry", "Headline", "Tag"])
    #expect(Entry.entity().managedObjectClassName.hasSuffix("Entry"))
    #expect(stack.container.managedObjectModel.entitiesByName["Entry"]?.uniquenessConstraints.count == 1)
  }

  @Test func generatedClassesHaveTheirPropertiesAndAccessors() throws {
    let context = try JournalStack(inMemory: true).container.viewContext
    let (entry, binder) = (Entry(context: context), Binder(context: context))
    entry.title = "first"
    entry.feeling = .good
    entry.createdAt = Date(timeIntervalSinceReferenceDate: 1)
    binder.name = "b"
    binder.insertIntoEntries(entry, at: 0)
    let tag = Tag(label: "RED", context: context)
    entry.addToTags(tag)
    try context.save()
    #expect(entry.mood == 1)
    #expect(entry.binder === binder)
    #expect(tag.entries?.contains(entry) == true)
    #expect(Entry.newest(1).entityName == "Entry")
    #expect(try context.fetch(Entry.newest(1)) == [entry])
  }

  @Test func primitiveAccessorsStoreTheValueOfTheirProperty() throws {
    let context = try JournalStack(inMemory: true).container.viewContext
    let tag = Tag(context: context)
    #expect(tag.name == "untitled")
    tag.label = "Blue"
    #expect(tag.name == "blue" && tag.label == "blue")
    #expect(tag.changedValues()["name"] as? String == "blue")
    try context.save()
    context.refresh(tag, mergeChanges: false)
    #expect(tag.label == "blue")
  }

  @Test func aSubclassHasAccessorsOfItsOwn() throws {
    let context = try JournalStack(inMemory: true).container.viewContext
    let headline = Headline(context: context)
    let entry: Entry = headline
    entry.title = "news"
    entry.mood = 2
    headline.mark = .star
    #expect(entry.title == "NEWS" && headline.value(forKey: "title") as? String == "NEWS")
    #expect(entry.feeling == .bad && headline.moods == [2])
    entry.setValue(1, forKey: "mood")
    #expect(headline.moods == [2, 1])
    try context.save()
    context.refresh(entry, mergeChanges: false)
    #expect(entry.title == "NEWS")
    #expect(headline.primitiveValue(forKey: "title") as? String == "news")
    #expect(headline.mark == .star && headline.value(forKey: "mark") as? NSNumber == 1)
  }

  @Test func keyValueCodingFindsWhatClassesDeclare() throws {
    let context = try JournalStack(inMemory: true).container.viewContext
    for (serial, title) in [(1, "bear"), (2, "ant"), (3, "badger")] {
      let entry = Entry(context: context)
      (entry.serial, entry.title) = (Int64(serial), title)
    }
    try context.save()
    let request = Entry.newest(0)
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let list = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
    try list.performFetch()
    #expect(list.sections?.map(\.name) == ["A", "B"])
    list.fetchedObjects?[0].title = "a title that is longer than titles may be"
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test func aKeyPathMakesAPredicate() throws {
    let context = try JournalStack(inMemory: true).container.viewContext
    for serial in 1...3 { Entry(context: context).serial = Int64(serial) }
    try context.save()
    let request = Entry.newest(0)
    request.predicate = \Entry.serial == 2 && \Entry.mood == 0
    #expect(request.predicate?.description == "serial == 2 AND mood == 0")
    #expect(try context.fetch(request).map(\.serial) == [2])
  }

  @Test func aKeyPathHasItsNameWithoutAModel() {
    #expect((\Loose.text as AnyKeyPath)._kvcKeyPathString == "text")
  }

  @Test func anImportInTheBackgroundIsShown() async throws {
    let stack = try JournalStack(inMemory: true)
    let list = stack.makeList()
    try list.performFetch()
    try await stack.importEntries([(1, "a"), (2, "b")], binder: "x")
    try await stack.importEntries([(2, "c"), (3, "d")], binder: "y")
    try list.performFetch()
    #expect(list.sections?.map(\.name) == ["x", "y"])
    #expect(list.sections?.map(\.numberOfObjects) == [1, 2])
    #expect(list.fetchedObjects?.map(\.title) == ["a", "c", "d"])
    #expect(try stack.deleteAll(.plain) == 3)
  }
}
