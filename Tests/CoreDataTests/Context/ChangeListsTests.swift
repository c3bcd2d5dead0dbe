import Testing

import Scheduling

@testable import CoreData

/// The lists of changes against plain lists, which keep every pending object by itself.
@Suite struct ChangeListsTests {
  private struct Plain {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    var pending: [NSManagedObject] = []
  }

  @Test(arguments: 0..<40)
  func pendingObjectsAreThoseInTheirOrder(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let stack = try TestStack(.memory)
    let entity = try #require(stack.container.managedObjectModel.entitiesByName["Word"])
    var lists = ChangeLists()
    var plain = Plain()
    for _ in 0..<60 {
      let object = NSManagedObject(entity: entity, insertInto: nil)
      switch random.next() % 12 {
      case 0...3:
        object.state.insert()
        lists.recordInsert(object)
        plain.inserted.append(object)
        plain.pending.append(object)
      case 4...6:
        let gained = object.state.update()
        lists.recordUpdate(gained, object)
        plain.updated.append(object)
        plain.pending.append(object)
      case 7:
        _ = object.state.delete()
        lists.recordDelete(object)
        plain.deleted.append(object)
        plain.pending.append(object)
      case 8:
        object.state = .inserted
        lists.reinsert(object)
        plain.inserted.append(object)
      case 9:
        object.state = .updated
        lists.becomeUpdated(object)
        plain.updated.append(object)
      case 10:
        // One that was reported, and changed again.
        guard let known = lists.updated.first, known.state == .updated else { continue }
        lists.recordUpdate(known.state.update(), known)
        plain.pending.append(known)
      default:
        let event = lists.removePending()
        #expect(event.objects.elementsEqual(plain.pending, by: ===))
        for object in event.objects { object.state.process() }
        plain.pending = []
      }
      lists.clean()
      #expect(lists.pending.elementsEqual(plain.pending, by: ===))
      #expect(lists.hasPending == !plain.pending.isEmpty)
      #expect(lists.inserted.elementsEqual(plain.inserted, by: ===))
      #expect(lists.updated.elementsEqual(plain.updated, by: ===))
      #expect(lists.deleted.elementsEqual(plain.deleted, by: ===))
    }
  }
}
