/// One section of a fetched results controller, as it was when it was asked for.
///
/// - SeeAlso: Apple, "NSFetchedResultsSectionInfo".
public protocol NSFetchedResultsSectionInfo {
  /// The section key path's value for each object of the section, as text; empty for nil.
  var name: String { get }
  /// The section's entry in an index.
  var indexTitle: String? { get }
  /// How many objects the section has.
  var numberOfObjects: Int { get }
  /// The objects, in order. Complexity: O(*n*).
  var objects: [Any]? { get }
}

/// A part of the list of a controller; shares the list's storage.
final class FetchedSection: NSFetchedResultsSectionInfo {
  let name: String
  private let elements: ArraySlice<NSManagedObject>
  private weak var controller: FetchedResults.Controller?

  init(name: String, elements: ArraySlice<NSManagedObject>, controller: FetchedResults.Controller?) {
    self.name = name
    self.elements = elements
    self.controller = controller
  }

  var indexTitle: String? { controller?.sectionIndexTitle(forSectionName: name) }
  var numberOfObjects: Int { elements.count }
  var objects: [Any]? { Array(elements) }
}
