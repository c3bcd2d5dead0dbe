import Cells
import Checking
import CoreData
import Scheduling

// S1.4, S2.4, S2.7, S3.1, S5.1, S7.5: what an object's hook, an observer or a delegate changes of another object is processed, reported
// once, saved by this save where it comes before the objects are validated, else by the next one, and undone with the rest.

extension RuleTrial {
  /// Where a change is made.
  private enum Callback: CaseIterable {
    case willSaveHook, didSaveHook, awakeFromInsert, prepareForDeletion
    case willSave, didSave, didChange, delegate

    var hook: HookLog.Hook? {
      switch self {
      case .willSaveHook: .willSave
      case .didSaveHook: .didSave
      case .awakeFromInsert: .awakeFromInsert
      case .prepareForDeletion: .prepareForDeletion
      default: nil
      }
    }

    var notification: Notification.Name? {
      switch self {
      case .willSave: .NSManagedObjectContextWillSave
      case .didSave: .NSManagedObjectContextDidSave
      case .didChange: .NSManagedObjectContextObjectsDidChange
      default: nil
      }
    }

    /// Whether a save leads to it.
    var isOfSave: Bool { isOfThisSave || [.didSaveHook, .didSave].contains(self) }

    /// Whether the save that leads to it has the change.
    var isOfThisSave: Bool { [.willSaveHook, .willSave].contains(self) }
  }

  /// Who changes, and who writes it to the file.
  private struct CallbackScene {
    let coordinator: NSPersistentStoreCoordinator
    let root: NSManagedObjectContext
    let owner: NSManagedObjectContext
    /// Whether the context is used in main's turns, outside blocks.
    let isOutside: Bool
    let log: NoticeLog
    /// The remarks of the objects in the file, by number.
    var file: [Int: String]
  }

  func callbacks() throws {
    let coordinator = try open(CallbackModel.shared)
    let maker = context(coordinator)
    try maker.performAndWait {
      // More than all changes together may delete.
      for _ in 0..<16 { insertNumbered("Node", maker).setValue("made", forKey: "remark") }
      try save(maker)
    }
    for callback in shuffled(Callback.allCases).prefix(5) {
      for edit in shuffled(CallbackEdit.Kind.allCases).prefix(2) { try change(edit, in: callback, coordinator) }
    }
    for _ in 0..<3 { try saveWithin(coordinator) }
    try fetchWhileAwaking(coordinator)
    try processWhileSaving(coordinator)
  }

