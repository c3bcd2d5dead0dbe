import Checking
import CoreData

// S7.1, S7.3: sort descriptors by keys and by Swift key paths order the store, memory and every collection as by hand, beside
// unsaved changes, in pages and backwards; remade and copied ones are equal; comparators sort collections, and fetches refuse them.

/// A box with properties by names.
final class SortedBox: NSManagedObject {
  var title: String? { value(forKey: "title") as? String }
  var size: Int { (value(forKey: "size") as? NSNumber)?.intValue ?? 0 }
}

/// An item with properties by names.
final class SortedItem: NSManagedObject {
  var rank: Int { (value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
  var name: String? { value(forKey: "name") as? String }
  var weight: Double? { (value(forKey: "weight") as? NSNumber)?.doubleValue }
  var madeAt: Date? { value(forKey: "madeAt") as? Date }
  var box: SortedBox? { value(forKey: "box") as? SortedBox }
}

extension RuleTrial {
  /// A descriptor that can be made again, and its path of keys.
  private struct DrawnOrder {
    let path: String
    let isAscending: Bool
    let make: () -> NSSortDescriptor
  }

  func descriptors() throws {
    guard let model = RuleModel.shared.copy() as? NSManagedObjectModel else { return }
    for (entity, name) in [
      ("Item", _typeName(SortedItem.self)), ("SpecialItem", _typeName(SortedItem.self)),
      ("Box", _typeName(SortedBox.self)),
    ] { model.entitiesByName[entity]?.managedObjectClassName = name }
    let coordinator = try open(model)
    let owner = context(coordinator)
    try owner.performAndWait {
      populateHard(owner, items: 6 + draw(8))
      for item in try all("Item", owner) where chance(1, of: 2) {
        for key in ["madeAt", "price", "isNew"] { set(key, of: item) }
      }
      try save(owner)
    }
    let root = freshContext(coordinator)
    let reader = chance(1, of: 4) ? context(in: root) : root
    for isDirty in [false, true] {
      try reader.performAndWait {
        if isDirty {
          for _ in 0..<(1 + draw(5)) { try changeSomething(reader) }
          reader.processPendingChanges()
        }
        for _ in 0..<8 { try sortInEveryWay(drawnOrders(isDirty), reader) }
        try sortByComparator(reader)
        try refuseOrders(reader)
      }
    }
  }

  // MARK: Drawing

  /// The last one tells all objects apart. Keys of new objects are not compared by hand.
  private func drawnOrders(_ isDirty: Bool) -> [DrawnOrder] {
    let last = isDirty || chance(1, of: 2) ? RuleModel.number : "objectID"
    return (0..<draw(3)).map { _ in drawnOrder() } + [order(last, chance(1, of: 2))]
  }

  private func order(_ path: String, _ isAscending: Bool) -> DrawnOrder {
    let isSwift = path == "objectID" && chance(1, of: 2)
    return DrawnOrder(path: path, isAscending: isAscending) {
      isSwift
        ? NSSortDescriptor(keyPath: \SortedItem.objectID, ascending: isAscending)
        : NSSortDescriptor(key: path, ascending: isAscending)
    }
  }

  private func drawnOrder() -> DrawnOrder {
    let isAscending = chance(1, of: 2)
    guard chance(1, of: 3) else {
      let keys = [
        "rank", "name", "level", "weight", "ratio", "isNew", "madeAt", "price", "box.title", "box.size", "place.zip",
        "place.city", "shelf.title",
      ]
      return order(pick(keys) ?? "rank", isAscending)
    }
    let paths: [(String, () -> NSSortDescriptor)] = [
      ("rank", { NSSortDescriptor(keyPath: \SortedItem.rank, ascending: isAscending) }),
      ("name", { NSSortDescriptor(keyPath: \SortedItem.name, ascending: isAscending) }),
      ("weight", { NSSortDescriptor(keyPath: \SortedItem.weight, ascending: isAscending) }),
      ("madeAt", { NSSortDescriptor(keyPath: \SortedItem.madeAt, ascending: isAscending) }),
      ("box.title", { NSSortDescriptor(keyPath: \SortedItem.box?.title, ascending: isAscending) }),
    ]
    guard let (path, make) = pick(paths) else { return order("rank", isAscending) }
    return DrawnOrder(path: path, isAscending: isAscending, make: make)
  }

  // MARK: Orders

  private func value(_ object: NSManagedObject, _ path: String) -> TermValue {
    guard path == "objectID" else { return DrawnTerm.Subject(object: object).value(path) }
    return .whole(Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? -1)
  }

  /// Null is first, or last in the other direction.
  private func isBefore(_ left: NSManagedObject, _ right: NSManagedObject, _ orders: [DrawnOrder]) -> Bool {
    precondition(!orders.isEmpty, "one of two objects is first by some order")
    for order in orders {
      let (first, second) = (value(left, order.path), value(right, order.path))
      if first.isSame(as: second) { continue }
      let isLess = first.isNull || !second.isNull && (first.order(second) ?? 0) < 0
      return isLess == order.isAscending
    }
    return false
  }

  private func numbers(_ objects: Any?) -> [Int] { (objects as? [NSManagedObject] ?? []).map(RulePicture.number) }

  /// In a block of the context.
  private func sortInEveryWay(_ orders: [DrawnOrder], _ context: NSManagedObjectContext) throws {
    precondition(!orders.isEmpty, "objects are sorted by something")
    let (items, descriptors) = (try all("Item", context), orders.map { $0.make() })
    let expected = items.sorted { isBefore($0, $1, orders) }.map(RulePicture.number)
    let what = "by \(orders.map { "\($0.path) \($0.isAscending ? "up" : "down")" }), in \(context.name ?? "")"
    note("items \(what)")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = descriptors
    try require(numbers(try context.fetch(request)), expected, .wrongValue, "items that are fetched \(what)")
    let shuffled = Array(items.reversed())
    let array = NSMutableArray(array: shuffled)
    array.sort(using: descriptors)
    let sorted = [
      numbers(NSArray(array: shuffled).sortedArray(using: descriptors)), numbers(array.map { $0 }),
      numbers(NSSet(array: shuffled).sortedArray(using: descriptors)),
      numbers(NSOrderedSet(array: shuffled).sortedArray(using: descriptors)),
    ]
    try require(sorted, sorted.map { _ in expected }, .wrongValue, "an array, sets and a mutable array \(what)")
    let backwards = descriptors.compactMap { $0.reversedSortDescriptor as? NSSortDescriptor }
    request.sortDescriptors = backwards
    try require(
      numbers(try context.fetch(request)), expected.reversed(), .wrongValue, "items that are fetched backwards \(what)")
    request.sortDescriptors = descriptors
    (request.fetchOffset, request.fetchLimit) = (draw(4), 1 + draw(6))
    let page = Array(expected.dropFirst(request.fetchOffset).prefix(request.fetchLimit))
    try require(
      numbers(try context.fetch(request)), page, .wrongValue,
      "at most \(request.fetchLimit) items from \(request.fetchOffset) \(what)")
    for (order, descriptor) in zip(orders, descriptors) { try compare(order, descriptor) }
  }

  /// A descriptor beside one that is made in the same way, its copy and its reverse.
  private func compare(_ order: DrawnOrder, _ descriptor: NSSortDescriptor) throws {
    // One of Foundation's own, to a value that is never nil, is equal to itself alone.
    guard type(of: descriptor) != NSSortDescriptor.self else { return }
    let (same, copy) = (order.make(), descriptor.copy() as? NSSortDescriptor)
    let reverse = descriptor.reversedSortDescriptor as? NSSortDescriptor
    let again = reverse?.reversedSortDescriptor as? NSSortDescriptor
    let seen = [
      descriptor == same, descriptor.hash == same.hash, copy == descriptor, copy?.hash == descriptor.hash,
      reverse != descriptor, again == descriptor, reverse?.ascending == !order.isAscending, again?.hash == same.hash,
      "\(descriptor)" == "\(same)", "\(descriptor)" != reverse.map { "\($0)" },
    ]
    try require(seen, seen.map { _ in true }, .wrongValue, "whether \(descriptor) is what one of \(order.path) is")
  }

  // MARK: Others

  /// By the number of code points of names, nulls first; in a block of the context.
  private func sortByComparator(_ context: NSManagedObjectContext) throws {
    let (items, isAscending) = (try all("Item", context), chance(1, of: 2))
    let byLength = NSSortDescriptor(key: "name", ascending: isAscending) { left, right in
      let counts = [left, right].map { ($0 as? String)?.unicodeScalars.count ?? -1 }
      return counts[0] < counts[1] ? .orderedAscending : counts[0] == counts[1] ? .orderedSame : .orderedDescending
    }
    let byNumber = NSSortDescriptor(key: RuleModel.number, ascending: true)
    func count(_ item: NSManagedObject) -> Int { (item.value(forKey: "name") as? String)?.unicodeScalars.count ?? -1 }
    let expected = items.sorted { left, right in
      let (first, second) = (count(left), count(right))
      if first == second { return RulePicture.number(left) < RulePicture.number(right) }
      return (first < second) == isAscending
    }
    let sorted = NSArray(array: items.reversed()).sortedArray(using: [byLength, byNumber])
    try require(numbers(sorted), numbers(expected), .wrongValue, "an array by a comparator, \(isAscending)")
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = [byLength, byNumber]
    let error = AnythingClient.error { _ = try context.fetch(request) }
    try require(error?.code, NSCoreDataError, .wrongValue, "the error of a fetch by a comparator")
  }

  /// Keys without an order are refused; in a block of the context.
  private func refuseOrders(_ context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    for key in ["tags", "tags.weight", "mark", "photo", "place", "colour", "name.length", "place.street"] {
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      let error = AnythingClient.error { _ = try context.fetch(request) }
      try require(error?.code, NSCoreDataError, .wrongValue, "the error of a fetch by \(key)")
    }
  }
}
