import Boundary
import Scheduling

/// Draws the rows of a notebook and writes their texts into one arena.
struct NotebookWriter: ~Copyable {
  /// A lexicon's text with its length in characters, which is not worth counting for each row.
  private struct Piece {
    var bytes: [UInt8]
    var length: Int

    init(_ text: String) {
      bytes = Array(text.utf8)
      length = text.count
    }
  }

  /// Seconds from 2001-01-01 to 2020-01-01, when the first note was written.
  private static let firstDay = 599_529_600.0
  /// Five years of notes.
  private static let span = 157_680_000.0
  private static let languages = Lexicon.all.map { lexicon in
    (code: Piece(lexicon.code), lesson: Piece(lexicon.lesson), terms: lexicon.terms.map(Piece.init))
  }
  private static let comma = Piece(", ")
  private static let stop = Piece(". ")
  private static let colon = Piece(": ")
  private static let hyphen = Piece("-")
  private static let space = Piece(" ")

  private var arena: TextArena
  private var random: SeededRandom
  private let noteCount: Int
  private let wordsPerNote: Int
  private(set) var notes: [VocabularyNotebook.NoteEntry] = []
  private(set) var words: [VocabularyNotebook.WordEntry] = []

  init(notes: Int, wordsPerNote: Int, seed: UInt64) {
    precondition(
      Self.languages.allSatisfy { $0.terms.count == Self.languages[0].terms.count },
      "every language has a term for each concept")
    noteCount = notes
    self.wordsPerNote = wordsPerNote
    random = SeededRandom(seed: seed).split(0)
    arena = TextArena(capacity: notes * 400 + notes * wordsPerNote * 40)
    self.notes.reserveCapacity(notes)
    words.reserveCapacity(notes * wordsPerNote)
  }

  mutating func write() {
    for number in 0..<noteCount { writeNote(number) }
  }

  consuming func finish() -> TextArena { arena }

  private mutating func writeNote(_ index: Int) {
    let learned = draw(Self.languages.count)
    // The meanings are in another language than the terms.
    let known = (learned + 1 + draw(Self.languages.count - 1)) % Self.languages.count
    precondition(known != learned, "a note explains the words of one language in another")
    let language = writeLanguage(learned, known)
    let title = writeTitle(index + 1, known)
    let body = writeBody(known)
    let created = Self.firstDay + Self.span * Double(draw(1 << 30)) / Double(1 << 30)
    notes.append(
      VocabularyNotebook.NoteEntry(
        title: title, body: body, language: language, uuid: drawUUID(), createdAt: created,
        modifiedAt: created + Double(draw(1_000_000)), isPinned: draw(20) == 0))
    for _ in 0..<wordsPerNote {
      let concept = draw(Self.languages[learned].terms.count)
      words.append(
        VocabularyNotebook.WordEntry(
          term: writeTerm(concept, learned), meaning: writeMeaning(concept, known), level: Int16(1 + draw(6))))
    }
  }

  private mutating func writeLanguage(_ learned: Int, _ known: Int) -> TextArena.Range {
    let start = arena.count
    arena.append(Self.languages[learned].code.bytes)
    arena.append(Self.hyphen.bytes)
    arena.append(Self.languages[known].code.bytes)
    return arena.text(since: start)
  }

  private mutating func writeTerm(_ concept: Int, _ language: Int) -> TextArena.Range {
    let start = arena.count
    arena.append(Self.languages[language].terms[concept].bytes)
    return arena.text(since: start)
  }

  /// The concept, then as many related ones as the drawn length allows.
  private mutating func writeMeaning(_ concept: Int, _ language: Int) -> TextArena.Range {
    let start = arena.count
    let limits = VocabularyNotebook.Limits.meaning
    let first = Self.languages[language].terms[concept]
    arena.append(first.bytes)
    // Short glosses are more frequent than long ones.
    let target = limits.lowerBound + min(draw(45), draw(45))
    writeList(language, after: first.length, target: target, limit: limits.upperBound, separator: Self.comma)
    return arena.text(since: start)
  }

  private mutating func writeTitle(_ number: Int, _ language: Int) -> TextArena.Range {
    let start = arena.count
    let limits = VocabularyNotebook.Limits.title
    let lesson = Self.languages[language].lesson
    let digits = Piece(String(number))
    arena.append(lesson.bytes)
    arena.append(Self.space.bytes)
    arena.append(digits.bytes)
    arena.append(Self.colon.bytes)
    let first = Self.languages[language].terms[draw(Self.languages[language].terms.count)]
    arena.append(first.bytes)
    let written = lesson.length + 1 + digits.length + 2 + first.length
    writeList(
      language, after: written, target: limits.lowerBound + draw(40), limit: limits.upperBound, separator: Self.comma)
    return arena.text(since: start)
  }

  private mutating func writeBody(_ language: Int) -> TextArena.Range {
    let start = arena.count
    let limits = VocabularyNotebook.Limits.body
    let first = Self.languages[language].terms[draw(Self.languages[language].terms.count)]
    arena.append(first.bytes)
    let target = limits.lowerBound + draw(limits.upperBound - limits.lowerBound - 20)
    writeList(language, after: first.length, target: target, limit: limits.upperBound, separator: Self.space)
    return arena.text(since: start)
  }

  /// Appends terms until `target` characters are reached, never more than `limit`; each eighth begins a sentence.
  private mutating func writeList(_ language: Int, after written: Int, target: Int, limit: Int, separator: Piece) {
    precondition(written <= limit, "a list is begun within its limit")
    var length = written
    var count = 1
    let terms = Self.languages[language].terms
    while length < target {
      let next = terms[draw(terms.count)]
      let before = count.isMultiple(of: 8) ? Self.stop : separator
      guard length + before.length + next.length <= limit else { return }
      arena.append(before.bytes)
      arena.append(next.bytes)
      length += before.length + next.length
      count += 1
    }
  }

  /// A random UUID, version 4.
  private mutating func drawUUID() -> (UInt64, UInt64) {
    (random.next() & ~0xF000 | 0x4000, random.next() & ~(0b11 << 62) | 0b10 << 62)
  }

  private mutating func draw(_ bound: Int) -> Int {
    precondition(bound > 0, "a draw is from at least one")
    return Int(truncatingIfNeeded: random.next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
