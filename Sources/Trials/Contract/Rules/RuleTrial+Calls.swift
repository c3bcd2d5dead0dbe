import Cells
import Checking
import CoreData
import Scheduling

// S2.3, S2.7, S3.1, S3.7, S8.1, S8.3: whichever way objects come to a save, by a delete rule, from an undo or from a child, and
// whatever was read of them: each is called as often as the contract says, and no other one is.

extension RuleTrial {
  func callEveryone() throws {
    let coordinator = try open(ReachModel.shared, at: newURL())
    let maker = context(coordinator)
    var links = RuleLinks(ReachModel.shared)
    let ids: [Int: NSManagedObjectID] = try maker.performAndWait {
      let nodes = (0..<(6 + draw(4))).map { _ in insertNumbered("Node", maker) }
      for node in nodes { links.insert(RulePicture.number(node), "Node") }
      for node in nodes {
        let (whole, fans) = (
          pick(nodes.filter { RulePicture.number($0) < RulePicture.number(node) }),
          some(nodes.filter { $0 !== node }, atMost: 2)
        )
        node.setValue(whole, forKey: "whole")
        node.setValue(Set(fans), forKey: "fans")
        links.set("whole", of: RulePicture.number(node), to: whole.map { [RulePicture.number($0)] } ?? [])
        links.set("fans", of: RulePicture.number(node), to: fans.map(RulePicture.number))
      }
      try save(maker)
      return Dictionary(uniqueKeysWithValues: nodes.map { (RulePicture.number($0), $0.objectID) })
    }
    precondition(ids.count == links.entities.count, "each node has its ID")
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    for _ in 0..<2 { try deleteSome(editor, root, ids, &links) }
  }

  /// Deletes some objects, with all that their rules reach, and saves that, in a child as well.
  private func deleteSome(
    _ editor: NSManagedObjectContext, _ root: NSManagedObjectContext, _ ids: [Int: NSManagedObjectID],
    _ links: inout RuleLinks
  ) throws {
    let alive = links.entities.keys.sorted()
    guard let first = pick(alive) else { return }
    let chosen = Set([first] + some(alive, atMost: 1)).sorted()
    let gone = links.reached(from: chosen)
    let calls = CallCounts()
    try editor.performAndWait {
      let held = try known(editor, alive.compactMap { ids[$0] })
      let realised = Set(held.filter { !$0.isFault }.map(\.objectID))
      try calls.record(editor) {
        let changed = alive.filter { !gone.contains($0) && chance(1, of: 4) }
        note("delete \(chosen), which reaches \(gone.sorted()); change \(changed)")
        for number in changed { object(number, ids, editor)?.setValue("\(newNumber())", forKey: "remark") }
        let isUndone = chance(1, of: 3)
        func delete() {
          for number in chosen { object(number, ids, editor).map(editor.delete) }
          if isUndone || chance(1, of: 2) { editor.processPendingChanges() }
        }
        if isUndone {
          recordForUndo(editor, delete)
          try require(calls[.prepareForDeletion], once(gone, ids), .wrongNotification, "calls before a deletion")
          note("undo, and delete them again")
          editor.undo()
          editor.processPendingChanges()
          editor.undoManager = nil
          calls.removeAll()
        }
        delete()
        let lists = try saveCounted(editor, calls)
        try require(lists["deleted"] ?? [], Set(once(gone, ids).keys), .wrongNotification, "what a save has deleted")
        try require(calls[.prepareForDeletion], once(gone, ids), .wrongNotification, "calls before a deletion")
        // Who is not held may leave, and be read again as another object.
        let read = held.map(\.objectID).filter { id in
          let count = calls[.awakeFromFetch][id] ?? 0
          return realised.contains(id) ? count > 0 : count > 1 && !isUndone
        }
        try require(
          read.count, 0, .wrongNotification,
          "objects that are awakened though they had their values, or twice")
      }
      withExtendedLifetime(held) {}
    }
    links.delete(chosen)
    precondition(gone.isDisjoint(with: links.entities.keys), "nothing that a deletion reaches is left")
    if editor !== root {
      try root.performAndWait { try calls.record(root) { _ = try saveCounted(root, calls) } }
    }
    try root.performAndWait { try refreshCounted(root, calls) }
  }

  private func once(_ numbers: Set<Int>, _ ids: [Int: NSManagedObjectID]) -> [NSManagedObjectID: Int] {
    Dictionary(uniqueKeysWithValues: numbers.compactMap { ids[$0] }.map { ($0, 1) })
  }

