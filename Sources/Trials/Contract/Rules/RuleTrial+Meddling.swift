import Cells
import Checking
import CoreData

// S2.7, S3.1, S8.1: an object that is asked whether it is valid may delete another one, which new members follow and do not hinder, or
// give it a value that the model refuses, though it was found right before; whether or not it has that processed.

extension RuleTrial {
  func meddle(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      let saved = (0..<3).compactMap { _ in insertNumbered("Node", owner) as? HookedObject }
      try save(owner)
      let (parent, other) = (saved[0], saved[1])
      let (isNew, deletes, isProcessed) = (chance(1, of: 2), chance(1, of: 2), chance(1, of: 2))
      var (trigger, members): (HookedObject?, [HookedObject]) = (isNew ? nil : saved[2], [])
      for step in shuffled([0, 1, 2, 3]) {
        switch step {
        case 0:
          trigger = trigger ?? insertNumbered("Node", owner) as? HookedObject
          trigger?.remark = "asked"
        case 1: other.remark = "right"
        default:
          guard let member = insertNumbered("Node", owner) as? HookedObject else { continue }
          member.setValue(parent, forKey: "parent")
          members.append(member)
        }
        if chance(1, of: 4) { owner.processPendingChanges() }
      }
      note(
        "validation of \(trigger.map { "\($0.number)" } ?? "") "
          + "\(deletes ? "deletes \(parent.number)" : "changes \(other.number)")\(isProcessed ? ", processed" : "")")
      var isDone = false
      let log = HookLog([
        isNew ? .validateForInsert : .validateForUpdate: { object in
          guard object === trigger, !isDone else { return }
          isDone = true
          if deletes { owner.delete(parent) } else { other.remark = String(repeating: "long ", count: 9) }
          if isProcessed { owner.processPendingChanges() }
        }
      ])
      let gone = deletes ? ([parent] + members).map(RulePicture.number) : []
      let left = (saved + members + [trigger].compactMap { $0 }).map(RulePicture.number).filter { !gone.contains($0) }
      let error = log.record(owner) { AnythingClient.error { try owner.save() } }
      try require(
        error?.code, deletes ? nil : NSValidationStringTooLongError, .wrongValue,
        "the error of a save in which a validation \(deletes ? "deletes another object" : "gives another a long text")")
      if !deletes {
        other.remark = "mended"
        try save(owner)
      }
      let fresh = freshContext(coordinator)
      let file = try fresh.performAndWait {
        Dictionary(try all("Node", fresh).map { (RulePicture.number($0), $0.value(forKey: "remark") as? String) }) {
          $1
        }
      }
      for number in gone {
        try require(file[number] == nil, true, .orphanRecord, "whether \(number) is gone, which a validation deleted")
      }
      for number in Set(left) {
        try require(file[number] != nil, true, .lostRecord, "whether \(number) is there after others' validation")
      }
      try require(
        file[Int(other.number)], deletes ? "right" : "mended", .unpersistedSave,
        "the remark of an object that another one's validation may change")
    }
  }
}
