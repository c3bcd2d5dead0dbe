import Cells
import Checking
import CoreData

// S2.7, S2.8, S3.1, S3.6: an object of a class that overrides one method alone, whichever it is, gets that call whenever it is due and
// at no other time, beside objects of classes that override others or none.

extension RuleTrial {
  func overrides() throws {
    let all = Override.allCases
    let classes = chance(1, of: 2) ? [pick(all) ?? .willSave] : some(all, atMost: all.count)
    note("classes that override \(classes.map(\.rawValue))")
    let coordinator = try open(OverrideModel.make(classes), at: newURL())
    for _ in 0..<(1 + draw(2)) {
      let owner = context(coordinator)
      let child = chance(1, of: 4) ? context(in: owner) : owner
      try child.performAndWait { try live(classes, child) }
      if child !== owner { try owner.performAndWait { try save(owner) } }
    }
    try close(coordinator)
    try initialise()
    try giveUpWhileFilling()
  }

  /// A life of one object of each class, from its insertion to its deletion; in a block of the context.
  private func live(_ classes: [Override], _ context: NSManagedObjectContext) throws {
    let log = OverrideLog()
    context.userInfo[OverrideLog.key] = log
    defer { context.userInfo.removeObject(forKey: OverrideLog.key) }
    let entities = classes.map(\.rawValue) + [OverrideModel.plain]
    func step(_ what: String, due: Set<Override>, _ body: () throws -> Void) throws {
      note(what)
      log.calls = []
      try body()
      let seen = Set(log.calls.filter { !$0.isRepeated || !due.contains($0) })
      let often = log.calls.count { !$0.isRepeated }
      let expected = due.intersection(classes).filter { !$0.isRepeated }
      try require(
        seen.map(\.rawValue).sorted(), expected.map(\.rawValue).sorted(), .wrongNotification,
        "the calls of objects, each of a class that overrides one of \(classes.map(\.rawValue)), with \(what)")
      try require(often, seen.count, .wrongNotification, "how many calls there are with \(what)")
      for repeated in due.intersection(classes) where repeated.isRepeated {
        try require(
          log.calls.contains(repeated), true, .wrongNotification, "whether \(repeated) is called with \(what)")
      }
    }
    let isSaved: Set<Override> = [.willSave, .didSave, .validateValue]
    var objects: [NSManagedObject] = []
    try step("an insertion", due: [.awakeFromInsert]) { objects = entities.map { insertNumbered($0, context) } }
    try step("a save of insertions", due: isSaved.union([.validateForInsert])) { try save(context) }
    try step("a save of updates", due: isSaved.union([.validateForUpdate])) {
      for object in objects { object.setValue(newNumber(), forKey: "rank") }
      try save(context)
    }
    try step("a rollback", due: [.awakeFromSnapshotEvents]) {
      for object in objects { object.setValue(newNumber(), forKey: "rank") }
      context.rollback()
    }
    try step("a refresh", due: [.willTurnIntoFault, .didTurnIntoFault]) {
      for object in objects { context.refresh(object, mergeChanges: false) }
    }
    try step("a read", due: [.awakeFromFetch]) { for object in objects { _ = object.value(forKey: "rank") } }
    try step("a deletion", due: [.prepareForDeletion]) {
      for object in objects { context.delete(object) }
      context.processPendingChanges()
    }
    // An object that is gone is a fault, now or later.
    let isGone: Set<Override> = [.willTurnIntoFault, .didTurnIntoFault]
    try step("a save of deletions", due: [.willSave, .didSave, .validateForDelete]) {
      try save(context)
      log.calls.removeAll { isGone.contains($0) }
    }
  }
}

/// A method that one class alone overrides.
enum Override: String, CaseIterable {
  case awakeFromInsert, awakeFromFetch, awakeFromSnapshotEvents, willTurnIntoFault, didTurnIntoFault
  case prepareForDeletion, willSave, didSave, validateForInsert, validateForUpdate, validateForDelete, validateValue

