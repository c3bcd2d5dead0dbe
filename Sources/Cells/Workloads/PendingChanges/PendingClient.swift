import Boundary
import Checking
import CoreData
import Measuring

/// One client: a context of its own with unsaved changes, and a writer of the strategy that saves beside it.
///
/// Concurrency: used by one thread at a time.
final class PendingClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// Notes that a round takes from the notebook.
  static let notesPerRound = 3

  let session: CellSession
  /// The context under test; on the container's coordinator.
  let own: NSManagedObjectContext
  private let notebook: VocabularyNotebook
  private let units: UnitRecorder
  private let recorder: WorkerRecorder
  private let number: Int
  /// Numbers for words that are added, above those of the notebook.
  private var nextWord: Int64

  init(session: CellSession, notebook: VocabularyNotebook, number: Int) throws {
    self.session = session
    self.notebook = notebook
    self.number = number
    precondition(number >= 0 && notebook.rowCount > 0, "a client's words have numbers above those of the notebook")
    recorder = try session.makeRecorder()
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: "writer \(number + 1)"), recorder: recorder,
      phase: "rounds")
    own = session.container.newBackgroundContext()
    session.environment.adopt(own, name: "own \(number + 1)")
    // Another coordinator of the strategy may have written to the file.
    own.stalenessInterval = 0
    nextWord = Int64(notebook.rowCount) * Int64(number + 2)
  }

  /// One round with notes of its own; it ends early where a fault that the scenario asks for refuses a save.
  ///
  /// - Parameter queries: whether fetches in many forms are part of it; their cost grows with the store.
  func run(firstNote: Int, queries: Bool) throws {
    let begin = OperationStart.now()
    do {
      try round(firstNote, queries: queries)
      recorder.record("round", in: "rounds", since: begin)
    } catch  where session.faults.explains(error) {
      recorder.recordFailure(of: "round", in: "rounds")
      // As a whole round leaves it.
      own.performAndWait {
        own.undoManager = nil
        own.automaticallyMergesChangesFromParent = false
      }
    }
    own.performAndWait { own.reset() }
  }

  private func round(_ firstNote: Int, queries: Bool) throws {
    precondition(1...notebook.noteCount - Self.notesPerRound + 1 ~= firstNote, "a round has notes of the notebook")
    try insert(firstNote..<firstNote + Self.notesPerRound)
    // First, so that a run with later saves refused has deleted something, too.
    try deleteUnrealised(firstNote + 2)
    let page = try own.performAndWait { try PendingPage(first: firstNote, in: own) }
    try takeSteps(page, queries: queries)
    try updateInBatch(page)
    try insertAndDeleteInBatch()
    try deleteUnrealised(firstNote + 1)
    try callHooks()
  }

  /// Changes and looks, and checks after each step the list of a controller on the own context.
  private func takeSteps(_ page: PendingPage, queries: Bool) throws {
    let follower = try own.performAndWait { try ControllerFollower(own, page.request) }
    func step(_ name: String, _ body: (PendingPage) throws -> Void) throws {
      try body(page)
      try own.performAndWait { compare(try follower.problemNow(), with: nil, "a controller's list after \(name)") }
    }
    try step("a refresh", refresh)
    try step("a refresh of everything", refreshAll)
    try saveUnexpectedlyIfCareless(page)
    try step("pending changes", count)
    try step("a rollback", rollBack)
    if queries { try step("queries", query) }
    try step("undo", undo)
    // The changes that these compare have arrived where nothing is late.
    if !session.faults.mayBeLate {
      try step("saves during a save", arriveDuringSave)
      try step("merges", mergeInTurn)
    }
    try step("a save after a refresh", saveRefreshed)
    try step("a refused save", saveRefused)
    try step("a save of every kind", saveEveryKind)
    try step("an invalid save", saveInvalid)
    try step("a child's save", pushFromChild)
  }

  // MARK: Writing beside it

  private func insert(_ notes: Range<Int>) throws {
    precondition(!notes.isEmpty, "rows are made for some notes")
    let end = units.write("insert") { context, unit in
      unit.begin(NotebookChanges(function: .insert, notes: notes, words: notebook.wordNumbers(ofNotes: notes)))
      notebook.insert(notes: notes, into: context)
    }
    try requireNoFault(end)
  }

  /// Saves a change of some rows through the strategy's writer.
  func saveBeside(_ edit: (NSManagedObjectContext) throws -> Void) throws {
    try requireNoFault(units.write("edit", as: Nothing.self) { context, _ in try edit(context) })
  }

  private func requireNoFault(_ end: UnitRecorder.End) throws {
    if case .failed(let error, _) = end, session.faults.explains(error) { throw error }
  }

  /// Saves a change in a new context on the container's coordinator, from wherever the caller is.
  func saveDirectly(_ edit: (NSManagedObjectContext) throws -> Void) throws {
    let context = session.container.newBackgroundContext()
    adopt(context, "beside")
    context.stalenessInterval = 0
    try context.performAndWait {
      try edit(context)
      try context.save()
    }
  }

  /// A context of this client beside its own one.
  func adopt(_ context: NSManagedObjectContext, _ name: String) {
    session.environment.adopt(context, name: "\(name) \(number + 1)")
  }

  /// Numbers for words that are not of the notebook.
  ///
  /// - Returns: the first of them.
  func reserveWords(_ count: Int64) -> Int64 {
    precondition(count > 0, "numbers are reserved for words that are made")
    defer { nextWord += count }
    return nextWord + 1
  }

  /// Adds a note that is not of the notebook.
  func addNote(in context: NSManagedObjectContext) -> Note {
    let note = Note(context: context)
    note.fill(notebook.note(1))
    note.number = reserveWords(1)
    return note
  }

  /// Adds a word to a note.
  func addWord(to note: Note, in context: NSManagedObjectContext) -> Word {
    let word = Word(context: context)
    word.fill(notebook.word(1))
    word.number = reserveWords(1)
    word.note = note
    return word
  }

  /// Records that a note is deleted, with its words.
  func recordDelete(_ type: OperationType, _ note: Int) {
    NotebookChanges(
      function: .delete, notes: note..<note + 1, words: notebook.wordNumbers(ofNotes: note..<note + 1)
    ).record(type, code: 0, in: recorder)
  }

  /// Records that a word is deleted.
  func recordDelete(_ type: OperationType, word: Int64) {
    recorder.record(type, .delete, entity: NotebookModel.EntityNumber.word, key: word)
  }

  private struct Nothing: UnitChanges {
    var objectCount: Int { 0 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {}
  }

  // MARK: Comparing

  /// The numbers of words, in order.
  func numbers(_ words: Set<NSManagedObject>) -> [Int64] { words.compactMap { ($0 as? Word)?.number }.sorted() }

  /// Compares a seen value with the expected one.
  func compare<Value: Equatable>(_ seen: Value, with expected: Value, _ what: String) {
    session.count(\.valuesCompared)
    guard seen != expected else { return }
    CellReports.report(
      Violation(kind: .wrongValue, subject: what, expected: "\(expected)", seen: "\(seen)"))
  }
}

