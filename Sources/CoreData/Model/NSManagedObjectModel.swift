import Scheduling

/// The entities that a store's objects can have.
///
/// Frozen when a coordinator first gets it; a change afterwards is refused. Thread-safe once in use.
/// - SeeAlso: Apple, "NSManagedObjectModel".
open class NSManagedObjectModel: NSObject {
  /// The entities; sub-entities are listed as well.
  open var entities: [NSEntityDescription] = [] {
    willSet { precondition(layout == nil, "the model is in use; its entities can no longer change") }
    didSet { for entity in entities { entity.managedObjectModel = self } }
  }

  /// Identifiers of the model's version, kept in the store's metadata.
  open var versionIdentifiers: Set<AnyHashable> = []

  /// What was read from the model's file without being understood.
  package internal(set) var fileWarnings: [ModelFileError.Problem] = []

  private let compiled = Locked<ModelLayout?>(nil)

  /// Makes a model without entities.
  public override init() { super.init() }

  /// Entities by name.
  open var entitiesByName: [String: NSEntityDescription] {
    Dictionary(
      entities.compactMap { entity in entity.name.map { ($0, entity) } }, uniquingKeysWith: { first, _ in first })
  }

  var layout: ModelLayout? { compiled.withLock { $0 } }

  /// The model as the stack uses it; freezes the model.
  ///
  /// - Throws: `ModelError` with every problem of the model.
  func freeze() throws -> ModelLayout {
    try compiled.withLock { compiled in
      if let compiled { return compiled }
      let layout = try ModelLayout(self)
      compiled = layout
      return layout
    }
  }
}
