import Scheduling
import RowStore

/// The models that coordinators use, which a class asks for its entity.
enum ModelsInUse {
  // Sendable: a model in use does not change.
  private struct Reference: @unchecked Sendable {
    weak var model: NSManagedObjectModel?
  }

  private struct Known: Sendable {
    /// Oldest first.
    var models: [Reference] = []
    var warned: Set<ObjectIdentifier> = []
  }

  private static let known = Locked(Known())

  /// Lists a model that is used from now on, for as long as anything holds it.
  static func add(_ model: NSManagedObjectModel) {
    // Unsafe: a model in use does not change, and the lock is held.
    nonisolated(unsafe) let model = model
    known.withLock { known in
      known.models.removeAll { $0.model == nil }
      known.models.append(Reference(model: model))
    }
  }

  /// The entities of a class's objects: in the performing context's model, or in the model in use last that has any.
  static func candidates(of type: NSManagedObject.Type) -> [NSEntityDescription] {
    if let model = ContextBlocks.performing?.model {
      let own = entities(of: type, in: model)
      if !own.isEmpty { return own }
    }
    return known.withLock { $0.models.compactMap(\.model) }.map { entities(of: type, in: $0) }.last { !$0.isEmpty }
      ?? []
  }

  /// The entity of a class's objects, as ``NSManagedObject/entity()`` says.
  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let model = ContextBlocks.performing?.model, let entity = only(entities(of: type, in: model), type) {
      return entity
    }
    let candidates = known.withLock { $0.models.compactMap(\.model) }.map { entities(of: type, in: $0) }
      .filter { !$0.isEmpty }
    guard let newest = candidates.last else {
      Warning.write(
        "No NSEntityDescriptions in any model claim the NSManagedObject subclass '\(type)' so +entity is confused. "
          + "Have you loaded your NSManagedObjectModel yet?")
      return NSEntityDescription()
    }
    guard let entity = only(newest, type) else { return NSEntityDescription() }
    if candidates.count > 1, known.withLock({ $0.warned.insert(ObjectIdentifier(type)).inserted }) {
      Warning.write("\(ambiguity(type)) The model that was loaded last is asked.")
    }
    return entity
  }

  /// Nil too where there are several, which is said.
  private static func only(_ entities: [NSEntityDescription], _ type: NSManagedObject.Type) -> NSEntityDescription? {
    if entities.count > 1 {
      Warning.write("\(ambiguity(type)) They are \(entities.map { $0.name ?? "?" }.joined(separator: ", ")); name one.")
      return nil
    }
    return entities.first
  }

  private static func ambiguity(_ type: NSManagedObject.Type) -> String {
    "Multiple NSEntityDescriptions claim the NSManagedObject subclass '\(type)' so +entity is unable to disambiguate."
  }

  private static func entities(of type: NSManagedObject.Type, in model: NSManagedObjectModel) -> [NSEntityDescription] {
    model.layout?.entities(of: type).map(\.entity) ?? []
  }
}
