import CoreData

/// A list in sections as a table on the screen has it: it knows only the reported changes.
struct ShadowList<Item: Equatable>: Equatable {
  /// A section with its items in order.
  struct Section: Equatable {
    var name: String
    var items: [Item]
  }

  /// Where an item is.
  struct Place: Hashable, Comparable {
    var section: Int
    var item: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.section, left.item) < (right.section, right.item)
    }
  }

  /// The changes that a delegate received between the beginning and the end of one change.
  struct Changes {
    /// Indices in the old list.
    var deletedSections: [Int] = []
    /// Indices in the new list, with the names.
    var insertedSections: [(index: Int, name: String)] = []
    /// Items that left or moved, at their places in the old list.
    var removed: [(place: Place, item: Item)] = []
    /// Items that came or moved, at their places in the new list.
    var inserted: [(place: Place, item: Item)] = []
    /// Items that kept their place, at that of the old list.
    var updated: [(place: Place, item: Item)] = []

    /// How many there are.
    var count: Int { deletedSections.count + insertedSections.count + removed.count + inserted.count + updated.count }
  }

  private(set) var sections: [Section]

  init(_ sections: [Section] = []) { self.sections = sections }

  /// Those of all sections, in order.
  var items: some Sequence<Item> { sections.lazy.flatMap(\.items) }

  /// Makes the changes as a table does: takes out from the end to the front, then puts in from the front to the end.
  ///
  /// - Returns: the problem; nil when each had its place. With a problem, the list has the changes so far.
  mutating func apply(_ changes: Changes) -> String? {
    for (place, item) in changes.updated + changes.removed {
      guard contains(place) else {
        return "something left or changed at \(text(place)), where the old list has nothing"
      }
      guard sections[place.section].items[place.item] == item else {
        return "what left or changed at \(text(place)) is not what the old list has there"
      }
    }
    for (place, _) in changes.removed.sorted(by: { $0.place > $1.place }) {
      // Reported twice, and taken out already.
      guard contains(place) else { return "something left \(text(place)) twice" }
      sections[place.section].items.remove(at: place.item)
    }
    for index in changes.deletedSections.sorted(by: >) {
      guard sections.indices.contains(index) else { return "section \(index) left, and the old list has none" }
      let section = sections.remove(at: index)
      guard section.items.isEmpty else {
        return "section \(index) left, without a change for \(section.items.count) of its items"
      }
    }
    for (index, name) in changes.insertedSections.sorted(by: { $0.index < $1.index }) {
      guard (0...sections.count).contains(index) else { return "section \(index) came, beyond the end of the new list" }
      sections.insert(Section(name: name, items: []), at: index)
    }
    for (place, item) in changes.inserted.sorted(by: { $0.place < $1.place }) {
      guard sections.indices.contains(place.section),
        (0...sections[place.section].items.count).contains(place.item)
      else { return "something came to \(text(place)), beyond the end of the new list" }
      sections[place.section].items.insert(item, at: place.item)
    }
    return nil
  }

  /// Where this list and another one differ first; nil when they are equal.
  func difference(from other: ShadowList, _ describe: (Item) -> String) -> String? {
    guard sections.map(\.name) == other.sections.map(\.name) else {
      return "sections \(sections.map(\.name)) instead of \(other.sections.map(\.name))"
    }
    for (index, (section, expected)) in zip(sections, other.sections).enumerated() where section != expected {
      let items = (section.items, expected.items)
      let first = zip(items.0, items.1).enumerated().first { $0.element.0 != $0.element.1 }
      let place = first?.offset ?? min(items.0.count, items.1.count)
      func item(_ items: [Item]) -> String { items.indices.contains(place) ? describe(items[place]) : "nothing" }
      let (seen, wanted) = (item(items.0), item(items.1))
      let other = seen == wanted ? "another object that is \(wanted)" : wanted
      return "\(seen) instead of \(other) at \(text(Place(section: index, item: place))), "
        + "\(items.0.count) items instead of \(items.1.count)"
    }
    return nil
  }

  private func contains(_ place: Place) -> Bool {
    sections.indices.contains(place.section) && sections[place.section].items.indices.contains(place.item)
  }

  private func text(_ place: Place) -> String { "\(place.section).\(place.item)" }
}

extension ShadowList.Changes where Item == NSManagedObject {
  /// Adds a change as a delegate receives it.
  ///
  /// - Returns: the problem; nil where it has its old and its new place.
  mutating func add(
    _ object: Any, _ type: NSFetchedResultsChangeType, from old: IndexPath?, to new: IndexPath?
  ) -> String? {
    guard let object = object as? NSManagedObject else { return "a change is about no managed object" }
    func place(_ path: IndexPath) -> ShadowList.Place { ShadowList.Place(section: path.section, item: path.item) }
    switch (type, old.map(place), new.map(place)) {
    case (.insert, nil, let new?): inserted.append((new, object))
    case (.delete, let old?, nil): removed.append((old, object))
    case (.update, let old?, _): updated.append((old, object))
    case (.move, let old?, let new?):
      removed.append((old, object))
      inserted.append((new, object))
    default: return "a change of kind \(type.rawValue) lacks a place"
    }
    return nil
  }
}
