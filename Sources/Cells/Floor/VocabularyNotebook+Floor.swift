import CFloor

extension VocabularyNotebook {
  /// Calls `body` with the rows as the floor takes them; they are borrowed for the call.
  func withFloorRows<Result>(notesPerCommit: [Int], _ body: (cfloor_rows) throws -> Result) rethrows -> Result {
    let noteRows = notes.indices.map(floorNote)
    let wordRows = words.indices.map(floorWord)
    precondition(
      wordRows.count == noteRows.count * wordsPerNote && notesPerCommit.reduce(0, +) == noteRows.count,
      "commits have each note once, with its words")
    return try noteRows.withUnsafeBufferPointer { noteRows in
      try wordRows.withUnsafeBufferPointer { wordRows in
        try notesPerCommit.withUnsafeBufferPointer { commits in
          var rows = cfloor_rows()
          rows.notes = noteRows.baseAddress
          rows.note_count = noteRows.count
          rows.words = wordRows.baseAddress
          rows.words_per_note = wordsPerNote
          return try commits.withMemoryRebound(to: Int.self) { commits in
            rows.notes_per_commit = commits.baseAddress
            rows.commit_count = commits.count
            return try body(rows)
          }
        }
      }
    }
  }

  private func floorNote(_ index: Int) -> cfloor_note {
    let entry = notes[index]
    var row = cfloor_note()
    row.number = Int64(index + 1)
    row.revision = 1
    row.is_pinned = entry.isPinned ? 1 : 0
    row.created_at = entry.createdAt
    row.modified_at = entry.modifiedAt
    row.title = floorText(entry.title)
    row.body = floorText(entry.body)
    row.language = floorText(entry.language)
    row.uuid = Self.uuid(entry.uuid).uuid
    return row
  }

  private func floorWord(_ index: Int) -> cfloor_word {
    let entry = words[index]
    var row = cfloor_word()
    row.number = Int64(index + 1)
    row.level = Int64(entry.level)
    row.term = floorText(entry.term)
    row.meaning = floorText(entry.meaning)
    return row
  }

  private func floorText(_ range: TextArena.Range) -> cfloor_text {
    precondition(Int(range.offset) + Int(range.length) <= arena.count, "a text is within the notebook's")
    let bytes = UnsafeRawPointer(arena.bytes + Int(range.offset)).assumingMemoryBound(to: CChar.self)
    return cfloor_text(bytes: bytes, length: Int32(range.length))
  }
}
