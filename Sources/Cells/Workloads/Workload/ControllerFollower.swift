import CoreData

/// Follows a fetched results controller: replays the changes that it reports on a list of its own.
///
/// On the context's queue.
package final class ControllerFollower: NSObject, NSFetchedResultsControllerDelegate {
  private typealias List = ShadowList<NSManagedObject>

  private let controller: NSFetchedResultsController<NSManagedObject>
  /// The request as it was at the last fetch: later changes of it count from the next one on.
  private var followed: NSFetchRequest<NSManagedObject>
  private var list = List()
  private var changes = List.Changes()
  /// Called at the end of a change; it may change objects of the context.
  package var onChange: (() -> Void)?
  /// The first change that could not be replayed.
  private var problem: String?

  /// Follows the objects of a request.
  ///
  /// - Parameter sections: the key path to the names of sections, by which the request sorts first; nil for one section.
  /// - Throws: the fetch's error.
  package init(
    _ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>, sections: String? = nil
  ) throws {
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
    followed = request
    super.init()
    controller.delegate = self
    try fetch()
  }

  /// The controller's request.
  package var request: NSFetchRequest<NSManagedObject> { controller.fetchRequest }

  /// The key path to the names of sections.
  package var sectionPath: String? { controller.sectionNameKeyPath }

  /// Begins anew with the current objects of the request.
  ///
  /// - Throws: the fetch's error.
  package func fetch() throws {
    try controller.performFetch()
    followed = request.copy() as? NSFetchRequest<NSManagedObject> ?? request
    (list, problem) = (shown, nil)
  }

  /// The first object of the list.
  package var first: NSManagedObject? { controller.fetchedObjects?.first }

  /// Hears of nothing any more.
  package func end() { controller.delegate = nil }

  /// The problem of the replayed list, once every change is processed; nil when it equals the controller's list and a fresh
  /// fetch.
  ///
  /// - Throws: the fetch's error.
  package func problemNow() throws -> String? {
    controller.managedObjectContext.processPendingChanges()
    defer { problem = nil }
    if let problem { return problem }
    let describe = { (object: NSManagedObject) in "\(object.objectID)" }
    if let difference = list.difference(from: shown, describe) { return "beside the controller's list: \(difference)" }
    let fetched = try controller.managedObjectContext.fetch(followed)
    let fresh = List(sections(of: fetched))
    guard let difference = list.difference(from: fresh, describe) else { return nil }
    return "beside a fresh fetch: \(difference)"
  }

  /// The objects of the list.
  package var objects: [NSManagedObject] { controller.fetchedObjects ?? [] }

  /// Contradiction of the list's sections, index paths and titles; nil when they agree.
  package func problemOfPlaces() -> String? {
    guard let objects = controller.fetchedObjects, let sections = controller.sections else { return "there is no list" }
    var listed: [NSManagedObject] = []
    for (number, section) in sections.enumerated() {
      let own = section.objects as? [NSManagedObject] ?? []
      if own.count != section.numberOfObjects {
        return "section \(number) has \(own.count) objects, and says another number"
      }
      if own.isEmpty, controller.sectionNameKeyPath != nil { return "section \(number) is empty" }
      for (item, object) in own.enumerated() {
        let place: IndexPath = [number, item]
        if controller.object(at: place) !== object { return "another object is at \(place)" }
        guard controller.indexPath(forObject: object) != place else { continue }
        return "the object at \(place) is at \(controller.indexPath(forObject: object).map { "\($0)" } ?? "no place")"
      }
      let title = section.name.first.map { String($0).capitalized }
      if section.indexTitle != title { return "section \(section.name) has the title \(section.indexTitle ?? "none")" }
      listed += own
    }
    guard listed.elementsEqual(objects, by: ===) else { return "sections have other objects than the list" }
    var titles: [String] = []
    for title in sections.compactMap(\.indexTitle) where title != titles.last { titles.append(title) }
    guard controller.sectionIndexTitles == titles else { return "the index has \(controller.sectionIndexTitles)" }
    for (index, title) in titles.enumerated() {
      let found = controller.section(forSectionIndexTitle: title, at: index)
      guard sections.indices.contains(found) else { return "the title \(title) leads to section \(found)" }
      if sections[found].indexTitle != title { return "the title \(title) leads to section \(sections[found].name)" }
    }
    return nil
  }

  package func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    changes = List.Changes()
  }

  package func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let found = changes.add(anObject, type, from: indexPath, to: newIndexPath)
    problem = problem ?? found
  }

  package func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange section: any NSFetchedResultsSectionInfo,
    atSectionIndex index: Int, for type: NSFetchedResultsChangeType
  ) {
    if type == .insert {
      changes.insertedSections.append((index, section.name))
    } else {
      changes.deletedSections.append(index)
      if section.numberOfObjects > 0 || section.objects?.isEmpty == false {
        problem = problem ?? "section \(section.name) was deleted, and still has objects"
      }
    }
  }

  package func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    if let found = list.apply(changes) {
      problem = problem ?? found
      list = shown
    }
    onChange?()
  }

  /// The controller's list.
  private var shown: List {
    guard controller.sectionNameKeyPath != nil else {
      return List([List.Section(name: "", items: controller.fetchedObjects ?? [])])
    }
    return List(
      (controller.sections ?? []).map {
        List.Section(name: $0.name, items: $0.objects as? [NSManagedObject] ?? [])
      })
  }

  /// Sorted objects in the sections that they belong to.
  private func sections(of objects: [NSManagedObject]) -> [List.Section] {
    guard let path = controller.sectionNameKeyPath else { return [List.Section(name: "", items: objects)] }
    var sections: [List.Section] = []
    for object in objects {
      let value = object.value(forKeyPath: path)
      let name = (value as? NSNumber)?.stringValue ?? value.map { "\($0)" } ?? ""
      if sections.last?.name.utf8.elementsEqual(name.utf8) == true {
        sections[sections.count - 1].items.append(object)
      } else {
        sections.append(List.Section(name: name, items: [object]))
      }
    }
    return sections
  }
}