  private func object(
    _ number: Int, _ ids: [Int: NSManagedObjectID], _ context: NSManagedObjectContext
  ) -> NSManagedObject? { ids[number].map(context.object) }

  /// Objects that the context has: faults, with values, or with a relationship that was read; of the others it knows nothing.
  private func known(_ context: NSManagedObjectContext, _ ids: [NSManagedObjectID]) throws -> [NSManagedObject] {
    precondition(!context.hasChanges, "only of what is saved nothing may be known")
    context.reset()
    return some(ids, atMost: ids.count).map { id in
      let object = context.object(with: id)
      let way = draw(4)
      if way > 0 { _ = object.value(forKey: "remark") }
      if way > 1 { _ = pick(["whole", "parts", "fans", "idols"]).map { object.value(forKey: $0) } }
      return object
    }
  }

  /// A save calls those, and only those, that its notification lists, each once by its fate; in a block of the context.
  ///
  /// - Returns: their IDs, by list.
  private func saveCounted(
    _ context: NSManagedObjectContext, _ calls: CallCounts
  ) throws -> [String: Set<NSManagedObjectID>] {
    let log = NoticeLog(session.environment, context)
    defer { log.end() }
    try save(context)
    let lists = log.removeAll().first { $0.name == "did-save" }?.idsOfObjects ?? [:]
    func once(_ names: String...) -> [NSManagedObjectID: Int] {
      Dictionary(uniqueKeysWithValues: names.reduce(into: Set()) { $0.formUnion(lists[$1] ?? []) }.map { ($0, 1) })
    }
    for (hook, expected) in [
      (.willSave, once("inserted", "updated", "deleted")), (.didSave, once("inserted", "updated", "deleted")),
      (.validateForInsert, once("inserted")), (.validateForUpdate, once("updated")),
      (.validateForDelete, once("deleted")),
    ] as [(HookLog.Hook, [NSManagedObjectID: Int])] {
      try require(calls[hook], expected, .wrongNotification, "calls of \(hook.rawValue) in a save, and its lists")
    }
    return lists
  }

  /// Each object that has its values becomes a fault once; in a block of the context.
  private func refreshCounted(_ context: NSManagedObjectContext, _ calls: CallCounts) throws {
    let objects = try all("Node", context)
    let faults = some(objects, atMost: 3)
    for object in faults { context.refresh(object, mergeChanges: false) }
    let realised = Set(context.registeredObjects.filter { !$0.isFault && !$0.isDeleted }.map(\.objectID))
    calls.removeAll()
    calls.record(context) { context.refreshAllObjects() }
    let expected = Dictionary(uniqueKeysWithValues: realised.map { ($0, 1) })
    for hook in [HookLog.Hook.willTurnIntoFault, .didTurnIntoFault] {
      try require(calls[hook], expected, .wrongNotification, "calls of \(hook.rawValue) as all becomes faults")
    }
    withExtendedLifetime(objects) {}
  }
}

/// How often each object of a context is called; on the context's queue.
private final class CallCounts {
  private var counts: [HookLog.Hook: [NSManagedObjectID: Int]] = [:]

  subscript(hook: HookLog.Hook) -> [NSManagedObjectID: Int] { counts[hook] ?? [:] }

  func removeAll() { counts = [:] }

  /// Counts the calls while something is done, from none on.
  func record<Result>(_ context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
    removeAll()
    let hooks: [HookLog.Hook] = [
      .awakeFromFetch, .willTurnIntoFault, .didTurnIntoFault, .prepareForDeletion, .willSave, .didSave,
      .validateForInsert, .validateForUpdate, .validateForDelete,
    ]
    let reactions = hooks.map { hook in
      (hook, { [unowned self] (object: HookedObject) in counts[hook, default: [:]][object.objectID, default: 0] += 1 })
    }
    return try HookLog(Dictionary(uniqueKeysWithValues: reactions)).record(context, body)
  }
}

/// Nodes with parts that go with them, and fans that stay.
private enum ReachModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let node = RuleModel.hooked("Node")
    ModelParts.connect(
      ModelParts.many("parts", node, .cascadeDeleteRule), of: node, ModelParts.one("whole", node), of: node)
    ModelParts.connect(
      ModelParts.many("fans", node, .nullifyDeleteRule), of: node, ModelParts.many("idols", node, .nullifyDeleteRule),
      of: node)
    let model = NSManagedObjectModel()
    model.entities = [node]
    return model
  }
}
