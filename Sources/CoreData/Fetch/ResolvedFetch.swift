import RowStore

/// A fetch request as the stack carries it out.
struct ResolvedFetch {
  let entity: EntityLayout
  let includesSubentities: Bool
  var predicate: ResolvedPredicate?
  let sort: [SortKey]
  let limit: Int
  let offset: Int
  let includesPendingChanges: Bool
  /// Whether objects in the context already take the store's values.
  var refreshes = false
  /// Whether the request is to ask none of the stores that are open.
  var asksNoStore = false
  /// The only stores to ask; every store with nil.
  var affectedStores: [NSPersistentStore]?
  /// Whether the caller cuts a page from the answer: objects with equal keys must come in the order of all pages.
  private var isCutLater = false

  /// Whether SQLite can find the rows.
  var isTranslatable: Bool { predicate?.isTranslatable ?? true }

  /// Whether the fetch may give objects of that entity.
  func concerns(_ layout: EntityLayout) -> Bool { includesSubentities ? layout.isKind(of: entity) : layout === entity }

  func query(_ aliases: any PermanentKeys) -> StoreQuery {
    var query = StoreQuery(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sort, limit: limit,
      offset: offset, aliases: aliases)
    query.isCutLater = isCutLater
    return query
  }

  /// Enough of the answer from the start, when that many objects may leave it: at most one row for each.
  func prefix(beside changed: Int) -> ResolvedFetch {
    var prefix = page(predicate, sort, limit: overlay.storeLimit(beside: changed), offset: 0)
    prefix.isCutLater = isCutLater || limit > 0 || offset > 0
    return prefix
  }

  /// Every object that may meet the predicate, to be looked at in memory.
  func candidates(beside changed: ObjectsOfEntity) -> ResolvedFetch {
    page(predicate?.candidates(of: entity, beside: changed), [], limit: 0, offset: 0)
  }

  /// Objects that are in the answer by what the store has, whatever the changed ones are; nil where SQL cannot tell.
  func undisputed(beside changed: ObjectsOfEntity) -> ResolvedFetch? {
    predicate?.undisputed(beside: changed).map { page($0, [], limit: 0, offset: 0) }
  }

  /// Entities that predicate and order reach by relationships.
  var relatedEntities: [EntityLayout] {
    (predicate?.relatedEntities ?? []) + sort.flatMap { $0.path.dropLast().map(\.relation.destination) }
  }

  /// The same objects in no order.
  var unsorted: ResolvedFetch { page(predicate, [], limit: limit, offset: offset) }

  init(
    entity: EntityLayout, includesSubentities: Bool, predicate: ResolvedPredicate?, sort: [SortKey], limit: Int,
    offset: Int, includesPendingChanges: Bool, refreshes: Bool = false, asksNoStore: Bool = false,
    affectedStores: [NSPersistentStore]? = nil
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.includesPendingChanges = includesPendingChanges
    self.refreshes = refreshes
    self.asksNoStore = asksNoStore
    self.affectedStores = affectedStores
    precondition(limit >= 0 && offset >= 0, "a page of less than nothing was refused")
  }

  private func page(_ predicate: ResolvedPredicate?, _ sort: [SortKey], limit: Int, offset: Int) -> ResolvedFetch {
    ResolvedFetch(
      entity: entity, includesSubentities: includesSubentities, predicate: predicate, sort: sort, limit: limit,
      offset: offset, includesPendingChanges: includesPendingChanges, refreshes: refreshes,
      affectedStores: affectedStores)
  }

  /// Whether the object meets the predicate.
  ///
  /// - Throws: when `MATCHES` meets a value that is no regular expression.
  func matches(_ object: NSManagedObject) throws -> Bool {
    guard let predicate else { return true }
    do {
      return try predicate.matches(object)
    } catch {
      throw NSError.coreData(NSCoreDataError, "The fetch of \(entity.name) cannot be carried out: \(error).")
    }
  }

  /// Where the page lies, and how unsaved changes come into it.
  var overlay: PendingOverlay { PendingOverlay(offset: offset, limit: limit) }

  /// Without the elements before the offset and after the limit.
  func cut<Element>(_ found: ContiguousArray<Element>) -> ContiguousArray<Element> { overlay.cut(found) }
}

extension SortKey {
  /// The object's sort value now; a reference has the permanent key where its object has two keys.
  func slot(of object: NSManagedObject) -> Slot {
    let slot = path.slot(of: object)
    guard case .reference = slot else { return slot }
    return slot.canonical(object.registry?.contextOnQueue?.tree.aliases)
  }
}

extension [SortKey] {
  /// Sorts as SQLite would: nulls first when ascending, texts by code points; equal objects keep their order.
  func sort(_ objects: inout ContiguousArray<NSManagedObject>) {
    guard !isEmpty, objects.count > 1 else { return }
    let keyed = objects.map { object in (object: object, slots: slots(of: object)) }
    let sorted = keyed.enumerated().sorted { left, right in
      let order = order(left.element.slots, right.element.slots)
      return order != 0 ? order < 0 : left.offset < right.offset
    }
    objects = ContiguousArray(sorted.map(\.element.object))
  }

  /// The object's sort values now; fires faults on the way.
  func slots(of object: NSManagedObject) -> [Slot] { map { $0.slot(of: object) } }

  /// Negative when `left` comes before `right`, positive when after.
  func order(_ left: [Slot], _ right: [Slot]) -> Int {
    for (position, key) in enumerated() {
      let order = left[position].sortOrder(right[position])
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }
}
