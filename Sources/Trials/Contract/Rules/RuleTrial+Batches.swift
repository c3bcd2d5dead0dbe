import Checking
import CoreData

// S3.5, S6.11, S7.4, S8.1: a batch request makes its changes to the file and no others, also where unique values collide; a
// request that fails does nothing; contexts that hear of it show the file's values, derived ones too.

extension RuleTrial {
  func batches() throws {
    let coordinator = try open(history: chance(1, of: 2))
    let writer = context(coordinator, pick(Self.policies) ?? .error)
    try writer.performAndWait {
      populate(writer, items: 4 + draw(8))
      for (tag, label) in zip(try all("Tag", writer), ["alpha", "beta", nil] as [String?]) {
        tag.setValue(label, forKey: "label")
      }
      try save(writer)
    }
    let reader = context(coordinator)
    _ = try picture(reader)
    for _ in 0..<(2 + draw(4)) {
      let (before, old) = (try stored(coordinator), try ids(coordinator))
      let isDone =
        switch draw(3) {
        case 0: try batchInsert(writer, before)
        case 1: try batchUpdate(writer, before, old)
        default: try batchDelete(writer, before, old)
        }
      let (after, new) = (try stored(coordinator), try ids(coordinator))
      guard isDone else {
        try require(after, before, .wrongValue, "after a batch request that failed")
        continue
      }
      tell(of: old, new, before, after, [reader, writer])
      try requireCurrent(context(coordinator), coordinator, .staleRead, "in a new context, by what the row cache has")
      try requireCurrent(reader, coordinator, .staleRead, "in a context that has heard of a batch request")
      try requireCurrent(writer, coordinator, .staleRead, "in the context that carried a batch request out")
    }
  }

