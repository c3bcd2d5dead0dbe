import CoreData

/// A requested note, by the facts that any thread may know.
struct RequestedNote: Sendable {
  let number: Int
  let id: NSManagedObjectID
  /// Numbers of its words.
  let words: Range<Int>
}
