import Scheduling

@testable import CoreData
@testable import RowStore

/// Carries the steps out on the stack, and returns its answers.
final class Driver {
  /// By the number of the coordinator.
  let stacks: [TestStack]
  let world: World
  /// Reads the store for comparison.
  let reader: TestStack
  private let model: NSManagedObjectModel
  private var otherProcess: WorkerProcess?
  /// One for each member of the world; one without a coordinator is elsewhere.
  let contexts: [NSManagedObjectContext]
  /// Every object of every context that was seen, held.
  var objects: [[Int: NSManagedObject]]
  var ids: [Int: NSManagedObjectID] = [:]
  var names: [RowIdentity: Int] = [:]
  /// The permanent identities, by name.
  private(set) var identities: [Int: RowIdentity] = [:]
  var replayed = ReplayedHistory()
  let generation: GenerationReader?
  private let saves = Locked<[Notification]>([])
  /// A child's save first reads from these and then changes them. Objects that they would release in between are the stack's
  /// own affair, so they keep them until the step is compared.
  private var retaining: [NSManagedObjectContext] = []
  // Written once, in `init`.
  private var tokens: [any NSObjectProtocol] = []

  init(_ world: World, model: NSManagedObjectModel) throws {
    self.world = world
    self.model = model
    let options = world.keepsHistory ? [NSPersistentHistoryTrackingKey: true as NSNumber] : [:]
    let first = try TestStack(world.isInFile ? .file : .memory, model: model, options: options)
    stacks =
      [first]
      + (try (1..<world.coordinators).compactMap { number in
        let isElsewhere = world.members.contains { $0.coordinator == number && $0.isElsewhere }
        return isElsewhere ? nil : try TestStack(model: model, url: first.url, options: options)
      })
    reader = world.coordinators > 1 ? try TestStack(model: model, url: first.url, options: options) : first
    generation = try world.isInFile ? GenerationReader(first) : nil
    var contexts: [NSManagedObjectContext] = []
    for (number, member) in world.members.enumerated() {
      guard !member.isElsewhere else {
        contexts.append(NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
        continue
      }
      let stack = stacks[member.coordinator]
      let context = member.parent.map { stack.child(of: contexts[$0], "c\(number)") } ?? stack.context("c\(number)")
      context.automaticallyMergesChangesFromParent = member.merges
      // An object that a step reads and releases again is the stack's own affair. With two coordinators it may come back with a
      // newer row: there everything stays until it is released.
      context.retainsRegisteredObjects = world.coordinators > 1
      if member.undoes { context.undoManager = UndoManager() }
      contexts.append(context)
    }
    self.contexts = contexts
    objects = contexts.map { _ in [:] }
    for context in contexts {
      tokens.append(
        NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) {
          [saves] notification in
          // A save without changes has nothing to merge.
          guard notification.userInfo?.isEmpty == false else { return }
          Self.remember(notification, saves)
        })
    }
  }

  private static func remember(_ notification: Notification, _ saves: Locked<[Notification]>) {
    saves.withLock { saves in
      saves.append(notification)
      if saves.count > ReferenceModel.savesMax { saves.removeFirst() }
    }
  }

  /// A save that can be merged later.
  func remember(_ notification: Notification) { Self.remember(notification, saves) }

  /// The other process; begun when it is first needed.
  func worker() throws -> WorkerProcess {
    if let otherProcess { return otherProcess }
    let file = stacks[0].folder.appending(path: "Atlas.xcdatamodel")
    try AtlasSchema.write(to: file)
    let worker = try WorkerProcess(model: file, store: stacks[0].url, keepsHistory: world.keepsHistory)
    otherProcess = worker
    return worker
  }

  private func ancestors(of context: NSManagedObjectContext) -> [NSManagedObjectContext] {
    context.parent.map { [$0] + ancestors(of: $0) } ?? []
  }

  deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

  func apply(_ operation: Operation) throws -> ReferenceModel.Answer {
    let context = contexts[operation.context]
    for ancestor in retaining { ancestor.performAndWait { ancestor.retainsRegisteredObjects = world.coordinators > 1 } }
    retaining = []
    if case .save = operation { retaining = ancestors(of: context) }
    for ancestor in retaining { ancestor.performAndWait { ancestor.retainsRegisteredObjects = true } }
    let waiting = world.members.indices.filter { number in
      world.parentsAreBusy && world.members[number].parent == operation.context && world.members[number].merges
    }
    guard case .save = operation, !waiting.isEmpty else {
      return try context.performAndWait { try apply(operation, in: context) }
    }
    return try save(context, operation, before: waiting.map { contexts[$0] })
  }

