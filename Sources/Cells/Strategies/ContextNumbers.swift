import Boundary
import CoreData

/// Numbers of contexts in history records, and their names: from 1, the first ones of all processes of the cell before the
/// second ones.
struct ContextNumbers {
  private(set) var names: [String] = []
  private let share: ProcessShare
  /// By the context's identity; that of a context that is gone may become another's.
  private(set) var numbers: [ObjectIdentifier: UInt32] = [:]

  init(_ share: ProcessShare) { self.share = share }

  mutating func add(_ context: NSManagedObjectContext, name: String) {
    precondition(!name.isEmpty, "reports name a context")
    numbers[ObjectIdentifier(context)] = UInt32(share.number(names.count) + 1)
    names.append(name)
  }
}
