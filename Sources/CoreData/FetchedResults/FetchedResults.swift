import RowStore

/// The part of a controller that does not depend on the type of its results: the list, and the calls of the delegate.
///
/// Belongs to the context's queue.
final class FetchedResults: ResultsTracker {
  typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>
  typealias List = ResultsList<NSManagedObject, [Slot]>

  let context: NSManagedObjectContext
  let sectionPath: String?
  private weak var controller: Controller?
  /// Nil until the first fetch.
  private(set) var list: List? {
    didSet { knownSections = nil }
  }
  private var fetch: ResolvedFetch?
  /// The predicate of the request, as long as it may name an object by a temporary ID.
  private var unsettledPredicate: NSPredicate?
  /// Made on demand, forgotten when the list changes: they share its storage.
  private var knownSections: [FetchedSection]?
  /// The number of fetches, to notice one inside a callback.
  private var generation = 0
  /// The context was reset: its objects are gone, and there is nothing to follow until the next fetch.
  private var isAbandoned = false
  /// Events that came while the delegate was being called for another one.
  private var backlog: [Event] = []
  private var isTelling = false
  /// Whether the delegate wants collection differences; nil until the first change shows it.
  private var wantsDifferences: Bool?
  /// Whether the delegate that is being called with a difference turned out to have no method for it.
  private var hasNoMethod = false
  /// Listed objects without a permanent ID, where differences may be needed.
  private var temporaries: [NSManagedObject: NSManagedObjectID] = [:]

  private enum Event {
    case objects([NSManagedObject])
    case identifiers
  }

  init(context: NSManagedObjectContext, sectionPath: String?, controller: Controller) {
    self.context = context
    self.sectionPath = sectionPath
    self.controller = controller
  }

  // MARK: Fetching

  /// Takes the results of a fetch.
  ///
  /// - Parameters:
  ///   - predicate: that of the request.
  ///   - isLazy: whether sort keys are read as they are needed, since the rows are not at hand.
  /// - Throws: 134060 when a section name comes again after another one.
  func take(_ objects: [NSManagedObject], _ fetch: ResolvedFetch, _ predicate: NSPredicate?, isLazy: Bool) throws {
    generation += 1
    backlog = []
    list = nil
    isAbandoned = false
    self.fetch = fetch
    unsettledPredicate = context.changes.inserted.isEmpty ? nil : predicate
    var list = List(
      isSectioned: sectionPath != nil, order: { fetch.sort.order($0, $1) }, readKey: { fetch.sort.slots(of: $0) })
    do {
      try list.fill(
        objects, keys: isLazy ? [] : objects.map { fetch.sort.slotsAtHand(of: $0) },
        names: sectionPath == nil ? [] : objects.map(sectionName))
    } catch {
      let reason =
        "The fetched object at index \(error.index) has an out of order section name '\(error.name.text)'. "
        + "Objects must be sorted by section name."
      throw NSError.coreData(NSCoreDataError, reason, userInfo: ["reason": reason])
    }
    self.list = list
    temporaries = [:]
    if sectionPath == nil || isSortedByID { recordTemporaries(objects) }
    context.trackers.add(self)
  }

  private func sectionName(of object: NSManagedObject) -> SectionName {
    guard let sectionPath else { return "" }
    return SectionName(Self.name(of: object.value(forKeyPath: sectionPath)))
  }

  /// A value of the section key path as text.
  static func name(of value: Any?) -> String {
    guard let value, !(value is NSNull) else { return "" }
    // Apple's booleans are numbers.
    if type(of: value) == Bool.self { return value as? Bool == true ? "1" : "0" }
    if let text = value as? String { return text }
    return (value as? NSNumber).flatMap { NumberText.text($0) } ?? "\(value)"
  }

  static func defaultIndexTitle(_ name: String) -> String? {
    name.first.map { String($0).capitalized }
  }

  // MARK: Asking