  /// Saves, and lets children merge that while the queue of their parent is taken.
  private func save(
    _ context: NSManagedObjectContext, _ operation: Operation, before children: [NSManagedObjectContext]
  ) throws -> ReferenceModel.Answer {
    let (isTaken, mayEnd) = (Latch(label: "the parent is busy"), Latch(label: "the children have merged"))
    let isOver = DispatchSemaphore(value: 0)
    func inside(_ children: ArraySlice<NSManagedObjectContext>) throws -> ReferenceModel.Answer {
      if let child = children.first { return try child.performAndWait { try inside(children.dropFirst()) } }
      let answer = try context.performAndWait { try apply(operation, in: context) }
      Thread {
        context.performAndWait {
          isTaken.open()
          mayEnd.wait()
        }
        isOver.signal()
      }.start()
      isTaken.wait()
      return answer
    }
    defer {
      for child in children { child.performAndWait {} }
      mayEnd.open()
      isOver.wait()
      // Once the parent is free, each settles the changes that it could not ask for.
      context.performAndWait {}
      for child in children { child.performAndWait {} }
    }
    return try inside(children[...])
  }

  private func held(_ context: Int, _ name: Int) throws -> NSManagedObject {
    guard let object = objects[context][name] else { throw Difference("#\(name) is not held in c\(context)") }
    return object
  }

