import Checking
import CoreData

// S2.6, S2.7, S3.1, S7.1, S7.2, S9.2: values at drawn bounds and one beside, of every type with an order, are allowed or refused by a
// save, are in the file as they were set, and are compared alike by hand, in memory and in SQL, alone and over members, with nils.

extension RuleTrial {
  /// An object, and where its values are on their ladders.
  private struct Bounded {
    let object: NSManagedObject
    var steps: [String: Int] = [:]
    var free: String?
    var owner: Int?
  }

  func bounds() throws {
    let bounds = BoundsModel(self)
    let coordinator = try open(bounds.model)
    let editor = context(coordinator)
    var things: [Int: Bounded] = [:]
    let owners = try editor.performAndWait {
      let owners = (0..<3).map { _ in insertNumbered("Owner", editor) }
      try save(editor)
      return owners
    }
    for _ in 0..<3 { try editor.performAndWait { try giveBounded(editor, bounds, owners, &things) } }
    try requireKept(bounds, editor, coordinator, things)
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      try compareSteps(bounds, reader, things)
      try compareTexts(reader, things)
      try computeMembers(bounds, reader, things)
    }
    // Beside unsaved changes a question is answered in memory.
    try editor.performAndWait {
      for number in some(things.keys.sorted(), atMost: 3) {
        guard var thing = things[number] else { continue }
        for ladder in bounds.ladders { set(drawnStep(ladder, isValid: chance(2, of: 3)), ladder, &thing) }
        thing.free = nil
        thing.object.setValue(nil, forKey: "free")
        things[number] = thing
      }
      try compareSteps(bounds, editor, things)
      try compareTexts(editor, things)
      try computeMembers(bounds, editor, things)
    }
  }

  // MARK: Values

  /// A step that the rules allow, or not; now and then none.
  private func drawnStep(_ ladder: BoundsModel.Ladder, isValid: Bool) -> Int? {
    let all: [Int?] = ladder.steps.indices.map { $0 } + [nil]
    return pick(all.filter { (ladder.code($0) == nil) == isValid }) ?? (isValid ? 1 : nil)
  }

  private func set(_ step: Int?, _ ladder: BoundsModel.Ladder, _ thing: inout Bounded) {
    precondition(step.map { ladder.steps.indices.contains($0) } ?? true, "a step is one of the ladder's")
    let value = step.map { ladder.steps[$0] }
    note("\(ladder.key) of \(RulePicture.number(thing.object)) = \(RulePicture.text(value))")
    thing.steps[ladder.key] = step
    thing.object.setValue(value, forKey: ladder.key)
  }

  /// New objects and old ones get values, some of which are refused; then all are mended and saved. In a block of the context.
  private func giveBounded(
    _ editor: NSManagedObjectContext, _ bounds: BoundsModel, _ owners: [NSManagedObject], _ things: inout [Int: Bounded]
  ) throws {
    var given = (0..<2).map { _ in Bounded(object: insertNumbered("Thing", editor)) }
    given += some(things.keys.sorted(), atMost: 2).compactMap { things[$0] }
    var expected: [String] = []
    for index in given.indices {
      let number = RulePicture.number(given[index].object)
      for ladder in bounds.ladders {
        let step = drawnStep(ladder, isValid: chance(3, of: 4))
        set(step, ladder, &given[index])
        if let code = ladder.code(step) { expected.append("\(code) \(ladder.key) of \(number)") }
      }
      let free = chance(1, of: 4) ? nil : BoundsModel.text(draw(9), self)
      given[index].free = free
      given[index].object.setValue(free, forKey: "free")
      given[index].owner = pick([nil, 0, 1])?.flatMap { $0 }
      given[index].object.setValue(given[index].owner.map { owners[$0] }, forKey: "owner")
    }
    let error = AnythingClient.error { try editor.save() }
    try require(try refusals(editor, error), expected.sorted(), .wrongValue, "what a save refuses of values at bounds")
    let code =
      expected.count > 1 ? NSValidationMultipleErrorsError : expected.first.flatMap { Int($0.prefix { $0 != " " }) }
    try require(error?.code, code, .wrongValue, "the code of a save that refuses \(expected.count) values at bounds")
    for index in given.indices {
      for ladder in bounds.ladders where ladder.code(given[index].steps[ladder.key]) != nil {
        set(drawnStep(ladder, isValid: true), ladder, &given[index])
      }
      things[RulePicture.number(given[index].object)] = given[index]
    }
    try save(editor)
  }

  /// Another context reads what was set.
  private func requireKept(
    _ bounds: BoundsModel, _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator,
    _ things: [Int: Bounded]
  ) throws {
    let keys = bounds.ladders.map(\.key) + ["free"]
    func texts(_ context: NSManagedObjectContext) throws -> [String] {
      try context.performAndWait {
        try all("Thing", context).flatMap { object in
          keys.map { "\(RulePicture.number(object)) \($0) \(RulePicture.text(object.value(forKey: $0)))" }
        }
      }
    }
    precondition(!things.isEmpty, "there are objects")
    try require(try texts(freshContext(coordinator)), try texts(editor), .wrongValue, "values at bounds in the file")
  }

  // MARK: Comparisons

  /// Asks one question, by hand, in memory and by a fetch.
  private func ask(
    _ predicate: NSPredicate, _ entity: String, _ context: NSManagedObjectContext, _ expected: [Int]?
  ) throws {
    let objects = try all(entity, context)
    let found = objects.filter { predicate.evaluate(with: $0) }.map(RulePicture.number)
    if let expected { try require(found, expected, .wrongValue, "\(entity) in memory where \(predicate)") }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    try require(
      try context.fetch(request).map(RulePicture.number).sorted(), found, .wrongValue,
      "a fetch of \(entity) where \(predicate)")
    try require(try context.count(for: request), found.count, .wrongValue, "the count of \(entity) where \(predicate)")
  }

  private static func holds<Value: Comparable>(_ left: Value?, _ sign: String, _ right: Value) -> Bool {
    guard let left else { return sign == "!=" }
    return switch sign {
    case "==": left == right
    case "!=": left != right
    case "<": left < right
    case "<=": left <= right
    case ">": left > right
    default: left >= right
    }
  }

  private static let signs = ["==", "!=", "<", "<=", ">", ">="]

  private func compareSteps(
    _ bounds: BoundsModel, _ context: NSManagedObjectContext, _ things: [Int: Bounded]
  ) throws {
    for ladder in shuffled(bounds.ladders).prefix(5) {
      let (step, sign) = (draw(ladder.steps.count), pick(Self.signs) ?? "==")
      let isText = ladder.type == .stringAttributeType
      let value: Any = isText ? ((ladder.steps[step] as? String)?.utf16.count ?? 0) as NSNumber : ladder.steps[step]
      let predicate = NSPredicate(format: "\(isText ? "text.length" : ladder.key) \(sign) %@", argumentArray: [value])
      let chosen = things.keys.sorted().filter { Self.holds(things[$0]?.steps[ladder.key], sign, step) }
      try ask(predicate, "Thing", context, chosen)
      let nulls = things.keys.sorted().filter { things[$0]?.steps[ladder.key] == nil }
      if chance(1, of: 3) { try ask(NSPredicate(format: "\(ladder.key) == nil"), "Thing", context, nulls) }
    }
  }

  /// Texts by code points.
  private func compareTexts(_ context: NSManagedObjectContext, _ things: [Int: Bounded]) throws {
    func numbers(_ holds: ([Unicode.Scalar]) -> Bool) -> [Int] {
      things.keys.sorted().filter { things[$0]?.free.map { holds(Array($0.unicodeScalars)) } ?? false }
    }
    for _ in 0..<4 {
      let text = (pick(BoundsModel.pieces) ?? "a") + (chance(1, of: 2) ? pick(BoundsModel.pieces) ?? "" : "")
      let part = Array(text.unicodeScalars)
      switch draw(7) {
      case 0:
        try ask(Self.about("free BEGINSWITH %@", text), "Thing", context, numbers { $0.starts(with: part) })
      case 1:
        try ask(
          Self.about("free ENDSWITH %@", text), "Thing", context,
          numbers { $0.reversed().starts(with: part.reversed()) })
      case 2:
        try ask(
          Self.about("free CONTAINS %@", text), "Thing", context,
          numbers { own in own.indices.contains { own[$0...].starts(with: part) } })
      case 3: try ask(Self.about("free LIKE %@", "*" + text + "*"), "Thing", context, nil)
      case 4: try ask(Self.about("free MATCHES %@", ".*" + text), "Thing", context, nil)
      case 5:
        try ask(Self.about("free < %@", text), "Thing", context, numbers { $0.lexicographicallyPrecedes(part) })
      default:
        let length = draw(9)
        try ask(
          NSPredicate(format: "free.length > %ld", length), "Thing", context,
          numbers { $0.reduce(0) { $0 + ($1.value > 0xFFFF ? 2 : 1) } > length })
      }
    }
  }

  private static func about(_ format: String, _ text: String) -> NSPredicate {
    precondition(!text.isEmpty, "a text is compared with another one")
    return NSPredicate(format: format, argumentArray: [text])
  }

  // MARK: Members

  /// Operators over the members of each owner, by key path, in memory and in SQL.
  private func computeMembers(
    _ bounds: BoundsModel, _ context: NSManagedObjectContext, _ things: [Int: Bounded]
  ) throws {
    guard let key = pick(BoundsModel.summed), let ladder = bounds.ladders.first(where: { $0.key == key }) else {
      return
    }
    let owners = try all("Owner", context)
    var members: [Int: [Double?]] = [:]
    for (index, owner) in owners.enumerated() {
      members[RulePicture.number(owner)] = things.values.filter { $0.owner == index }.map { thing in
        thing.steps[key].flatMap { (ladder.steps[$0] as? NSNumber)?.doubleValue }
      }
    }
    let name = pick(["@min", "@max", "@sum", "@avg", "@count"]) ?? "@sum"
    let path = "things.\(name)\(name == "@count" ? "" : "." + key)"
    func result(_ owner: Int) -> Double? {
      let all = members[owner] ?? []
      let values = all.compactMap { $0 }
      return switch name {
      case "@min": values.min()
      case "@max": values.max()
      case "@sum": values.reduce(0, +)
      case "@avg": all.isEmpty ? 0 : values.reduce(0, +) / Double(all.count)
      default: Double(all.count)
      }
    }
    for owner in owners {
      let number = RulePicture.number(owner)
      let seen = (owner.value(forKeyPath: path) as? NSNumber)?.doubleValue
      let isEqual = seen == nil ? result(number) == nil : abs((seen ?? 0) - (result(number) ?? .infinity)) < 0.001
      try require(isEqual, true, .wrongValue, "\(path) of \(number): \(seen as Any), by hand \(result(number) as Any)")
    }
    let bound = (result(RulePicture.number(pick(owners) ?? owners[0])) ?? 0).rounded() + (pick([-0.5, 0.5]) ?? 0.5)
    let sign = pick(["<", ">", "!="]) ?? "<"
    try ask(
      NSPredicate(format: "\(path) \(sign) %@", argumentArray: [NSNumber(value: bound)]), "Owner", context,
      owners.map(RulePicture.number).filter { Self.holds(result($0), sign, bound) })
  }
}
