import Checking
import CoreData

/// What a workload keeps in its store: the model, and where checkers find its rows in the file.
public struct WorkloadSchema: @unchecked Sendable {
  // Sendable: the model is built before it is shared, and frozen by the first container that uses it.

  /// The notes and words that most shipped workloads work on.
  public static let notebook = WorkloadSchema(model: NotebookModel.shared, layout: .notebook)

  /// The model of every container of the cell.
  public let model: NSManagedObjectModel
  /// Tables and columns that carry logical keys, revisions and owners.
  package let layout: StoreLayout

  /// A model of your own.
  ///
  /// - Parameters:
  ///   - model: The model of the workload.
  ///   - keys: By entity, the attribute with its logical key, a whole number; rows of other entities are identified by
  ///     their primary key.
  ///   - revisions: By entity, the attribute that every update raises by one.
  /// - Throws: What is wrong with the model, or an attribute that an entity does not have.
  public init(model: NSManagedObjectModel, keys: [String: String], revisions: [String: String] = [:]) throws {
    self.init(model: model, layout: try StoreLayout(of: model, keys: keys, revisions: revisions))
  }

  /// The number of an entity in history records.
  ///
  /// - Precondition: the model has it, and it is not abstract.
  public func number(ofEntity name: String) -> UInt16 {
    guard let entity = layout.entities.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is an entity of the workload's model")
    }
    return entity.number
  }

  package init(model: NSManagedObjectModel, layout: StoreLayout) {
    self.model = model
    self.layout = layout
  }
}
