import Boundary
import Checking
import CoreData

/// The contents of a workload's store: the model, and where checkers find its rows in the file.
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
  ///   - values: By entity, the recorded attributes and to-one relationships, in the order of the
  ///     records: see ``WorkerRecorder/record(_:_:of:entity:key:value:values:)``.
  ///   - owners: By entity, the to-one relationship to its rows' owner, where the model leaves it optional. A row
  ///     without its owner is an orphan; an insert records as its value the logical key of the rows' owner.
  /// - Throws: The problem of the model, or a property that an entity does not have.
  public init(
    model: NSManagedObjectModel, keys: [String: String], revisions: [String: String] = [:],
    values: [String: [String]] = [:], owners: [String: String] = [:]
  ) throws {
    var layout = try StoreLayout(of: model, keys: keys, revisions: revisions, values: values)
    for (entity, owner) in owners {
      guard layout.entities.contains(where: { $0.name == entity && $0.references.contains { $0.name == owner } }) else {
        throw HarnessFailure("\(entity) has no to-one relationship \(owner)")
      }
      layout.require(owner, of: entity)
    }
    self.init(model: model, layout: layout)
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
    precondition(
      layout.entities.allSatisfy { model.entitiesByName[$0.name] != nil }, "the layout is of entities of the model")
    self.model = model
    self.layout = layout
  }
}
