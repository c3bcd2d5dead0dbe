import CoreData
import Testing

/// A context that counts its calls, in the forms that code for Apple's systems overrides.
private final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: used on one thread.
  var calls: [String] = []

  override init(concurrencyType ct: NSManagedObjectContextConcurrencyType) { super.init(concurrencyType: ct) }
  required init?(coder: NSCoder) { nil }

  override func save() throws {
    calls.append("save")
    try super.save()
  }
  override func perform(_ block: @escaping @Sendable () -> Void) {
    calls.append("perform")
    super.perform(block)
  }
  override func performAndWait(_ block: () -> Void) {
    calls.append("performAndWait")
    super.performAndWait(block)
  }
  override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    calls.append("fetch")
    return try super.fetch(request)
  }
}

/// A container with contexts of its own.
private final class CountingContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: as its superclass.
  private let own = CountingContext(concurrencyType: .mainQueueConcurrencyType)

  override var viewContext: NSManagedObjectContext { own }
  override func newBackgroundContext() -> NSManagedObjectContext {
    let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }
}

@Suite struct ContextOverrideTests {
  // S1.3, S3.1: the overrides of a subclass are called.
  @Test func aSubclassIsCalled() async throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    let base: NSManagedObjectContext = context
    try base.performAndWait { try base.save() }
    base.performAndWait {}
    await withCheckedContinuation { continuation in base.perform { continuation.resume() } }
    #expect(context.calls == ["save", "performAndWait", "perform"])
  }

  // S6.2
  @Test func aContainersContextsMayBeOnesOwn() async throws {
    let container = CountingContainer(name: "x", managedObjectModel: Notebook.model())
    #expect(container.viewContext is CountingContext)
    let isOwn = await container.performBackgroundTask { $0 is CountingContext }
    #expect(isOwn)
  }

  // S3.1: kept, until there is a history.
  @Test func anAuthorAndANameAreKept() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    (context.transactionAuthor, context.name) = ("app", "import")
    #expect(context.transactionAuthor == "app" && context.name == "import")
  }

  // S8.1: delete rules wait for the save.
  @Test func deleteRulesMayWaitForTheSave() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let (note, word) = (try context.note(1), try context.words()[0])
      context.propagatesDeletesAtEndOfEvent = false
      context.delete(note)
      context.processPendingChanges()
      #expect(!word.isDeleted)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }
}
