import CoreData

/// The contexts that a strategy made, for as long as somebody else holds them.
struct AdoptedContexts {
  private struct Entry {
    weak var context: NSManagedObjectContext?
  }

  private var entries: [Entry] = []
  /// Number of entries from which on those of gone contexts are dropped.
  private var dropAt = Self.dropMin

  private static let dropMin = 32

  mutating func add(_ context: NSManagedObjectContext) {
    if entries.count >= dropAt {
      entries.removeAll { $0.context == nil }
      dropAt = max(Self.dropMin, entries.count * 2)
    }
    entries.append(Entry(context: context))
  }

  /// Those that still live.
  var contexts: [NSManagedObjectContext] { entries.compactMap(\.context) }
}
