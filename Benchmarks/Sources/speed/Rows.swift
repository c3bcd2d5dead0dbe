import FloorC
import Foundation

struct NoteRow {
  let number: Int64
  let isPinned: Bool
  let createdAt: Date
  let modifiedAt: Date
  let title: String
  let body: String
  let language: String
  let uuid: UUID
}

struct WordRow {
  let number: Int64
  let level: Int16
  let term: String
  let meaning: String
}

/// The rows that every peer writes: notes, and the words of each; made beforehand, the same every time.
struct Rows {
  let notes: [NoteRow]
  /// Those of the first note first.
  let words: [WordRow]
  let wordsPerNote: Int

  init(notes count: Int, wordsPerNote: Int) {
    var random = XorShift(state: 0x2545_F491_4F6C_DD1D)
    self.wordsPerNote = wordsPerNote
    notes = (1...count).map { number in
      let date = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number))
      return NoteRow(
        number: Int64(number), isPinned: number % 7 == 0, createdAt: date, modifiedAt: date + 60,
        title: "Lesson \(number)", body: (0..<12).map { _ in random.word() }.joined(separator: " "), language: "ko-en",
        uuid: random.uuid())
    }
    words = (1...max(count * wordsPerNote, 1)).prefix(count * wordsPerNote).map { number in
      WordRow(
        number: Int64(number), level: Int16(random.below(6)), term: random.word(),
        meaning: random.word() + " " + random.word())
    }
  }

  var count: Int { notes.count + words.count }

  /// Keys of the notes, which are their numbers as well.
  var allNotes: [Int64] { Order.rising(notes.count) }
  var everySecondNote: [Int64] { allNotes.filter { $0 % 2 == 0 } }

  func words(of note: Int) -> ArraySlice<WordRow> { words[note * wordsPerNote..<(note + 1) * wordsPerNote] }

  /// The same rows for C; notes go into commits of `notesPerCommit`.
  func withFloorRows<Result>(notesPerCommit: Int, _ body: (inout cfloor_rows) throws -> Result) rethrows -> Result {
    var arena: [UnsafeMutablePointer<CChar>] = []
    defer { arena.forEach { free($0) } }
    func text(_ string: String) -> cfloor_text {
      let copy = strdup(string)!
      arena.append(copy)
      return cfloor_text(bytes: copy, length: Int32(string.utf8.count))
    }
    let notes = self.notes.map {
      cfloor_note(
        number: $0.number, revision: 1, is_pinned: $0.isPinned ? 1 : 0,
        created_at: $0.createdAt.timeIntervalSinceReferenceDate,
        modified_at: $0.modifiedAt.timeIntervalSinceReferenceDate, title: text($0.title), body: text($0.body),
        language: text($0.language), uuid: $0.uuid.uuid)
    }
    let words = self.words.map {
      cfloor_word(number: $0.number, level: Int64($0.level), term: text($0.term), meaning: text($0.meaning))
    }
    let commits = stride(from: 0, to: notes.count, by: notesPerCommit).map { min(notesPerCommit, notes.count - $0) }
    return try notes.withUnsafeBufferPointer { notes in
      try words.withUnsafeBufferPointer { words in
        try commits.withUnsafeBufferPointer { commits in
          var rows = cfloor_rows(
            notes: notes.baseAddress, note_count: notes.count, words: words.baseAddress,
            words_per_note: wordsPerNote, notes_per_commit: commits.baseAddress, commit_count: commits.count)
          return try body(&rows)
        }
      }
    }
  }
}

/// Numbers that look random and are the same every time.
struct XorShift: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Three to eleven letters.
  mutating func word() -> String {
    String(decoding: (0..<3 + below(9)).map { _ in UInt8(97 + below(26)) }, as: UTF8.self)
  }

  mutating func uuid() -> UUID {
    let (high, low) = (next(), next())
    return withUnsafeBytes(of: (high, low)) { NSUUID(uuidBytes: $0.bindMemory(to: UInt8.self).baseAddress!) as UUID }
  }
}
