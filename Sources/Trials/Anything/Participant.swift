import CoreData

/// A context of a client, with its expected objects.
///
/// Concurrency: used by one thread at a time; objects are touched in blocks of the context.
final class Participant: @unchecked Sendable {
  // Sendable: the client that has it is used by one thread at a time.
  let name: String
  let context: NSManagedObjectContext
  let picture: ContextPicture
  /// The parent's objects when this context last heard of it.
  private(set) var base: ObjectGraph
  /// The expected objects of the context.
  var view: ObjectGraph
  /// Relationships that this context and others changed, with several possible outcomes.
  private(set) var contested: Set<ObjectGraph.Side> = []
  /// Objects of such relationships since it last saved or began anew: it may count them as changed, or not.
  private(set) var disputed: Set<Int> = []
  /// Whether a delete rule denies a deletion since others related something to the deleted object.
  private(set) var isDenied = false
  /// Objects that are held, so that they stay in the context.
  private(set) var held: [Int: NSManagedObject] = [:]

  init(_ name: String, _ context: NSManagedObjectContext, _ model: DrawnModel, island: Int) {
    self.name = name
    self.context = context
    picture = ContextPicture(model: model, island: island, context: context)
    base = ObjectGraph(model)
    view = base
  }

  /// Whether the reference has unsaved changes; the context may count objects as changed that are as before.
  var hasChanges: Bool { view != base }

  /// Objects that it inserted, and that it deleted, since it last heard or saved.
  var inserted: Set<Int> { Set(view.nodes.keys).subtracting(base.nodes.keys) }
  var deleted: Set<Int> { Set(base.nodes.keys).subtracting(view.nodes.keys) }
  /// Objects of before that it changed, and did not delete.
  var changed: Set<Int> { Set(base.nodes.filter { name, node in view.nodes[name].map { $0 != node } ?? false }.keys) }

  // MARK: Events

  /// Hears of its parent's current objects.
  func hear(_ new: ObjectGraph) {
    precondition(new.gone.isEmpty, "a context hears of objects, not of deleted ones")
    view = view.rebased(from: base, onto: new, contested: &contested)
    base = new
    disputed.formUnion(contested.map(\.name))
    isDenied = !view.denied.isEmpty
    view.forgetGone()
  }

  /// Begins anew with the parent's objects.
  func start(from new: ObjectGraph) {
    precondition(new.gone.isEmpty, "a context begins with objects, not with deleted ones")
    (base, view, contested, disputed, isDenied) = (new, new, [], [], false)
  }

  /// Drops its changes.
  func rollBack() { start(from: base) }

  /// Adopts the shown relationships that have several possible outcomes, on both sides.
  func settleContested(_ seen: ObjectGraph) {
    for side in contested { view.adoptBothSides(side, from: seen) }
    contested = []
  }

  /// Whether others related something to an object that it has deleted.
  func deletesReferenced(in new: ObjectGraph) -> Bool { view.deletesReferenced(from: base, in: new) }

  /// Makes an edit in the reference.
  ///
  /// - Returns: whether it was made; not one that a delete rule denies.
  func make(_ edit: Edit) -> Bool {
    var next = view
    guard next.apply(edit, unsaved: inserted), next.denied.isEmpty else { return false }
    next.forgetGone()
    view = next
    return true
  }

  /// Whether an unsaved change is of, or leads to, an object that its parent lost, or deletes an object that others lead to;
  /// in a block of the context, which may count objects as changed that are as before.
  func touchesDeleted(in new: ObjectGraph) -> Bool {
    referencesDeleted(in: new) || deletesReferenced(in: new)
      || !context.updatedObjects.isEmpty && !base.nodes.keys.allSatisfy { new.nodes[$0] != nil }
  }

  /// Whether an unsaved change leads to an object that its parent does not have any more.
  private func referencesDeleted(in new: ObjectGraph) -> Bool {
    let gone = Set(base.nodes.keys).subtracting(new.nodes.keys)
    guard !gone.isEmpty, hasChanges else { return false }
    return !gone.isDisjoint(with: deleted)
      || view.nodes.contains { name, node in
        node != base.nodes[name]
          && (gone.contains(name) || node.ones.values.contains(where: gone.contains)
            || node.manys.values.joined().contains(where: gone.contains))
      }
  }

  // MARK: Objects

  /// The object of a number: the held one, or one that is fetched.
  ///
  /// - Parameter graph: the objects of the context.
  func find(_ name: Int, _ graph: ObjectGraph) throws -> NSManagedObject? {
    if let object = held[name], object.managedObjectContext != nil { return object }
    guard let entity = graph.nodes[name]?.entity else { return nil }
    let object = try picture.object(name, entity)
    held[name] = object
    return object
  }

  func hold(_ object: NSManagedObject?, as name: Int) { held[name] = object }

  /// Lets objects go that `isReleased` names.
  func release(where isReleased: (Int) -> Bool) { held = held.filter { !isReleased($0.key) } }

  func releaseAll() { held = [:] }
}
