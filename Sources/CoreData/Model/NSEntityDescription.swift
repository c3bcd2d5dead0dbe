import Scheduling
import RowStore

/// A kind of object: its name, its class and its properties.
///
/// - SeeAlso: Apple, "NSEntityDescription".
open nonisolated class NSEntityDescription: NSObject, NSCopying, NSCoding {
  /// The entity's name; unique in its model.
  open var name: String? {
    willSet { requireMutable() }
  }

  /// Name of the class of the entity's objects, `NSManagedObject` by default; with its module (`NSStringFromClass`)
  /// where several modules have a class of that name.
  open var managedObjectClassName: String! = "NSManagedObject" {
    willSet { requireMutable() }
  }

  /// Whether the entity has no objects of its own, only sub-entities that do.
  open var isAbstract = false {
    willSet { requireMutable() }
  }

  /// Anything the developer wants to keep with the entity; it may be changed while the model is in use.
  open var userInfo: [AnyHashable: Any]? = [:]

  /// The name in the version before, for migration; the name itself unless it was set.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set {
      requireMutable()
      ownRenamingIdentifier = newValue
    }
  }

  private var ownRenamingIdentifier: String?

  /// Something that makes the version hash another one though the structure is the same.
  open var versionHashModifier: String? {
    willSet { requireMutable() }
  }

  /// Lists of attributes, by name or as descriptions: no two objects of the entity may share all values of a list; each is a
  /// unique index of the store. Objects with a nil among them never collide.
  open var uniquenessConstraints: [[Any]] = [] {
    willSet { requireMutable() }
  }

  /// The indexes that a store has for fetches of the entity.
  open var indexes: [NSFetchIndexDescription] = [] {
    willSet {
      requireMutable()
      for index in indexes where index.entity === self { index.entity = nil }
    }
    didSet { for index in indexes { index.entity = self } }
  }

  /// The text for an object in the results of search on Apple's systems; kept with the model, and used by nothing here. A
  /// constant nil unless it was set.
  open var coreSpotlightDisplayNameExpression = NSExpression(forConstantValue: nil) {
    willSet { requireMutable() }
  }

  /// Entities that inherit this one's properties; setting them sets their ``superentity``.
  open var subentities: [NSEntityDescription] = [] {
    willSet {
      requireMutable()
      for entity in newValue { entity.requireMutable() }
      for entity in subentities where entity.superentity === self { entity.superentity = nil }
    }
    didSet { for entity in subentities { entity.superentity = self } }
  }

  /// The entity that this one inherits properties from.
  open internal(set) unowned(unsafe) var superentity: NSEntityDescription?

  /// The entity's own properties and, once its model is in use, those it inherits.
  open var properties: [NSPropertyDescription] {
    get { (superentity?.properties ?? []) + ownProperties }
    set {
      requireMutable()
      let inherited = superentity?.properties ?? []
      for property in ownProperties where property.entity === self { property.attach(to: nil) }
      ownProperties = newValue.filter { property in !inherited.contains { $0 === property } }
      for property in ownProperties { property.attach(to: self) }
    }
  }

  private(set) var ownProperties: [NSPropertyDescription] = []

  /// How the class is found.
  final var classRule = EntityClassRule.named

  /// Attributes by name of indexes over several of them; see ``indexes``, which took their place.
  open var compoundIndexes: [[Any]] = [] {
    willSet { requireMutable() }
  }

  /// The model the entity belongs to, which it does not hold: nil once the model is gone.
  open internal(set) unowned(unsafe) var managedObjectModel: NSManagedObjectModel!

  /// The form that the stack works with, once the model is in use.
  @exclusivity(unchecked)
  final var layout: EntityLayout? {
    didSet { layoutReference = layout.map { .passUnretained($0) } }
  }
  /// The same, to be looked at without counting a reference.
  @exclusivity(unchecked)
  private(set) final var layoutReference: Unmanaged<EntityLayout>?

  /// Lives as long as the entity.
  final let anchor = EntityAnchor()

  /// Makes an entity without a name or properties.
  public override init() {
    super.init()
    anchor.entity = self
  }

  // Members that outlive the entity belong to none, and subentities inherit from none.
  deinit {
    anchor.entity = nil
    for entity in subentities where entity.superentity === self { entity.superentity = nil }
    for property in ownProperties where property.entity === self { property.attach(to: nil) }
    for index in indexes where index.entity === self { index.entity = nil }
  }

  /// Takes the entity out of a model that ends; the stack no longer knows it.
  final func leaveModel() {
    managedObjectModel = nil
    layout = nil
  }

  /// Properties by name, inherited ones included.
  open var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
  }

  /// Direct sub-entities by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(
      subentities.compactMap { entity in entity.name.map { ($0, entity) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Attributes by name, inherited ones included.
  open var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// Relationships by name, inherited ones included.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// Relationships that lead to `entity`, inherited ones included.
  open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }
  }

  /// Whether this entity is `entity` or inherits from it.
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    var candidate: NSEntityDescription? = self
    while let current = candidate {
      if current === entity { return true }
      candidate = current.superentity
    }
    return false
  }

  /// The entity of that name in the model of `context`'s coordinator; nil when there is none.
  open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
    context.model?.entitiesByName[entityName]
  }

  /// Makes an object of the named entity and inserts it into `context`; on the context's queue.
  ///
  /// - Precondition: the model of the context has an entity of that name that is not abstract.
  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let model = context.model else {
      preconditionFailure("\(context.label) has no persistent store coordinator, so no entity \"\(entityName)\"")
    }
    guard let entity = model.entitiesByName[entityName], let layout = entity.layout else {
      preconditionFailure("the model has no entity \"\(entityName)\"; it has \(model.entitiesByName.keys.sorted())")
    }
    return ObjectMaking.insert(entity, layout.objectClass, context)
  }

  final func requireMutable() {
    if layout != nil { FrozenModel.refuseChange() }
  }

  // MARK: Versions and copies

  /// 32 bytes that are equal for equal structures: name, parent, and the stored properties.
  open var versionHash: Data { VersionHash.of(self) }

  /// Refuses: descriptions are not archived here; keep the `.xcdatamodeld`.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSEntityDescription") }

  /// Ends the process: descriptions are not archived here; keep the `.xcdatamodeld`.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSEntityDescription") }

  /// An entity with copies of the own properties and indexes, which can be changed; it belongs to no model, inherits from
  /// none, and its relationships lead where this one's lead.
  open func copy(with zone: NSZone? = nil) -> Any {
    var copier = ModelCopier()
    copier.add(self)
    guard let copy = copier.copy(of: self) else { return self }
    copier.connect(self, keepsTargets: true)
    return copy
  }

  final func copyState(to copy: NSEntityDescription) {
    copy.name = name
    copy.managedObjectClassName = managedObjectClassName
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.ownRenamingIdentifier = ownRenamingIdentifier
    copy.versionHashModifier = versionHashModifier
    copy.classRule = classRule
    copy.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
  }

  /// Whether the other one is an equal entity, with its properties in any order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return other === self || isSame(other)
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }

  private func isSame(_ other: NSEntityDescription) -> Bool {
    name == other.name && managedObjectClassName == other.managedObjectClassName && isAbstract == other.isAbstract
      && superentity?.name == other.superentity?.name && ownRenamingIdentifier == other.ownRenamingIdentifier
      && versionHashModifier == other.versionHashModifier
      && coreSpotlightDisplayNameExpression == other.coreSpotlightDisplayNameExpression
      && Set(subentities.compactMap(\.name)) == Set(other.subentities.compactMap(\.name))
      && DescriptionComparison.isEqual(userInfo, other.userInfo) && Set(ownProperties) == Set(other.ownProperties)
      && Set(indexes) == Set(other.indexes)
      && Self.keys(uniquenessConstraints) == Self.keys(other.uniquenessConstraints)
      && Self.keys(compoundIndexes) == Self.keys(other.compoundIndexes)
  }

  private static func keys(_ lists: [[Any]]) -> [[String]] {
    lists.map { $0.map { NSPropertyDescription.keyPath(of: $0) } }
  }
}
