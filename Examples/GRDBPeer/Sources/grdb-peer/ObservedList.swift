import Dispatch
import GRDB
import HarnessKit

/// The newest notes and how many there are, as main shows them, which a `ValueObservation` keeps up to date.
final class ObservedList: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.

  /// One state of the file, as a value.
  struct Content: Sendable {
    var notes: [NoteRecord] = []
    var count = 0

    /// Notes are read unless the page has none.
    static func fetch(_ database: Database, pageSize: Int) throws -> Content {
      let notes = pageSize > 0 ? try NoteRecord.newest(pageSize).fetchAll(database) : []
      return Content(notes: notes, count: try NoteRecord.fetchCount(database))
    }
  }

  private(set) var content = Content()
  private var observation: AnyDatabaseCancellable?
  private var awaited: (isShown: @Sendable (Content) -> Bool, then: @Sendable () -> Void)?

  /// Fetches after each commit, beside the writer, and shows on main. Commits that come during a fetch have one fetch together.
  func start(_ session: CellSession, _ pool: DatabasePool, pageSize: Int) {
    observation =
      ValueObservation
      .trackingConstantRegion { try Content.fetch($0, pageSize: pageSize) }
      .start(in: pool, scheduling: .async(onQueue: .main)) { error in
        session.fail(error)
      } onChange: { [weak self] content in
        session.environment.measure(.merge) { self?.content = content }
        self?.look()
      }
  }

  /// Calls `then` on main once it shows what was asked for. GRDB has no other way to hear that main is current.
  func once(_ isShown: @escaping @Sendable (Content) -> Bool, then: @escaping @Sendable () -> Void) {
    precondition(awaited == nil, "the workload waits for one state at a time")
    awaited = (isShown, then)
    look()
  }

  func end() {
    observation = nil
    content = Content()
  }

  private func look() {
    guard let awaited, awaited.isShown(content) else { return }
    self.awaited = nil
    awaited.then()
  }
}
