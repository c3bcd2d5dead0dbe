import Checking
import CoreData
import Measuring

/// A screen that shows a list by a fetched results controller: it replays the reported changes on a list of its own, and
/// holds that against the controller's list and against a fresh fetch.
///
/// On the main thread.
final class ListFollower: NSObject, NSFetchedResultsControllerDelegate {
  private typealias List = ShadowList<NSManagedObject>

  private let session: CellSession
  private let name: String
  private let controller: NSFetchedResultsController<Note>
  private let lapse: ScreenMistake?
  private var list = List()
  private var changes = List.Changes()
  /// The shown revision of each note that was read: when the note came, or was last reported as changed.
  private var revisions: [ObjectIdentifier: Int64] = [:]
  private var begin = OperationStart.now()

  /// Starts to follow.
  ///
  /// - Parameter lapse: its mistake; nil where its list changes by the reported changes alone.
  /// - Throws: the fetch's error.
  init(
    _ session: CellSession, name: String, request: NSFetchRequest<Note>, sectionNameKeyPath: String?,
    lapse: ScreenMistake?
  ) throws {
    self.session = session
    self.name = name
    self.lapse = lapse
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: session.strategy.mainContext,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: nil)
    super.init()
    controller.delegate = self
    try controller.performFetch()
    restart(with: shown)
  }

  /// How many objects the controller lists.
  var count: Int { controller.fetchedObjects?.count ?? 0 }

  /// So many of the listed notes, from a place on and then from the beginning.
  func notes(_ count: Int, from place: Int) -> [Note] {
    precondition(count >= 0 && place >= 0, "a page begins at a place of the list")
    guard let notes = controller.fetchedObjects, !notes.isEmpty else { return [] }
    return (0..<min(count, notes.count)).map { notes[(place + $0) % notes.count] }
  }

  /// Reads the shown values of so many objects from a place on.
  func show(_ places: Range<Int>) {
    guard let objects = controller.fetchedObjects else { return }
    for note in objects[places.clamped(to: objects.indices)] { _ = note.title?.isEmpty }
  }

  /// Compares the list with a fresh fetch, once main is current.
  ///
  /// - Throws: the fetch's error.
  func compareWithFetch() throws {
    if let difference = list.difference(from: shown, describe) {
      report("the controller lists what its delegate was notified of", difference)
    }
    let fetched = try controller.managedObjectContext.fetch(controller.fetchRequest)
    var fresh = List()
    if let path = controller.sectionNameKeyPath {
      var sections: [List.Section] = []
      for note in fetched {
        let section = note.value(forKey: path) as? String ?? ""
        if sections.last?.name != section { sections.append(List.Section(name: section, items: [])) }
        sections[sections.count - 1].items.append(note)
      }
      fresh = List(sections)
    } else {
      fresh = List([List.Section(name: "", items: fetched)])
    }
    if let difference = list.difference(from: fresh, describe) {
      report("the list is a fresh fetch once main is current", difference)
      restart(with: shown)
    }
  }

  // MARK: The delegate

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    begin = .now()
    changes = List.Changes()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    adoptNewListIfCareless()
    switch type {
    case .delete: changes.deletedSections.append(sectionIndex)
    default: changes.insertedSections.append((sectionIndex, sectionInfo.name))
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    adoptNewListIfCareless()
    if lapse == .dropsUpdates && type == .update || lapse == .dropsInserts && type == .insert { return }
    var new = newIndexPath
    if lapse == .misplacesInserts, type == .insert {
      new = new.map { IndexPath(item: $0.item + count, section: $0.section) }
    }
    guard let problem = changes.add(anObject, type, from: indexPath, to: new) else { return }
    report("a change says where it was and where it is", problem)
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    if lapse == .isDeaf { return }
    let problem = list.apply(changes)
    session.count(\.controllerChanges, changes.count)
    session.main.record("controller-change", in: "churn", since: begin)
    let expected = "the changes turn the old list into the new one"
    if let problem {
      report(expected, problem)
    } else if let difference = list.difference(from: shown, describe) {
      report(expected, difference)
    } else {
      return compareRevisions()
    }
    // A screen would have crashed; here it starts anew.
    restart(with: shown)
  }

  private func adoptNewListIfCareless() {
    if lapse == .takesNewList, changes.count == 0 { list = shown }
  }

  private func restart(with list: List) {
    self.list = list
    revisions = [:]
    for note in list.items { show(note) }
  }

  /// Notes that a note's row on the screen is drawn.
  private func show(_ object: NSManagedObject) {
    guard let note = object as? Note, !note.isFault else { return revisions[ObjectIdentifier(object)] = nil }
    revisions[ObjectIdentifier(note)] = note.revision
  }

  /// Checks that a note that was not reported as changed is as the screen shows it. A fault shows nothing yet, and is not read
  /// for this.
  private func compareRevisions() {
    for (_, object) in changes.removed { revisions[ObjectIdentifier(object)] = nil }
    for (_, object) in changes.updated + changes.inserted { show(object) }
    for object in list.items {
      guard let shown = revisions[ObjectIdentifier(object)], let note = object as? Note, !note.isFault else {
        show(object)
        continue
      }
      guard note.revision != shown else { continue }
      report(
        "what the delegate is not notified of is as it was",
        "\(describe(object)) has revision \(note.revision), the screen shows \(shown)")
      show(object)
    }
  }

  /// The controller's list.
  private var shown: List {
    List(
      (controller.sections ?? []).map { section in
        List.Section(name: section.name, items: (section.objects ?? []).compactMap { $0 as? NSManagedObject })
      })
  }

  private func describe(_ object: NSManagedObject) -> String { "\(object.objectID)" }

  private func report(_ expected: String, _ seen: String) {
    CellReports.report(
      Violation(kind: .controllerDivergence, subject: name, expected: expected, seen: seen))
  }
}
