import Checking
import CoreData

/// Breaks each rule that a model has for the values of its objects, one after the other: the save must be refused, and
/// the object stay as it was.
///
/// One object of each entity is taken for it. A rule that no value was found to break is left out.
struct RuleAudit {
  /// A change that a rule forbids.
  private struct Breach {
    let property: String
    /// The breach, in a report's words.
    let what: String
    let values: [String: Any?]

    init(_ property: String, _ what: String, _ value: Any?) {
      self.init(property, what, values: [property: value])
    }

    init(_ property: String, _ what: String, values: [String: Any?]) {
      precondition(!values.isEmpty, "who breaks a rule changes something")
      (self.property, self.what, self.values) = (property, what, values)
    }
  }

  let context: NSManagedObjectContext
  /// Whether a fault that the scenario asks for explains an error.
  let isFault: (any Error) -> Bool
  /// Breaches with a judged save.
  private(set) var tried = 0
  private(set) var violations: [Violation] = []

  init(context: NSManagedObjectContext, isFault: @escaping (any Error) -> Bool) {
    (self.context, self.isFault) = (context, isFault)
  }

  /// Breaks the rules. Off the context's queue; the context is empty afterwards.
  mutating func run() throws {
    try context.performAndWait {
      // Another policy of the scenario would settle the conflict of two objects with one value.
      let policy = context.mergePolicy
      context.mergePolicy = NSErrorMergePolicy
      defer { context.mergePolicy = policy }
      let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
      for entity in entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) where !entity.isAbstract {
        try breakRules(of: entity)
        context.reset()
      }
    }
  }

  private mutating func breakRules(of entity: NSEntityDescription) throws {
    guard let name = entity.name else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.includesSubentities = false
    request.fetchLimit = 1
    guard let object = try context.fetch(request).first else { return }
    var before = ObjectSnapshot(object)
    for breach in try breaches(of: object) {
      for (key, value) in breach.values { object.setValue(value, forKey: key) }
      if try isRefused(breach, name) {
        if let difference = before.difference(from: ObjectSnapshot(object)) {
          report(name, difference, "after a refused save was rolled back")
        }
      } else {
        before = ObjectSnapshot(object)
      }
    }
    if let breach = Self.missingValues(in: entity).first {
      NSEntityDescription.insertNewObject(forEntityName: name, into: context).setValue(nil, forKey: breach.property)
      _ = try isRefused(breach, name)
    }
    if let breach = Self.deniedDeletion(of: object) {
      context.delete(object)
      guard try isRefused(breach, name) else { return }
    }
    context.refresh(object, mergeChanges: false)
    if let difference = before.difference(from: ObjectSnapshot(object)) {
      report(name, difference, "in the store after refused saves")
    }
  }

  /// Saves, and takes back a refused change.
  private mutating func isRefused(_ breach: Breach, _ entity: String) throws -> Bool {
    do {
      try context.save()
      tried += 1
      violations.append(
        Violation(
          kind: .wrongValue, subject: "\(entity).\(breach.property)", expected: "a save with \(breach.what) is refused",
          seen: "it succeeded"))
      return false
    } catch {
      let code = (error as NSError).code
      let isAsked = Self.validationCodes.contains(code) || code == NSManagedObjectConstraintMergeError
      guard isAsked || isFault(error) else { throw error }
      if isAsked { tried += 1 }
      context.rollback()
      return true
    }
  }

  private mutating func report(
    _ entity: String, _ difference: (property: String, expected: String, seen: String), _ when: String
  ) {
    violations.append(
      Violation(
        kind: .wrongValue, subject: "\(entity).\(difference.property)", expected: "\(difference.expected) \(when)",
        seen: difference.seen))
  }

  private static let validationCodes = NSManagedObjectValidationError...NSValidationStringPatternMatchingError

  // MARK: Breaches of the model's rules

  private func breaches(of object: NSManagedObject) throws -> [Breach] {
    let entity = object.entity
    var breaches = Self.missingValues(in: entity)
    for (name, attribute) in Self.stored(entity) {
      for predicate in attribute.validationPredicates {
        guard let value = RefusedValue.value(of: attribute.attributeType, refusedBy: predicate) else { continue }
        breaches.append(Breach(name, "a value that \(predicate) does not accept", value))
      }
    }
    for (name, relationship) in Self.sorted(entity.relationshipsByName) where !relationship.isTransient {
      if !relationship.isToMany {
        if !relationship.isOptional { breaches.append(Breach(name, "no object", nil)) }
        continue
      }
      if !relationship.isOptional, relationship.minCount > 0 {
        breaches.append(Breach(name, "no objects", Self.collection([], relationship)))
      }
      if let members = try tooMany(relationship) {
        breaches.append(
          Breach(name, "\(members.count) objects, one too many", Self.collection(members, relationship)))
      }
    }
    return breaches + (try sharedValues(of: object))
  }

  /// The values of another object that no two may share.
  private func sharedValues(of object: NSManagedObject) throws -> [Breach] {
    var breaches: [Breach] = []
    var level: NSEntityDescription? = object.entity
    while let entity = level, let name = entity.name {
      level = entity.superentity
      for constraint in entity.uniquenessConstraints {
        let keys = constraint.compactMap { $0 as? String ?? ($0 as? NSPropertyDescription)?.name }
        guard let key = keys.first, keys.allSatisfy({ entity.attributesByName[$0] != nil }) else { continue }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.fetchLimit = 2
        guard let other = try context.fetch(request).first(where: { $0 !== object }) else { continue }
        // A model may name an attribute twice.
        let values = Dictionary(keys.map { ($0, other.value(forKey: $0)) }) { first, _ in first }
        guard values.values.allSatisfy({ $0 != nil }) else { continue }
        breaches.append(Breach(key, "what another object has, which must be unique", values: values))
      }
    }
    return breaches
  }

  /// One object more than a relationship may have; nil where there are fewer.
  private func tooMany(_ relationship: NSRelationshipDescription) throws -> [NSManagedObject]? {
    // More would cost more than they show.
    let most = 100
    guard 2..<most ~= relationship.maxCount, let name = relationship.destinationEntity?.name else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.fetchLimit = relationship.maxCount + 1
    let members = try context.fetch(request)
    return members.count > relationship.maxCount ? members : nil
  }

  /// Nil where the model may allow it: another rule may delete the obstacle as well.
  private static func deniedDeletion(of object: NSManagedObject) -> Breach? {
    let relationships = object.entity.relationshipsByName
    guard !relationships.values.contains(where: { $0.deleteRule == .cascadeDeleteRule }) else { return nil }
    return sorted(relationships).first { name, relationship in
      relationship.deleteRule == .denyDeleteRule && !ObjectSnapshot.members(of: name, in: object).isEmpty
    }.map { Breach($0.key, "the deletion of an object that it denies", nil) }
  }

  private static func missingValues(in entity: NSEntityDescription) -> [Breach] {
    stored(entity).filter { !$0.value.isOptional }.map { Breach($0.key, "no value", nil) }
  }

  private static func stored(_ entity: NSEntityDescription) -> [(key: String, value: NSAttributeDescription)] {
    sorted(entity.attributesByName.filter { !$1.isTransient && !($1 is NSDerivedAttributeDescription) })
  }

  private static func sorted<Value>(_ properties: [String: Value]) -> [(key: String, value: Value)] {
    properties.sorted { $0.key < $1.key }
  }

  private static func collection(_ members: [NSManagedObject], _ relationship: NSRelationshipDescription) -> Any {
    relationship.isOrdered ? NSOrderedSet(array: members) : Set(members)
  }
}
