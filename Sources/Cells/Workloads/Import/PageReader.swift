import Checking
import CoreData
import Measuring
import Scenarios

/// The user's view meanwhile: main fetches pages of the newest notes, and holds one page.
final class PageReader: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.

  /// A note that main holds, by the facts that other threads may know.
  struct HeldNote: Sendable {
    let number: Int64
    let id: NSManagedObjectID
  }

  private let session: CellSession
  private let pageSize: Int
  private let overlap: Overlap?
  private var held: [Note] = []
  private var fetches: Int64 = 0

  init(_ session: CellSession, _ overlap: Overlap? = nil) {
    self.session = session
    self.overlap = overlap
    pageSize = session.settings[Keys.pageSize]
    precondition(pageSize > 0, "a page has notes")
  }

  /// Fetches a page and reads the values that a list would show; on the main thread.
  func fetch(in phase: String) {
    fetches += 1
    let begin = OperationStart(
      at: session.main.history.record(.invoke, .fetch, entity: NotebookModel.EntityNumber.note, key: fetches))
    overlap?.mainReads()
    let page = newest()
    for note in page { _ = note.title?.isEmpty }
    let end = session.main.history.record(
      .ok, .fetch, entity: NotebookModel.EntityNumber.note, key: fetches, count: Int64(page.count))
    session.main.record("page-fetch", in: phase, since: begin, until: OperationStart(at: end))
  }

  /// The notes that main holds, realised; fetched when first asked for. On the main thread.
  func hold() -> [HeldNote] {
    if held.isEmpty {
      held = session.meter.measure(.harness) { newest() }
      for note in held { _ = note.revision }
    }
    return held.map { HeldNote(number: $0.number, id: $0.objectID) }
  }

  /// Reads the revision of every held note; on the main thread.
  func readHeld(in phase: String) {
    let entity = NotebookModel.EntityNumber.note
    let context = session.environment.number(of: session.strategy.mainContext)
    session.meter.measure(.harness) {
      for note in held {
        let number = note.number
        let begin = OperationStart(at: session.main.history.record(.invoke, .read, entity: entity, key: number))
        let revision = note.revision
        let end = session.main.history.record(
          .ok, .read, entity: entity, key: number, value: revision, context: context,
          object: note.objectID.primaryKey)
        session.main.record("read", in: phase, since: begin, until: OperationStart(at: end))
      }
    }
  }

  private func newest() -> [Note] {
    let request = Note.request()
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
    request.fetchLimit = pageSize
    // Read at once: by the time a fault is read, its row may be deleted.
    request.returnsObjectsAsFaults = false
    do {
      return try session.strategy.mainContext.fetch(request)
    } catch {
      session.fail(error)
    }
  }
}
