import Boundary
import Checking
import CoreData
import Measuring
import Scheduling

/// One client that imports, edits and deletes notes of its own through its writer, so that no two saves conflict.
///
/// Concurrency: used by one thread at a time.
final class ChurnClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// Notes of one unit.
  static let imported = 5
  private static let edited = 4
  private static let deleted = 3
  /// Notes that are left alone by deletes.
  private static let notesMin = 10

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let units: UnitRecorder
  private var random: SeededRandom
  /// Numbers of its notes that are in the store, and their revisions.
  private var own: [Int: Int64] = [:]
  private var fresh: Range<Int>

  /// The notes of one unit.
  private struct Unit {
    var imported: Range<Int>
    var edited: [Int]
    var deleted: [Int]
  }

  /// - Parameters:
  ///   - own: numbers of the notes that are there already.
  ///   - fresh: numbers of the notes it may import.
  init(session: CellSession, notebook: VocabularyNotebook, number: Int, own: [Int], fresh: Range<Int>) throws {
    precondition(!own.contains(where: fresh.contains), "new notes are not there yet")
    self.session = session
    self.notebook = notebook
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: "churn \(number + 1)"),
      recorder: try session.makeRecorder(), phase: "churn")
    random = SeededRandom(seed: session.seed).split(UInt64(200 + number))
    self.own = Dictionary(uniqueKeysWithValues: own.map { ($0, 1) })
    self.fresh = fresh
  }

  /// Imports some notes, edits some and deletes some, together or each in a save of its own.
  func run() {
    let unit = draw()
    if Bool.random(using: &random) { return write(unit) }
    let none = fresh.lowerBound..<fresh.lowerBound
    write(Unit(imported: unit.imported, edited: [], deleted: []))
    write(Unit(imported: none, edited: unit.edited, deleted: []))
    write(Unit(imported: none, edited: [], deleted: unit.deleted))
  }

  private func draw() -> Unit {
    precondition(fresh.count >= Self.imported, "there are new notes for each round")
    let imported = fresh.prefix(Self.imported)
    fresh = imported.upperBound..<fresh.upperBound
    let numbers = own.keys.sorted().shuffled(using: &random)
    let edited = Array(numbers.prefix(Self.edited))
    let rest = numbers.dropFirst(Self.edited).dropLast(Self.notesMin)
    precondition(Set(edited).isDisjoint(with: rest), "no note is edited and deleted at once")
    return Unit(imported: imported, edited: edited, deleted: Array(rest.prefix(Self.deleted)))
  }

  private func write(_ drawn: Unit) {
    let changes = Changes(unit: drawn, revisions: drawn.edited.map { own[$0, default: 1] + 1 }, notebook: notebook)
    units.write("write") { context, unit in
      unit.begin(changes)
      notebook.insert(notes: drawn.imported, into: context)
      for note in try notes(drawn.edited, in: context) {
        edit(note)
        unit.changes?.values[Int(note.number)] = note.recordedValues
      }
      for note in try notes(drawn.deleted, in: context) { context.delete(note) }
    } reached: { stage, _ in
      if stage == .durable { acknowledge(drawn) }
    }
    session.sampleLog()
  }

  private func notes(_ numbers: [Int], in context: NSManagedObjectContext) throws -> [Note] {
    guard !numbers.isEmpty else { return [] }
    let request = Note.request()
    request.predicate = NSPredicate(format: "number IN %@", numbers)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request)
  }

  /// Changes the attributes by which the screens sort, group or choose.
  private func edit(_ note: Note) {
    note.revision += 1
    let other = notebook.note(Int.random(in: 1...notebook.noteCount, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: note.language = other.language
    case 1: note.isPinned.toggle()
    case 2: note.createdAt = other.createdAt
    case 3: note.modifiedAt = other.modifiedAt
    default: note.title = other.title
    }
  }

  private func acknowledge(_ unit: Unit) {
    for number in unit.imported { own[number] = 1 }
    for number in unit.edited { own[number, default: 1] += 1 }
    for number in unit.deleted { own[number] = nil }
  }

  /// The changes of one unit, with the revisions that its edits lead to.
  private struct Changes: UnitChanges {
    let unit: Unit
    let revisions: [Int64]
    let notebook: VocabularyNotebook
    /// By note, the values after its edit.
    var values: [Int: [RecordedValue]] = [:]

    var objectCount: Int {
      (unit.imported.count + unit.deleted.count) * (1 + notebook.wordsPerNote) + unit.edited.count
    }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      precondition(revisions.count == unit.edited.count, "every edit has the revision that it leads to")
      record(type, .insert, unit.imported, in: recorder)
      for (number, revision) in zip(unit.edited, revisions) {
        _ = recorder.history.record(
          type, .update, entity: NotebookModel.EntityNumber.note, key: Int64(number),
          value: type == .invoke ? 0 : revision, saying: type == .invoke ? [] : values[number] ?? [])
      }
      for number in unit.deleted { record(type, .delete, number..<number + 1, in: recorder) }
    }

    private func record(
      _ type: OperationType, _ function: OperationFunction, _ notes: Range<Int>, in recorder: WorkerRecorder
    ) {
      guard !notes.isEmpty else { return }
      NotebookChanges(function: function, notes: notes, words: notebook.wordNumbers(ofNotes: notes))
        .record(type, code: 0, in: recorder)
    }
  }
}

extension Note {
  /// The columns by which screens sort, group or choose: see ``recordedValues``.
  static let recordedColumns = ["ZTITLE", "ZLANGUAGE", "ZISPINNED", "ZCREATEDAT", "ZMODIFIEDAT"]

  /// Their values.
  var recordedValues: [RecordedValue] {
    let dates = [createdAt, modifiedAt].map { $0.map { RecordedValue($0.timeIntervalSinceReferenceDate) } ?? .none }
    return [RecordedValue(title ?? ""), RecordedValue(language ?? ""), isPinned ? 1 : 0] + dates
  }
}