  /// An observer saves what a save reports, and changes some others: each of the two saves names its own.
  private func saveWithin(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let log = NoticeLog(session.environment, owner)
    defer { log.end() }
    let nodes = shuffled(try owner.performAndWait { try all("Node", owner) })
    let count = 1 + draw(3)
    let own = Array(nodes.prefix(count))
    // Used in the context's blocks alone.
    nonisolated(unsafe) let others = Array(nodes.dropFirst(count).prefix(chance(1, of: 2) ? count : 1 + draw(3)))
    precondition(own.count == count && !others.isEmpty, "each save has something")
    let (text, processes, isFirst) = ("within \(newNumber())", chance(3, of: 4), Locked(true))
    note("a save of \(count), and in its report one, after which \(others.count) others change")
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: owner) {
      notification in
      let isNow = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isNow, let owner = notification.object as? NSManagedObjectContext else { return }
      try? owner.save()
      for other in others { other.setValue(text, forKey: "remark") }
      if processes { owner.processPendingChanges() }
    }
    defer { session.environment.removeObserver(observer) }
    try owner.performAndWait {
      for node in own { node.setValue(text, forKey: "remark") }
      try save(owner)
      let saves = log.removeAll().filter { $0.name == "did-save" }.map(\.lists)
      let expected = [own, others].map { NoticeLists(updated: Set($0.map { ObjectIdentifier($0) })) }
      try require(
        saves, expected, .wrongNotification, "the lists of a save, and of one that an observer makes within it")
      owner.reset()
    }
  }

  private func change(
    _ kind: CallbackEdit.Kind, in callback: Callback, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let isOutside = chance(1, of: 3)
    let root = isOutside ? mainContext(coordinator) : context(coordinator)
    let owner = !isOutside && chance(1, of: 3) ? context(in: root) : root
    let log = NoticeLog(session.environment, owner)
    defer { log.end() }
    var scene = CallbackScene(
      coordinator: coordinator, root: root, owner: owner, isOutside: isOutside, log: log,
      file: try remarks(coordinator))
    note("\(kind) in \(callback)\(isOutside ? ", outside blocks" : owner === root ? "" : ", in a child")")
    let hasUndo = !isOutside && chance(1, of: 2)
    let before = scene.file
    let (edit, held) = try run(scene) { try begin(kind, owner, hasUndo: hasUndo) }
    let follower = callback == .delegate ? try run(scene) { try follow(owner, edit) } : nil
    let first = try trigger(callback, edit, held, &scene)
    let changed = edit.changed(scene.file)
    if callback.isOfThisSave { scene.file = changed }
    try requireRemarks(scene, "after a callback, \(kind) in \(callback)")
    try require(
      try run(scene) { owner.hasChanges }, !callback.isOfThisSave, .lostUpdate,
      "whether there is something to save after \(kind) in \(callback)")
    try saveRest(scene, follower)
    let second = log.removeAll()
    scene.file = callback.isOfSave ? changed : edit.changed(held.expected)
    try requireRemarks(scene, "after the save behind a callback, \(kind) in \(callback)")
    try requireNamed(edit, first, second, callback, scene)
    if hasUndo {
      try run(scene) {
        owner.processPendingChanges()
        owner.undoManager?.endUndoGrouping()
        note("undo")
        owner.undo()
        owner.processPendingChanges()
        owner.undoManager = nil
      }
      try saveRest(scene, nil)
      scene.file = before
      try requireRemarks(scene, "after the undo of \(kind) in \(callback)")
    }
    try run(scene) {
      follower?.end()
      withExtendedLifetime((edit, held)) {}
      owner.reset()
    }
  }

  // MARK: Steps

  /// In a block of the context, or in a turn of main outside one.
  private func run<Result>(_ scene: CallbackScene, _ body: () throws -> Result) throws -> Result {
    guard scene.isOutside else { return try scene.owner.performAndWait(body) }
    let result = try SerialQueue.main.sync(body)
    // Turns that were enqueued in this one, and those that they have enqueued.
    for _ in 0..<4 {
      let turn = Latch(label: "a turn of main")
      SerialQueue.main.async { turn.open() }
      turn.wait()
    }
    return result
  }

  /// The object that leads to a callback, and what the file has once that is saved, but for the callback's change.
  private final class Held {
    let nodes: [HookedObject]
    var expected: [Int: String] = [:]
    init(_ nodes: [HookedObject]) { self.nodes = nodes }
  }

  private func begin(
    _ kind: CallbackEdit.Kind, _ owner: NSManagedObjectContext, hasUndo: Bool
  ) throws -> (CallbackEdit, Held) {
    let nodes = try all("Node", owner).compactMap { $0 as? HookedObject }
    for node in nodes { _ = node.remark }
    precondition(nodes.count > 1, "one object leads to the callback, and another one may be changed there")
    if hasUndo {
      let manager = UndoManager()
      manager.groupsByEvent = false
      owner.undoManager = manager
      manager.beginUndoGrouping()
    }
    return (CallbackEdit(kind, owner, nodes[1], number: newNumber()), Held(nodes))
  }

  private func follow(_ owner: NSManagedObjectContext, _ edit: CallbackEdit) throws -> ControllerFollower {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
    let follower = try ControllerFollower(owner, request)
    follower.onChange = { edit.run() }
    return follower
  }

  /// Leads to the callback; the file is as it is to be then, but for the callback's change.
  ///
  /// - Returns: the notifications.
  private func trigger(
    _ callback: Callback, _ edit: CallbackEdit, _ held: Held, _ scene: inout CallbackScene
  ) throws -> [NoticeLog.Notice] {
    let (owner, number) = (scene.owner, newNumber())
    let observer = callback.notification.map { name in
      session.environment.addObserver(forName: name, object: owner) { _ in edit.run() }
    }
    defer { if let observer { session.environment.removeObserver(observer) } }
    let hooks = HookLog(callback.hook.map { [$0: { _ in edit.run() }] } ?? [:])
    var file = scene.file
    _ = scene.log.removeAll()
    try run(scene) {
      hooks.record(owner) {
        if !callback.isOfSave { edit.arm() }
        switch callback {
        case .awakeFromInsert:
          let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: owner)
          node.setValue(number, forKey: RuleModel.number)
          node.setValue("inserted", forKey: "remark")
          file[number] = "inserted"
        case .prepareForDeletion:
          file[Int(held.nodes[0].number)] = nil
          owner.delete(held.nodes[0])
        default:
          held.nodes[0].remark = "change \(number)"
          file[Int(held.nodes[0].number)] = "change \(number)"
        }
        if [.didChange, .delegate].contains(callback), !scene.isOutside { owner.processPendingChanges() }
      }
    }
    // In a turn of its own, so that nothing else has the changes processed that the save leads to.
    if callback.isOfSave {
      try run(scene) {
        edit.arm()
        try hooks.record(owner) { try owner.save() }
      }
    }
    held.expected = file
    if callback.isOfSave { scene.file = file }
    try saveRoot(scene)
    try require(edit.isDone, true, .missedNotification, "whether \(callback) was called")
    return scene.log.removeAll()
  }

  private func saveRoot(_ scene: CallbackScene) throws {
    guard scene.root !== scene.owner else { return }
    try scene.root.performAndWait { try save(scene.root) }
  }

  private func saveRest(_ scene: CallbackScene, _ follower: ControllerFollower?) throws {
    try run(scene) {
      try save(scene.owner)
      if let follower {
        let problem = try follower.problemNow()
        try require(problem, nil, .controllerDivergence, "a controller after a change by its delegate")
      }
    }
    try saveRoot(scene)
  }

  // MARK: Looks

  private func remarks(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int: String] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      Dictionary(
        try all("Node", reader).map { (RulePicture.number($0), RulePicture.text($0.value(forKey: "remark"))) },
        uniquingKeysWith: { "\($0) and \($1)" })
    }
  }

  private func requireRemarks(_ scene: CallbackScene, _ what: String) throws {
    let (seen, expected) = (try remarks(scene.coordinator), scene.file)
    try require(
      seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" },
      expected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }, .unpersistedSave, "in the file \(what)")
  }

  /// The change is reported once as what it is, by the end of main's turn where it was made outside blocks, and named by one save.
  private func requireNamed(
    _ edit: CallbackEdit, _ first: [NoticeLog.Notice], _ second: [NoticeLog.Notice], _ callback: Callback,
    _ scene: CallbackScene
  ) throws {
    func count(_ name: String, _ notices: [NoticeLog.Notice]) -> Int {
      notices.count { $0.name == name && edit.isNamed(in: $0.lists) }
    }
    let what = "\(edit.kind) in \(callback)"
    try require(
      count("did-change", first + second), 1, .wrongNotification, "how often changes are reported with \(what)")
    if scene.isOutside {
      try require(
        count("did-change", first), 1, .missedNotification, "how often a turn of main's end reports \(what)")
    }
    try require(
      [count("did-save", first), count("did-save", second)], callback.isOfThisSave ? [1, 0] : [0, 1],
      .wrongNotification,
      "how often the first save and the next one name \(what)")
  }
}

