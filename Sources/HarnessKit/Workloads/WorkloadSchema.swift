import Checking
import CoreData

/// What a workload keeps in its store: the model, and where checkers find its rows in the file.
public struct WorkloadSchema: @unchecked Sendable {
  // Sendable: the model is built before anybody sees it, and frozen by the first container that uses it.

  /// The notes and words that most shipped workloads work on.
  public static let notebook = WorkloadSchema(model: NotebookModel.shared, layout: .notebook)

  /// The model of every container of the cell.
  public let model: NSManagedObjectModel
  /// Tables and columns that carry logical keys, revisions and owners.
  package let layout: StoreLayout

  package init(model: NSManagedObjectModel, layout: StoreLayout) {
    self.model = model
    self.layout = layout
  }
}
