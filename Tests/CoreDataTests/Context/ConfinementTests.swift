import CoreData
import Scheduling
import Testing

@Suite struct ConfinementTests {
  /// A context with a name of its own and one saved note in it.
  private func subject(_ stack: TestStack) throws -> (NSManagedObjectContext, Note) {
    try stack.seed(1...1, words: ["a"])
    let context = stack.context("subject \(UUID())")
    return (context, try context.performAndWait { try context.note(1) })
  }

  /// Touches through generated accessors.
  private static let objectTouches: [(String, @Sendable (Note) -> Void)] = [
    ("title", { _ = $0.title }), ("title", { $0.title = "x" }), ("words", { _ = $0.words }),
    ("number", { _ = $0.number }), ("number", { $0.number = 2 }),
  ]

  // S1.6
  @Test(arguments: objectTouches.indices) func touchingAnObjectOffItsQueueIsRecorded(index: Int) throws {
    let stack = try TestStack()
    let (context, note) = try subject(stack)
    let (member, touch) = Self.objectTouches[index]
    let violations = Hooks.violations(of: context) { touch(note) }
    #expect(violations.first?.member == member)
    guard case .object(let entity, let id)? = violations.first?.subject else {
      Issue.record("\(violations) names no object")
      return
    }
    #expect(entity == "Note")
    #expect(id == "\(note.objectID)")
    #expect(violations.first?.context == context.name)
    #expect(violations.first?.backtrace.isEmpty == false)
    #expect(violations.first.map { $0.thread != $0.owner } == true)
    #expect(Hooks.violations(of: context) { context.performAndWait { touch(note) } }.isEmpty)
  }

  // S1.6
  @Test func whatEveryThreadMayAskIsNeverRecorded() throws {
    let stack = try TestStack()
    let (context, note) = try subject(stack)
    let child = stack.child(of: context)
    let violations = Hooks.violations(of: context) {
      _ = (note.objectID, note.objectID.isTemporaryID, note.objectID.uriRepresentation(), note.objectID.entity)
      _ = (note.managedObjectContext, note.entity)
      _ = (context.name, context.concurrencyType, context.parent, context.persistentStoreCoordinator, child.parent)
      context.perform {}
      context.performAndWait {}
    }
    #expect(violations.isEmpty)
  }

  // S1.6
  @Test func anOrderedRelationshipIsReported() throws {
    let context = try TestStack(model: Library.model()).context("shelves \(UUID())")
    let shelf = context.performAndWait { context.make("Shelf", "shelf") }
    let violations = Hooks.violations(of: context) { _ = shelf.mutableOrderedSetValue(forKey: "books") }
    #expect(Set(violations.map(\.member)) == ["books"])
  }

  // S1.6: identity of the queue counts, not that calls come one after the other.
  @Test func anotherSerialQueueIsStillTheWrongOne() throws {
    let stack = try TestStack()
    let (context, note) = try subject(stack)
    let other = stack.context("another")
    let violations = Hooks.violations(of: context) { other.performAndWait { _ = note.title } }
    #expect(violations.count == 1)
  }

  // S1.2
  @Test func aConfinedContextBelongsToTheThreadThatMadeIt() throws {
    let stack = try TestStack()
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.name = "confined \(UUID())"
    context.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    let here = try Hooks.violations(of: context) {
      context.insertNote(1)
      try context.save()
    }
    #expect(here.isEmpty)
    let pool = WorkPool(label: "another thread", width: 1)
    let there = Hooks.violations(of: context) {
      pool.submit("touch") { _ = context.hasChanges }
      pool.waitUntilAllFinished()
    }
    #expect(there.map(\.member) == ["hasChanges"])
  }
}
