import Boundary
import Checking
import CoreData
import Measuring
import Scheduling

/// One importer of a user's model: writes its clusters, edits and deletes objects of its own, and knows the expected state of
/// each afterwards.
///
/// Concurrency: used by one thread at a time.
final class OwnModelClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// The changes of one save.
  private struct Changes: UnitChanges {
    /// Each entity's number in the store's file.
    let numbers: [String: UInt16]
    var inserted: [NSManagedObjectID: ObjectSnapshot] = [:]
    var updated: [NSManagedObjectID: ObjectSnapshot] = [:]
    var deleted: [NSManagedObjectID] = []

    var objectCount: Int { inserted.count + updated.count + deleted.count }
    var identifiers: [NSManagedObjectID] { Array(inserted.keys) + Array(updated.keys) + deleted }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      for id in inserted.keys { record(type, .insert, id, in: recorder) }
      for id in deleted { record(type, .delete, id, in: recorder) }
    }

    func recordPush(in recorder: WorkerRecorder) {
      for id in inserted.keys { record(.ok, .push, id, in: recorder) }
    }

    private func record(
      _ type: OperationType, _ function: OperationFunction, _ id: NSManagedObjectID, in recorder: WorkerRecorder
    ) {
      guard let number = id.entity.name.flatMap({ numbers[$0] }), let key = OwnModelClient.key(of: id) else {
        preconditionFailure("what is saved has a permanent ID, and its entity a number in the file")
      }
      recorder.history.record(type, function, entity: number, key: key)
    }
  }

  private let session: CellSession
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder
  private let clusters: [[PlannedObject]]
  private let spares: [PlannedObject]
  private let numbers: [String: UInt16]
  private var random: SeededRandom
  /// The expected state of every object, by its ID: the sum of all acknowledged saves.
  private(set) var expected: [NSManagedObjectID: ObjectSnapshot] = [:]
  /// The IDs of `expected` in the order of their making, deleted ones too.
  private var made: [NSManagedObjectID] = []
  /// Objects of a failed save that a parent context got: they may yet come to the file, or not.
  private(set) var uncertain: Set<NSManagedObjectID> = []
  /// Changes that the model did not accept.
  private(set) var refusals = 0
  /// When the latest save became durable; nil before.
  private(set) var lastDurable: UInt64?
  /// Saves that never became durable.
  private(set) var undurableSaves = 0

  /// - Parameters:
  ///   - spares: Objects that edits take values from.
  ///   - numbers: Each entity's number in the store's file.
  init(
    session: CellSession, writer: any StrategyWriter, clusters: [[PlannedObject]], spares: [PlannedObject],
    numbers: [String: UInt16]
  ) throws {
    self.session = session
    self.writer = writer
    self.clusters = clusters
    self.spares = spares
    self.numbers = numbers
    recorder = try session.makeRecorder()
    random = SeededRandom(seed: session.seed).split(UInt64(recorder.history.process))
  }

  // MARK: Phases

  /// Writes all clusters, one per save.
  func importAll() {
    for cluster in clusters { commit("import") { context in try Self.insert(cluster, into: context) } }
  }

  /// Changes a value or a relationship of so many objects, one per save.
  func edit(_ count: Int) {
    for _ in 0..<count {
      commit("edit") { [self] context in
        let object = try self.object(in: context)
        if Bool.random(using: &random), try relate(object, in: context) { return }
        try setValue(of: object)
      }
    }
  }

  /// Deletes so many objects by the model's rules, one per save.
  func delete(_ count: Int) {
    for _ in 0..<count {
      commit("delete") { [self] context in
        let object = try self.object(in: context)
        context.delete(object)
        context.processPendingChanges()
        let gone = Set(context.deletedObjects.map(\.objectID))
        guard gone.count <= max(1, expected.count / Self.deletedShare) else { throw UnitRecorder.GivenUp() }
        try release(gone, in: context)
      }
    }
  }

  // MARK: Changes

  /// A delete that takes along more than one in so many objects is not made, so that something is left to check.
  private static let deletedShare = 8

  /// Removes deleted objects from the relationships that no delete rule covers: those without an inverse,
  /// and those with the rule "No Action" on the inverse.
  private func release(_ gone: Set<NSManagedObjectID>, in context: NSManagedObjectContext) throws {
    for (id, snapshot) in expected where !gone.contains(id) {
      for (name, members) in snapshot.members where !gone.isDisjoint(with: members) {
        let object = try context.existingObject(with: id)
        guard let relationship = object.entity.relationshipsByName[name] else { continue }
        if let inverse = relationship.inverseRelationship, inverse.deleteRule != .noActionDeleteRule { continue }
        let left = try members.filter { !gone.contains($0) }.map { try context.existingObject(with: $0) }
        Self.set(left, for: relationship, named: name, of: object)
      }
    }
  }

  static func insert(_ cluster: [PlannedObject], into context: NSManagedObjectContext) throws {
    precondition(
      cluster.allSatisfy { $0.links.values.joined().allSatisfy(cluster.indices.contains) },
      "an object is related to others of its cluster")
    let objects = cluster.map { planned in
      let object = NSEntityDescription.insertNewObject(forEntityName: planned.entity, into: context)
      for (name, value) in planned.values { object.setValue(value, forKey: name) }
      return object
    }
    for (object, planned) in zip(objects, cluster) {
      for (name, positions) in planned.links {
        guard let relationship = object.entity.relationshipsByName[name] else {
          preconditionFailure("links are planned of the entity's own relationships")
        }
        set(positions.map { objects[$0] }, for: relationship, named: name, of: object)
      }
    }
  }

  /// Makes these the objects of a relationship.
  private static func set(
    _ members: [NSManagedObject], for relationship: NSRelationshipDescription, named name: String,
    of object: NSManagedObject
  ) {
    if !relationship.isToMany {
      object.setValue(members.first, forKey: name)
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: members), forKey: name)
    } else {
      object.setValue(Set(members), forKey: name)
    }
  }

  /// One of the client's objects, drawn.
  private func object(in context: NSManagedObjectContext) throws -> NSManagedObject {
    let there = made.filter { expected[$0] != nil }
    guard let id = there.randomElement(using: &random) else { throw UnitRecorder.GivenUp() }
    return try context.existingObject(with: id)
  }

  private func setValue(of object: NSManagedObject) throws {
    let candidates = spares.indices.filter { spares[$0].entity == object.entity.name }
    guard let spare = candidates.randomElement(using: &random) else { throw UnitRecorder.GivenUp() }
    let constrained = Self.constrained(object.entity)
    let names = object.entity.attributesByName.keys.filter { name in
      !constrained.contains(name) && object.entity.attributesByName[name]?.isTransient == false
        && !(object.entity.attributesByName[name] is NSDerivedAttributeDescription)
    }.sorted()
    guard let name = names.randomElement(using: &random) else { throw UnitRecorder.GivenUp() }
    object.setValue(spares[spare].values[name], forKey: name)
  }

  /// The properties of uniqueness constraints, which edits leave alone.
  private static func constrained(_ entity: NSEntityDescription) -> Set<String> {
    var names: Set<String> = []
    var level: NSEntityDescription? = entity
    while let current = level {
      for element in current.uniquenessConstraints.joined() {
        if let name = element as? String ?? (element as? NSPropertyDescription)?.name { names.insert(name) }
      }
      level = current.superentity
    }
    return names
  }

  /// Takes an object out of a relationship, moves it, replaces it by another one of the client's, or puts one into it; false
  /// where the entity has none.
  private func relate(_ object: NSManagedObject, in context: NSManagedObjectContext) throws -> Bool {
    let names = object.entity.relationshipsByName.keys.filter {
      object.entity.relationshipsByName[$0]?.isTransient == false
    }.sorted()
    guard let name = names.randomElement(using: &random), let relationship = object.entity.relationshipsByName[name],
      let destination = relationship.destinationEntity
    else { return false }
    var members = ObjectSnapshot.members(of: name, in: object)
    let others = made.filter { expected[$0] != nil && $0.entity.isKindOf(entity: destination) && $0 != object.objectID }
    if relationship.isToMany, !members.isEmpty, Bool.random(using: &random) {
      let member = members.remove(at: Int.random(in: 0..<members.count, using: &random))
      if relationship.isOrdered, !members.isEmpty, Bool.random(using: &random) {
        members.insert(member, at: Int.random(in: 0...members.count, using: &random))
      } else if relationship.inverseRelationship != nil, Bool.random(using: &random),
        let id = others.randomElement(using: &random), id != member.objectID
      {
        let other = try context.existingObject(with: id)
        if !members.contains(other) { members.insert(other, at: Int.random(in: 0...members.count, using: &random)) }
      }
    } else if relationship.isToMany, relationship.inverseRelationship == nil {
      // An object that another one has would leave that one, which does not hear of it.
      return false
    } else if let id = others.randomElement(using: &random) {
      let other = try context.existingObject(with: id)
      if !relationship.isToMany { members = [] }
      if !members.contains(other) { members.insert(other, at: Int.random(in: 0...members.count, using: &random)) }
    } else {
      members = []
    }
    Self.set(members, for: relationship, named: name, of: object)
    return true
  }

  // MARK: Saving

  private func commit(_ phase: String, _ edit: (NSManagedObjectContext) throws -> Void) {
    let begin = OperationStart.now()
    var edited = begin
    var pushed: Changes?
    let units = UnitRecorder(session, writer: writer, recorder: recorder, phase: phase)
    let end = units.write("write", since: begin) { context, unit in
      let entered = OperationStart.now()
      try edit(context)
      let changes = try changes(in: context, isImport: phase == "import")
      recorder.record("edit", in: phase, since: entered)
      unit.begin(changes)
    } reached: { stage, changes in
      switch stage {
      case .edited: edited = .now()
      case .pushed: pushed = changes
      case .durable:
        if let changes { adopt(changes) }
        let now = OperationStart.now()
        lastDurable = now.nanoseconds
        recorder.record("save", in: phase, since: edited, until: now)
      }
    }
    switch end {
    case .durable: break
    case .givenUp: refusals += 1
    case .open, .failed:
      undurableSaves += 1
      if let pushed { uncertain.formUnion(pushed.identifiers) }
    }
    session.sampleLog()
  }

  /// The changes of the next save, deletes by rule and other sides of relationships included; on the context's queue.
  ///
  /// - Throws: ``UnitRecorder/GivenUp`` where the model does not accept it, or nothing has changed.
  private func changes(in context: NSManagedObjectContext, isImport: Bool) throws -> Changes {
    context.processPendingChanges()
    guard context.hasChanges else { throw UnitRecorder.GivenUp() }
    if !isImport {
      do {
        for object in context.deletedObjects { try object.validateForDelete() }
        for object in context.updatedObjects { try object.validateForUpdate() }
      } catch {
        throw UnitRecorder.GivenUp()
      }
    }
    try context.obtainPermanentIDs(for: Array(context.insertedObjects))
    if let object = context.insertedObjects.first(where: { $0.objectID.isTemporaryID }) {
      throw UnexpectedAnswer(
        subject: "\(object.objectID)", expected: "permanent, once it was asked for", seen: "temporary")
    }
    var changes = Changes(numbers: numbers)
    for object in context.insertedObjects { changes.inserted[object.objectID] = ObjectSnapshot(object) }
    for object in context.updatedObjects { changes.updated[object.objectID] = ObjectSnapshot(object) }
    changes.deleted = context.deletedObjects.map(\.objectID)
    return changes
  }

  private func adopt(_ changes: Changes) {
    made += changes.inserted.keys.sorted { $0.uriRepresentation().path < $1.uriRepresentation().path }
    expected.merge(changes.inserted) { _, new in new }
    expected.merge(changes.updated) { _, new in new }
    for id in changes.deleted { expected[id] = nil }
  }

  // MARK: History

  /// The row's `Z_PK`, which an ID's address ends in: `p12`.
  static func key(of id: NSManagedObjectID) -> Int64? { Int64(id.uriRepresentation().lastPathComponent.dropFirst()) }
}
