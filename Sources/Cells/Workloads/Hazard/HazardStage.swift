import CoreData
import Scheduling

/// The stage of a hazard's script: contexts, notes, and steps on other threads that it waits for.
///
/// Concurrency: used by the script's thread, and by the thread that the script waits for.
package final class HazardStage: @unchecked Sendable {
  // Sendable: the script waits for each thread that it lets use this.

  /// The cell.
  package let session: CellSession
  /// The notes and words that are in the store, when the hazard works on the notebook.
  package let notebook: VocabularyNotebook
  /// Records the script's operations; main's own is the session's.
  package let recorder: WorkerRecorder
  /// The round, from 0.
  package internal(set) var round = 0

  private let identifiers: [Int: NSManagedObjectID]
  private let otherThread = WorkPool(label: "other thread", width: 1)
  private let kept = Locked<[AnyObject]>([])

  init(_ session: CellSession, _ notebook: VocabularyNotebook, _ identifiers: [Int: NSManagedObjectID]) throws {
    precondition(notebook.noteCount > 0, "a round has a note")
    self.session = session
    self.notebook = notebook
    self.identifiers = identifiers
    recorder = try session.makeRecorder()
  }

  // MARK: Contexts and notes

  /// The context that main reads from.
  package var main: NSManagedObjectContext { session.strategy.mainContext }

  /// A new context of the kind that the strategy gives to background work.
  package func makeContext(_ name: String) throws -> NSManagedObjectContext {
    try session.strategy.makeReader(named: name)
  }

  /// A new context of the calling thread, on the coordinator.
  package func makeConfinedContext(_ name: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.persistentStoreCoordinator = session.container.persistentStoreCoordinator
    session.environment.adopt(context, name: name)
    return context
  }

  /// Number of the round's note: another one each round, as far as there are enough.
  package var noteNumber: Int { 1 + round % notebook.noteCount }

  /// ID of the round's note.
  package var noteID: NSManagedObjectID {
    guard let id = identifiers[noteNumber] else {
      preconditionFailure("a hazard with a schema of its own makes its own rows")
    }
    return id
  }

  /// The first number of a word that is not the notebook's.
  package var firstWord: Int { notebook.noteCount * notebook.wordsPerNote + 1 }

  /// The round's note, realised; on the context's queue, unless it is the mistake not to be there.
  package func note(in context: NSManagedObjectContext) throws -> Note {
    guard let note = try context.existingObject(with: noteID) as? Note else {
      throw UnexpectedAnswer(subject: "note \(noteNumber)", expected: "a note, by its ID", seen: "another object")
    }
    return note
  }

  /// Keeps an object to the end of the cell, so that it is not released on the wrong thread.
  package func keep(_ object: AnyObject) { kept.withLock { $0.append(object) } }

  // MARK: Steps

  /// Runs a step on the main thread, in a block of its own, and waits for it.
  package func onMain<Value>(_ step: @escaping @Sendable () throws -> Value) throws -> Value {
    try run { group, body in
      group.run("step on main", on: .main, body)
    } step: {
      try step()
    }
  }

  /// Runs a step on a thread that is neither main's nor the script's, and waits for it.
  package func onOtherThread<Value>(_ step: @escaping @Sendable () throws -> Value) throws -> Value {
    try run { [otherThread] group, body in
      group.run("step on another thread", on: otherThread, body)
    } step: {
      try step()
    }
  }

  /// Starts a block on another thread; the group that has it as its member.
  package func inBackground(_ label: String, _ block: @escaping @Sendable () throws -> Void) -> WaitGroup {
    let group = WaitGroup(label: label)
    group.run(label, on: otherThread) { [session] in
      do {
        try block()
      } catch {
        session.fail(error)
      }
    }
    return group
  }

  private func run<Value>(
    _ submit: (WaitGroup, @escaping @Sendable () -> Void) -> Void, step: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let outcome = Locked<Handed<Result<Value, any Error>>?>(nil)
    let group = WaitGroup(label: "step")
    submit(group) {
      let result = Handed(Result { try step() })
      outcome.withLock { $0 = result }
    }
    group.wait()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("a step that was waited for has ended") }
    return try result.value.get()
  }
}

/// A value handed to another thread, though it belongs to one, or since no other thread uses it then.
// `@unchecked`: a value that may not be Sendable is the subject of a hazard.
package struct Handed<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
