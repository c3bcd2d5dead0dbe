import Foundation
import RowStore
import Scheduling
import Synchronization

/// One entity as contexts work with it: the parts for objects beside its ``EntityLayout``, which stores know too.
final class ObjectLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  unowned(unsafe) let entity: NSEntityDescription
  let objectClass: NSManagedObject.Type
  /// Whether the class adds no stored properties.
  let hasPlainObjects: Bool
  /// Whether there is something to do with a fault that was filled: the class has an `awakeFromFetch()` of its own, or may
  /// have, or transient attributes have defaults.
  @exclusivity(unchecked)
  private(set) var awakensFromFetch: Bool
  /// Whether the class, or one that an object of the entity was made of, may have a `willSave()` or `didSave()` of its own.
  var hasSaveHooks: Bool { hasSaveHooksStorage.load(ordering: .relaxed) }
  private let hasSaveHooksStorage: Atomic<Bool>
  /// Members of the class for key-value coding, by name; nil for none.
  let keyed: KeyedMembers?
  /// Fetched properties, inherited ones too; they have no slot.
  @exclusivity(unchecked)
  private(set) var fetchedProperties: [String: NSFetchedPropertyDescription]
  /// Conditions on values before they are saved, by the properties' indices.
  @exclusivity(unchecked)
  private(set) var rules: [[ValidationRule]]
  /// The checks of a save; known once the model is complete.
  @exclusivity(unchecked)
  private(set) var validation = ValidationPlan()
  /// Whether an object can only lack a value or lead to one that is gone: the plan is empty, and there are no joins.
  @exclusivity(unchecked)
  private(set) var isPlain = false

  private let knownVersionHash = Locked<Data?>(nil)

  /// The entity's version hash, made when it is asked for first: each opening of a store does.
  var versionHash: Data {
    knownVersionHash.withLock { known in
      if let known { return known }
      let made = entity.versionHash
      known = made
      return made
    }
  }

  init(_ entity: NSEntityDescription, objectClass: NSManagedObject.Type, keyed: KeyedMembers?, parent: ObjectLayout?) {
    self.entity = entity
    self.objectClass = objectClass
    self.keyed = keyed
    hasPlainObjects = ObjectMaking.isWithoutStorage(objectClass)
    hasSaveHooksStorage = Atomic(SaveHooks.areOverridden(by: objectClass))
    awakensFromFetch = AwakeHook.isOverridden(by: objectClass)
    fetchedProperties = parent?.fetchedProperties ?? [:]
    rules = parent?.rules ?? []
  }

  func take(_ property: NSFetchedPropertyDescription) { fetchedProperties[property.name] = property }

  /// Notes the class of an object of the entity that is not the entity's.
  @inline(never)
  func note(_ type: NSManagedObject.Type) {
    if SaveHooks.areOverridden(by: type) { hasSaveHooksStorage.store(true, ordering: .relaxed) }
  }

  /// Adds the rules of the next property.
  func take(_ rules: [ValidationRule]) { self.rules.append(rules) }

  func finish(_ layout: EntityLayout) {
    precondition(rules.count == layout.properties.count, "the rules of a property are where its index says")
    if layout.hasTransientDefaults { awakensFromFetch = true }
    validation = ValidationPlan(layout)
    isPlain = validation.isEmpty && !layout.hasJoins
  }
}

/// The entities of a model by the classes of their objects.
final class ObjectClasses: Sendable {
  private let entities: [ObjectIdentifier: [EntityLayout]]

  init(_ entities: [EntityLayout]) {
    self.entities = Dictionary(grouping: entities) { ObjectIdentifier($0.objectClass) }
  }

  func entities(of type: NSManagedObject.Type) -> [EntityLayout] { entities[ObjectIdentifier(type)] ?? [] }
}

extension EntityLayout {
  @inline(__always)
  var objects: ObjectLayout { unsafeDowncast(contextPart, to: ObjectLayout.self) }

  @inline(__always)
  var entity: NSEntityDescription { objects.entity }

  @inline(__always)
  var objectClass: NSManagedObject.Type { objects.objectClass }

  @inline(__always)
  var validation: ValidationPlan { objects.validation }
}

extension ModelLayout {
  /// Whether an object may have a `willSave()` or `didSave()` of its own.
  var hasSaveHooks: Bool { entities.contains { $0.objects.hasSaveHooks } }

  /// Entities with objects of `type`.
  func entities(of type: NSManagedObject.Type) -> [EntityLayout] {
    unsafeDowncast(contextPart, to: ObjectClasses.self).entities(of: type)
  }
}

extension ValidationRule {
  /// The rules of a property, in the model's order.
  static func rules(of property: NSPropertyDescription) -> [ValidationRule] {
    let warnings = property.validationWarnings
    return property.validationPredicates.enumerated().map { position, predicate in
      let warning = position < warnings.count ? warnings[position] : nil
      return ValidationRule(predicate, code: (warning as? NSNumber)?.intValue, warning: warning as? String)
    }
  }
}
