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

  @Test(arguments: [0, 70]) func aSortedListHasTheSameObjectsAndTheSameAreStillPending(processed: Int) throws {
    var random = SeededRandom(seed: 7)
    let stack = try TestStack(.memory)
    let entities = try ["Word", "Note"].map { try #require(stack.container.managedObjectModel.entitiesByName[$0]) }
    var lists = ChangeLists()
    func update(_ count: Int) {
      for _ in 0..<count {
        let object = NSManagedObject(entity: entities[Int(random.next() % 2)], insertInto: nil)
        object.key = Int64(random.next() % 10_000)
        lists.recordUpdate(object.state.update(), object)
      }
    }
    update(processed)
    for object in lists.removePending().objects { object.state.process() }
    update(80)
    let (updated, pending) = (Set(lists.updated), Set(lists.pending))
    lists.sortUpdated()
    #expect(Set(lists.updated) == updated && lists.updated.count == processed + 80)
    #expect(Set(lists.pending) == pending && lists.pending.count == 80)
    for (one, next) in zip(lists.updated, lists.updated.dropFirst()) {
      #expect((one.layout.number, one.key) <= (next.layout.number, next.key))
    }
  }

  @Test func objectsThatLieInMemoryAsTheyAreListedStaySo() throws {
    let stack = try TestStack(.memory)
    let entity = try #require(stack.container.managedObjectModel.entitiesByName["Word"])
    let objects = (0..<80).map { number in
      let object = NSManagedObject(entity: entity, insertInto: nil)
      object.key = Int64(80 - number)
      return object
    }
    let inMemory = objects.sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
    for (listed, isKept) in [(inMemory, true), (inMemory.reversed(), false)] {
      var lists = ChangeLists()
      for object in listed {
        object.state = []
        lists.recordUpdate(object.state.update(), object)
      }
      lists.orderUpdated()
      let expected = isKept ? listed : listed.sorted { $0.key < $1.key }
      #expect(lists.updated.elementsEqual(expected, by: ===))
    }
  }
}
