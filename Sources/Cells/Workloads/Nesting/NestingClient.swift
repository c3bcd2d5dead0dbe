import Boundary
import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One client that nests blocks of main and of two contexts of its own.
///
/// Concurrency: used by one thread at a time.
final class NestingClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  let name: String
  private let session: CellSession
  private let recorder: WorkerRecorder
  private let a: NSManagedObjectContext
  private let b: NSManagedObjectContext
  private let inserts: ImportClient
  private let depth: Int
  private let fanOut: Int
  private let preloaded: Int
  private let nextNote: @Sendable () -> Int
  private var random: SeededRandom
  private var operations: Int64 = 0
  private var blocks: Int64 = 0

  init(
    session: CellSession, notebook: VocabularyNotebook, name: String, recorder: WorkerRecorder, preloaded: Int,
    nextNote: @escaping @Sendable () -> Int
  ) throws {
    precondition(preloaded > 0, "blocks read notes that were made before")
    self.session = session
    self.name = name
    self.recorder = recorder
    self.preloaded = preloaded
    self.nextNote = nextNote
    a = try session.strategy.makeReader(named: "\(name) A")
    b = try session.strategy.makeReader(named: "\(name) B")
    inserts = ImportClient(
      session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "\(name) writer"),
      recorder: recorder, phase: "nest")
    depth = session.settings[Keys.depth]
    fanOut = session.settings[Keys.fanOut]
    random = SeededRandom(seed: session.seed).split(UInt64(recorder.history.process))
  }

  /// Nests blocks to the full depth, each with its fan-out, reads a note in each, and writes a note in the first of the
  /// innermost.
  func nest(_ direction: NestingDirection) {
    if direction == .amongPrivate { checkOrder() }
    operations += 1
    blocks = 0
    let begin = OperationStart(
      at: recorder.history.record(.invoke, .nested, key: operations, value: Int64(depth)))
    var writes = true
    nest(direction, level: 0, &writes)
    precondition(!writes, "blocks are nested to their full depth")
    let end = recorder.history.record(.ok, .nested, key: operations, count: blocks, value: Int64(depth))
    recorder.record(direction.rawValue, in: "nest", since: begin, until: OperationStart(at: end))
  }

  private func nest(_ direction: NestingDirection, level: Int, _ writes: inout Bool) {
    precondition(level < depth, "blocks are nested no deeper than the scenario says")
    let context = context(direction.place(at: level, of: depth))
    context.performAndWait {
      blocks += 1
      read(in: context)
      guard level + 1 < depth else {
        if writes, direction != .privateToMain {
          let note = nextNote()
          inserts.write(note..<note + 1)
        }
        writes = false
        return
      }
      for _ in 0..<fanOut { nest(direction, level: level + 1, &writes) }
    }
  }

  /// Sends blocks to a context, and waits for one more: they run in the order in which they were sent. A careless client
  /// sends them from the last to the first.
  private func checkOrder() {
    let order = Locked<[Int]>([])
    let last = Self.blocksInOrder - 1
    let isCareful = session.settings[Keys.care] == .careful
    for number in isCareful ? Array(0..<last) : (0..<last).reversed() {
      a.perform { order.withLock { $0.append(number) } }
    }
    a.performAndWait { order.withLock { $0.append(last) } }
    session.count(\.valuesCompared)
    let (seen, expected) = (order.withLock { $0 }, Array(0...last))
    guard seen != expected else { return }
    CellReports.report(
      Violation(
        kind: .wrongValue, subject: "blocks that one thread sends to a context",
        expected: "\(expected), as they were sent",
        seen: "\(seen)"))
  }

  /// So many that one runs while others wait in line behind it.
  private static let blocksInOrder = 8

  private func context(_ place: NestingDirection.Place) -> NSManagedObjectContext {
    switch place {
    case .main: session.strategy.mainContext
    case .a: a
    case .b: b
    }
  }

  /// Fetches one note by its number and reads it; on the context's queue.
  private func read(in context: NSManagedObjectContext) {
    let number = 1 + Int(random.next() % UInt64(preloaded))
    let request = Note.request()
    request.predicate = NSPredicate(format: "number == %ld", number)
    request.fetchLimit = 1
    do {
      for note in try context.fetch(request) { _ = note.title?.isEmpty }
    } catch {
      session.fail(error)
    }
  }
}
