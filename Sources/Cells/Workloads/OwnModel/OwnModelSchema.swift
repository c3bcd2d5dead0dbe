import Checking
import CoreData
import Scheduling

/// The schema of a user's model: every row is known by its primary key.
enum OwnModelSchema {
  // A model is read once a process, so that all share it.
  private static let read = Locked<[String: WorkloadSchema]>([:])

  /// The schema of the model at `path`.
  ///
  /// - Throws: What is wrong with the model.
  static func schema(at path: String) throws -> WorkloadSchema {
    if let known = read.withLock({ $0[path] }) { return known }
    let model = try ModelSource.model(at: path)
    let schema = WorkloadSchema(model: model, layout: try StoreLayout(of: model))
    return read.withLock { known in
      if let first = known[path] { return first }
      known[path] = schema
      return schema
    }
  }

  /// Each entity's number in the store's file.
  static func numbers(_ schema: WorkloadSchema) -> [String: UInt16] {
    Dictionary(schema.layout.entities.map { ($0.name, $0.number) }) { first, _ in first }
  }
}
