import Cells
import Checking
import CoreData

// S2.4, S2.8, S3.4, S4.4, S5.2, S7.1, S7.2, S7.4, S10.1: entities with as many properties as fit into a word, or a row that is read at once,
// and some more or less; lists of values of every type, as long as are written out in a statement, and longer.

extension RuleTrial {
  /// The last properties are as the first ones, for changes, conflicts, pushes, merges, undo, the history and every question.
  func spreadWide() throws {
    let count = (pick([60, 124]) ?? 60) + draw(8)
    note("\(count) attributes")
    let coordinator = try open(WideModel.make(count), at: newURL(), history: true)
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    let other = context(coordinator, .mergeByPropertyObjectTrump)
    let keys = (0..<count).map { "a\($0)" }
    var rows = try root.performAndWait {
      var rows: [Int: [String: Int]] = [:]
      for _ in 0..<3 {
        let object = insertNumbered("Wide", root)
        let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, newNumber()) })
        object.setValuesForKeys(values)
        rows[RulePicture.number(object)] = values
      }
      try save(root)
      return rows
    }
    for _ in 0..<2 { try changeWide(root, other, keys, &rows) }
    try root.performAndWait {
      guard let object = pick(try all("Wide", root)), let key = pick(keys.dropLast()) else { return }
      note("\(key) and the last attribute of \(RulePicture.number(object)) are set, and undone")
      recordForUndo(root) { object.setValuesForKeys([key: -1, keys[count - 1]: -2]) }
      root.undo()
      root.undoManager = nil
      root.processPendingChanges()
    }
    try requireWide(root, rows, "after an undo")
    try askWide(freshContext(coordinator), keys, &rows)
  }

  private func requireWide(_ context: NSManagedObjectContext, _ rows: [Int: [String: Int]], _ what: String) throws {
    try context.performAndWait {
      for object in try all("Wide", context) {
        let number = RulePicture.number(object)
        for (key, value) in (rows[number] ?? [:]).sorted(by: { $0.key < $1.key }) {
          try require(
            (object.value(forKey: key) as? NSNumber)?.intValue, value, .staleRead, "\(key) of \(number), \(what)")
        }
      }
    }
  }

  /// Two contexts change some properties of one object: all of them are saved, pushed, merged and recorded, and no other.
  private func changeWide(
    _ root: NSManagedObjectContext, _ other: NSManagedObjectContext, _ keys: [String],
    _ rows: inout [Int: [String: Int]]
  ) throws {
    precondition(
      other !== root && other.persistentStoreCoordinator === root.persistentStoreCoordinator,
      "others change rows of the same coordinator")
    precondition(keys.count > 5, "some properties stay as they are")
    guard let coordinator = root.persistentStoreCoordinator, let number = pick(rows.keys.sorted()) else { return }
    let editor = chance(1, of: 3) ? context(in: root) : root
    func find(_ context: NSManagedObjectContext) throws -> NSManagedObject {
      guard let object = try all("Wide", context).first(where: { RulePicture.number($0) == number }) else {
        try report(.lostRecord, "object \(number)", expected: "there", seen: "missing")
        throw Broken()
      }
      return object
    }
    func draw(_ object: NSManagedObject, _ chosen: [String]) -> [String: Int] {
      let values = Dictionary(uniqueKeysWithValues: Set(chosen).sorted().map { ($0, newNumber()) })
      note("of \(number), \(values.sorted { $0.key < $1.key })")
      object.setValuesForKeys(values)
      return values
    }
    let saves = SaveLog(session.environment, of: root)
    defer { saves.end() }
    let mine = try editor.performAndWait { try find(editor) }
    let theirs = try other.performAndWait {
      other.refreshAllObjects()
      let values = draw(try find(other), some(keys, atMost: 4) + keys.suffix(1))
      try save(other)
      return values
    }
    let own = try editor.performAndWait {
      let values = draw(mine, some(keys, atMost: 4) + [pick(keys) ?? keys[0]])
      try require(
        Set(mine.changedValues().keys), Set(values.keys), .wrongValue, "which of \(keys.count) properties have changed")
      try save(editor)
      return values
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    rows[number]?.merge(theirs) { $1 }
    rows[number]?.merge(own) { $1 }
    other.performAndWait { for save in saves.removeAll() { other.mergeChanges(fromContextDidSave: save) } }
    for (context, what) in [(root, "saved"), (other, "merged"), (freshContext(coordinator), "in the file")] {
      try requireWide(context, rows, what)
    }
    let history = try answer(.fetchHistory(after: NSPersistentHistoryToken?.none), coordinator)
    let last = (history as? [NSPersistentHistoryTransaction])?.last?.changes ?? []
    try require(
      last.map { Set(($0.updatedProperties ?? []).map(\.name)) }, [Set(own.keys)], .historyDivergence,
      "the properties of \(keys.count) that a transaction names")
    editor.performAndWait { withExtendedLifetime(mine) {} }
  }

  /// Questions about some of many columns.
  private func askWide(
    _ reader: NSManagedObjectContext, _ keys: [String], _ rows: inout [Int: [String: Int]]
  ) throws {
    precondition(keys.count > 4, "the last keys are others than the first")
    let (first, last) = (pick(keys.dropLast(4)) ?? keys[0], keys[keys.count - 1 - draw(4)])
    try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Wide")
      request.sortDescriptors = [NSSortDescriptor(key: last, ascending: false)]
      let sorted = rows.sorted { $0.value[last] ?? 0 > $1.value[last] ?? 0 }
      try require(
        try reader.fetch(request).map(RulePicture.number), sorted.map(\.key), .wrongValue, "objects by \(last)")
      request.predicate = NSPredicate(format: "%K == %ld", first, sorted[1].value[first] ?? 0)
      try require(
        try reader.fetch(request).map(RulePicture.number), [sorted[1].key], .wrongValue,
        "objects with a value of \(first)")
      let columns = NSFetchRequest<NSDictionary>(entityName: "Wide")
      (columns.resultType, columns.sortDescriptors) = (.dictionaryResultType, request.sortDescriptors)
      columns.propertiesToFetch = [first, last]
      let seen = try reader.fetch(columns).map { row in [first, last].map { (row[$0] as? NSNumber)?.intValue ?? -1 } }
      try require(
        seen, sorted.map { row in [first, last].map { row.value[$0] ?? -1 } }, .wrongValue,
        "columns \(first) and \(last)")
      let update = NSBatchUpdateRequest(entityName: "Wide")
      update.propertiesToUpdate = [last: -3]
      _ = try reader.execute(update)
      reader.reset()
    }
    for number in rows.keys { rows[number]?[last] = -3 }
    try requireWide(reader, rows, "after a batch update")
  }

  // MARK: Lists of values

  /// A long list of values finds what its parts find together, and none what the rest has.
  func askInParts() throws {
    let asker = context(try open(at: newURL()))
    try asker.performAndWait {
      populate(asker, items: 12)
      try save(asker)
      let items = try all("Item", asker)
      for attribute in some(["name", "rank", "weight", "price", "code", "page", "madeAt", "ratio", "level"], atMost: 4)
      {
        let count = pick([31, 32, 33, 34, 64, 65, 100, 101, 257]) ?? 33
        let known = some(items.compactMap { $0.value(forKey: attribute) }, atMost: 8)
        let values = known + (0..<(count - known.count)).map { Self.filler(attribute, $0) }
        let list = shuffled(Array(values.indices)).map { values[$0] }
        func ask(_ format: String, _ list: [Any]) throws -> [Int] {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
          request.predicate = NSPredicate(format: format, argumentArray: [attribute, list])
          return try asker.fetch(request).map(RulePicture.number).sorted()
        }
        let what = "of \(attribute) in \(list.count) values"
        note("items \(what), \(known.count) of which some have")
        let parts = try stride(from: 0, to: list.count, by: 15).map {
          try ask("%K IN %@", Array(list[$0..<min($0 + 15, list.count)]))
        }
        let found = Set(parts.flatMap { $0 }).sorted()
        try require(try ask("%K IN %@", list), found, .wrongValue, "items \(what), and in its parts")
        try require(
          try ask("NOT (%K IN %@)", list), items.map(RulePicture.number).filter { !found.contains($0) }, .wrongValue,
          "items without one \(what)")
        let predicate = NSPredicate(format: "%K IN %@", argumentArray: [attribute, list])
        try require(
          items.filter { predicate.evaluate(with: $0) }.map(RulePicture.number), found, .wrongValue,
          "items \(what), in memory")
      }
    }
  }

  /// A value that no item has.
  private static func filler(_ attribute: String, _ number: Int) -> Any {
    precondition(0..<65_536 ~= number, "a number has two bytes of a UUID")
    return switch attribute {
    case "name": "filler \(number)"
    case "price": NSDecimalNumber(string: "\(number).125")
    case "code": UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, UInt8(number / 256), UInt8(number % 256)))
    case "page": URL(string: "https://example.org/filler/\(number)") ?? URL(fileURLWithPath: "/\(number)")
    case "madeAt": Date(timeIntervalSinceReferenceDate: 1_000_000.25 + Double(number))
    case "weight", "ratio": 10_000.5 + Double(number)
    default: 10_000 + number
    }
  }
}

/// Objects with many attributes, and a partner.
private enum WideModel {
  static func make(_ count: Int) -> NSManagedObjectModel {
    precondition(count > 8, "a wide object has more attributes than fill a byte")
    let wide = ModelParts.entity("Wide")
    wide.properties += (0..<count).map { ModelParts.attribute("a\($0)", .integer64AttributeType, isOptional: true) }
    ModelParts.connect(ModelParts.one("next", wide), of: wide, ModelParts.one("previous", wide), of: wide)
    let model = NSManagedObjectModel()
    model.entities = [wide]
    return model
  }
}