  var sections: [FetchedSection]? {
    if let knownSections { return knownSections }
    guard let list else { return nil }
    let sections = list.sections.indices.map { index in
      FetchedSection(
        name: list.sections[index].name.text,
        elements: list.elements[list.sections[index].start..<list.end(ofSection: index)], controller: controller)
    }
    knownSections = sections
    return sections
  }

  // MARK: Following

  /// Whether changes of the context matter: without a delegate they do not.
  var isTracking: Bool { list != nil && !isAbandoned && controller?.delegate != nil }

  /// Whether objects of that entity can be listed.
  func concerns(_ layout: EntityLayout) -> Bool { fetch?.concerns(layout) ?? false }

  /// Called when there is another delegate, or none.
  func delegateChanged() {
    // No differences were needed so far; the next change may need them.
    if wantsDifferences == false, sectionPath == nil { recordTemporaries(list?.elements ?? []) }
    wantsDifferences = nil
  }

  /// Notes that the delegate has no method for differences.
  func disableDifferences() {
    wantsDifferences = false
    hasNoMethod = true
  }

  /// Forgets the list, as every object of the context is gone.
  func abandon() {
    isAbandoned = true
    backlog = []
  }

  func contextChanged(_ sets: ObjectSets, unseen: ContiguousArray<NSManagedObject>) {
    var objects = unseen.filter { concerns($0.layout) }
    for set in [sets.deleted, sets.inserted, sets.updated, sets.refreshed] {
      objects += set.lazy.filter { self.concerns($0.layout) }
    }
    guard !objects.isEmpty else { return }
    // Sets have no order; equal objects are to come in that of their IDs.
    objects.sort { ($0.key.magnitude, UInt(bitPattern: $0.hash)) < ($1.key.magnitude, UInt(bitPattern: $1.hash)) }
    var last: NSManagedObject?
    objects.removeAll { object in
      defer { last = object }
      return object === last
    }
    enqueue(.objects(Array(objects)))
  }

  func identifiersChanged() {
    guard !temporaries.isEmpty else { return }
    // Objects that are sorted by their IDs may have another place under the permanent ones.
    let named = isSortedByID ? temporaries.keys.filter { $0.key > 0 }.sorted { $0.key < $1.key } : []
    if mayWantDifferences {
      enqueue(.identifiers)
    } else {
      for object in named { temporaries[object] = nil }
    }
    if !named.isEmpty { enqueue(.objects(named)) }
  }

  /// Whether the order may follow from IDs.
  private var isSortedByID: Bool { fetch?.sort.contains { $0.path.isEmpty } ?? false }

  private var mayWantDifferences: Bool { sectionPath == nil && wantsDifferences != false }

  /// Events that come while the delegate is called for another one wait for their turn.
  private func enqueue(_ event: Event) {
    backlog.append(event)
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !backlog.isEmpty {
      let event = backlog.removeFirst()
      guard isTracking else { continue }
      switch event {
      case .objects(let objects): follow(objects)
      case .identifiers: followIdentifiers()
      }
    }
  }

  /// Names objects in the predicate by the IDs that they have by now: those that were new at the fetch may be saved.
  private func settlePredicate() {
    guard let unsettledPredicate, let fetch else { return }
    if let settled = try? ResolvedPredicate(unsettledPredicate, entity: fetch.entity) {
      self.fetch?.predicate = settled
    }
    if context.changes.inserted.isEmpty { self.unsettledPredicate = nil }
  }