/// One change that a callback makes, once.
final class CallbackEdit: @unchecked Sendable {
  enum Kind: CaseIterable { case update, insert, delete }

  // Sendable: only used on the context's queue, and by the trial when nothing runs there.
  let kind: Kind
  private let owner: NSManagedObjectContext
  private let target: HookedObject
  private let targetNumber: Int
  private let number: Int
  private var isArmed = false
  private(set) var isDone = false
  private var object: NSManagedObject?

  init(_ kind: Kind, _ owner: NSManagedObjectContext, _ target: HookedObject, number: Int) {
    (self.kind, self.owner, self.target, self.number) = (kind, owner, target, number)
    targetNumber = Int(target.number)
  }

  func arm() {
    precondition(!isDone, "a change is made once")
    isArmed = true
  }

  func run() {
    guard isArmed else { return }
    (isArmed, isDone) = (false, true)
    object = target
    switch kind {
    case .update: target.remark = "edit \(number)"
    case .delete: owner.delete(target)
    case .insert:
      let new = NSEntityDescription.insertNewObject(forEntityName: "Node", into: owner)
      new.setValue(number, forKey: RuleModel.number)
      new.setValue("edit \(number)", forKey: "remark")
      object = new
    }
  }

  /// The remarks of a file that has the change as well.
  func changed(_ file: [Int: String]) -> [Int: String] {
    var file = file
    switch kind {
    case .update: file[targetNumber] = "edit \(number)"
    case .delete: file[targetNumber] = nil
    case .insert: file[number] = "edit \(number)"
    }
    return file
  }

  func isNamed(in lists: NoticeLists) -> Bool {
    guard let object else { return false }
    let id = ObjectIdentifier(object)
    return switch kind {
    case .update: lists.updated.contains(id)
    case .insert: lists.inserted.contains(id)
    case .delete: lists.deleted.contains(id)
    }
  }
}

/// Objects that note the calls of their life, and are related to nothing.
private enum CallbackModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [RuleModel.hooked("Node")]
    precondition(model.entities[0].relationshipsByName.isEmpty, "a deletion reaches no other object")
    return model
  }
}
