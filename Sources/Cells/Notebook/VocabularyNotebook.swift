import CoreData
import Scheduling

/// The data of a cell: notes of a vocabulary notebook, each with its words, as rows made before anything is timed.
///
/// The same seed gives the same rows. Notes are numbered from 1; the words of note *n* are numbered from
/// (*n* − 1) · `wordsPerNote` + 1, so that consecutive notes have consecutive words. Any thread may read.
public final class VocabularyNotebook: Sendable {
  /// Lengths in characters, as in real notebooks.
  enum Limits {
    static let term = 2...15
    static let meaning = 5...60
    static let title = 10...60
    static let body = 40...400
  }

  struct NoteEntry: Sendable {
    var title: TextArena.Range
    var body: TextArena.Range
    var language: TextArena.Range
    var uuid: (UInt64, UInt64)
    var createdAt: Double
    var modifiedAt: Double
    var isPinned: Bool
  }

  struct WordEntry: Sendable {
    var term: TextArena.Range
    var meaning: TextArena.Range
    var level: Int16
  }

  /// Number of notes.
  public let noteCount: Int
  /// Words of each note.
  public let wordsPerNote: Int
  let arena: TextArena
  let notes: [NoteEntry]
  let words: [WordEntry]

  /// Makes the rows.
  ///
  /// - Complexity: O(rows); about 150 ns a row.
  public init(notes noteCount: Int, wordsPerNote: Int, seed: UInt64) {
    precondition(noteCount >= 0 && wordsPerNote >= 0, "a notebook has no negative number of rows")
    self.noteCount = noteCount
    self.wordsPerNote = wordsPerNote
    var writer = NotebookWriter(notes: noteCount, wordsPerNote: wordsPerNote, seed: seed)
    writer.write()
    notes = writer.notes
    words = writer.words
    arena = writer.finish()
    precondition(
      notes.count == noteCount && words.count == noteCount * wordsPerNote,
      "each note has its words, behind those of the note before")
  }

  /// Notes and words together.
  public var rowCount: Int { noteCount * (1 + wordsPerNote) }

  /// Numbers of the words of the notes with these numbers.
  public func wordNumbers(ofNotes numbers: Range<Int>) -> Range<Int> {
    precondition(numbers.lowerBound > 0, "notes count from 1")
    return ((numbers.lowerBound - 1) * wordsPerNote + 1)..<((numbers.upperBound - 1) * wordsPerNote + 1)
  }

  /// Numbers of the words of one note.
  public func wordNumbers(ofNote number: Int) -> Range<Int> { wordNumbers(ofNotes: number..<number + 1) }

  /// The note with that number, from 1.
  public func note(_ number: Int) -> NoteRow {
    precondition(1...noteCount ~= number, "notes count from 1 to \(noteCount)")
    let entry = notes[number - 1]
    return NoteRow(
      number: Int64(number), uuid: Self.uuid(entry.uuid), title: arena.string(entry.title),
      body: arena.string(entry.body), language: arena.string(entry.language),
      createdAt: Date(timeIntervalSinceReferenceDate: entry.createdAt),
      modifiedAt: Date(timeIntervalSinceReferenceDate: entry.modifiedAt), isPinned: entry.isPinned)
  }

  /// The word with that number, from 1.
  public func word(_ number: Int) -> WordRow {
    precondition(1...words.count ~= number, "words count from 1 to \(words.count)")
    let entry = words[number - 1]
    return WordRow(
      number: Int64(number), term: arena.string(entry.term), meaning: arena.string(entry.meaning), level: entry.level)
  }

  static func uuid(_ halves: (UInt64, UInt64)) -> UUID {
    withUnsafeBytes(of: (halves.0.bigEndian, halves.1.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}

extension VocabularyNotebook {
  /// Inserts the notes with these numbers, each with its words, into `context`; on the context's queue.
  public func insert(notes numbers: Range<Int>, into context: NSManagedObjectContext) {
    // Those of the context's model, which may have more entities than the notebook.
    guard let noteEntity = NSEntityDescription.entity(forEntityName: "Note", in: context),
      let wordEntity = NSEntityDescription.entity(forEntityName: "Word", in: context)
    else { preconditionFailure("no entities Note and Word: make a strategy's contexts on the container it is given") }
    for number in numbers {
      let note = Note(entity: noteEntity, insertInto: context)
      note.fill(self.note(number))
      for wordNumber in wordNumbers(ofNote: number) {
        let word = Word(entity: wordEntity, insertInto: context)
        word.fill(self.word(wordNumber))
        word.note = note
      }
    }
  }
}
