import Cells
import Checking
import CoreData
import Scheduling

// S2.4, S3.4, S4.4, S6.4, S7.4: a large value is one row's: in whichever way rows have got equal values, a change or the deletion of some
// of them leaves the others' to who opens the file anew, and in the end each value has its file, and no file is left beside them.

extension RuleTrial {
  func largeValues() throws {
    let url = newURL()
    let left = try changeLargeValues(url)
    guard !Simulation.isCurrent else { return }
    let folder =
      url.deletingLastPathComponent().path
      + "/.\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
    func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0 }
    // Who opens a store alone removes what no row has; a context that is released may be so in another thread.
    for _ in 0..<20 {
      try close(try open(LargeValues.shared, at: url))
      if count() == left.countOfFiles { break }
      for _ in 0..<20 { SerialQueue.main.sync {} }
    }
    try require(
      count(), left.countOfFiles, count() < left.countOfFiles ? .lostRecord : .storeCorruption,
      "the files of a store with \(left.countOfFiles) large values")
  }

  private func changeLargeValues(_ url: URL) throws -> LargeValues {
    let coordinator = try open(LargeValues.shared, at: url)
    let root = context(coordinator, .mergeByPropertyObjectTrump)
    let editor = chance(1, of: 3) ? context(in: root) : root
    var values = LargeValues()
    try editor.performAndWait { for _ in 0..<4 { try give(newPicture(editor, &values), &values) } }
    try saveLarge(editor, root, values, url)
    for _ in 0..<(5 + draw(4)) {
      switch draw(8) {
      case 0, 1:
        try editor.performAndWait { try editSome(editor, &values) }
        try saveLarge(editor, root, values, url)
      case 2: try batchInsertLarge(root, &values)
      case 3, 4: try batchUpdateLarge(root, &values)
      case 5: try batchDeleteLarge(root, &values)
      case 6: try undoSaved(root, values, url)
      default: try decideLarge(coordinator, &values)
      }
      for context in [root, editor] { context.performAndWait { context.reset() } }
      try requireLarge(editor, values, "in the context that wrote some of them")
      try requireFile(values, url)
    }
    for context in [root, editor] { context.performAndWait { context.reset() } }
    try close(coordinator)
    return values
  }

  private func saveLarge(
    _ editor: NSManagedObjectContext, _ root: NSManagedObjectContext, _ values: LargeValues, _ url: URL
  ) throws {
    precondition(editor === root || editor.parent === root, "an editor is a child of the root, or it")
    for context in editor === root ? [root] : [editor, root] { try context.performAndWait { try save(context) } }
    if chance(1, of: 2) { try requireFile(values, url) }
  }

  // MARK: Values

  private func newPicture(_ context: NSManagedObjectContext, _ values: inout LargeValues) -> NSManagedObject {
    let entity = pick(["Picture", "SpecialPicture"]) ?? "Picture"
    let picture = insertNumbered(entity, context)
    values.pictures[RulePicture.number(picture)] = ["entity": entity]
    return picture
  }

  /// A value that needs a file, or a small one, or none.
  private func drawnData() -> Data? {
    let count = pick([nil, 3, 110_000, 120_000, 120_000, 131_072])?.flatMap { $0 }
    let first = UInt8(draw(200))
    return count.map { Data(repeating: first, count: $0 + (chance(1, of: 2) ? 0 : draw(1_000))) }
  }

  /// Gives a picture some values: new ones, or those of another picture, or of another of its own attributes.
  private func give(_ picture: NSManagedObject, _ values: inout LargeValues) throws {
    let number = RulePicture.number(picture)
    for key in some(LargeValues.keys(of: picture.entity.name ?? ""), atMost: 3) {
      var (value, source) = (drawnData(), "")
      let others = try picture.managedObjectContext.map { try all("Picture", $0) } ?? []
      if chance(1, of: 2), let other = pick(others),
        let name = pick(LargeValues.keys(of: other.entity.name ?? ""))
      {
        (value, source) = (other.value(forKey: name) as? Data, ", \(name) of \(RulePicture.number(other))")
      }
      note("\(key) of \(number) = \(LargeValues.words(value))\(source)")
      picture.setValue(value, forKey: key)
      values.pictures[number]?[key] = value.map(LargeValues.words)
    }
  }

  /// Some pictures get values, some come and one or two go; in a block of the context.
  private func editSome(_ context: NSManagedObjectContext, _ values: inout LargeValues) throws {
    for picture in some(try all("Picture", context), atMost: 3) { try give(picture, &values) }
    for _ in 0..<draw(3) { try give(newPicture(context, &values), &values) }
    for picture in some(try all("Picture", context), atMost: 2) where values.pictures.count > 2 {
      note("delete \(RulePicture.number(picture))")
      values.pictures[RulePicture.number(picture)] = nil
      context.delete(picture)
    }
  }

  // MARK: Batches

  private func batchInsertLarge(_ owner: NSManagedObjectContext, _ values: inout LargeValues) throws {
    let entity = pick(["Picture", "SpecialPicture"]) ?? "Picture"
    let shared = drawnData()
    var rows: [[String: Any]] = []
    for _ in 0..<(2 + draw(2)) {
      let number = newNumber()
      var row: [String: Any] = [RuleModel.number: number]
      values.pictures[number] = ["entity": entity]
      for key in some(LargeValues.keys(of: entity), atMost: 3) {
        guard let value = chance(2, of: 3) ? shared : drawnData() else { continue }
        row[key] = value
        values.pictures[number]?[key] = LargeValues.words(value)
      }
      rows.append(row)
    }
    note("the rows have \(LargeValues.words(shared)), most of them")
    let request = batchInsertion(of: rows, entity)
    _ = try owner.performAndWait { try owner.execute(request) }
  }

  /// Gives the pictures above a number one value, or several values.
  private func batchUpdateLarge(_ owner: NSManagedObjectContext, _ values: inout LargeValues) throws {
    let entity = pick(["Picture", "Picture", "SpecialPicture"]) ?? "Picture"
    let limit = pick(values.pictures.keys.sorted()).map { $0 - 1 } ?? 0
    let chosen = values.numbers(of: entity).filter { $0 > limit }
    var properties: [AnyHashable: Any] = [:]
    let value = drawnData()
    for key in Set(["front"] + some(LargeValues.keys(of: entity), atMost: 2)).sorted() {
      properties[key] = value ?? NSNull()
      for number in chosen { values.pictures[number]?[key] = value.map(LargeValues.words) }
    }
    note("batch update of \(entity) after \(limit), \(properties.count) values: \(LargeValues.words(value))")
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = NSPredicate(format: "number > %ld", limit)
    request.propertiesToUpdate = properties
    _ = try owner.performAndWait { try owner.execute(request) }
  }

  private func batchDeleteLarge(_ owner: NSManagedObjectContext, _ values: inout LargeValues) throws {
    let numbers = some(values.pictures.keys.sorted(), atMost: 2)
    precondition(numbers.count <= 2, "most of the pictures stay")
    note("batch delete of \(numbers)")
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Picture")
    fetch.predicate = NSPredicate(format: "number IN %@", argumentArray: [numbers])
    _ = try owner.performAndWait { try owner.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
    for number in numbers { values.pictures[number] = nil }
  }

  // MARK: Undo and policies

  /// Changes that were saved are undone, and that is saved: the values are those of before.
  private func undoSaved(_ root: NSManagedObjectContext, _ values: LargeValues, _ url: URL) throws {
    precondition(root.parent == nil, "what is undone was in the file")
    note("changes that are saved, and undone then")
    var changed = values
    try root.performAndWait {
      root.reset()
      for picture in try all("Picture", root) { _ = LargeValues.texts(picture) }
      try recordForUndo(root) { try editSome(root, &changed) }
      try save(root)
    }
    try requireFile(changed, url)
    try root.performAndWait {
      note("undo")
      if root.undoManager?.canUndo ?? false { root.undoManager?.undo() }
      root.processPendingChanges()
      root.undoManager = nil
      try save(root)
    }
  }

  /// Two contexts change the same picture, or one of them deletes it: the policy decides, and others keep theirs.
  private func decideLarge(_ coordinator: NSPersistentStoreCoordinator, _ values: inout LargeValues) throws {
    let policy = pick(Self.policies.filter { $0.mergeType != .errorMergePolicyType }) ?? .overwrite
    let (mine, other) = (context(coordinator, policy), context(coordinator))
    guard let number = pick(values.pictures.keys.sorted()), let base = values.pictures[number] else { return }
    let isDeleted = chance(1, of: 4)
    note("two contexts change \(number)\(isDeleted ? ", which the other one deletes" : "")")
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    let own = try change(number, mine, deletes: false)
    let theirs = try change(number, other, deletes: isDeleted)
    try other.performAndWait { try save(other) }
    try mine.performAndWait { try mine.save() }
    if isDeleted {
      let isKept = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy.mergeType)
      values.pictures[number] = isKept && own != base ? own : nil
    } else if own == base || theirs == base {
      values.pictures[number] = own == base ? theirs : own
    } else {
      values.pictures[number] = decided(policy.mergeType, base, own, theirs)
    }
  }

  /// Gives a picture values that it does not have, or deletes it, once all pictures were read.
  ///
  /// - Returns: its values.
  private func change(_ number: Int, _ context: NSManagedObjectContext, deletes: Bool) throws -> [String: String] {
    precondition(context.parent == nil, "a conflict is one of two contexts of the store")
    return try context.performAndWait {
      let pictures = try all("Picture", context)
      for picture in pictures { _ = LargeValues.texts(picture) }
      guard let picture = pictures.first(where: { RulePicture.number($0) == number }) else { return [:] }
      if deletes {
        context.delete(picture)
        return [:]
      }
      for key in some(LargeValues.keys(of: picture.entity.name ?? ""), atMost: 3) {
        let copied = pick(pictures)?.value(forKey: "front") as? Data
        let isOther = LargeValues.words(copied) != LargeValues.words(picture.value(forKey: key) as? Data)
        let new = Data(repeating: UInt8(draw(200)), count: (chance(1, of: 4) ? 10 : 110_000) + newNumber())
        let value = copied != nil && isOther && chance(1, of: 3) ? copied : new
        note("\(key) of \(number) = \(LargeValues.words(value)) in \(context.name ?? "")")
        picture.setValue(value, forKey: key)
      }
      return LargeValues.texts(picture)
    }
  }

  private func decided(
    _ policy: NSMergePolicyType, _ base: [String: String], _ own: [String: String], _ theirs: [String: String]
  ) -> [String: String] {
    precondition(base["entity"] == own["entity"], "a picture stays of its entity")
    switch policy {
    case .overwriteMergePolicyType: return own
    case .rollbackMergePolicyType: return theirs
    default:
      let (winner, loser) = policy == .mergeByPropertyStoreTrumpMergePolicyType ? (theirs, own) : (own, theirs)
      var result = base
      for key in LargeValues.keys(of: base["entity"] ?? "") {
        result[key] = winner[key] != base[key] ? winner[key] : loser[key]
      }
      return result
    }
  }

  // MARK: Reading

  /// A coordinator that has read nothing reads every value, of the file or of a copy of it.
  private func requireFile(_ values: LargeValues, _ url: URL) throws {
    let coordinator = try open(LargeValues.shared, at: url)
    if chance(1, of: 4), let store = coordinator.persistentStores.first {
      note("a copy of the file is in memory")
      try coordinator.migratePersistentStore(store, to: newURL(), options: nil, withType: NSInMemoryStoreType)
    }
    try requireLarge(freshContext(coordinator), values, "in the file")
    try close(coordinator)
  }

  private func requireLarge(_ reader: NSManagedObjectContext, _ values: LargeValues, _ what: String) throws {
    try reader.performAndWait {
      let pictures = try all("Picture", reader)
      try require(
        pictures.map(RulePicture.number), values.pictures.keys.sorted(), .lostRecord, "the pictures \(what)")
      for picture in pictures {
        let number = RulePicture.number(picture)
        try require(
          LargeValues.texts(picture), values.pictures[number] ?? [:], .lostRecord, "values of picture \(number) \(what)"
        )
      }
    }
  }
}

