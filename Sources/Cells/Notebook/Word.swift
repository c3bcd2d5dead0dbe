import CoreData

/// One entry of a note: a term and its meaning.
package final class Word: NSManagedObject {
  private enum Key {
    static let number = _PropertyKey("number")
    static let term = _PropertyKey("term")
    static let meaning = _PropertyKey("meaning")
    static let level = _PropertyKey("level")
    static let note = _PropertyKey("note")
  }

  /// Logical key, from 1; unique.
  package var number: Int64 {
    get { _integer(Key.number) }
    set { _setInteger(Key.number, newValue) }
  }

  package var term: String? {
    get { _string(Key.term) }
    set { _setString(Key.term, newValue) }
  }

  package var meaning: String? {
    get { _string(Key.meaning) }
    set { _setString(Key.meaning, newValue) }
  }

  /// How well it is known, 1 to 6.
  package var level: Int16 {
    get { Int16(truncatingIfNeeded: _integer(Key.level)) }
    set { _setInteger(Key.level, Int64(newValue)) }
  }

  /// The note that has it.
  package var note: Note? {
    get { _toOne(Key.note) as? Note }
    set { _setToOne(Key.note, newValue) }
  }

  /// Sets every attribute from a row.
  package func fill(_ row: WordRow) {
    number = row.number
    term = row.term
    meaning = row.meaning
    level = row.level
  }
}

/// One word as it goes into the store.
public struct WordRow: Sendable, Equatable {
  /// Logical key, from 1.
  public var number: Int64
  /// The word.
  public var term: String
  /// Its meaning, in the language known.
  public var meaning: String
  /// How well it is known, 1 to 6.
  public var level: Int16
}
