import RowStore

/// The result of a fetch in sections, kept up to date while objects of the context change, and a delegate that is notified
/// how the list changed.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let controller = NSFetchedResultsController(
///   fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// To be used on the context's queue. With a delegate the list follows what `NSManagedObjectContextObjectsDidChange` reports:
/// objects inserted, deleted, changed and refreshed here, and those merged from other contexts, whether they were in use or
/// not. An object comes or leaves as its entity and the request's predicate say; it moves when its place in the order, or its
/// section, changes. Changes of related objects are seen with the next change of the fetched object itself, as on Apple's
/// systems, for instance when it is refreshed. The request's limit and offset hold for the fetch; later changes come and go
/// without them. Without a delegate nothing is followed, nor after a reset of the context, until the next fetch.
/// - SeeAlso: Apple, "NSFetchedResultsController".
open nonisolated class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  /// The request; changes in it count from the next ``performFetch()`` on.
  public final let fetchRequest: NSFetchRequest<ResultType>
  /// The context of the objects that are fetched and followed.
  public final let managedObjectContext: NSManagedObjectContext
  /// The key path to the name of an object's section; nil where there are no sections.
  public final let sectionNameKeyPath: String?
  /// The name that was given; sections are computed with each fetch, and kept nowhere.
  public final let cacheName: String?

  /// Receives the changes; setting it also switches following them on.
  open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { results.delegateChanged() }
  }

  /// All that does not depend on the type of the results.
  private(set) final lazy var results = FetchedResults(
    context: managedObjectContext, sectionPath: sectionNameKeyPath, controller: erased)

  /// Makes a controller; ``performFetch()`` fills it.
  ///
  /// - Parameters:
  ///   - fetchRequest: its first sort descriptor must keep objects of one section together.
  ///   - context: may belong to any queue.
  ///   - sectionNameKeyPath: a key path of the fetched objects; nil for one section that is always there.
  ///   - name: is kept, and not used.
  /// - Precondition: the request has sort descriptors, if only an empty array: then objects are in the order of their IDs.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    precondition(
      fetchRequest.sortDescriptors != nil,
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors; set them, if only to []"
    )
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
    super.init()
  }

  /// This controller as delegates get it.
  ///
  /// Every type of result is a class, and `NSFetchRequestResult` has no witness table, so that a reference to any of them
  /// has one layout: all members work through the other type.
  private final var erased: NSFetchedResultsController<any NSFetchRequestResult> {
    unsafeBitCast(self, to: NSFetchedResultsController<any NSFetchRequestResult>.self)
  }

  // MARK: Fetching

  /// Fetches, and makes the sections; the delegate is not called.
  ///
  /// - Throws: the fetch's error; 134060 when objects of one section are not next to each other, or when the request asks for
  ///   something else than objects.
  open func performFetch() throws {
    guard fetchRequest.resultType == .managedObjectResultType else {
      throw NSError.coreData(
        NSCoreDataError,
        "NSFetchedResultsController shows managed objects; set the request's resultType to .managedObjectResultType.")
    }
    let objects = try managedObjectContext.fetch(fetchRequest)
    try results.take(
      unsafeBitCast(objects, to: [NSManagedObject].self), try fetchRequest.resolved(in: managedObjectContext),
      fetchRequest.predicate, isLazy: fetchRequest.fetchBatchSize > 0)
  }

  /// Does nothing: there are no caches.
  open class func deleteCache(withName name: String?) {}

  // MARK: Objects

  /// All objects in order; nil before the first fetch.
  open var fetchedObjects: [ResultType]? {
    results.list.map { unsafeBitCast($0.elements, to: [ResultType].self) }
  }

  /// The object at a section and an item.
  ///
  /// - Precondition: there is one.
  open func object(at indexPath: IndexPath) -> ResultType {
    guard let list = results.list else { preconditionFailure("call performFetch() before asking for objects") }
    precondition(indexPath.count == 2, "an index path of a controller has a section and an item, not \(indexPath)")
    precondition(
      list.sections.indices.contains(indexPath.section),
      "there is no section \(indexPath.section) in \(list.sections.count)")
    let start = list.sections[indexPath.section].start
    let count = list.end(ofSection: indexPath.section) - start
    precondition(
      (0..<count).contains(indexPath.item),
      "there is no item \(indexPath.item) in section \(indexPath.section) of \(count)")
    return unsafeBitCast(list.elements[start + indexPath.item], to: ResultType.self)
  }

  /// Where an object is; nil when it is not listed.
  ///
  /// Complexity: O(*n*) comparisons of addresses.
  open func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let list = results.list, let object = object as AnyObject as? NSManagedObject,
      let offset = list.offset(of: object)
    else { return nil }
    let place = list.place(at: offset)
    return [place.section, place.item]
  }

  // MARK: Sections

  /// The sections in order; nil before the first fetch. Without a section key path there is one, with an empty name.
  open var sections: [any NSFetchedResultsSectionInfo]? { results.sections }

  /// The index titles of all sections in order, each once where neighbours have the same.
  open var sectionIndexTitles: [String] {
    (results.sections ?? []).reduce(into: []) { titles, section in
      if let title = section.indexTitle, title != titles.last { titles.append(title) }
    }
  }

  /// The index title of a section: the delegate's, or the capitalised first letter of the name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    guard let delegate else { return FetchedResults.defaultIndexTitle(sectionName) }
    return delegate.controller(erased, sectionIndexTitleForSectionName: sectionName)
  }

  /// The first section of an index title.
  ///
  /// - Parameters:
  ///   - title: the index title.
  ///   - sectionIndex: the title's index among ``sectionIndexTitles``.
  /// - Precondition: `title` is the one at that index.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    var (index, last) = (-1, String?.none)
    for (number, section) in (results.sections ?? []).enumerated() {
      guard let own = section.indexTitle, own != last else { continue }
      last = own
      index += 1
      if index == sectionIndex, own == title { return number }
    }
    preconditionFailure("\"\(title)\" is not the index title at \(sectionIndex); see sectionIndexTitles")
  }
}
