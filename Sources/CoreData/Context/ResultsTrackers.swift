import RowStore

/// Follows the changes in a context, as a fetched results controller does.
protocol ResultsTracker: AnyObject {
  /// Whether it follows changes now.
  var isTracking: Bool { get }

  /// An event reported objects.
  ///
  /// - Parameter unseen: objects that changed in the store and are not in use in the context.
  func contextChanged(_ sets: ObjectSets, unseen: ContiguousArray<NSManagedObject>)

  /// Objects may have got their permanent IDs.
  func identifiersChanged()

  /// Whether objects of the entity may be among the results.
  func concerns(_ layout: EntityLayout) -> Bool

  /// Called when the context was reset.
  func abandon()
}

/// The fetched results controllers of one context that fetched; does not keep them alive.
struct ResultsTrackers {
  private struct Reference {
    weak var results: (any ResultsTracker)?
  }

  private var references: [Reference] = []

  /// Whether there was none so far: asked by every event.
  @inline(__always)
  var isEmpty: Bool { references.isEmpty }

  /// The trackers that follow changes now.
  var active: [any ResultsTracker] {
    if references.isEmpty { return [] }
    return references.compactMap { $0.results.flatMap { $0.isTracking ? $0 : nil } }
  }

  mutating func add(_ results: any ResultsTracker) {
    references.removeAll { $0.results == nil || $0.results === results }
    references.append(Reference(results: results))
  }

  /// Tells the controllers of an event.
  ///
  /// - Parameter unseen: objects that changed in the store though they are not in use here, so that no notification tells
  ///   of them.
  func tell(_ sets: ObjectSets, unseen: ContiguousArray<NSManagedObject>) {
    for results in active { results.contextChanged(sets, unseen: unseen) }
  }

  /// The context was reset: also controllers that follow nothing now, and may again, have lists of objects that are gone.
  func abandon() {
    for reference in references { reference.results?.abandon() }
  }

  /// Objects may have got their permanent IDs.
  @inline(__always)
  func tellOfNewIDs() {
    if isEmpty { return }
    for results in active { results.identifiersChanged() }
  }
}
