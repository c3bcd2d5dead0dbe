import Checking
import CoreData

// S2.7, S3.1, S9.2: a save refuses exactly the values that the model's rules refuse, with code, key, object and value of each;
// nothing is lost of a refused save, and mended values are saved.

extension RuleTrial {
  func rules() throws {
    let coordinator = try open(JudgedModel.shared)
    let root = context(coordinator)
    let editor = chance(1, of: 4) ? context(in: root) : root
    try root.performAndWait {
      for _ in 0..<3 {
        let owner = insertValid("Owner", root)
        let things = (0..<(1 + draw(3))).map { _ in insertValid("Thing", root) }
        let visits = things.count > 1 && chance(1, of: 2)
        if visits { note("the things of \(RulePicture.number(owner)) are its guests") }
        for thing in things {
          thing.setValue(owner, forKey: "owner")
          if visits { thing.setValue(owner, forKey: "visits") }
        }
      }
      try save(root)
    }
    for _ in 0..<(2 + draw(4)) {
      let stored = try picture(freshContext(coordinator), JudgedModel.entities)
      // Judging reads every relationship: some saves come before it.
      let isRead = chance(1, of: 2)
      if !isRead { editor.performAndWait { editor.reset() } }
      try editor.performAndWait {
        for _ in 0..<(1 + draw(5)) { try violate(editor) }
        if chance(1, of: 3) { editor.processPendingChanges() }
      }
      let earlyError = isRead ? nil : editor.performAndWait { AnythingClient.error { try editor.save() } }
      let shown = try picture(editor, JudgedModel.entities)
      let expected = try editor.performAndWait { try judged(editor) }
      if isRead { try editor.performAndWait { try judgeAlone(editor) } }
      let error = isRead ? editor.performAndWait { AnythingClient.error { try editor.save() } } : earlyError
      try require(try refusals(editor, error), expected.sorted(), .wrongValue, "what a save refuses")
      if expected.count > 1 {
        try require(error?.code, NSValidationMultipleErrorsError, .wrongValue, "the code of several errors")
      }
      guard expected.isEmpty else {
        try require(
          try picture(editor, JudgedModel.entities), shown, .lostUpdate, "in a context after a refused save")
        try require(
          try picture(freshContext(coordinator), JudgedModel.entities), stored, .unpersistedSave,
          "in the file after a refused save")
        try editor.performAndWait {
          note("mend")
          try mend(editor)
          try save(editor)
        }
        try saveParent(editor, coordinator)
        continue
      }
      try saveParent(editor, coordinator)
    }
    try validateByMethods()
  }

  private func saveParent(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(editor.persistentStoreCoordinator === coordinator, "a parent saves to this file")
    let shown = try picture(editor, JudgedModel.entities)
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    let file = try picture(freshContext(coordinator), JudgedModel.entities)
    try require(file, shown, .unpersistedSave, "in the file after a save")
  }

  private func insertValid(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = insertNumbered(entity, context)
    for rule in JudgedModel.rules[entity] ?? [] where rule.isMandatory { object.setValue(rule.valid, forKey: rule.key) }
    return object
  }

  /// Draws an edit, which may break rules; in a block of the context.
  private func violate(_ context: NSManagedObjectContext) throws {
    let (owners, things) = (try all("Owner", context), try all("Thing", context))
    guard let object = pick(owners + things + things), let owner = pick(owners), let thing = pick(things) else {
      return
    }
    let number = RulePicture.number(object)
    switch draw(10) {
    case 0:
      let new = insertValid("Thing", context)
      if chance(3, of: 4) { new.setValue(owner, forKey: "owner") }
    case 1: _ = insertValid("Owner", context)
    case 2:
      note("owner of \(RulePicture.number(thing)) = \(RulePicture.number(owner))")
      thing.setValue(chance(1, of: 4) ? nil : owner, forKey: "owner")
    case 3:
      let key = pick(["leaders", "guests"]) ?? "leaders"
      for thing in [thing] + some(things, atMost: 3) {
        note("\(RulePicture.number(thing)) is one of the \(key) of \(RulePicture.number(owner))")
        owner.mutableSetValue(forKey: key).add(thing)
      }
    case 4 where things.count > 3:
      note("delete thing \(RulePicture.number(thing))")
      context.delete(thing)
    case 5 where owners.count > 2 && object.entity.name == "Owner" && !object.isInserted:
      // An unsaved member that has come to it would lead to a deleted object.
      let members = object.value(forKey: "things") as? Set<NSManagedObject> ?? []
      guard members.allSatisfy({ $0.changedValues()["owner"] == nil }) else { return }
      note("delete owner \(number)")
      context.delete(object)
      context.processPendingChanges()
    default:
      guard let rule = pick(JudgedModel.rules[object.entity.name ?? ""] ?? []), let (value, _) = pick(rule.values)
      else { return }
      note("\(rule.key) of \(number) = \(RulePicture.text(value))")
      object.setValue(value, forKey: rule.key)
    }
  }

