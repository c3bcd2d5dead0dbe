extension Arrangement {
  static let notificationMerge = Arrangement(
    summary: "A private context for each importer beside main, on one coordinator; each save is merged into main.",
    skeleton: """
      final class NotificationMergeStack {
        let container: NSPersistentContainer
        private var observers: [any NSObjectProtocol] = []

        init(_ container: NSPersistentContainer) { self.container = container }

        /// A context for one importer; its saves are merged into main.
        func makeImporter() -> NSManagedObjectContext {
          let context = container.newBackgroundContext()
          let main = container.viewContext
          observers.append(
            NotificationCenter.default.addObserver(
              forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { notification in
              // Merging reads its objects' IDs only, which any thread may.
              nonisolated(unsafe) let saved = notification
              main.perform { main.mergeChanges(fromContextDidSave: saved) }
            })
          return context
        }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
      }
      """,
    watchFor: [
      "Reset an importer's context when an edit throws or a save is refused: what is left in it goes into the next save.",
      "The didSave notification comes on the queue that saved: merge inside main.perform.",
      "Remove each observer when its context goes, or it keeps main merging for nothing.",
      "Two importers that change one row need a merge policy that you chose: all but error lose the update of one.",
    ])

  static let parentChild = Arrangement(
    summary: "Importers are children of the main context; main saves to the store after each child's save.",
    skeleton: """
      final class ParentChildStack {
        let container: NSPersistentContainer

        init(_ container: NSPersistentContainer) { self.container = container }

        /// A context for one importer: a child of main.
        func makeImporter() -> NSManagedObjectContext {
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.parent = container.viewContext
          return context
        }

        /// Saves the child, then main, which writes to the file. Of what is refused nothing is left in either.
        /// Call it on the child's queue.
        func save(_ child: NSManagedObjectContext) throws {
          defer { child.reset() }
          try child.save()
          let main = container.viewContext
          try main.performAndWait {
            do {
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
      "Reset a child when an edit throws: what is left in it goes into its next save.",
      "Main takes every object over and saves it: import little at a time, or main is not free.",
      "Versions are not compared between children of one parent: who saves last wins. Let only one child change a row.",
      "A child's save reaches the file only with main's; a crash between the two loses it.",
      "Never wait on main for a child: its fetches need main, and that is a deadlock.",
    ])

  static let singleBackgroundWriter = Arrangement(
    summary:
      "One background context does all writing, the importers queue to it; main only reads and merges automatically.",
    skeleton: """
      final class SingleWriterStack {
        let main: NSManagedObjectContext
        private let writer: NSManagedObjectContext

        init(_ container: NSPersistentContainer) {
          main = container.viewContext
          main.automaticallyMergesChangesFromParent = true
          writer = container.newBackgroundContext()
        }

        /// Every writer sends a block; they run one after another, so that no two change a row at once.
        /// Nothing is left of an edit that throws or of a save that is refused.
        func write(_ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
          let writer = self.writer
          try await writer.perform {
            defer { writer.reset() }
            try edit(writer)
            try writer.save()
          }
        }
      }
      """,
    watchFor: [
      "All wait for the one writer: keep each block short.",
      "The block's objects are gone when it ends: hand IDs on, obtained before with obtainPermanentIDs or after the save.",
      "Main never saves; edits of the user are sent to the writer, too.",
      "Do not call write from within a block of the writer and wait for it.",
    ])
}
