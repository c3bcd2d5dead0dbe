import CoreData
import Testing

/// S7.1: requests that cannot be carried out say why.
@Suite struct FetchErrorTests {
  private func message(
    _ change: (NSFetchRequest<Note>) -> Void, in context: NSManagedObjectContext
  ) -> String {
    let request = NSFetchRequest<Note>(entityName: "Note")
    change(request)
    return context.performAndWait {
      let error = caught { _ = try context.fetch(request) }
      #expect((error as NSError?)?.domain == NSCocoaErrorDomain)
      #expect(caught { _ = try context.count(for: request) } != nil)
      return error?.localizedDescription ?? "no error"
    }
  }

  @Test func negativeNumbersAreRefused() throws {
    let context = try TestStack().context()
    #expect(message({ $0.fetchLimit = -1 }, in: context).contains("fetchLimit"))
    #expect(message({ $0.fetchOffset = -2 }, in: context).contains("fetchOffset"))
    #expect(message({ $0.fetchBatchSize = -3 }, in: context).contains("fetchBatchSize"))
  }

  @Test func anEntityOfAnotherModelIsRefused() throws {
    let context = try TestStack().context()
    let other = try TestStack()
    let foreign = other.container.managedObjectModel.entitiesByName["Note"]
    #expect(message({ $0.entity = foreign }, in: context).contains("another model"))
    #expect(message({ $0.entity = NSEntityDescription() }, in: context).contains("another model"))
    let own = NSFetchRequest<Note>()
    own.entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Note"]
    let found = try context.performAndWait { try context.fetch(own) }
    #expect(found.isEmpty)
  }

  @Test func aMissingEntityAndAnUnknownKeyAreNamed() throws {
    let context = try TestStack().context()
    let unknown = NSFetchRequest<Note>(entityName: "Nothing")
    let none = NSFetchRequest<Note>()
    context.performAndWait {
      let text = caught { _ = try context.fetch(unknown) }?.localizedDescription
      #expect(text?.contains("\"Nothing\"") == true && text?.contains("Note, Tag, Word") == true)
      #expect(caught { _ = try context.fetch(none) }?.localizedDescription.contains("no entity") == true)
      let several: NSFetchRequest<any NSFetchRequestResult> = Shelf.fetchRequest()
      #expect(caught { _ = try context.fetch(several) }?.localizedDescription.contains("Shelf") == true)
    }
    let sorted = message({ $0.sortDescriptors = [NSSortDescriptor(key: "nothing", ascending: true)] }, in: context)
    #expect(sorted.contains("nothing"))
    context.performAndWait {
      for limit in [-1, 1] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        (request.fetchLimit, request.fetchOffset) = (limit, -limit)
        #expect(cocoaCode { _ = try context.fetch(request) } == NSCoreDataError)
        #expect(cocoaCode { _ = try context.count(for: request) } == NSCoreDataError)
      }
    }
    let tested = message({ $0.predicate = NSPredicate(format: "nothing == 1") }, in: context)
    #expect(tested.contains("nothing"))
  }

  /// A class that no entity has.
  private final class Shelf: NSManagedObject {}

  @Test func resultsOfAnotherClassAreRefused() throws {
    let context = try TestStack().context()
    context.performAndWait {
      context.insertNote(1)
      let request = NSFetchRequest<Word>(entityName: "Note")
      #expect(caught { _ = try context.fetch(request) }?.localizedDescription.contains("Word") == true)
      request.resultType = .managedObjectIDResultType
      #expect(caught { _ = try context.fetch(request) }?.localizedDescription.contains("ID") == true)
    }
  }

  @Test func aContextWithoutCoordinatorIsReported() {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      #expect(caught { _ = try context.fetch(request) }?.localizedDescription.contains("coordinator") == true)
    }
  }

  // S7.1
  @Test func onlyTheAffectedStoresAreAsked() throws {
    let (stack, other) = (try TestStack(), try TestStack())
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.affectedStores = stack.container.persistentStoreCoordinator.persistentStores
      let found = try context.fetch(request)
      #expect(found.count == 2)
      request.affectedStores = other.container.persistentStoreCoordinator.persistentStores
      #expect(try context.fetch(request).isEmpty)
      #expect(try context.count(for: request) == 0)
    }
  }
}
