import Cells
import Checking
import CoreData

// S6.4, S7.1, S7.4, S9.2, S10.1: transformed values, large ones, composites and what the history keeps, of an entity and of one that
// inherits: as they were set, for whoever reads them, through children, batch requests, dictionaries, predicates and refused saves.

extension RuleTrial {
  func encoded() throws {
    let coordinator = try open(EncodedModel.shared, at: newURL(), history: true)
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    let editor = chance(1, of: 3) ? context(in: root) : root
    let listener = context(coordinator, merges: true)
    var parcels = EncodedParcels()
    for _ in 0..<3 { try saveParcels(editor, root, &parcels) }
    let held = try listener.performAndWait { try all("Parcel", listener) }
    try checkParcels(listener, parcels, "in a context that reads them first")
    for _ in 0..<(3 + draw(4)) {
      switch draw(6) {
      case 0, 1, 2: try saveParcels(editor, root, &parcels)
      case 3: try refuseParcels(root, &parcels)
      default: try batchParcels(root, listener, &parcels)
      }
      for context in [root, editor] { context.performAndWait { context.refreshAllObjects() } }
      try checkParcels(freshContext(coordinator), parcels, "in the file")
      try checkParcels(context(coordinator), parcels, "in a new context, by what the row cache has")
      try checkParcels(editor, parcels, "in the context that has written them")
      try checkParcels(listener, parcels, "in a context that has heard of them")
      try askForParcels(chance(1, of: 2) ? editor : context(coordinator), parcels)
    }
    listener.performAndWait { withExtendedLifetime(held) {} }
    try checkLeft(coordinator, parcels)
    try changeAfterRefusal()
    try readNothing()
    try collideByEqualValues()
    try compareNotNumbers()
  }

  // MARK: Steps

  /// A drawn value; a new instance each time.
  private func value(_ key: String) -> Any? {
    let values: [Any?]
    switch key {
    case "list", "more":
      values = [
        nil, [] as [Any], [1, 2] as [Any], ["a", "b"] as [Any], ["k": 1] as [String: Any], (0..<50).map { $0 as Any },
      ]
    case "text": values = [nil, "", "abc", "caf\u{e9}", "Z"]
    case "blob", "extra": values = [nil, Data(), Data([1, 2, 3]), Data(repeating: UInt8(draw(3)), count: 120_000)]
    case "place":
      let (deep, flat): ([String: Any], [String: Any]) = (["x": 1.5, "y": -2.0], ["x": 8.0])
      values = [
        nil, ["city": "alpha"] as [String: Any], ["city": "Z", "deep": deep] as [String: Any],
        ["deep": flat] as [String: Any],
      ]
    case "code": values = [nil, 1, 2]
    default: values = [nil, "alpha", "Z"]
    }
    return pick(values).flatMap { $0 }
  }

  /// Gives a parcel drawn values; in a block of its context.
  private func change(_ parcel: NSManagedObject, _ parcels: inout EncodedParcels) throws {
    let number = RulePicture.number(parcel)
    for key in some(EncodedModel.keys(of: parcel.entity.name ?? ""), atMost: 4) {
      let new = value(key)
      note("\(key) of \(number) = \(EncodedParcels.words(new))")
      parcel.setValue(new, forKey: key)
      parcels.values[number]?[key] = EncodedParcels.words(new)
      try require(
        EncodedParcels.words(parcel.value(forKey: key)), EncodedParcels.words(new), .wrongValue,
        "\(key) of \(number) as it was set")
    }
  }

  private func newParcel(_ context: NSManagedObjectContext, _ parcels: inout EncodedParcels) -> NSManagedObject {
    let (entity, number) = (pick(["Parcel", "SpecialParcel"]) ?? "Parcel", newNumber())
    precondition(parcels.values[number] == nil, "each parcel has a number of its own")
    note("insert \(entity) \(number)")
    let parcel = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    parcel.setValue(number, forKey: RuleModel.number)
    parcels.values[number] = ["entity": entity]
    return parcel
  }