  private func apply(_ operation: Operation, in context: NSManagedObjectContext) throws -> ReferenceModel.Answer {
    switch operation {
    case .insert(let number, let entity, let name):
      let layout = context.model?.entities.first { $0.name == AtlasSchema.entities[entity].name }
      guard let layout else { throw Difference("no entity") }
      let object = NSManagedObject(entity: layout, insertInto: context)
      objects[number][name] = object
      learn(object, name)
    case .set(let number, let name, let property, let value):
      let object = try held(number, name)
      let property = object.layout.properties[property]
      let isText = if case .attribute(.string) = property.kind { true } else { false }
      let converted: Any? = isText ? value.map { "\($0)" } : value.map { Int64($0) }
      object.setValue(converted, forKey: property.name)
    case .relate(let number, let name, let property, let target):
      let object = try held(number, name)
      object.setValue(try target.map { try held(number, $0) }, forKey: Self.name(object, property))
    case .add(let number, let name, let property, let member):
      let object = try held(number, name)
      object.add(object.layout.properties[property], try held(number, member))
    case .remove(let number, let name, let property, let member):
      let object = try held(number, name)
      object.remove(object.layout.properties[property], try held(number, member))
    case .read(let number, let name, let property):
      let object = try held(number, name)
      _ = object.value(forKey: Self.name(object, property))
    case .delete(let number, let name): context.delete(try held(number, name))
    case .process: context.processPendingChanges()
    case .policy(_, let policy): context.mergePolicy = NSMergePolicy(merge: policy)
    case .save:
      do {
        try context.save()
        for (name, object) in objects[operation.context] { learn(object, name) }
        return .code(nil)
      } catch let error as NSError {
        return .code(error.code)
      }
    case .merge(_, let fromEnd):
      let saves = saves.withLock { $0 }
      guard fromEnd < saves.count else { throw Difference("only \(saves.count) saves were notified of") }
      context.mergeChanges(fromContextDidSave: saves[saves.count - 1 - fromEnd])
    case .remote(_, let fromEnd):
      let saves = saves.withLock { $0 }
      guard fromEnd < saves.count else { throw Difference("only \(saves.count) saves were notified of") }
      mergeRemote(saves[saves.count - 1 - fromEnd], into: context)
    case .refresh(let number, let name, let merging):
      context.refresh(try held(number, name), mergeChanges: merging)
    case .rollback: context.rollback()
    case .reset(let number):
      context.reset()
      for (name, object) in objects[number] where object.managedObjectContext != nil {
        throw Difference("#\(name) has a context after reset")
      }
      objects[number] = [:]
    case .fetch(let number, let entity, let property, let value):
      let wanted = AtlasSchema.entities[entity].properties[property]
      let constant: Any? = wanted.kind == .text ? value.map { "\($0)" } : value.map { NSNumber(value: $0) }
      let predicate =
        constant.map { NSPredicate(format: "\(wanted.name) == %@", $0) } ?? NSPredicate(format: "\(wanted.name) == nil")
      return .names(try fetch(number, entity, predicate))
    case .fetchAll(let number, let entity): return .names(try fetch(number, entity, nil))
    case .object(let number, let name):
      try hold(context.object(with: try id(number, name)), name, number)
    case .existing(let number, let name):
      do {
        try hold(context.existingObject(with: try id(number, name)), name, number)
        return .found(true)
      } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
        return .found(false)
      }
    case .obtain(let number, let name):
      try context.obtainPermanentIDs(for: [try held(number, name)])
    case .move(let number, let name, let property, let member, let other):
      let object = try held(number, name)
      let members = object.mutableOrderedSetValue(forKey: Self.name(object, property))
      let (source, target) = (members.index(of: try held(number, member)), members.index(of: try held(number, other)))
      members.moveObjects(at: IndexSet(integer: source), to: target)
    case .undo: context.undo()
    case .redo: context.redo()
    case .letGo(let number):
      context.retainsRegisteredObjects = false
      objects[number] = [:]
      context.retainsRegisteredObjects = world.coordinators > 1
    case .generation(let step): try generation?.move(step, last: saves.withLock { $0.last })
    case .elsewhere(let errand): return try carryOutElsewhere(errand)
    }
    return .nothing
  }

  private func fetch(_ number: Int, _ entity: Int, _ predicate: NSPredicate?) throws -> Set<Int> {
    let request = NSFetchRequest<NSManagedObject>(entityName: AtlasSchema.entities[entity].name)
    request.predicate = predicate
    let found = try contexts[number].fetch(request)
    if Set(found).count != found.count { throw Difference("a fetch gave an object twice") }
    return Set(
      try found.map { object in
        let name = try name(of: object)
        try hold(object, name, number)
        return name
      })
  }

  /// Holds an object that a context gave: the one held already, unless that was found gone.
  func hold(_ object: NSManagedObject, _ name: Int, _ context: Int) throws {
    if let held = objects[context][name], held !== object, !held.state.contains(.gone) {
      throw Difference("c\(context): a second object for #\(name)")
    }
    objects[context][name] = object
  }

  /// Merges a save as another process would report it: by the URIs of its changes.
  private func mergeRemote(_ save: Notification, into context: NSManagedObjectContext) {
    guard let record = save.userInfo?[SaveRecord.userInfoKey] as? SaveRecord, let model = record.model else {
      return NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.userInfo ?? [:], into: [context])
    }
    let identities = stacks[0].container.persistentStoreCoordinator.stores.identities
    // Lists, not sets: the first one is the same in each run, as the model has it.
    func uris(_ entries: ContiguousArray<SavedRow>) -> [URL] {
      entries.map { entry in
        NSManagedObjectID(
          key: entry.key, layout: entry.layout, store: identities.identity(of: entry.key), model: model
        )
        .uriRepresentation()
      }
    }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSInsertedObjectIDsKey: uris(record.inserted), NSUpdatedObjectIDsKey: uris(record.updated),
        NSDeletedObjectIDsKey: uris(record.deleted),
      ], into: [context])
  }

  /// The versions of a context's objects.
  func versions(_ context: Int) -> [Int: Int] {
    objects[context].compactMapValues { $0.snapshot.map { Int($0.version) } }
  }

  /// Lets contexts that merge by themselves do so, parents first.
  func mergeArrivals() {
    for (number, member) in world.members.enumerated() where member.merges { contexts[number].performAndWait {} }
  }

  /// Forgets the undo histories that something came between, and returns their contexts' numbers.
  func forgetHistories(_ model: inout ReferenceModel) -> [Int] {
    var forgotten: [Int] = []
    for number in model.contexts.indices where model.contexts[number].history.isDisturbed {
      if world.members[number].undoes {
        let context = contexts[number]
        context.performAndWait {
          context.processPendingChanges()
          context.undoManager?.removeAllActions()
        }
      }
      model.forgetHistory(number)
      forgotten.append(number)
    }
    return forgotten
  }

  // MARK: Names

  func learn(_ object: NSManagedObject, _ name: Int) {
    names[object.identity] = name
    if object.key > 0 { identities[name] = object.identity }
    if ids[name].map({ $0.key < 0 && object.key > 0 }) ?? true { ids[name] = object.objectID }
  }

  /// An object that no context here has yet.
  func learn(_ id: NSManagedObjectID, _ name: Int) {
    let identity = RowIdentity(key: id.key, layout: id.layout)
    (names[identity], identities[name], ids[name]) = (name, identity, id)
  }

  func name(of object: NSManagedObject) throws -> Int {
    if let name = names[object.identity] { return name }
    // A permanent ID that was not seen before belongs to an object that is held.
    for held in objects { for (name, candidate) in held { learn(candidate, name) } }
    guard let name = names[object.identity] else { throw Difference("unknown object \(object)") }
    return name
  }

  private func id(_ context: Int, _ name: Int) throws -> NSManagedObjectID {
    if let id = objects[context][name]?.objectID { return id }
    for held in objects { if let object = held[name], !object.objectID.isTemporaryID { return object.objectID } }
    guard let id = ids[name] else { throw Difference("no ID of #\(name)") }
    return id
  }

  static func name(_ object: NSManagedObject, _ index: Int) -> String { object.layout.properties[index].name }
}

/// The stack is not as the model says.
struct Difference: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
