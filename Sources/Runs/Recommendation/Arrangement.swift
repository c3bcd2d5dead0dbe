import Foundation
import Scenarios

/// The code of a strategy in an app, and its pitfalls.
package struct Arrangement: Sendable {
  /// A class of `Examples/Arrangements/Arrangements.swift` that arranges the contexts so.
  package let skeleton: String
  /// Its hazards, each a sentence.
  package let watchFor: [String]

  private init(_ className: String, watchFor: [String]) {
    let text = EmbeddedLibrary.arrangements
    guard let start = text.range(of: "\nfinal class \(className)")?.lowerBound,
      let end = text.range(of: "\n}\n", range: start..<text.endIndex)?.upperBound
    else { preconditionFailure("Examples/Arrangements has the class \(className)") }
    skeleton = text[start..<end].trimmingCharacters(in: .newlines)
    precondition(!watchFor.isEmpty, "every arrangement has a pitfall")
    self.watchFor = watchFor
  }

  /// Whether it needs the concurrency type that Apple has deprecated.
  package var isDeprecated: Bool { skeleton.contains("confinementConcurrencyType") }

  /// The arrangement of a shipped strategy; nil of one of another package.
  package static func of(_ strategy: String) -> Arrangement? { shipped[strategy] }

  /// Those of the shipped strategies.
  static let shipped: [String: Arrangement] = [
    "notification-merge": Arrangement(
      "NotificationMergeStack",
      watchFor: [
        "Reset an importer's context when an edit throws or a save is refused: what is left in it goes into the next save.",
        "The didSave notification comes on the queue that saved: merge inside main.perform.",
        "Remove each observer when its context goes, or it keeps main merging for nothing.",
        "Two importers that change one row need a merge policy that you chose: all but error lose the update of one.",
      ]),
    "parent-child": Arrangement(
      "ParentChildStack",
      watchFor: [
        "Reset a child when an edit throws: what is left in it goes into its next save.",
        "Main takes every object over and saves it: import little at a time, or main is not free.",
        "Versions are not compared between children of one parent: who saves last wins. Let only one child change a row.",
        "A child's save reaches the file only with main's; a crash between the two loses it.",
        "Never wait on main for a child: its fetches need main, and that is a deadlock.",
      ]),
    "single-background-writer": Arrangement(
      "SingleWriterStack",
      watchFor: [
        "All wait for the one writer: keep each block short.",
        "The block's objects are gone when it ends: hand IDs on, obtained before with obtainPermanentIDs or after the save.",
        "Main never saves; edits of the user are sent to the writer, too.",
        "Do not call write from within a block of the writer and wait for it.",
      ]),
    "main-only": Arrangement(
      "MainOnlyStack",
      watchFor: [
        "Main does nothing else while a block runs: this is for a few objects at a time."
      ]),
    "nested-writer": Arrangement(
      "NestedWriterStack",
      watchFor: [
        "Reset a child when an edit throws: what is left in it goes into its next save.",
        "When a save above the child is refused, main is reset, and its objects with it: fetch again.",
        "Every object goes through main twice, and each fetch of a child passes main and the root.",
        "Versions are not compared between children of one parent: who saves last wins, unseen. Let only one child change a row.",
        "Saved means saved by the root; until then a crash loses it.",
        "Objects made by children have temporary IDs until the root has saved: ask for permanent ones before you hand an ID on.",
      ]),
    "background-task": Arrangement(
      "BackgroundTaskStack",
      watchFor: [
        "Each unit makes a context and reads what it needs anew: let a unit be a few hundred objects, not five.",
        "Tasks run at once and in no order: two that change the same row conflict.",
      ]),
    "thread-confinement": Arrangement(
      "ThreadConfinementStack",
      watchFor: [
        "The concurrency type is deprecated by Apple, and nothing checks that a context stays on its thread.",
        "A thread of a pool keeps its context and what it has registered: reset after each save, and when an edit throws.",
      ]),
    "dedicated-thread": Arrangement(
      "DedicatedThreadStack",
      watchFor: [
        "The context and its objects belong to that thread alone, and nothing checks it.",
        "A thread of your own has to be started, to serve its run loop and to be ended; a queue does that by itself.",
        "The concurrency type is deprecated by Apple.",
      ]),
    "coordinator-per-thread": Arrangement(
      "CoordinatorPerImporterStack",
      watchFor: [
        "Reset an importer's context when an edit throws or a save is refused: what is left in it goes into the next save.",
        "Main reads every merged row again from the file, so it is busier than with one coordinator.",
        "Saves wait for the lock of the file, and fail with SQLITE_BUSY when one holds it too long.",
        "Row caches are apart: set stalenessInterval to 0 where a context must see what others saved.",
      ]),
    "history-merge": Arrangement(
      "HistoryMergeStack",
      watchFor: [
        "Every process opens the store with history tracking; without it the store is only read.",
        "Keep the token of the last transaction that you merged, never the current one: a save may come between.",
        "Give each context that saves an author, and pass over your own.",
        "Delete history that every process has read, or it grows for ever; a token before what was deleted is refused with 134301.",
        "A save with history writes a second row for each row.",
      ]),
    "batch-import": Arrangement(
      "BatchImportStack",
      watchFor: [
        "A request sets no relationships and validates nothing.",
        "No context hears of it by itself, and no notification of a save is posted: merge the IDs, or follow the history.",
        "Each request is a transaction of its own: several are not one unit.",
        "What has relationships is saved as usual.",
      ]),
    "model-actor": Arrangement(
      "ModelActorStack",
      watchFor: [
        "An actor's method gives way at each await: read again after it what a decision rests on, and save before it.",
        "Objects must not leave the actor, though the compiler lets them: return values and IDs.",
        "Two actors that change one row need a merge policy that you chose: all but error lose the update of one.",
        "An actor without that executor runs on threads of Swift's own, where its context must not be touched.",
      ]),
    "async-perform": Arrangement(
      "AsyncPerformStack",
      watchFor: [
        "Edit and save in one block: between two that are awaited others may run.",
        "A cancelled task does not stop a block that is on its way; ask Task.isCancelled in the block.",
        "Child tasks run at once and in no order: two that change the same row conflict.",
        "Never block a thread of Swift's, by performAndWait or a semaphore, for a task: there are as few as processors.",
      ]),
  ]
}