  private func saveParcels(
    _ editor: NSManagedObjectContext, _ root: NSManagedObjectContext, _ parcels: inout EncodedParcels
  ) throws {
    precondition(editor === root || editor.parent === root, "an editor is a child of the root, or it")
    try editor.performAndWait {
      let all = try all("Parcel", editor)
      let changed = some(all, atMost: 3)
      for parcel in changed { try change(parcel, &parcels) }
      for _ in 0..<draw(3) { try change(newParcel(editor, &parcels), &parcels) }
      if all.count > 3, chance(1, of: 3), let parcel = pick(all.filter { !changed.contains($0) }) {
        let number = RulePicture.number(parcel)
        if editor === root, chance(1, of: 2) {
          // The last value is the one that was set, and not the one that the file has.
          parcel.setValue("last", forKey: "label")
          parcels.values[number]?["label"] = EncodedParcels.words("last")
        }
        note("delete \(number)")
        parcels.leave(number)
        editor.delete(parcel)
      }
    }
    for context in editor === root ? [root] : [editor, root] { try context.performAndWait { try save(context) } }
    try editor.performAndWait { try setEqual(editor) }
  }

  /// A value that is equal, and another instance, is no change; in a block of the context.
  private func setEqual(_ editor: NSManagedObjectContext) throws {
    guard let parcel = pick(try all("Parcel", editor)) else { return }
    for key in ["list", "text", "blob"] {
      // An array of its own, of the same elements.
      let old = parcel.value(forKey: key)
      // A large value gets another file, and is a change.
      if (old as? Data)?.count ?? 0 > 100 { continue }
      let copy: Any? =
        (old as? Data).map { Data($0) } ?? (old as? String).map { String($0) } ?? (old as? [Any]).map { Array($0) }
        ?? old
      parcel.setValue(copy, forKey: key)
    }
    try require(
      parcel.hasPersistentChangedValues, false, .wrongValue,
      "whether parcel \(RulePicture.number(parcel)) has changes by values that it has already")
    editor.refresh(parcel, mergeChanges: false)
  }

  /// A save that is refused, by a rule or by a transformer, changes nothing, and is carried out once it is mended.
  private func refuseParcels(_ root: NSManagedObjectContext, _ parcels: inout EncodedParcels) throws {
    try root.performAndWait {
      guard let parcel = pick(try all("Parcel", root)) else { return }
      let number = RulePicture.number(parcel)
      let before = parcels
      try change(parcel, &parcels)
      let isRule = chance(1, of: 2)
      note("a save that is refused by \(isRule ? "a rule" : "a transformer")")
      if isRule { parcel.setValue("much too long", forKey: "label") } else { parcel.setValue(5, forKey: "text") }
      try require(AnythingClient.error { try root.save() } == nil, false, .failedSave, "whether a save is refused")
      if chance(1, of: 2) {
        note("mended")
        parcel.setValue(nil, forKey: isRule ? "label" : "text")
        parcels.values[number]?[isRule ? "label" : "text"] = "null"
        try save(root)
      } else {
        note("rolled back")
        root.rollback()
        parcels = before
      }
    }
  }

