import Cells
import Checking
import CoreData
import Scheduling

/// A client's context of the shared objects, with a child: it edits its objects, saves under its policy beside the others, and
/// continues after a refused save.
///
/// Concurrency: used by one thread at a time; objects are touched in blocks of the contexts.
final class SharedContext: @unchecked Sendable {
  // Sendable: used by one thread at a time.

  private let name: String
  private let context: NSManagedObjectContext
  private let child: NSManagedObjectContext
  private let inbox: AnythingInbox
  private let session: CellSession
  private let model: DrawnModel
  private var edits: DrawnEdits
  /// Whether a violation was reported: later results say nothing.
  private var isBroken = false

  init(session: CellSession, model: DrawnModel, client: Int, random: SeededRandom) {
    (self.session, self.model) = (session, model)
    precondition(client > 0, "objects of a client have numbers above those of the island that all share")
    edits = DrawnEdits(model, island: SharedObjects.island + client, random: random)
    name = "shared context \(client)"
    context = session.container.newBackgroundContext()
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    session.environment.adopt(context, name: name)
    session.environment.adopt(child, name: "child of \(name)")
    context.stalenessInterval = 0
    let policies: [NSMergePolicy] = [
      .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]
    context.mergePolicy = edits.pick(policies) ?? .error
    context.automaticallyMergesChangesFromParent = edits.draw(2) == 0
    child.automaticallyMergesChangesFromParent = edits.draw(2) == 0
    inbox = AnythingInbox(session.environment, for: context)
    // An object shown here that others delete is read as nothing.
    CellReports.allowInaccessibleFaults(in: [name, "child of \(name)"])
  }

  // MARK: Steps

  /// One step, drawn from a seed and from the context's objects.
  ///
  /// - Returns: the save, for contexts of other coordinators; nil without one.
  func step(_ seed: UInt64, _ shared: SharedObjects) -> RemoteSave? {
    if isBroken { return nil }
    edits.random = SeededRandom(seed: seed)
    switch edits.draw(12) {
    case 0..<5:
      change(context)
      return edits.draw(3) == 0 ? nil : save(shared)
    case 5..<7:
      change(child)
      push()
      return edits.draw(2) == 0 ? nil : save(shared)
    case 7: return save(shared)
    case 8: context.performAndWait { context.refreshAllObjects() }
    case 9..<11: context.performAndWait { inbox.mergeAll(into: context) }
    case 11 where edits.draw(2) == 0: context.performAndWait { context.rollback() }
    default: startAnew()
    }
    return nil
  }

  /// Edits some of a context's objects.
  private func change(_ changed: NSManagedObjectContext) {
    let picture = ContextPicture(model: model, island: SharedObjects.island, context: changed)
    changed.performAndWait {
      do {
        var graph = try shown(picture)
        for _ in 0..<(1 + edits.draw(3)) {
          for edit in edits.next(in: graph) where graph.apply(edit) {
            try picture.apply(edit) { name in
              try changed.insertedObjects.first { ContextPicture.name(of: $0) == name }
                ?? graph.nodes[name].flatMap { try picture.object(name, $0.entity) }
            }
            changed.processPendingChanges()
          }
        }
      } catch is UnexpectedAnswer {
        // Others have deleted it meanwhile.
      } catch {
        session.fail(error)
      }
    }
  }

  /// The objects that a context shows, without those that others have deleted.
  private func shown(_ picture: ContextPicture) throws -> ObjectGraph {
    var graph = try picture.graph()
    let nodes = graph.nodes.filter { SharedObjects.isOne($0.key) }
    graph.nodes = nodes.mapValues { node in
      var node = node
      node.ones = node.ones.filter { nodes[$0.value] != nil }
      node.manys = node.manys.mapValues { $0.filter { nodes[$0] != nil } }.filter { !$0.value.isEmpty }
      return node
    }
    return graph
  }

  private func push() {
    child.performAndWait {
      guard AnythingClient.error({ try child.save() }) != nil else { return }
      child.rollback()
    }
  }

  private func save(_ shared: SharedObjects) -> RemoteSave? {
    let error = context.performAndWait { AnythingClient.error { try context.save() } }
    guard let error else { return inbox.takeOwn() }
    guard isExplained(error) else {
      isBroken = true
      shared.report(
        .failedSave, "a save of \(name)", "saved, or refused for what others have done",
        "\(error.code): \(error.localizedDescription)")
      return nil
    }
    switch edits.draw(3) {
    case 0: context.performAndWait { context.rollback() }
    // The same changes once more, on top of the others' saves.
    case 1: context.performAndWait { inbox.mergeAll(into: context) }
    default: break
    }
    return nil
  }

  /// Whether others may have caused the refusal of a save: by newer rows, and by delete rules and references that meet them.
  private func isExplained(_ error: NSError) -> Bool {
    let type = (context.mergePolicy as? NSMergePolicy)?.mergeType
    return switch error.code {
    case NSManagedObjectMergeError: type == .errorMergePolicyType
    case NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError, NSManagedObjectValidationError:
      true
    default: session.faults.explains(error)
    }
  }

  private func startAnew() {
    child.performAndWait { child.reset() }
    context.performAndWait { context.reset() }
    inbox.clear()
  }

  // MARK: The end of a round

  /// Drops unsaved changes, and merges the saves that arrived.
  func becomeQuiet() {
    child.performAndWait { child.rollback() }
    context.performAndWait {
      context.rollback()
      inbox.mergeAll(into: context)
      context.processPendingChanges()
    }
    child.performAndWait { child.refreshAllObjects() }
  }

  /// Whether the context and its child show the file's values, before and after a refresh.
  func isSettled(_ file: ObjectGraph, _ shared: SharedObjects) throws -> Bool {
    if isBroken { return false }
    for isRefreshed in [false, true] {
      let text = isRefreshed ? ", refreshed" : ""
      guard try shared.compare(file, context, name + text),
        try shared.compare(file, child, "the child of \(name)" + text)
      else {
        isBroken = true
        return false
      }
      context.performAndWait { context.refreshAllObjects() }
      child.performAndWait { child.refreshAllObjects() }
    }
    return true
  }

  func end() { inbox.end() }
}
