import RowStore

/// A context's objects that were found to have no row.
struct GoneObjects {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Marks an object gone that was found to have no row.
  func lose(_ object: NSManagedObject) {
    object.state = .gone
    context.changes.markStale()
    record(object)
  }

  /// An object that is gone, for a reference with the ID of another entity's object, as only a broken file has it.
  func make(_ reference: RowReference, _ layout: EntityLayout) -> NSManagedObject {
    let object = layout.makeObject()
    object.enter(context.registry)
    object.key = reference.key
    object.state = .gone
    return object
  }

  /// Notes that the object's row is gone; the object stays readable until `reset()`.
  func record(_ object: NSManagedObject) {
    context.held.remove(object)
    context.held.addGone(object)
  }

  /// Makes room for another object: this one was found gone, or its ID has a row of another entity.
  func giveUp(_ object: NSManagedObject) {
    if !object.state.contains(.gone) { lose(object) }
    // The other one may be listed under the other key of the two that both have.
    context.registry?.objects.remove(object.identity, ifItIs: object)
    forgetMembers()
  }

  /// Has relationships read again that lead to objects found gone: a row that came back has another object, in the place of the
  /// one found gone.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their known members, once after objects were found gone.
  func forgetMembers() {
    guard context.held.isGoneListed else { return }
    context.held.isGoneListed = false
    for object in context.registry?.objects.objects ?? []
    where object.state.isDisjoint(with: [.deleted, .gone]) && object.leadsToGone {
      object.forgetUnchangedRelations()
    }
  }

  /// The object under the ID of an object that is gone, where the row came back: another object. References to the gone one
  /// lead there.
  ///
  /// The store, or the parent, is asked.
  func returned(_ gone: NSManagedObject) -> NSManagedObject? {
    let (key, layout) = (gone.key, gone.layout)
    if let other = successor(of: gone) { return other }
    guard context.registry != nil, let permanent = key > 0 ? key : context.tree.aliases.permanent(for: key) else {
      return nil
    }
    do {
      let row =
        if let parentContext = context.parentContext {
          try ParentAnswers(of: parentContext).serve(context) { try $0.row(key: key, layout: layout) }
        } else {
          try context.reader?.row(RowIdentity(key: permanent, layout: layout), layout: layout)
        }
      return row.map { context.object(key: key, layout: layout, row: $0) }
    } catch {
      context.reading.unreadable.record(error, in: context)
      return nil
    }
  }

  /// The object registered under the ID of an object that is gone. A fault without a row at hand is none: it was made of the ID
  /// alone, and it is not known yet whether a row came back.
  func successor(of gone: NSManagedObject) -> NSManagedObject? {
    guard let other = context.registered(key: gone.key, layout: gone.layout), !other.state.contains(.gone),
      other.values != nil || other.snapshot != nil
    else { return nil }
    return other
  }
}

extension NSManagedObject {
  /// Whether a relationship, as it was read, leads to an object that was found gone since.
  fileprivate final var leadsToGone: Bool {
    relations.contains { relation in
      switch relation {
      case .unknown, .none: false
      case .one(let target): target.state.contains(.gone)
      case .many(let toMany): toMany.members?.objects.contains { $0.state.contains(.gone) } ?? false
      }
    }
  }
}
