extension Arrangement {
  static let mainOnly = Arrangement(
    summary: "Everything on the main context: nothing is merged, and everything freezes main.",
    skeleton: """
      final class MainOnlyStack {
        let main: NSManagedObjectContext

        init(_ container: NSPersistentContainer) { main = container.viewContext }

        /// Small edits only: main does nothing else meanwhile.
        func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
          let main = self.main
          try await main.perform {
            try edit(main)
            try main.save()
          }
        }
      }
      """,
    watchFor: [
      "Main does nothing else while a block runs: this is for a few objects at a time."
    ])

  static let nestedWriter = Arrangement(
    summary: "A private root saves to the file, main is its child, importers are children of main.",
    skeleton: """
      final class NestedWriterStack {
        let root: NSManagedObjectContext
        let main: NSManagedObjectContext

        init(_ container: NSPersistentContainer) {
          root = container.newBackgroundContext()
          main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
          main.parent = root
        }

        /// A context for one importer: a child of main.
        func makeImporter() -> NSManagedObjectContext {
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.parent = main
          return context
        }

        /// Saves from the child up to the file. Call it on the child's queue.
        func save(_ child: NSManagedObjectContext) throws {
          try child.save()
          try main.performAndWait { try main.save() }
          try root.performAndWait { try root.save() }
        }
      }
      """,
    watchFor: [
      "Every object goes through main twice, and each fetch of a child passes main and the root.",
      "Versions are not compared between children of one parent: who saves last wins, unseen. Let only one child change a row.",
      "Saved means saved by the root; until then a crash loses it.",
      "Objects made by children have temporary IDs until the root has saved: ask for permanent ones before you hand an ID on.",
    ])

  static let backgroundTask = Arrangement(
    summary: "performBackgroundTask for each unit of work; main merges automatically.",
    skeleton: """
      final class BackgroundTaskStack {
        let container: NSPersistentContainer

        init(_ container: NSPersistentContainer) {
          self.container = container
          container.viewContext.automaticallyMergesChangesFromParent = true
        }

        /// A new context for each unit of work; several run at once.
        func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
          try await container.performBackgroundTask { context in
            try edit(context)
            try context.save()
          }
        }
      }
      """,
    watchFor: [
      "Each unit makes a context and reads what it needs anew: let a unit be a few hundred objects, not five.",
      "Tasks run at once and in no order: two that change the same row conflict.",
    ])
}
