import CoreData
import Testing

/// A list in sections that knows another one only by its notifications, and takes those as a table view does.
struct ShadowTable: Equatable {
  struct Section: Equatable {
    var name: String
    var rows: [ObjectIdentifier]
  }

  /// The changes of one event.
  struct Steps {
    var deletedSections: [Int] = []
    var insertedSections: [(index: Int, name: String)] = []
    var removals: [(path: IndexPath, row: ObjectIdentifier)] = []
    var insertions: [(path: IndexPath, row: ObjectIdentifier)] = []
    var updates: [(old: IndexPath, new: IndexPath, row: ObjectIdentifier)] = []

    mutating func add(section: Int, name: String, _ type: NSFetchedResultsChangeType) {
      if type == .insert { insertedSections.append((section, name)) } else { deletedSections.append(section) }
    }

    mutating func add(
      _ row: ObjectIdentifier, at old: IndexPath?, _ type: NSFetchedResultsChangeType, _ new: IndexPath?
    ) {
      if type == .update {
        if let old, let new { updates.append((old, new, row)) }
        return
      }
      if let old { removals.append((old, row)) }
      if let new { insertions.append((new, row)) }
    }
  }

  var sections: [Section] = []

  /// Takes out rows and sections by their old places, then puts in sections and rows by their new ones.
  mutating func apply(_ steps: Steps) {
    for update in steps.updates { #expect(row(update.old) == update.row, "updated at its old place") }
    for removal in steps.removals.sorted(by: { $0.path > $1.path }) {
      guard row(removal.path) == removal.row else {
        Issue.record("\(removal.path) is not the old place of what left or moved")
        return
      }
      sections[removal.path.section].rows.remove(at: removal.path.item)
    }
    for index in steps.deletedSections.sorted(by: >) {
      guard sections.indices.contains(index), sections[index].rows.isEmpty else {
        Issue.record("section \(index) is reported to have left, and has rows or is not there")
        return
      }
      sections.remove(at: index)
    }
    for (index, name) in steps.insertedSections.sorted(by: { $0.index < $1.index }) {
      guard index <= sections.count else {
        Issue.record("no place for section \(index)")
        return
      }
      sections.insert(Section(name: name, rows: []), at: index)
    }
    for (path, row) in steps.insertions.sorted(by: { $0.path < $1.path }) {
      guard sections.indices.contains(path.section), path.item <= sections[path.section].rows.count else {
        Issue.record("no place for \(path)")
        return
      }
      sections[path.section].rows.insert(row, at: path.item)
    }
    for update in steps.updates { #expect(row(update.new) == update.row, "updated at its new place") }
  }

  private func row(_ path: IndexPath) -> ObjectIdentifier? {
    guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.item) else {
      return nil
    }
    return sections[path.section].rows[path.item]
  }
}

extension ShadowTable {
  /// The controller's table now.
  init(_ controller: NSFetchedResultsController<Card>) {
    sections = (controller.sections ?? []).map { section in
      Section(
        name: section.name,
        rows: (section.objects ?? []).compactMap { ($0 as? NSManagedObject).map(ObjectIdentifier.init) })
    }
  }
}
