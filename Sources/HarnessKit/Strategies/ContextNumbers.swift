import CoreData

/// Numbers of contexts in history records, from 1, and their names.
struct ContextNumbers {
  private(set) var names: [String] = []
  /// By the context's identity; that of a context that is gone may become another's.
  private(set) var numbers: [ObjectIdentifier: UInt32] = [:]

  mutating func add(_ context: NSManagedObjectContext, name: String) {
    names.append(name)
    numbers[ObjectIdentifier(context)] = UInt32(names.count)
  }
}
