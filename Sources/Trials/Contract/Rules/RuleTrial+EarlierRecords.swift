import Cells
import Checking
import CoreData

// S6.3, S10.1: a history that was recorded by an earlier model, which the tables of a later one fit, names the same properties.

extension RuleTrial {
  /// A relationship has no other side at first, and gets one by a later model; modifiers of hashes leave it to the tables whether
  /// that fits.
  func readEarlierRecords() throws {
    let url = newURL()
    // Changed properties are bits, eight in a byte.
    let keys = (0..<(pick([7, 7, 15, draw(20)]) ?? 7)).map { "value\($0)" }
    func make(isTwoSided: Bool) -> NSManagedObjectModel {
      let (thing, owner) = (ModelParts.entity("Thing"), ModelParts.entity("Owner"))
      owner.properties += keys.map { ModelParts.attribute($0, .integer64AttributeType, isOptional: true) }
      let its = ModelParts.one("owner", owner)
      if isTwoSided {
        ModelParts.connect(ModelParts.many("things", thing, .nullifyDeleteRule), of: owner, its, of: thing)
      } else {
        thing.properties.append(its)
      }
      for entity in [thing, owner] { entity.versionHashModifier = isTwoSided ? "later" : "earlier" }
      let model = NSManagedObjectModel()
      model.entities = [thing, owner]
      return model
    }
    note("an owner with \(keys.count) values, of which a later model knows the things as well")
    var expected: [[String]] = []
    for isTwoSided in [false, true] {
      let coordinator = try open(make(isTwoSided: isTwoSided), at: url, history: true)
      let writer = context(coordinator)
      try writer.performAndWait {
        let owner = try all("Owner", writer).first ?? insertNumbered("Owner", writer)
        if owner.isInserted {
          insertNumbered("Thing", writer).setValue(owner, forKey: "owner")
          try save(writer)
        }
        for _ in 0..<(1 + draw(3)) {
          let changed = [RuleModel.number] + some(keys, atMost: keys.count).sorted()
          for key in changed { owner.setValue(newNumber(), forKey: key) }
          try save(writer)
          expected.append(changed)
        }
      }
      let recorded = try answer(
        NSPersistentHistoryChangeRequest.fetchHistory(after: .none as NSPersistentHistoryToken?), coordinator)
      let changes = (recorded as? [NSPersistentHistoryTransaction] ?? []).flatMap { $0.changes ?? [] }
      let named = changes.filter { $0.changeType == .update }.map { ($0.updatedProperties ?? []).map(\.name).sorted() }
      precondition(!expected.isEmpty, "the owner was changed")
      try require(
        named, expected, .historyDivergence,
        "the properties that updates name by the \(isTwoSided ? "later" : "earlier") model")
      try close(coordinator)
    }
  }
}