  /// A batch request, of which the listener hears by IDs.
  private func batchParcels(
    _ owner: NSManagedObjectContext, _ listener: NSManagedObjectContext, _ parcels: inout EncodedParcels
  ) throws {
    precondition(
      owner.persistentStoreCoordinator === listener.persistentStoreCoordinator, "a listener hears of its own store")
    let entity = pick(["Parcel", "SpecialParcel"]) ?? "Parcel"
    let limit = newNumber() - draw(6)
    let chosen = parcels.values.filter { $0.key > limit && (entity == "Parcel" || $0.value["entity"] == entity) }.keys
      .sorted()
    let key = pick(["list", "text", "blob", "label"]) ?? "list"
    var notice: [AnyHashable: Any] = [:]
    try owner.performAndWait {
      switch draw(3) {
      case 0:
        let new = value(key)
        note("batch update of \(entity) after \(limit): \(key) = \(EncodedParcels.words(new))")
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = NSPredicate(
          format: chance(1, of: 2) ? "number > %ld" : "number > %ld AND mark == nil", limit)
        (request.propertiesToUpdate, request.resultType) = ([key: new ?? NSNull()], .updatedObjectIDsResultType)
        notice[NSUpdatedObjectsKey] = (try owner.execute(request) as? NSBatchUpdateResult)?.result
        for number in chosen { parcels.values[number]?[key] = EncodedParcels.words(new) }
      case 1:
        var rows: [[String: Any]] = []
        for _ in 0..<(1 + draw(3)) {
          let number = newNumber()
          var row: [String: Any] = [RuleModel.number: number]
          parcels.values[number] = ["entity": entity]
          for key in some(["list", "text", "blob", "label"], atMost: 4) {
            guard let new = value(key) else { continue }
            row[key] = new
            parcels.values[number]?[key] = EncodedParcels.words(new)
          }
          rows.append(row)
        }
        let request = batchInsertion(of: rows, entity)
        request.resultType = .objectIDs
        notice[NSInsertedObjectsKey] = (try owner.execute(request) as? NSBatchInsertResult)?.result
      default:
        note("batch delete of \(entity) after \(limit)")
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = NSPredicate(format: "number > %ld", limit)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        notice[NSDeletedObjectsKey] = (try owner.execute(request) as? NSBatchDeleteResult)?.result
        for number in chosen { parcels.leave(number) }
      }
    }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: notice, into: [listener, owner])
  }

  // MARK: Checks

  private func checkParcels(_ reader: NSManagedObjectContext, _ parcels: EncodedParcels, _ what: String) throws {
    try reader.performAndWait {
      let all = try all("Parcel", reader)
      try require(all.map(RulePicture.number), parcels.values.keys.sorted(), .lostRecord, "the parcels \(what)")
      for parcel in all {
        let number = RulePicture.number(parcel)
        for key in EncodedModel.keys(of: parcel.entity.name ?? "") {
          try require(
            EncodedParcels.words(parcel.value(forKey: key)), parcels.values[number]?[key] ?? "null", .wrongValue,
            "\(key) of \(parcel.entity.name ?? "") \(number) \(what)")
        }
      }
    }
  }

  /// Dictionaries have the values that objects have, and predicates about them find those that have them.
  private func askForParcels(_ reader: NSManagedObjectContext, _ parcels: EncodedParcels) throws {
    let keys = ["list", "text", "blob", "place", "label"]
    let few = Data([1, 2, 3])
    let questions: [(NSPredicate, ([String: String]) -> Bool)] = [
      (NSPredicate(format: "list == nil"), { ($0["list"] ?? "null") == "null" }),
      (NSPredicate(format: "text != nil AND number > 1"), { ($0["text"] ?? "null") != "null" }),
      (NSPredicate(format: "blob == %@", few), { $0["blob"] == EncodedParcels.words(few) }),
      (
        NSPredicate(format: "blob != nil AND label == 'Z'"),
        { ($0["blob"] ?? "null") != "null" && $0["label"] == EncodedParcels.words("Z") }
      ),
      (
        NSPredicate(format: "place.deep.x > 1 OR place.city == 'alpha'"),
        {
          $0["place"]?.contains("x ") == true || $0["place"]?.contains("alpha") == true
        }
      ),
      (
        NSPredicate(format: "more != nil OR extra == %@", few),
        {
          ($0["more"] ?? "null") != "null" || $0["extra"] == EncodedParcels.words(few)
        }
      ),
    ]
    try reader.performAndWait {
      for (index, question) in questions.enumerated() where chance(1, of: 2) {
        var chosen = parcels.values.filter { question.1($0.value) }.keys.sorted()
        if index == 1 { chosen.removeAll { $0 <= 1 } }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Parcel")
        request.predicate = question.0
        request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
        try require(
          try reader.fetch(request).map(RulePicture.number), chosen, .wrongValue, "parcels where \(question.0)")
        try require(
          try reader.count(for: request), chosen.count, .wrongValue, "the count of parcels where \(question.0)")
        let rows = NSFetchRequest<NSDictionary>(entityName: "Parcel")
        (rows.resultType, rows.propertiesToFetch) = (.dictionaryResultType, keys)
        (rows.predicate, rows.sortDescriptors) = (question.0, request.sortDescriptors)
        let seen = try reader.fetch(rows).map { row in
          keys.map { EncodedParcels.words(row[$0]) }.joined(separator: "; ")
        }
        let expected = chosen.map { number in
          keys.map { parcels.values[number]?[$0] ?? "null" }.joined(separator: "; ")
        }
        try require(seen, expected, .wrongValue, "dictionaries of parcels where \(question.0)")
      }
    }
  }

  /// The history has the last values of each parcel that was deleted: those that its entity keeps.
  private func checkLeft(_ coordinator: NSPersistentStoreCoordinator, _ parcels: EncodedParcels) throws {
    let reader = context(coordinator)
    let all = try reader.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      request.resultType = .changesOnly
      return (try reader.execute(request) as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryChange] ?? []
    }
    var left: [Int: [String: String]] = [:]
    for change in all where change.changeType == .delete {
      let values = change.tombstone ?? [:]
      let number = (values[RuleModel.number] as? NSNumber)?.intValue ?? -1
      left[number] = Dictionary(uniqueKeysWithValues: values.map { ("\($0.key)", EncodedParcels.words($0.value)) })
    }
    try require(
      left.keys.sorted(), parcels.gone.keys.sorted(), .historyDivergence,
      "the parcels that the history names as deleted")
    for (number, values) in parcels.gone.sorted(by: { $0.key < $1.key }) {
      for key in ["label", "code", "text"] {
        try require(
          left[number]?[key] ?? "null", values[key] ?? "null", .historyDivergence,
          "what is left of \(key) of parcel \(number)")
      }
    }
  }
}

