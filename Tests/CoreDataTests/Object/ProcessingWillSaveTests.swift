import Testing

@testable import CoreData

/// S2.7: an object that a `willSave` changes has its own called, though its change is processed before that returns.
@Suite(.everyStore) struct ProcessingWillSaveTests {
  private let stack: TestStack
  private let context: NSManagedObjectContext

  init() throws {
    stack = try TestStack(model: Diary.model())
    context = stack.context()
  }

  /// Saves with an entry that calls `body` with another one in its `willSave`; the calls of that other one.
  private func calls(_ body: @escaping (DiaryEntry) -> Void) throws -> [String] {
    try context.performAndWait {
      let (one, other) = (DiaryEntry(context: context), DiaryEntry(context: context))
      try context.save()
      (one.calls, other.calls) = ([], [])
      one.onWillSave = { entry in
        entry.onWillSave = nil
        body(other)
      }
      one.setValue("changed", forKey: "text")
      try context.save()
      #expect(!context.hasChanges)
      #expect(try stack.sql("SELECT count(*) FROM ZENTRY WHERE ZTEXT = 'changed'") == ["2"])
      return other.calls
    }
  }

  // S2.7
  @Test func changesThatWillSaveProcesses() throws {
    #expect(
      try calls {
        $0.setValue("changed", forKey: "text")
        $0.managedObjectContext?.processPendingChanges()
      } == ["willSave", "didSave"])
  }

  // S2.7, S4.4
  @Test func changesThatAChildPushesMeanwhile() throws {
    let child = stack.child(of: context)
    #expect(
      try calls { other in
        child.performAndWait {
          child.object(with: other.objectID).setValue("changed", forKey: "text")
          try? child.save()
        }
      } == ["willSave", "didSave"])
  }
}