  /// Whether it is called for each property.
  var isRepeated: Bool { self == .validateValue }

  var type: NSManagedObject.Type {
    switch self {
    case .awakeFromInsert: OverridesAwakeFromInsert.self
    case .awakeFromFetch: OverridesAwakeFromFetch.self
    case .awakeFromSnapshotEvents: OverridesAwakeFromSnapshotEvents.self
    case .willTurnIntoFault: OverridesWillTurnIntoFault.self
    case .didTurnIntoFault: OverridesDidTurnIntoFault.self
    case .prepareForDeletion: OverridesPrepareForDeletion.self
    case .willSave: OverridesWillSave.self
    case .didSave: OverridesDidSave.self
    case .validateForInsert: OverridesValidateForInsert.self
    case .validateForUpdate: OverridesValidateForUpdate.self
    case .validateForDelete: OverridesValidateForDelete.self
    case .validateValue: OverridesValidateValue.self
    }
  }
}

/// An entity for each class, by the name of the method, and one of a class that overrides nothing.
private enum OverrideModel {
  static let plain = "Plain"

  static func make(_ classes: [Override]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = (classes.map { ($0.rawValue, $0.type) } + [(plain, NSManagedObject.self)]).map { name, type in
      let entity = ModelParts.entity(name)
      entity.managedObjectClassName = _typeName(type)
      entity.properties.append(ModelParts.attribute("rank", .integer64AttributeType, isOptional: true))
      return entity
    }
    precondition(model.entities.count == classes.count + 1, "each class is one of one entity")
    return model
  }
}

/// The calls that objects of a context got; only used in its blocks.
private final class OverrideLog {
  static let key = "overrides"
  var calls: [Override] = []

  static func note(_ method: Override, _ object: NSManagedObject) {
    (object.managedObjectContext?.userInfo[key] as? OverrideLog)?.calls.append(method)
  }
}

final class OverridesAwakeFromInsert: NSManagedObject {
  override func awakeFromInsert() { OverrideLog.note(.awakeFromInsert, self) }
}

final class OverridesAwakeFromFetch: NSManagedObject {
  override func awakeFromFetch() { OverrideLog.note(.awakeFromFetch, self) }
}

final class OverridesAwakeFromSnapshotEvents: NSManagedObject {
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    OverrideLog.note(.awakeFromSnapshotEvents, self)
  }
}

final class OverridesWillTurnIntoFault: NSManagedObject {
  override func willTurnIntoFault() { OverrideLog.note(.willTurnIntoFault, self) }
}

final class OverridesDidTurnIntoFault: NSManagedObject {
  override func didTurnIntoFault() { OverrideLog.note(.didTurnIntoFault, self) }
}

final class OverridesPrepareForDeletion: NSManagedObject {
  override func prepareForDeletion() { OverrideLog.note(.prepareForDeletion, self) }
}

final class OverridesWillSave: NSManagedObject {
  override func willSave() { OverrideLog.note(.willSave, self) }
}

final class OverridesDidSave: NSManagedObject {
  override func didSave() { OverrideLog.note(.didSave, self) }
}

final class OverridesValidateForInsert: NSManagedObject {
  override func validateForInsert() throws {
    OverrideLog.note(.validateForInsert, self)
    try super.validateForInsert()
  }
}

final class OverridesValidateForUpdate: NSManagedObject {
  override func validateForUpdate() throws {
    OverrideLog.note(.validateForUpdate, self)
    try super.validateForUpdate()
  }
}

final class OverridesValidateForDelete: NSManagedObject {
  override func validateForDelete() throws {
    OverrideLog.note(.validateForDelete, self)
    try super.validateForDelete()
  }
}

final class OverridesValidateValue: NSManagedObject {
  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    OverrideLog.note(.validateValue, self)
    try super.validateValue(value, forKey: key)
  }
}
