import Cells
import Checking
import CoreData

// S2.7, S3.1, S5.1: awakeFromFetch may fetch while changes wait to be reported, and willSave may have them processed: what observers
// and hooks change meanwhile of other objects is a change like any other, with all of the calls that one leads to.

extension RuleTrial {
  /// A hook fetches while a change waits; whoever hears of that change makes another one.
  func fetchWhileAwaking(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let (number, text): (Int, String) = try owner.performAndWait {
      let nodes = shuffled(try all("Node", owner)).compactMap { $0 as? HookedObject }
      precondition(nodes.count > 2, "one object changes, one is read, and one is changed by an observer")
      for node in nodes { _ = node.remark }
      let number = newNumber()
      let edit = CallbackEdit(.update, owner, nodes[2], number: number)
      let observer = session.environment.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: owner
      ) { _ in edit.run() }
      defer { session.environment.removeObserver(observer) }
      note("awakeFromFetch of \(RulePicture.number(nodes[1])) fetches")
      owner.refresh(nodes[1], mergeChanges: false)
      owner.processPendingChanges()
      edit.arm()
      nodes[0].remark = "change \(newNumber())"
      var found = 0
      let log = HookLog([
        .awakeFromFetch: { _ in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
          request.predicate = NSPredicate(format: "remark != nil")
          found = (try? owner.fetch(request).count) ?? -1
        }
      ])
      log.record(owner) {
        note(
          "it is read: \(chance(1, of: 2) ? nodes[1].remark ?? "" : RulePicture.text(nodes[1].value(forKey: "remark")))"
        )
      }
      try require(found, nodes.count, .wrongValue, "how many objects awakeFromFetch finds")
      owner.processPendingChanges()
      try require(
        [edit.isDone, nodes[2].hasChanges], [true, true], .lostUpdate,
        "whether an observer was called, and what it has set is a change")
      try save(owner)
      return (RulePicture.number(nodes[2]), "edit \(number)")
    }
    try requireRemark(text, of: number, coordinator, "that an observer has set, beside a fetch of awakeFromFetch")
  }

  /// Each willSave changes the next object, and has that processed now and then.
  func processWhileSaving(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let text = "by willSave \(newNumber())"
    let numbers: [Int] = try owner.performAndWait {
      let nodes = Array(shuffled(try all("Node", owner)).compactMap { $0 as? HookedObject }.prefix(4))
      precondition(nodes.count == 4, "each but the last changes the next one")
      let processed = [true] + (0..<2).map { _ in chance(1, of: 2) }
      note("willSave of \(nodes.map(\.number)) changes the next, processed \(processed)")
      var done = Set<Int>()
      let log = HookLog([
        .willSave: { object in
          guard let index = nodes.firstIndex(of: object), index < 3, done.insert(index).inserted else { return }
          nodes[index + 1].remark = text
          if processed[index] { owner.processPendingChanges() }
        }
      ])
      nodes[0].remark = text
      try log.record(owner) { try save(owner) }
      let due = ["willSave", "validateForUpdate", "didSave"]
      for (index, node) in nodes.enumerated() {
        let calls = log.calls(of: node).map { String($0.prefix { $0 != " " }) }
        try require(
          due.filter { !calls.contains($0) }, [], .missedNotification,
          "calls that object \(index) of a chain of willSave did not get")
      }
      return nodes.map { Int($0.number) }
    }
    for number in numbers { try requireRemark(text, of: number, coordinator, "of a chain of willSave") }
  }

  private func requireRemark(
    _ text: String, of number: Int, _ coordinator: NSPersistentStoreCoordinator, _ what: String
  ) throws {
    let fresh = freshContext(coordinator)
    let seen = try fresh.performAndWait {
      try all("Node", fresh).first { RulePicture.number($0) == number }?.value(forKey: "remark") as? String
    }
    try require(seen, text, .unpersistedSave, "the remark \(what), in the file")
  }
}
