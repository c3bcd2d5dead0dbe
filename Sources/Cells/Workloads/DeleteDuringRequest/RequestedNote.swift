import CoreData

/// A note that is asked for, by what any thread may know of it.
struct RequestedNote: Sendable {
  let number: Int
  let id: NSManagedObjectID
  /// Numbers of its words.
  let words: Range<Int>
}
