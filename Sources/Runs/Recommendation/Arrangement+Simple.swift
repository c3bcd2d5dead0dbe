extension Arrangement {
  static let mainOnly = Arrangement(
    summary: "Everything on the main context: nothing is merged, and everything freezes main.",
    skeleton: """
      final class MainOnlyStack {
        let main: NSManagedObjectContext

        init(_ container: NSPersistentContainer) { main = container.viewContext }

        /// Small edits only: main does nothing else meanwhile.
        /// Nothing is left of an edit that throws or of a save that is refused; nor of main's other unsaved changes.
        func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
          let main = self.main
          try await main.perform {
            do {
              try edit(main)
              try main.save()
            } catch {
              main.rollback()
              throw error
            }
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

        /// Saves from the child up to the file; of what is refused nothing is left. Call it on the child's queue.
        func save(_ child: NSManagedObjectContext) throws {
          defer { child.reset() }
          try child.save()
          do {
            try main.performAndWait { try main.save() }
            try root.performAndWait { try root.save() }
          } catch {
            root.performAndWait { root.rollback() }
            // Main has what the root has not.
            main.performAndWait { main.reset() }
            throw error
          }
        }
      }
      """,
    watchFor: [
      "Reset a child when an edit throws: what is left in it goes into its next save.",
      "When a save above the child is refused, main is reset, and its objects with it: fetch again.",
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