/// The values that were set of parcels, by their numbers, as text.
struct EncodedParcels {
  var values: [Int: [String: String]] = [:]
  /// The last values of those that are deleted.
  private(set) var gone: [Int: [String: String]] = [:]

  mutating func leave(_ number: Int) { gone[number] = values.removeValue(forKey: number) }

  /// A value as text: the same for equal values, however they are boxed.
  static func words(_ value: Any?) -> String {
    switch value {
    case nil, is NSNull: return "null"
    case let value as Data: return "\(value.count) bytes of \(value.first ?? 0)"
    case let value as String: return "'\(value)'"
    case let value as NSNumber: return "\(value.doubleValue)"
    case let value as [String: Any]:
      let parts = value.map { ($0.key, words($0.value)) }.filter { $0.1 != "null" }
      return parts.isEmpty
        ? "null" : "{\(parts.sorted { $0.0 < $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", "))}"
    case let value as [Any]: return "[\(value.map(words).joined(separator: ", "))]"
    case .some(let value): return "\(value)"
    }
  }
}

/// Text backwards, as UTF-8.
private final class BackwardsTransformer: ValueTransformer {
  static let name = NSValueTransformerName("ContractBackwardsTransformer")

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data(String($0.reversed()).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
  }
}

enum EncodedModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func keys(of entity: String) -> [String] {
    ["list", "text", "blob", "place", "label"] + (entity == "SpecialParcel" ? ["more", "extra", "code"] : [])
  }

  private static func make() -> NSManagedObjectModel {
    ValueTransformer.setValueTransformer(BackwardsTransformer(), forName: BackwardsTransformer.name)
    let (parcel, special) = (ModelParts.entity("Parcel"), NSEntityDescription())
    special.name = "SpecialParcel"
    parcel.subentities = [special]
    func plain(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      ModelParts.attribute(name, type, isOptional: true)
    }
    func transformed(_ name: String, _ transformer: NSValueTransformerName) -> NSAttributeDescription {
      let attribute = plain(name, .transformableAttributeType)
      attribute.valueTransformerName = transformer.rawValue
      return attribute
    }
    func large(_ name: String) -> NSAttributeDescription {
      let attribute = plain(name, .binaryDataAttributeType)
      attribute.allowsExternalBinaryDataStorage = true
      return attribute
    }
    func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
      let composite = NSCompositeAttributeDescription()
      (composite.name, composite.isOptional, composite.elements) = (name, true, elements)
      return composite
    }
    let (mark, label, code) = (
      plain("mark", .stringAttributeType), plain("label", .stringAttributeType), plain("code", .integer32AttributeType)
    )
    mark.isTransient = true
    label.setValidationPredicates([NSPredicate(format: "length <= 9")], withValidationWarnings: nil)
    let text = transformed("text", BackwardsTransformer.name)
    parcel.properties += [
      transformed("list", .secureUnarchiveFromDataTransformerName), text, large("blob"), mark, label,
      composite("nothing", []),
      composite(
        "place",
        [
          plain("city", .stringAttributeType),
          composite("deep", [plain("x", .doubleAttributeType), plain("y", .doubleAttributeType)]),
        ]),
    ]
    special.properties = [transformed("more", .secureUnarchiveFromDataTransformerName), large("extra"), code]
    let names = Set((parcel.properties + special.properties).map(\.name))
    precondition(names.isSuperset(of: keys(of: "SpecialParcel")), "each key is that of a property")
    for attribute in [label, code, text] { attribute.preservesValueInHistoryOnDeletion = true }
    parcel.attributesByName[RuleModel.number]?.preservesValueInHistoryOnDeletion = true
    let model = NSManagedObjectModel()
    model.entities = [parcel, special]
    return model
  }
}
