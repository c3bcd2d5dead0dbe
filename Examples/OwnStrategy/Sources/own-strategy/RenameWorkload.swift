import CoreData
import HarnessKit

/// Clients rename books that main holds; then main, once it is current, reads them.
final class RenameWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one job at a time.
  static let name = "rename"
  static let summary = "Clients rename books that main holds."
  static let hasFloor = false
  static let keys = [Keys.clients.key, Keys.rounds.key, books.key]

  private static let books = Setting<Int>(
    "books", 1...100_000, unit: "objects", default: 1000, quick: 100, "Books in the store.")

  static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { try BookModel.schema.get() }

  private let session: CellSession
  private let book: UInt16
  private let clients: [RenameClient]
  private let pool: WorkPool
  private var held: [NSManagedObject] = []
  private var begin: UInt64 = 0

  init(_ session: CellSession) throws {
    self.session = session
    let book = try BookModel.schema.get().number(ofEntity: "Book")
    self.book = book
    let count = session.settings[Keys.clients]
    clients = try (1...count).map { try RenameClient(session, name: "client \($0)", book: book) }
    pool = WorkPool(label: "clients", width: count)
  }

  func start() {
    session.startTicking { [session] _ in session.sampleLog() }
    session.startMeasuring()
    begin = session.main.record(.info, .phase)
    let books = Int64(session.settings[Self.books])
    pool.submit("make books") { [clients] in clients[0].make(1...books) }
    onceMainIsCurrent { [self] in
      held = fetch()
      rename(round: 0)
    }
  }

  /// Each client renames one of the books; no two the same.
  private func rename(round: Int) {
    guard round < session.settings[Keys.rounds] else { return finish() }
    for (index, client) in clients.enumerated() {
      let own = stride(from: index, to: held.count, by: clients.count).map { held[$0] }
      guard !own.isEmpty else { continue }
      let object = own[round % own.count]
      let (key, id) = (number(of: object), object.objectID)
      pool.submit("rename") { client.rename(key, id) }
    }
    onceMainIsCurrent { [self] in
      for object in held { read(object) }
      rename(round: round + 1)
    }
  }

  private func onceMainIsCurrent(_ body: @escaping @Sendable () -> Void) {
    pool.notifyWhenAllFinished(on: .main) { [session] in
      session.main.record(.invoke, .drained)
      session.strategy.whenMainIsCurrent {
        session.main.record(.ok, .drained)
        body()
      }
    }
  }

  private func number(of object: NSManagedObject) -> Int64 { object.value(forKey: "number") as? Int64 ?? 0 }

  private func read(_ object: NSManagedObject) {
    let key = number(of: object)
    session.main.record(.invoke, .read, entity: book, key: key)
    let revision = object.value(forKey: "revision") as? Int64 ?? 0
    let title = object.value(forKey: "title") as? String ?? ""
    session.main.record(
      .ok, .read, of: object, entity: book, key: key, value: revision, values: [RecordedValue(title)])
  }

  private func fetch() -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    do {
      return try session.strategy.mainContext.fetch(request)
    } catch {
      session.fail(error)
    }
  }

  private func finish() {
    let seconds = Double(session.main.record(.info, .phase, value: 1) - begin) / 1e9
    session.stopMeasuring()
    session.setCompletion(untilDurable: seconds, untilVisible: seconds)
    session.setDuration(of: "rename", seconds: seconds)
    held = []
    session.end()
  }
}
