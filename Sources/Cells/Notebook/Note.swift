import CoreData

/// A page of a vocabulary notebook.
package final class Note: NSManagedObject {
  private enum Key {
    static let number = _PropertyKey("number")
    static let uuid = _PropertyKey("uuid")
    static let title = _PropertyKey("title")
    static let body = _PropertyKey("body")
    static let language = _PropertyKey("language")
    static let createdAt = _PropertyKey("createdAt")
    static let modifiedAt = _PropertyKey("modifiedAt")
    static let isPinned = _PropertyKey("isPinned")
    static let revision = _PropertyKey("revision")
    static let words = _PropertyKey("words")
  }

  /// Logical key, from 1; unique.
  package var number: Int64 {
    get { _integer(Key.number) }
    set { _setInteger(Key.number, newValue) }
  }

  package var uuid: UUID? {
    get { _uuid(Key.uuid) }
    set { _setUUID(Key.uuid, newValue) }
  }

  package var title: String? {
    get { _string(Key.title) }
    set { _setString(Key.title, newValue) }
  }

  package var body: String? {
    get { _string(Key.body) }
    set { _setString(Key.body, newValue) }
  }

  /// The language learned and the language known: `ko-en`.
  package var language: String? {
    get { _string(Key.language) }
    set { _setString(Key.language, newValue) }
  }

  package var createdAt: Date? {
    get { _date(Key.createdAt) }
    set { _setDate(Key.createdAt, newValue) }
  }

  package var modifiedAt: Date? {
    get { _date(Key.modifiedAt) }
    set { _setDate(Key.modifiedAt, newValue) }
  }

  package var isPinned: Bool {
    get { _bool(Key.isPinned) }
    set { _setBool(Key.isPinned, newValue) }
  }

  /// 1 in a new note, one more with each update.
  package var revision: Int64 {
    get { _integer(Key.revision) }
    set { _setInteger(Key.revision, newValue) }
  }

  /// The words on the page; they are deleted with it.
  package var words: Set<NSManagedObject> { _toMany(Key.words) }

  /// Requests notes of this model.
  package static func request() -> NSFetchRequest<Note> { NSFetchRequest<Note>(entityName: "Note") }

  /// Sets every attribute from a row.
  package func fill(_ row: NoteRow) {
    number = row.number
    uuid = row.uuid
    title = row.title
    body = row.body
    language = row.language
    createdAt = row.createdAt
    modifiedAt = row.modifiedAt
    isPinned = row.isPinned
    revision = 1
  }
}

/// One note as it goes into the store; its revision starts at 1.
public struct NoteRow: Sendable, Equatable {
  /// Logical key, from 1.
  public var number: Int64
  /// The note's UUID.
  public var uuid: UUID
  /// One line.
  public var title: String
  /// Some sentences.
  public var body: String
  /// The language learned and the language known: `ko-en`.
  public var language: String
  /// When it was made.
  public var createdAt: Date
  /// When it was changed last.
  public var modifiedAt: Date
  /// Whether it is pinned.
  public var isPinned: Bool
}
