import Checking
import CoreData
import Scheduling

/// The schema of a user's model: every row is known by its primary key.
enum OwnModelSchema {
  // A model is read once a process, so that all share it.
  private static let read = Locked<[String: WorkloadSchema]>([:])

  /// The schema of the model at `path`.
  ///
  /// - Throws: The problem of the model.
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

  // Planned once a process for a model and a size.
  private static let planned = Locked<Set<String>>([])

  /// Tries to plan data for the model before anything runs.
  ///
  /// - Throws: Why there is no plan, with the least size that has one, or that none has.
  static func requirePlan(of schema: WorkloadSchema, at path: String, saveEvery: Int) throws {
    precondition(saveEvery > 0, "a save has objects")
    let key = "\(saveEvery) \(path)"
    guard !planned.withLock({ $0.contains(key) }) else { return }
    let count = schema.model.entities.count { !$0.isAbstract }
    guard count > 0 else {
      throw ModelSource.Unusable(description: "\(path): has no entity that is not abstract")
    }
    let size = max(1, saveEvery / count)
    if let reason = refusal(schema.model, size) {
      let larger = [2, 4, 8, 16].map { size * $0 }.first { refusal(schema.model, $0) == nil }
      let advice =
        larger.map { "raise save_every to \($0 * count)" } ?? "no save_every helps: data for this model cannot be made"
      throw ModelSource.Unusable(description: "\(path): \(reason); \(advice)")
    }
    planned.withLock { _ = $0.insert(key) }
  }

  /// Why so many objects of each entity cannot be planned; nil when they can.
  private static func refusal(_ model: NSManagedObjectModel, _ size: Int) -> String? {
    do throws(AttributeGenerator.Impossible) {
      var planner = try ClusterPlanner(model, seed: 1)
      _ = try planner.cluster(size)
      return nil
    } catch {
      return error.description
    }
  }

  /// Each entity's number in the store's file.
  static func numbers(_ schema: WorkloadSchema) -> [String: UInt16] {
    Dictionary(schema.layout.entities.map { ($0.name, $0.number) }) { first, _ in first }
  }
}
