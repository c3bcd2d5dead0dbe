/// One client's saves in a process that is killed: each inserts a note with words, deletes the oldest one, and raises
/// the revision of the client's marker, so that the store after save *n* is known from *n* alone.
package struct SaveChain: Sendable, Hashable {
  /// Numbers of one client's notes; the marker has the first.
  package static let numbersPerClient: Int64 = 100_000_000
  /// Notes that a client keeps besides its marker.
  package static let keptNotes: Int64 = 12
  /// Words of each note but the marker.
  package static let wordsPerNote: Int64 = 4

  /// The client's number, from 0.
  package var client: Int64
  /// The latest save that was acknowledged; 0 before the first.
  package var acknowledged: Int64 = 0
  /// The latest save that was begun.
  package var begun: Int64 = 0

  package init(client: Int64, acknowledged: Int64 = 0, begun: Int64 = 0) {
    precondition(client >= 0, "a client owns the numbers from its first one on")
    self.client = client
    self.acknowledged = acknowledged
    self.begun = begun
  }

  /// Number of the client's marker.
  package var marker: Int64 { client * Self.numbersPerClient }

  /// Number of the note of a save.
  package func note(of save: Int64) -> Int64 { marker + save }

  /// Numbers of the words of the note of a save.
  package func words(of save: Int64) -> Range<Int64> {
    note(of: save) * Self.wordsPerNote..<(note(of: save) + 1) * Self.wordsPerNote
  }

  /// The title of a save's note and of the marker after it.
  package static func title(of save: Int64) -> String { "save \(save)" }

  /// The saves with notes in the store after save `last`.
  package static func kept(after last: Int64) -> ClosedRange<Int64>? {
    last > 0 ? max(1, last - keptNotes + 1)...last : nil
  }
}
