import CoreData

/// A context and its child, in which temporary IDs may go up and down; nothing of it is ever saved to the store.
///
/// Concurrency: used by one thread at a time.
final class ContextFamily: @unchecked Sendable {
  // Sendable: its contexts are only used in blocks of theirs.
  private let session: CellSession
  private let root: NSManagedObjectContext
  private let child: NSManagedObjectContext

  init(_ session: CellSession, number: Int) {
    self.session = session
    root = session.container.newBackgroundContext()
    session.environment.adopt(root, name: "parent \(number + 1)")
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = root
    session.environment.adopt(child, name: "child \(number + 1)")
  }

  /// Resolves the temporary ID of a pushed note in the parent, and that of a note of the parent in the child.
  func handTemporaryIDs(_ row: NoteRow) {
    root.performAndWait {
      let below: NSManagedObjectID = child.performAndWait {
        let note = Note(context: child)
        note.fill(row)
        do {
          try child.save()
        } catch {
          session.fail(error)
        }
        return note.objectID
      }
      precondition(below.isTemporaryID, "what is only pushed has a temporary ID")
      require(row, root.object(with: below))
      let own = Note(context: root)
      own.fill(row)
      let above = own.objectID
      child.performAndWait {
        require(row, child.object(with: above))
        child.reset()
      }
      root.rollback()
    }
    session.count(\.idsHandedOver, 2)
  }

  private func require(_ row: NoteRow, _ object: NSManagedObject) {
    precondition((object as? Note)?.number == row.number, "a temporary ID names one note in a parent and its child")
  }
}