/// Pictures by their numbers: their entity, and their values without those that are null.
private struct LargeValues {
  var pictures: [Int: [String: String]] = [:]

  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func keys(of entity: String) -> [String] { ["back", "front"] + (entity == "SpecialPicture" ? ["extra"] : []) }

  static func words(_ value: Data?) -> String {
    guard let value else { return "null" }
    let isWhole = value.first == value.last && value.first == value.dropFirst(value.count / 2).first
    return "\(value.count) bytes of \(value.first ?? 0)\(isWhole ? "" : " and of others")"
  }

  /// In a block of the object's context.
  static func texts(_ picture: NSManagedObject) -> [String: String] {
    var texts = ["entity": picture.entity.name ?? ""]
    for key in keys(of: picture.entity.name ?? "") { texts[key] = (picture.value(forKey: key) as? Data).map(words) }
    return texts
  }

  func numbers(of entity: String) -> [Int] {
    pictures.filter { entity == "Picture" || $0.value["entity"] == entity }.keys.sorted()
  }

  /// How many values are too large for their rows.
  var countOfFiles: Int {
    pictures.values.flatMap { $0.filter { $0.key != "entity" }.values }.filter {
      $0.split(separator: " ").first.flatMap { Int($0) } ?? 0 > 102_400
    }.count
  }

  private static func make() -> NSManagedObjectModel {
    let (picture, special) = (ModelParts.entity("Picture"), NSEntityDescription())
    special.name = "SpecialPicture"
    picture.subentities = [special]
    for key in keys(of: "SpecialPicture") {
      let attribute = ModelParts.attribute(key, .binaryDataAttributeType, isOptional: true)
      attribute.allowsExternalBinaryDataStorage = true
      if key == "extra" { special.properties = [attribute] } else { picture.properties.append(attribute) }
    }
    let model = NSManagedObjectModel()
    model.entities = [picture, special]
    return model
  }
}