  private func follow(_ objects: [NSManagedObject]) {
    settlePredicate()
    guard let controller, let delegate = controller.delegate,
      let items = list?.items(objects.map { ($0, destination(of: $0)) }), !items.isEmpty
    else { return }
    let generation = generation
    if sectionPath == nil, wantsDifferences != false {
      let old = wantsDifferences == nil ? list : nil
      guard let diff = apply(items) else { return }
      wantsDifferences = true
      hasNoMethod = false
      if let difference = diff.difference(\.objectID) {
        delegate.controller(controller, didChangeContentWith: difference)
      }
      guard hasNoMethod, let old, self.generation == generation, controller.delegate === delegate else { return }
      // The delegate has no such method: it is called as others are, and first sees the old list.
      if !isSortedByID { temporaries = [:] }
      let new = list
      list = old
      delegate.controllerWillChangeContent(controller)
      if self.generation == generation {
        list = new
        tell(diff, delegate, controller)
      }
    } else {
      delegate.controllerWillChangeContent(controller)
      if self.generation == generation, let diff = apply(items) { tell(diff, delegate, controller) }
    }
    delegate.controllerDidChangeContent(controller)
  }

  /// Where the object belongs now; nil when it is not to be listed.
  private func destination(of object: NSManagedObject) -> List.Destination? {
    guard let fetch, object.registry === context.registry, isAlive(object), fetch.asksStore(of: object, in: context)
    else { return nil }
    return Evaluation.run(in: context) {
      // An object that the predicate cannot be evaluated for is not listed; the next fetch throws the reason.
      guard (try? fetch.matches(object)) ?? false else { return nil }
      let destination = List.Destination(key: fetch.sort.slots(of: object), section: sectionName(of: object))
      // Reading may have shown that the row is gone.
      return isAlive(object) && context.reading.evaluation.foundGone !== object ? destination : nil
    }
  }

  private func isAlive(_ object: NSManagedObject) -> Bool { object.state.isDisjoint(with: [.deleted, .gone]) }

  private func apply(_ items: [List.Item]) -> ResultsDiff<NSManagedObject>? {
    // Before the change, which would have to copy what they share.
    knownSections = nil
    guard let diff = list?.apply(items) else { return nil }
    if mayWantDifferences || isSortedByID { recordTemporaries(diff.insertions.map(\.element)) }
    return diff
  }

  private func tell(
    _ diff: ResultsDiff<NSManagedObject>, _ delegate: any NSFetchedResultsControllerDelegate, _ controller: Controller
  ) {
    for section in diff.deletedSections {
      // It has nothing in it any more.
      let info = FetchedSection(name: section.name, elements: [], controller: controller)
      delegate.controller(controller, didChange: info, atSectionIndex: section.index, for: .delete)
    }
    if !diff.insertedSections.isEmpty, let sections {
      for index in diff.insertedSections {
        delegate.controller(controller, didChange: sections[index], atSectionIndex: index, for: .insert)
      }
    }
    for change in diff.changes {
      let type: NSFetchedResultsChangeType =
        switch change.kind {
        case .insert: .insert
        case .delete: .delete
        case .move: .move
        case .update: .update
        }
      delegate.controller(
        controller, didChange: change.element, at: change.old.map(IndexPath.init), for: type,
        newIndexPath: change.new.map(IndexPath.init))
    }
  }

  // MARK: Identifiers

  private func recordTemporaries(_ objects: [NSManagedObject]) {
    for object in objects where object.key < 0 { temporaries[object] = object.objectID }
  }

  private func followIdentifiers() {
    guard let controller, let delegate = controller.delegate, let list else { return }
    let changed = temporaries.filter { $0.key.key > 0 }.map { (object: $0.key, id: $0.value) }
    for (object, _) in changed { temporaries[object] = nil }
    var steps: [CollectionDifference<NSManagedObjectID>.Change] = []
    for (offset, entry) in zip(list.offsets(of: changed.map(\.object)), changed) {
      guard let offset else { continue }
      steps.append(.remove(offset: offset, element: entry.id, associatedWith: nil))
      steps.append(.insert(offset: offset, element: entry.object.objectID, associatedWith: nil))
    }
    guard let difference = CollectionDifference(steps), !difference.isEmpty else { return }
    wantsDifferences = true
    delegate.controller(controller, didChangeContentWith: difference)
  }
}

extension IndexPath {
  fileprivate init<Element>(_ place: ResultsDiff<Element>.Place) { self = [place.section, place.item] }
}
