import CoreData

/// One note as it goes into the store; its revision starts at 1.
package struct NoteRow: Sendable, Equatable {
  package var number: Int64
  package var uuid: UUID
  package var title: String
  package var body: String
  package var language: String
  package var createdAt: Date
  package var modifiedAt: Date
  package var isPinned: Bool
}
