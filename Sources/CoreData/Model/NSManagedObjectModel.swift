import Scheduling
import RowStore

/// The entities that a store's objects can have.
///
/// Frozen when a coordinator first gets it; a change afterwards is refused. Thread-safe once in use.
/// - SeeAlso: Apple, "NSManagedObjectModel".
open nonisolated class NSManagedObjectModel: NSObject, NSCopying, NSCoding {
  /// The entities; sub-entities are listed as well.
  open var entities: [NSEntityDescription] = [] {
    willSet {
      requireMutable()
      for entity in newValue { entity.requireMutable() }
      for entity in entities where entity.managedObjectModel === self { entity.managedObjectModel = nil }
    }
    didSet {
      for entity in entities { entity.managedObjectModel = self }
      for (name, members) in entitiesByConfiguration {
        entitiesByConfiguration[name] = members.filter { member in entities.contains { $0 === member } }
      }
    }
  }

  /// Identifiers of the model's version, kept in the store's metadata.
  open var versionIdentifiers: Set<AnyHashable> = [] {
    willSet { requireMutable() }
  }

  /// Names to show to users, under `Entity/NAME`, `Property/NAME/Entity/ENTITY`, `Property/NAME` and
  /// `ErrorString/SENTENCE`; kept with the model, and used by nothing here.
  open var localizationDictionary: [String: String]? {
    willSet { requireMutable() }
  }

  /// The entities of each configuration.
  final var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]

  /// The templates by name; copies are given out.
  final var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]

  /// Parts of the model's file that were read and not understood.
  package internal(set) var fileWarnings: [ModelFileError.Problem] = []

  /// Where it was read from.
  final var file: ModelFile?

  private let compiled = Locked<ModelLayout?>(nil)

  /// The copies of entities that new stores keep.
  final let storedCopies = Locked<[[ObjectIdentifier]: Data]>([:])

  package final let images = StoreImages()

  /// Makes a model without entities.
  public override init() { super.init() }

  // Entities that outlive it belong to no model.
  deinit {
    for entity in entities where entity.managedObjectModel === self { entity.leaveModel() }
  }

  /// Refuses: models are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSManagedObjectModel") }

  /// Ends the process: models are not archived here; keep the `.xcdatamodeld`.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSManagedObjectModel") }

  /// A model with copies of everything, which can be changed.
  open func copy(with zone: NSZone? = nil) -> Any { copied() }

  /// Whether the other one is a model with equal entities, and configurations of the same ones.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return other === self || entitiesByName == other.entitiesByName && members == other.members
  }

  /// Of the number of entities.
  open override var hash: Int { entities.count }

  private var members: [String: Set<String>] { entitiesByConfiguration.mapValues { Set($0.compactMap(\.name)) } }

  /// Entities by name.
  open var entitiesByName: [String: NSEntityDescription] {
    Dictionary(
      entities.compactMap { entity in entity.name.map { ($0, entity) } }, uniquingKeysWith: { first, _ in first })
  }

  var layout: ModelLayout? { compiled.withLock { $0 } }

  final func requireMutable() {
    if layout != nil { FrozenModel.refuseChange() }
  }

  /// The model as the stack uses it; freezes the model.
  ///
  /// - Throws: `ModelError` with every problem of the model.
  func freeze() throws -> ModelLayout {
    try compiled.withLock { compiled in
      if let compiled { return compiled }
      let layout = try LayoutBuilder.build(self)
      compiled = layout
      ModelsInUse.add(self)
      return layout
    }
  }
}

/// Why descriptions are not archived.
enum ArchiveRefusal {
  static func refuse(_ name: String) -> Never {
    preconditionFailure("\(name) cannot be archived here; keep the .xcdatamodeld, or the code that makes the model")
  }
}