  /// Tells contexts of all changes of a request, also of those by its rules.
  private func tell(
    of old: [Int: NSManagedObjectID], _ new: [Int: NSManagedObjectID], _ before: RulePicture, _ after: RulePicture,
    _ contexts: [NSManagedObjectContext]
  ) {
    let (stayed, came) = (Set(old.values), Set(new.values))
    let updated = new.filter { number, id in stayed.contains(id) && before.objects[number] != after.objects[number] }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSInsertedObjectsKey: Array(came.subtracting(stayed)), NSUpdatedObjectsKey: Array(updated.values),
        NSDeletedObjectsKey: Array(stayed.subtracting(came)),
      ], into: contexts)
  }

  private func ids(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int: NSManagedObjectID] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      let objects = try ["Item", "Box", "Tag"].flatMap { try all($0, reader) }
      return Dictionary(objects.map { (RulePicture.number($0), $0.objectID) }) { first, _ in first }
    }
  }

  private var policy: (NSManagedObjectContext) -> NSMergePolicyType {
    { ($0.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType }
  }

  /// Inserts tags, of which some repeat a label that a row has.
  private func batchInsert(_ writer: NSManagedObjectContext, _ before: RulePicture) throws -> Bool {
    var labels = some(["alpha", "beta", "gamma", "delta"], atMost: 3).map(Optional.some)
    if labels.isEmpty { labels = [nil] }
    precondition(Set(labels).count == labels.count, "no two rows of a batch have the same label")
    let rows: [[String: Any]] = labels.map { label in
      var row: [String: Any] = [RuleModel.number: newNumber()]
      row["label"] = label
      if chance(1, of: 2) { row["weight"] = draw(4) }
      if chance(1, of: 2) { row["remark"] = "batch \(draw(9))" }
      return row
    }
    note("batch insert \(rows.map { $0.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } })")
    let request = NSBatchInsertRequest(entityName: "Tag", objects: rows)
    request.resultType = .objectIDs
    let holders = before.objects.filter { $0.value["entity"] == "Tag" }
    func holder(_ row: [String: Any]) -> Int? {
      guard let label = row["label"] as? String else { return nil }
      return holders.first { $0.value["label"] == label }?.key
    }
    let isRefused = policy(writer) == .errorMergePolicyType && rows.contains { holder($0) != nil }
    let result = writer.performAndWait { Result { try writer.execute(request) as? NSBatchInsertResult } }
    guard case .success = result else {
      if isRefused { return false }
      _ = try result.get()
      return false
    }
    if isRefused {
      try report(
        .duplicateRecord, "a batch insert that repeats a label", expected: "refused by the error policy",
        seen: "carried out")
    }
    let after = try stored(try coordinator(of: writer))
    for row in rows { try checkInserted(row, holder(row), before, after, policy(writer)) }
    try requireOthersUnchanged(before, after, except: Set(rows.compactMap(holder)), "a batch insert")
    return true
  }

  private func checkInserted(
    _ row: [String: Any], _ holder: Int?, _ before: RulePicture, _ after: RulePicture, _ policy: NSMergePolicyType
  ) throws {
    precondition(row[RuleModel.number] is Int, "a row that was given has its number")
    let number = row[RuleModel.number] as? Int ?? 0
    let defaults: [String: String] = ["weight": "5", "remark": "null", "label": "null"]
    for key in ["label", "weight", "remark"] {
      let given = row[key].map { RulePicture.text($0) }
      let (name, expected): (Int, String?)
      if let holder {
        let keepsStore = policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
        // A property that was not given keeps the row's value; overwriting gives it its default.
        let own = given ?? (policy == .overwriteMergePolicyType ? defaults[key] : before.objects[holder]?[key])
        let stored = before.objects[holder]?[key]
        expected = keepsStore ? stored : own
        name = after.objects[number] != nil ? number : holder
      } else {
        (name, expected) = (number, given ?? defaults[key])
      }
      try require(
        after.objects[name]?[key], expected, .wrongWinner,
        "\(key) of the tag with the label \(row["label"] ?? "null") after a batch insert")
    }
  }

  /// Gives items or boxes of a drawn predicate one value.
  private func batchUpdate(
    _ writer: NSManagedObjectContext, _ before: RulePicture, _ ids: [Int: NSManagedObjectID]
  ) throws -> Bool {
    let entity = pick(["Item", "SpecialItem", "Box"]) ?? "Item"
    let attribute = pick(RuleModel.attributes(of: entity).filter { $0 != "photo" && $0 != "place" }) ?? "rank"
    let value = pick(RuleModel.values(attribute))?.flatMap { $0 }
    let limit = draw(before.objects.count + 2)
    note("batch update \(entity) where number < \(limit): \(attribute) = \(RulePicture.text(value))")
    let request = NSBatchUpdateRequest(entityName: entity)
    request.predicate = NSPredicate(format: "\(RuleModel.number) < %ld", limit)
    request.propertiesToUpdate = [attribute: value ?? NSNull()]
    request.resultType = .updatedObjectIDsResultType
    let result = try writer.performAndWait { try writer.execute(request) as? NSBatchUpdateResult }
    let cached = try cachedBoxes(writer, before, ids)
    let after = try stored(try coordinator(of: writer))
    try requireTotals(cached, before, after)
    let isOf: (String?) -> Bool = { $0 == entity || entity == "Item" && $0 == "SpecialItem" }
    let changed = before.objects.filter { isOf($0.value["entity"]) && $0.key < limit }
    for (number, old) in changed.sorted(by: { $0.key < $1.key }) {
      for (key, text) in old where !RuleModel.derived.contains(key) {
        try require(
          after.objects[number]?[key], key == attribute ? RulePicture.text(value) : text, .wrongValue,
          "\(key) of \(entity) \(number) after a batch update")
      }
    }
    try requireOthersUnchanged(before, after, except: Set(changed.keys), "a batch update")
    let ids = result?.result as? [NSManagedObjectID] ?? []
    try require(ids.count, changed.count, .wrongValue, "how many objects a batch update names")
    return true
  }

  /// Deletes some objects; their cascades and lists follow.
  private func batchDelete(
    _ writer: NSManagedObjectContext, _ before: RulePicture, _ ids: [Int: NSManagedObjectID]
  ) throws -> Bool {
    let entity = pick(["Item", "Item", "Box", "Tag"]) ?? "Item"
    let isOf: (String?) -> Bool = { $0 == entity || entity == "Item" && $0 == "SpecialItem" }
    let numbers = some(before.objects.filter { isOf($0.value["entity"]) }.keys.sorted(), atMost: 3)
    let isByIDs = !numbers.isEmpty && chance(1, of: 2)
    note("batch delete \(entity) \(numbers)\(isByIDs ? " by their IDs" : "")")
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = NSPredicate(format: "\(RuleModel.number) IN %@", argumentArray: [numbers])
    let request =
      isByIDs
      ? NSBatchDeleteRequest(objectIDs: numbers.compactMap { ids[$0] }) : NSBatchDeleteRequest(fetchRequest: fetch)
    _ = try writer.performAndWait { try writer.execute(request) }
    let cached = try cachedBoxes(writer, before, ids)
    let after = try stored(try coordinator(of: writer))
    try requireTotals(cached, before, after)
    try requireGone(ids.filter { after.objects[$0.key] == nil }, context(try coordinator(of: writer)))
    var gone = Set(numbers)
    for (number, object) in before.objects where numbers.contains(where: { object["box"] == "[\($0)]" }) {
      gone.insert(number)
    }
    try require(
      after.objects.keys.sorted(), before.objects.keys.filter { !gone.contains($0) }.sorted(), .lostRecord,
      "the objects after a batch delete of \(entity) \(numbers)")
    for (number, object) in after.objects {
      for (key, text) in object where before.objects[number]?[key] != text {
        guard !Self.led.contains(key) else { continue }
        try report(.wrongValue, "\(key) of \(number) after a batch delete", expected: "as before", seen: text)
      }
    }
    return true
  }

  /// Nothing of a row that is gone is in the row cache, whichever rule took it along.
  private func requireGone(_ ids: [Int: NSManagedObjectID], _ reader: NSManagedObjectContext) throws {
    try reader.performAndWait {
      for (number, id) in ids.sorted(by: { $0.key < $1.key }) {
        let code = AnythingClient.error { _ = try reader.existingObject(with: id) }?.code
        try require(
          code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord,
          "existingObject of \(number), which a batch delete took along")
      }
    }
  }

  // MARK: Checks of every request

  /// Properties that change with other objects: relationships, since a picture has the numbers of members, and derived values.
  private static let led: Set = [
    "box", "shelf", "tags", "items", "list", "cover", "covered", "shown", "itemCount", "total",
    "boxTitle",
  ]

  /// Boxes as the row cache has them; a fetch would read the file.
  private func cachedBoxes(
    _ writer: NSManagedObjectContext, _ before: RulePicture, _ ids: [Int: NSManagedObjectID]
  ) throws -> [Int: [String: String]] {
    let reader = context(try coordinator(of: writer))
    return reader.performAndWait {
      ids.filter { before.objects[$0.key]?["entity"] == "Box" }.compactMapValues { id in
        (try? reader.existingObject(with: id)).map(RulePicture.properties)
      }
    }
  }

  /// The row cache may have older rows than the file, but no older derived values of rows that are as they were.
  private func requireTotals(_ cached: [Int: [String: String]], _ before: RulePicture, _ after: RulePicture) throws {
    for (number, box) in cached.sorted(by: { $0.key < $1.key }) {
      guard let now = after.objects[number], let old = before.objects[number],
        ["title", "size"].allSatisfy({ now[$0] == old[$0] })
      else { continue }
      for key in ["itemCount", "total"] {
        try require(box[key], now[key], .staleRead, "\(key) of Box \(number), a row that a batch request left alone")
      }
    }
  }

  private func requireOthersUnchanged(
    _ before: RulePicture, _ after: RulePicture, except changed: Set<Int>, _ what: String
  ) throws {
    for (number, old) in before.objects where !changed.contains(number) {
      for (key, text) in old where !Self.led.contains(key) {
        try require(after.objects[number]?[key], text, .wrongValue, "\(key) of \(number) beside \(what)")
      }
    }
  }

  private func coordinator(of context: NSManagedObjectContext) throws -> NSPersistentStoreCoordinator {
    guard let coordinator = context.persistentStoreCoordinator else {
      preconditionFailure("a trial's writer has a coordinator")
    }
    return coordinator
  }
}
