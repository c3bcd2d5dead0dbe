import CoreData
import Testing

/// Where Apple throws an exception that Swift cannot catch, the process ends here.
@Suite struct TrapTests {
  // S2.5
  @Test func aRelationshipAcrossContextsIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      let (first, second) = (stack.context(), stack.context())
      let note = first.performAndWait { first.insertNote(1) }
      second.performAndWait { first.performAndWait { Word(context: second).note = note } }
    }
  }

  // S2.5: nor is one that is set without notifications.
  @Test func aPrimitiveRelationshipAcrossContextsIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      let (first, second) = (stack.context(), stack.context())
      let note = first.performAndWait { first.insertNote(1) }
      second.performAndWait { Word(context: second).setPrimitiveValue(note, forKey: "note") }
    }
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      let (first, second) = (stack.context(), stack.context())
      let note = first.performAndWait { first.insertNote(1) }
      second.performAndWait { note.setPrimitiveValue(Set([Word(context: second)]), forKey: "words") }
    }
  }

  // S2.3
  @Test func anInaccessibleFaultIsFatalWhereTheContextSaysSo() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      let id = try stack.seed(1...1)[0]
      try stack.change { $0.delete(try $0.note(1)) }
      let context = stack.context()
      context.shouldDeleteInaccessibleFaults = false
      context.performAndWait { _ = (context.object(with: id) as? Note)?.title }
    }
  }

  // S2.3
  @Test func aFaultWithoutItsContextIsFatal() async {
    await #expect(processExitsWith: .failure) {
      let stack = try TestStack()
      try stack.seed(1...1)
      var context: NSManagedObjectContext? = stack.context()
      let note = try #require(
        try context?.performAndWait { () throws -> Note? in
          let note = try context?.note(1)
          if let note { context?.refresh(note, mergeChanges: false) }
          return note
        })
      context = nil
      _ = note.title
    }
  }

  // S1.6
  @Test func withoutAHandlerATouchOffTheQueueTraps() async {
    await #expect(processExitsWith: .failure) {
      let context = try TestStack().context()
      ConcurrencyDebugging.setHandler(nil)
      ConcurrencyDebugging.setEnabled(true)
      _ = context.hasChanges
    }
  }

  // S1.2
  @Test func aConfinedContextPerformsNoBlocks() async {
    await #expect(processExitsWith: .failure) {
      let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
      context.perform {}
    }
  }

  // S9.1
  @Test func aModelInUseRefusesChanges() async {
    await #expect(processExitsWith: .failure) {
      let model = Notebook.model()
      let stack = try TestStack(model: model)
      model.entities[0].name = "Other"
      withExtendedLifetime(stack) {}
    }
  }

  // The same steps without the fault: the others pin the trap, and not something on the way there.
  @Test func whatIsAllowedEndsWell() async {
    await #expect(processExitsWith: .success) {
      let stack = try TestStack()
      let context = stack.context()
      let note = context.performAndWait { context.insertNote(1) }
      context.performAndWait { Word(context: context).note = note }
      try context.performAndWait { try context.save() }
    }
  }
}
