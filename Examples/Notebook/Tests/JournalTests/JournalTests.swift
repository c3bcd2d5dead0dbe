import CoreData
import Journal
import Testing

/// An app's model, classes, import and list, from a model file that the plugin has made a resource of.
@MainActor @Suite(.serialized) struct JournalTests {
  @Test func theModelIsFoundByName() throws {
    let stack = try JournalStack(inMemory: true)
    #expect(Set(stack.container.managedObjectModel.entitiesByName.keys) == ["Binder", "Entry", "Tag"])
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
