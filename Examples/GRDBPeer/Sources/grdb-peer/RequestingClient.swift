import GRDB
import HarnessKit

/// One client that asks for notes, has them deleted before, during or after the request, and uses the answer on main.
final class RequestingClient: @unchecked Sendable {
  // Sendable: used by one job at a time; a deleter beside it is waited for.

  /// When the note is deleted: as in the shipped workload.
  private enum Moment: CaseIterable {
    case before
    case between
    case racing
    case after
  }

  private let session: CellSession
  private let database: DatabasePool
  private let recorder: WorkerRecorder
  private let deleter: NotesClient
  private let pool: WorkPool
  private var random: SeededRandom

  init(_ session: CellSession, _ pool: DatabasePool, _ notebook: VocabularyNotebook, number: Int) throws {
    self.session = session
    database = pool
    recorder = try session.makeRecorder()
    deleter = try NotesClient(session, pool, notebook, kinds: 2)
    self.pool = WorkPool(label: "deleter \(number + 1)", width: 1)
    random = SeededRandom(seed: session.seed).split(UInt64(100 + number))
  }

  /// Asks for all notes; the first four have one of each moment.
  func run(_ notes: [(number: Int, id: Int64)]) throws {
    let moments = Moment.allCases
    for (index, note) in notes.enumerated() {
      let drawn = index < moments.count ? index : Int(random.next() % UInt64(moments.count))
      try run(note.number, note.id, moments[drawn])
    }
  }

  private func run(_ number: Int, _ id: Int64, _ moment: Moment) throws {
    if moment == .before { try deleter.delete(number, id) }
    let begin = OperationStart(at: record(.invoke, .request, number))
    recorder.record("request", in: "request", since: begin, until: OperationStart(at: record(.ok, .request, number)))
    switch moment {
    case .before, .after: try respond(number, id)
    case .between:
      try deleter.delete(number, id)
      try respond(number, id)
    case .racing:
      pool.submit("delete note \(number)") { [deleter, session] in
        do { try deleter.delete(number, id) } catch { session.fail(error) }
      }
      try respond(number, id)
      pool.waitUntilAllFinished()
    }
    if moment == .after { try deleter.delete(number, id) }
  }

  /// A note and its words at one moment: a word cannot be gone when its note was there.
  private struct Answer: Sendable {
    var note: NoteRecord
    var words: [WordRecord]
  }

  /// Reads the note and its words, and shows them on main.
  private func respond(_ number: Int, _ id: Int64) throws {
    let begin = OperationStart(at: record(.invoke, .response, number))
    let isUsed: Bool
    switch session.settings[GRDBPoolStrategy.responses] {
    case .main: isUsed = try SerialQueue.main.sync { show(try read(id)) }
    case .beside:
      let answer = try read(id)
      isUsed = SerialQueue.main.sync { show(answer) }
    }
    let end = OperationStart(at: record(.ok, .response, number, value: isUsed ? 1 : 0))
    recorder.record("response", in: "request", since: begin, until: end)
  }

  private func read(_ id: Int64) throws -> Answer? {
    try database.read { database in
      guard let note = try NoteRecord.fetchOne(database, key: id) else { return nil }
      return Answer(note: note, words: try note.request(for: NoteRecord.words).fetchAll(database))
    }
  }

  private func show(_ answer: Answer?) -> Bool {
    guard let answer else { return false }
    _ = answer.note.title.isEmpty
    for word in answer.words { _ = word.term.isEmpty }
    return true
  }

  @discardableResult
  private func record(
    _ type: OperationType, _ function: OperationFunction, _ number: Int, value: Int64 = 0
  ) -> UInt64 {
    recorder.record(type, function, entity: NotesClient.note, key: Int64(number), value: value)
  }
}
