import Foundation
import RowStore

extension NSManagedObject {
  /// The persistent properties that changed since `NSManagedObjectContextObjectsDidChange` was last posted, with their
  /// values from before; while it is posted, those that it reports.
  ///
  /// `NSNull` means nil. To-many relationships that were never read are left out, since no fault is fired.
  /// Complexity: O(*n*) for *n* properties and members changed.
  public final func changedValuesForCurrentEvent() -> [String: Any] {
    touch("changedValuesForCurrentEvent")
    if values == nil, !changed.isEmpty { _ = realisedValues(nil) }
    guard let context = registry?.contextOnQueue, let values else { return [:] }
    let base: StateBeforeEvent?
    let isInserted: Bool
    if !state.isDisjoint(with: .pending) {
      base = context.changes.bases[ObjectIdentifier(self)]
      isInserted = state.contains(.pendingInsert)
    } else if let reported = context.undoing.reported, reported.sets.includes(self) {
      base = reported.bases[ObjectIdentifier(self)]
      isInserted = state.contains(.inserted) && reported.sets.inserted.contains(self)
    } else {
      return [:]
    }
    guard let row = isInserted ? makeInitialValues() : base?.row ?? snapshot else { return [:] }
    var result: [String: Any] = [:]
    for property in layout.properties where changed.contains(property.index) && !property.isTransient {
      if case .toMany = property.kind {
        result[property.name] = oldMembers(property, base)
      } else if row[property.index] != values[property.index] {
        result[property.name] = oldValue(row[property.index], property, context)
      }
    }
    return result
  }

  private final func oldMembers(_ property: PropertyLayout, _ base: StateBeforeEvent?) -> Any? {
    guard let known = knownToMany(property), let members = known.members else { return nil }
    if let order = known.order {
      let before = base.map { $0.order(of: property, now: self) } ?? order.stored
      guard let before, !before.elementsEqual(members.objects, by: ===) else { return nil }
      return NSOrderedSet(array: Array(before))
    }
    let change = base?.change(of: property, now: self) ?? known.unsavedChange
    return change.isEmpty ? nil : change.undone(on: Set(members.objects))
  }

  private final func oldValue(_ slot: Slot, _ property: PropertyLayout, _ context: NSManagedObjectContext) -> Any {
    switch property.kind {
    case .attribute(let type): return slot.value(as: type) ?? NSNull()
    case .toOne, .toMany:
      guard case .reference(let reference) = slot else { return NSNull() }
      return context.object(for: reference, in: property.relation.destination)
    }
  }
}

extension ObjectSets {
  func includes(_ object: NSManagedObject) -> Bool {
    updated.contains(object) || inserted.contains(object) || deleted.contains(object)
  }
}

extension PendingEvent {
  /// Posts `NSManagedObjectContextObjectsDidChange` for the event.
  func post(_ sets: ObjectSets, from context: NSManagedObjectContext, unseen: ContiguousArray<NSManagedObject> = []) {
    // An observer may change objects and process that.
    let outer = context.undoing.reported
    context.undoing.reported = ReportedEvent(sets: sets, bases: bases)
    defer { context.undoing.reported = outer }
    sets.postChange(of: context, unseen: unseen)
  }
}
