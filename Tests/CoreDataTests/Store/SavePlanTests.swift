import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// A store below all contexts: plans in, receipts and conflicts out.
@Suite struct SavePlanTests {
  private let model = Notebook.model(uniqueNotes: [["uuid"]])
  private let store: SQLiteStore
  private let note: EntityLayout
  private let word: EntityLayout

  init() throws {
    let layout = try model.freeze()
    store = try SQLiteStore(
      type: NSInMemoryStoreType, url: nil, model: model, layout: layout, options: StoreOptions(nil),
      writer: SerialQueue(label: "writer"))
    note = try #require(layout.entitiesByName["Note"])
    word = try #require(layout.entitiesByName["Word"])
  }

  private func row(_ layout: EntityLayout, _ values: [String: Slot] = [:]) throws -> Row {
    let row = layout.defaultValues.mutableCopy()
    for (name, slot) in values { row[try #require(layout.propertiesByName[name]).index] = slot }
    return row
  }

  private func insert(_ key: Int64, _ layout: EntityLayout, _ values: [String: Slot] = [:]) throws -> SavePlan.Insert {
    SavePlan.Insert(row: try row(layout, values), key: key, base: nil, lastVersion: 0)
  }

  private func update(_ base: Row, _ name: String, _ slot: Slot) throws -> SavePlan.Update {
    let property = try #require(base.layout.propertiesByName[name])
    let row = base.mutableCopy()
    row[property.index] = slot
    var mask = PropertyMask.empty
    mask.insert(property.index)
    return SavePlan.Update(key: base.key, row: row, base: base, mask: mask)
  }

  private func delete(_ base: Row) -> SavePlan.Delete {
    SavePlan.Delete(key: base.key, layout: base.layoutReference, base: base)
  }

  private func plan(
    _ inserts: [SavePlan.Insert] = [], _ updates: [SavePlan.Update] = [], _ deletes: [SavePlan.Delete] = []
  ) -> SavePlan {
    var plan = SavePlan()
    plan.inserts = ContiguousArray(inserts)
    plan.updates = ContiguousArray(updates)
    plan.deletes = ContiguousArray(deletes)
    plan.keys = KeyTable(ContiguousArray(inserts.map(\.key).filter { $0 < 0 }))
    return plan
  }

  /// Writes in a transaction of its own, and rolls back unless everything was written.
  @discardableResult
  private func write(_ plan: SavePlan, freeingValues: Bool = false) throws -> (SQLiteStore.WriteOutcome, SaveReceipt?) {
    try store.writer.sync {
      var plan = plan
      try store.begin()
      do {
        let outcome = try store.write(&plan, freeingValues: freeingValues)
        guard outcome == .written else {
          store.rollBack()
          return (outcome, nil)
        }
        try store.commit(plan)
        return (outcome, store.publish(plan))
      } catch {
        store.rollBack()
        throw error
      }
    }
  }

  private func saved(_ inserts: SavePlan.Insert...) throws -> [Row] {
    try #require(try write(plan(inserts)).1).inserted.compactMap(\.row)
  }

  // S2.2
  @Test func temporaryReferencesBecomePermanent() throws {
    let reference = Slot.reference(RowReference(key: -7, entity: UInt16(note.number)))
    let rows = try saved(insert(-7, note), insert(-9, word, ["note": reference]))
    #expect(rows.map(\.version) == [1, 1])
    #expect(rows.allSatisfy { $0.key > 0 && $0.isFrozen })
    let target = try #require(word.propertiesByName["note"]).index
    #expect(rows[1][target] == .reference(RowReference(key: rows[0].key, entity: UInt16(note.number))))
    let members = try #require(note.propertiesByName["words"])
    #expect(try store.readMembers(of: rows[0].key, members).map(\.key) == [rows[1].key])
  }

  // S3.3
  @Test func aStaleRowIsNamedByItsPlace() throws {
    let rows = try saved(insert(-1, note), insert(-2, note), insert(-3, note))
    for row in rows { try write(plan([], [update(row, "title", .string("newer"))])) }
    var stale = plan([], [try update(rows[0], "title", .string("mine"))], [delete(rows[1])])
    stale.locked = [rows[2]]
    #expect(try write(stale).0 == .isStale)
    try store.writer.sync {
      try store.begin()
      defer { store.rollBack() }
      let found = try store.staleRows(stale)
      #expect(found.map { "\($0.place) \($0.row?.version ?? 0)" } == ["update(0) 2", "delete(0) 2", "locked(0) 2"])
    }
  }

  // S3.3
  @Test func aLockedRowAloneStopsAWrite() throws {
    let rows = try saved(insert(-1, note), insert(-2, note))
    var own = plan([], [try update(rows[0], "title", .string("mine"))])
    own.locked = [rows[1]]
    #expect(try write(own).0 == .written)
    try write(plan([], [update(rows[1], "title", .string("newer"))]))
    own = plan(
      [], [try update(try #require(try store.readRow(key: rows[0].key, layout: note)), "title", .string("again"))])
    own.locked = [rows[1]]
    #expect(try write(own).0 == .isStale)
  }

  // S3.5
  @Test func aUniqueValueGoesFromADeletedRowToANewOne() throws {
    let uuid = Slot.uuid(UUID())
    let old = try saved(insert(-1, note, ["uuid": uuid]))[0]
    #expect(try write(plan([insert(-2, note, ["uuid": uuid])], [], [delete(old)])).0 == .written)
  }

  // S3.5
  @Test func twoRowsExchangeUniqueValuesOnceTheyAreFreed() throws {
    let values = [Slot.uuid(UUID()), .uuid(UUID())]
    let rows = try saved(insert(-1, note, ["uuid": values[0]]), insert(-2, note, ["uuid": values[1]]))
    let exchange = plan([], [try update(rows[0], "uuid", values[1]), try update(rows[1], "uuid", values[0])])
    #expect(try write(exchange).0 == .isNotUnique)
    try store.writer.sync {
      try store.begin()
      defer { store.rollBack() }
      #expect(try store.collidingRows(exchange).isEmpty)
    }
    #expect(try write(exchange, freeingValues: true).0 == .written)
  }

  // S3.5
  @Test func collidingRowsAreNamedByTheirPlaces() throws {
    let uuid = Slot.uuid(UUID())
    let old = try saved(insert(-1, note, ["uuid": uuid]))[0]
    let colliding = plan([try insert(-2, note, ["uuid": uuid]), try insert(-3, note, ["uuid": uuid])])
    #expect(try write(colliding).0 == .isNotUnique)
    try store.writer.sync {
      try store.begin()
      defer { store.rollBack() }
      let found = try store.collidingRows(colliding)
      #expect(found.map { $0.places.map { "\($0)" } } == [["insert(0)", "insert(1)"]])
      #expect(found.first?.row?.key == old.key)
    }
  }

  // S6.3
  @Test func aReferenceToAnotherStoreIsRefused() throws {
    let foreign = Slot.reference(RowReference(key: -5, entity: UInt16(note.number)))
    do {
      try write(plan([insert(-4, word, ["note": foreign])]))
      Issue.record("a row leads to an object that is not in the plan")
    } catch let error as CrossStoreReference {
      #expect(error.owner == -4)
      #expect(error.property.name == "note")
    }
    #expect(try saved(insert(-6, word)).count == 1)
  }
}