  /// The refusals of the model's rules, found by hand; in a block of the context.
  private func judged(_ context: NSManagedObjectContext) throws -> [String] {
    context.processPendingChanges()
    let alive = try (all("Owner", context) + all("Thing", context)).flatMap(judged)
    let denied = context.deletedObjects.filter { $0.entity.name == "Owner" && !things(of: $0, context).isEmpty }
    return alive + denied.map { "1600 things of \(RulePicture.number($0))" }
  }

  /// The things that are left of a deleted owner.
  private func things(of owner: NSManagedObject, _ context: NSManagedObjectContext) -> [NSManagedObject] {
    ((try? all("Thing", context)) ?? []).filter { $0.value(forKey: "owner") as? NSManagedObject === owner }
  }

  private func judged(_ object: NSManagedObject) -> [String] {
    let (entity, number) = (object.entity.name ?? "", RulePicture.number(object))
    precondition(JudgedModel.rules[entity] != nil, "an object is judged by the rules of its entity")
    var refused: [String] = []
    for rule in JudgedModel.rules[entity] ?? [] {
      guard let code = rule.code(object.value(forKey: rule.key)) else { continue }
      refused.append("\(code) \(rule.key) of \(number)")
    }
    func count(_ key: String) -> Int { (object.value(forKey: key) as? Set<NSManagedObject>)?.count ?? 0 }
    if entity == "Owner" {
      if count("things") < 1 { refused.append("1580 things of \(number)") }
      if count("things") > 3 { refused.append("1590 things of \(number)") }
      if count("leaders") == 1 { refused.append("1580 leaders of \(number)") }
      if count("leaders") > 3 { refused.append("1590 leaders of \(number)") }
      if count("guests") == 1 { refused.append("1580 guests of \(number)") }
    } else if object.value(forKey: "owner") == nil {
      refused.append("1570 owner of \(number)")
    }
    return refused
  }

  /// The errors of a save, or of a validation, as text; each names the value that was refused.
  func refusals(_ context: NSManagedObjectContext, _ error: NSError?) throws -> [String] {
    guard let error else { return [] }
    let details = Self.parts(of: error)
    return try context.performAndWait {
      try details.map { detail in
        guard let object = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
          let key = detail.userInfo[NSValidationKeyErrorKey] as? String
        else { return "\(detail.code) of nothing: \(detail.localizedDescription)" }
        if !error.localizedDescription.contains(key) {
          try report(
            .wrongValue, "the sentence of a refused save", expected: "\(key) in it", seen: error.localizedDescription)
        }
        if object.entity.attributesByName[key] != nil, let value = detail.userInfo[NSValidationValueErrorKey] {
          try require(
            RulePicture.text(value), RulePicture.text(object.value(forKey: key)), .wrongValue,
            "the value in the error of \(key)")
        }
        return "\(detail.code) \(key) of \(RulePicture.number(object))"
      }.sorted()
    }
  }

  /// One object and one value say the same as the save; in a block of the context.
  private func judgeAlone(_ context: NSManagedObjectContext) throws {
    for object in some(try all("Owner", context) + all("Thing", context), atMost: 3) {
      let error = AnythingClient.error {
        try object.isInserted ? object.validateForInsert() : object.validateForUpdate()
      }
      try require(
        try refusals(context, error), judged(object).sorted(), .wrongValue,
        "what the validation of \(RulePicture.number(object)) refuses")
      guard let rule = pick(JudgedModel.rules[object.entity.name ?? ""] ?? []), let (value, code) = pick(rule.values)
      else { continue }
      var given = value as AnyObject?
      let refusal = AnythingClient.error { try object.validateValue(&given, forKey: rule.key) }
      try require(refusal?.code, code, .wrongValue, "validateValue of \(RulePicture.text(value)) for \(rule.key)")
    }
  }

  /// Gives everything a value that the rules allow; in a block of the context.
  private func mend(_ context: NSManagedObjectContext) throws {
    for owner in context.deletedObjects where owner.entity.name == "Owner" {
      for thing in things(of: owner, context) { context.delete(thing) }
    }
    context.processPendingChanges()
    for owner in try all("Owner", context) {
      for key in ["leaders", "guests"] { owner.mutableSetValue(forKey: key).removeAllObjects() }
      let things = owner.mutableSetValue(forKey: "things")
      if things.count == 0 { things.add(insertValid("Thing", context)) }
      while things.count > 3, let last = things.allObjects.last as? NSManagedObject {
        things.remove(last)
        context.delete(last)
      }
    }
    context.processPendingChanges()
    for object in try all("Owner", context) + all("Thing", context) {
      for rule in JudgedModel.rules[object.entity.name ?? ""] ?? []
      where rule.code(object.value(forKey: rule.key)) != nil {
        object.setValue(rule.valid, forKey: rule.key)
      }
      if object.entity.name == "Thing", object.value(forKey: "owner") == nil { context.delete(object) }
    }
  }
}
