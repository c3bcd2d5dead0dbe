/// How one list of a controller turned into the next: sections and elements, each in the order in which it is reported.
struct ResultsDiff<Element> {
  /// A place in a list: by section, and counted from the start of the list.
  struct Place: Equatable {
    let section: Int
    let item: Int
    let offset: Int
  }

  enum Kind {
    case delete, insert, move, update
  }

  struct Change {
    let element: Element
    let kind: Kind
    /// In the old list; nil for an insertion.
    let old: Place?
    /// In the new list; nil for a deletion.
    let new: Place?
  }

  struct DeletedSection {
    let index: Int
    let name: String
    /// The elements that the section had.
    let elements: [Element]
  }

  /// From the end of the old list to its front.
  var deletedSections: [DeletedSection] = []
  /// Indexes in the new list, ascending.
  var insertedSections: [Int] = []
  /// From the end of the old list to its front.
  var deletions: [Change] = []
  /// In the order of the new list, as everything that follows.
  var insertions: [Change] = []
  var moves: [Change] = []
  var updates: [Change] = []

  /// Deletions, insertions, moves, updates.
  var changes: [Change] { deletions + insertions + moves + updates }

  /// The same without sections.
  ///
  /// - Parameter id: identifies an element.
  func difference<ID>(_ id: (Element) -> ID) -> CollectionDifference<ID>? {
    var steps: [CollectionDifference<ID>.Change] = []
    for change in changes {
      let id = id(change.element)
      if let old = change.old {
        steps.append(.remove(offset: old.offset, element: id, associatedWith: change.new?.offset))
      }
      if let new = change.new {
        steps.append(.insert(offset: new.offset, element: id, associatedWith: change.old?.offset))
      }
    }
    return CollectionDifference(steps)
  }
}
