import SQLite

/// The notes and words that save chains left in a store's file.
package struct ChainContents: Sendable, Hashable {
  /// A row of a note.
  package struct Note: Sendable, Hashable {
    package var title: String
    package var revision: Int64
    /// Numbers of its words, ascending.
    package var words: [Int64]

    package init(title: String, revision: Int64, words: [Int64]) {
      self.title = title
      self.revision = revision
      self.words = words
    }
  }

  /// The notes by number.
  package var notes: [Int64: Note]
  /// Rows that share a number with another, and words without a note.
  package var strays: Int

  package init(notes: [Int64: Note], strays: Int = 0) {
    precondition(strays >= 0, "rows that belong to no note are counted")
    self.notes = notes
    self.strays = strays
  }

  /// The notes and words of a client after a save.
  package init(after last: Int64, of chain: SaveChain) {
    precondition(last >= 0, "the saves of a chain are counted")
    self.init(notes: [chain.marker: Note(title: SaveChain.title(of: last), revision: last, words: [])])
    guard let kept = SaveChain.kept(after: last) else { return }
    for save in kept {
      notes[chain.note(of: save)] = Note(
        title: SaveChain.title(of: save), revision: 1, words: Array(chain.words(of: save)))
    }
  }

  /// Reads the file of a process that is dead, as SQLite recovers it from the log.
  ///
  /// - Throws: `Unusable` when it cannot be read.
  package init(storeAt path: String) throws(Unusable) {
    do {
      // Another process may be about to recover the log.
      let connection = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 5_000)
      self = try withExtendedLifetime(connection) { try Self.contents(connection) }
    } catch {
      throw Unusable("\(path): the store cannot be read: \(error)")
    }
  }

  private static func contents(_ connection: Connection) throws -> ChainContents {
    // One snapshot: though nothing writes now, each statement alone would be a transaction.
    try connection.execute("BEGIN")
    var notes: [Int64: Note] = [:]
    var strays = 0
    let read = try connection.prepare("SELECT ZNUMBER, ZTITLE, ZREVISION FROM ZNOTE")
    while try read.step() {
      let note = Note(title: read.string(at: 1), revision: read.int64(at: 2), words: [])
      if notes.updateValue(note, forKey: read.int64(at: 0)) != nil { strays += 1 }
    }
    let words = try connection.prepare(
      "SELECT w.ZNUMBER, n.ZNUMBER FROM ZWORD w LEFT JOIN ZNOTE n ON n.Z_PK = w.ZNOTE ORDER BY w.ZNUMBER")
    while try words.step() {
      if words.isNull(at: 1) { strays += 1 } else { notes[words.int64(at: 1)]?.words.append(words.int64(at: 0)) }
    }
    try connection.execute("COMMIT")
    return ChainContents(notes: notes, strays: strays)
  }
}