/// The rows of one round as a context holds them: two notes, and the three words of the first.
struct PendingPage {
  let first: Note
  let second: Note
  let words: [Word]

  /// In a block of the context.
  init(first number: Int, in context: NSManagedObjectContext) throws {
    let request = Note.request()
    request.predicate = NSPredicate(format: "number IN %@", [number, number + 1])
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.returnsObjectsAsFaults = false
    let notes = try context.fetch(request)
    guard notes.count == 2 else {
      throw UnexpectedAnswer(subject: "notes \(number) and \(number + 1)", expected: "2 rows", seen: "\(notes.count)")
    }
    (first, second) = (notes[0], notes[1])
    words = first.words.compactMap { $0 as? Word }.sorted { $0.number < $1.number }
    guard words.count == 3, words.allSatisfy({ $0.term != nil }) else {
      throw UnexpectedAnswer(
        subject: "words of note \(number)", expected: "3, each with a term", seen: "\(words.map(\.term))")
    }
  }

  /// The words of the round's notes, whichever of the two they have; in a block of the context.
  var request: NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Word")
    request.predicate = NSPredicate(format: "note IN %@", [first, second])
    request.sortDescriptors = ["term", "number"].map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  /// The word as another context has it.
  static func word(_ word: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Word {
    guard let word = try context.existingObject(with: context.localID(of: word)) as? Word else {
      throw UnexpectedAnswer(subject: "\(word)", expected: "a word", seen: "none")
    }
    return word
  }

  /// The note with this number, as the store has it.
  static func note(number: Int, in context: NSManagedObjectContext) throws -> Note {
    let request = Note.request()
    request.predicate = NSPredicate(format: "number == %lld", Int64(number))
    guard let note = try context.fetch(request).first else {
      throw UnexpectedAnswer(subject: "note \(number)", expected: "a row", seen: "none")
    }
    return note
  }

  /// The note as another context has it.
  static func note(_ note: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Note {
    guard let note = try context.existingObject(with: context.localID(of: note)) as? Note else {
      throw UnexpectedAnswer(subject: "\(note)", expected: "a note", seen: "none")
    }
    return note
  }
}
