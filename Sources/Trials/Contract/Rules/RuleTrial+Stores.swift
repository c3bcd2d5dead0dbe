import Cells
import Checking
import CoreData
import Scheduling

// S6.2, S6.3, S6.5, S6.8, S6.12, S6.14: saved objects are there, in whichever way the store is opened, moved, replaced or
// copied; its metadata and its UUID too; a read-only one stays as it is; each of several stores has the objects assigned to it.

extension RuleTrial {
  func stores() throws {
    var place = RulePlace(coordinator: try open(), url: file)
    let writer = context(place.coordinator)
    try writer.performAndWait {
      populate(writer, items: 5)
      try save(writer)
    }
    for _ in 0..<(3 + draw(4)) {
      try write(&place)
      switch draw(6) {
      case 0: try reopen(&place)
      case 1: try migrate(&place)
      case 2: try replace(&place)
      case 3: try readOnly(place)
      case 4: try setMetadata(&place)
      default: try readBeside(place)
      }
      try check(place, "after all that was done to its store")
    }
    try refuseMetadata()
    try divide()
    try deriveBesideOtherStore()
    try shareFiles()
  }

  /// A save to two stores, of which one refuses its part: neither has anything of it.
  private func refuseInOne(_ writer: NSManagedObjectContext, _ stores: [NSPersistentStore]) throws {
    precondition(stores.count == 2, "one of two stores has the label")
    note("a save to two stores, of which one has the label already")
    try writer.performAndWait {
      writer.mergePolicy = NSMergePolicy.error
      let tag = insert("Tag", writer)
      tag.setValue("taken", forKey: "label")
      writer.assign(tag, to: stores[1])
      try save(writer)
      let (box, rival) = (insert("Box", writer), insert("Tag", writer))
      writer.assign(box, to: stores[0])
      writer.assign(rival, to: stores[1])
      rival.setValue("taken", forKey: "label")
      let title = try all("Box", writer).first { !$0.isInserted }
      title?.setValue("of a refused save", forKey: "title")
      let code = AnythingClient.error { try writer.save() }?.code
      try require(
        code, NSManagedObjectConstraintMergeError, .duplicateRecord,
        "the error of a save that one of two stores refuses")
      try require(
        [box.isInserted, rival.isInserted, title?.hasPersistentChangedValues ?? true], [true, true, true], .lostUpdate,
        "what is left to save after one of two stores refused")
      guard let coordinator = writer.persistentStoreCoordinator else { return }
      let fresh = freshContext(coordinator)
      let (boxes, titles) = try fresh.performAndWait {
        let boxes = try all("Box", fresh)
        return (boxes.map(RulePicture.number), boxes.compactMap { $0.value(forKey: "title") as? String })
      }
      try require(
        [boxes.contains(RulePicture.number(box)), titles.contains("of a refused save")], [false, false], .dirtyRead,
        "what the other store has of a refused save")
      writer.rollback()
      writer.delete(tag)
      try save(writer)
    }
  }

  private struct RulePlace {
    var coordinator: NSPersistentStoreCoordinator
    var url: URL
    /// The metadata that were set and saved.
    var metadata: [String: String] = [:]
    var expected: RulePicture?

    var store: NSPersistentStore? { coordinator.persistentStores.first }
    var uuid: String? { store?.metadata?[NSStoreUUIDKey] as? String }
  }

  func newURL() -> URL { file.deletingLastPathComponent().appendingPathComponent("rules\(newNumber()).sqlite") }

  private func write(_ place: inout RulePlace) throws {
    let writer = context(place.coordinator)
    try writer.performAndWait {
      for _ in 0..<(1 + draw(3)) { try changeSomething(writer) }
      try save(writer)
    }
    let stored = try picture(freshContext(place.coordinator))
    place.expected = stored
    try require(stored.withoutDerived, try picture(writer).withoutDerived, .unpersistedSave, "in the file after a save")
  }

  private func check(_ place: RulePlace, _ what: String) throws {
    guard let expected = place.expected else { return }
    try require(try picture(freshContext(place.coordinator)), expected, .unpersistedSave, what)
    for (key, value) in place.metadata {
      try require(place.store?.metadata?[key] as? String, value, .wrongValue, "\(key) in the metadata \(what)")
      let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: place.url)
      try require(stored[key] as? String, value, .unpersistedSave, "\(key) in the file's metadata \(what)")
    }
  }

  func close(_ coordinator: NSPersistentStoreCoordinator) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try require(coordinator.persistentStores.count, 0, .wrongValue, "stores after they were removed")
  }

  // MARK: One store

  /// Another coordinator opens the file that was closed, in a drawn journal mode: the same rows under the same IDs.
  private func reopen(_ place: inout RulePlace) throws {
    let mode = pick(["WAL", "DELETE", "TRUNCATE", nil])?.flatMap { $0 }
    note("open again, journal mode \(mode ?? "of the file")")
    let (uuid, ids) = (place.uuid, try identities(place.coordinator))
    try close(place.coordinator)
    place.coordinator = try open(at: place.url, mode.map { [NSSQLitePragmasOption: ["journal_mode": $0]] } ?? [:])
    try require(place.uuid, uuid, .wrongValue, "the UUID of a store that is opened again")
    try require(try identities(place.coordinator), ids, .wrongValue, "the IDs of a store that is opened again")
  }

  private func identities(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      try RulePicture.entities.flatMap { try all($0, reader) }.map {
        "\(RulePicture.number($0)) \($0.objectID.uriRepresentation())"
      }
    }
  }

  /// The store moves; the old file stays as it is, and a context of before fetches from the new one.
  private func migrate(_ place: inout RulePlace) throws {
    guard let store = place.store else { return }
    let (url, old) = (newURL(), place.url)
    note("migrate to \(url.lastPathComponent)")
    let uuid = place.uuid
    if chance(1, of: 2) {
      let value = "set before the migration \(newNumber())"
      place.coordinator.setMetadata(place.coordinator.metadata(for: store).merging(["key 0": value]) { $1 }, for: store)
      place.metadata["key 0"] = value
    }
    let listener = StoreListener(session.environment, place.coordinator)
    defer { listener.end() }
    let count = try identities(place.coordinator).count
    let new = try place.coordinator.migratePersistentStore(store, to: url, options: nil, withType: NSSQLiteStoreType)
    try require(
      listener.posts, ["added 1", "moved \(count)", "removed 1"], .wrongNotification, "the notifications of a migration"
    )
    place.url = url
    try require(place.coordinator.persistentStores.count, 1, .wrongValue, "stores after a migration")
    try require(
      [new === place.store, store.persistentStoreCoordinator == nil], [true, true], .wrongValue,
      "whether the new store took the old one's place")
    try require(place.uuid == uuid, false, .wrongValue, "whether a copy has the UUID of the old store")
    let left = try open(at: old)
    if let expected = place.expected {
      try require(try stored(left), expected, .lostRecord, "in the file that was moved from")
    }
    try close(left)
  }

  /// Another file is replaced by this store: it has the same then, and the same UUID.
  private func replace(_ place: inout RulePlace) throws {
    let url = newURL()
    if chance(1, of: 2) {
      let other = try open(at: url)
      let writer = context(other)
      try writer.performAndWait {
        populate(writer, items: 2)
        try save(writer)
      }
      try close(other)
      if chance(1, of: 3) {
        note("destroy \(url.lastPathComponent)")
        try other.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
        let empty = try open(at: url)
        try require(
          try stored(empty).objects.count, 0, .resurrectedRecord, "objects of a store that was destroyed"
        )
        try close(empty)
      }
    }
    note("replace \(url.lastPathComponent)")
    try place.coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: place.url, ofType: NSSQLiteStoreType)
    let copy = try open(at: url)
    if let expected = place.expected {
      try require(try stored(copy), expected, .lostRecord, "in a file that was replaced")
    }
    try require(
      copy.persistentStores.first?.metadata?[NSStoreUUIDKey] as? String, place.uuid, .wrongValue,
      "the UUID of a replaced store")
    if chance(1, of: 2) { return try close(copy) }
    try close(place.coordinator)
    (place.coordinator, place.url) = (copy, url)
  }

  /// A store that is closed is whole in its file; a read-only one is read, refuses a save, and leaves its file as it is.
  private func readOnly(_ place: RulePlace) throws {
    let url = newURL()
    note("copy the closed file, and open it to read only")
    let other = try open(at: place.url)
    try other.replacePersistentStore(at: url, withPersistentStoreFrom: place.url, ofType: NSSQLiteStoreType)
    try close(other)
    let folder = url.deletingLastPathComponent().path
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(url.lastPathComponent) }
        .sorted()
    }
    let (before, bytes) = (try files(), try Data(contentsOf: url))
    let reader = try open(at: url, [NSReadOnlyPersistentStoreOption: true])
    if let expected = place.expected {
      try require(try stored(reader), expected, .lostRecord, "in a store opened to read only")
    }
    try require(reader.persistentStores.first?.isReadOnly, true, .wrongValue, "isReadOnly")
    let writer = context(reader)
    let error = try writer.performAndWait {
      try changeSomething(writer)
      return writer.hasChanges ? AnythingClient.error { try writer.save() } : NSError(domain: "", code: 0)
    }
    try require(error == nil, false, .unpersistedSave, "whether a read-only store refuses a save")
    try close(reader)
    try require(try files(), before, .wrongValue, "files beside one that was opened to read only")
    try require(try Data(contentsOf: url) == bytes, true, .wrongValue, "whether a read-only file is as it was")
  }

  /// Metadata are the store's at once, and the file's with the next save.
  private func setMetadata(_ place: inout RulePlace) throws {
    guard let store = place.store else { return }
    let (key, value) = ("key \(draw(3))", "value \(newNumber())")
    note("set metadata \(key) = \(value)")
    var metadata = place.coordinator.metadata(for: store)
    metadata[key] = value
    place.coordinator.setMetadata(metadata, for: store)
    try require(store.metadata?[key] as? String, value, .wrongValue, "metadata that were set")
    let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: place.url)
    try require(stored[key] as? String, place.metadata[key], .dirtyRead, "metadata of the file before the save")
    place.metadata[key] = value
    if chance(1, of: 2) { return try write(&place) }
    let writer = context(place.coordinator)
    try writer.performAndWait { try save(writer) }
  }

  /// A second coordinator sees earlier saves, and its own saves are seen.
  private func readBeside(_ place: RulePlace) throws {
    guard let expected = place.expected else { return }
    note("a second coordinator reads the file")
    let other = try open(at: place.url)
    try require(try stored(other), expected, .staleRead, "in a second coordinator")
    let memory = try open(at: newURL(), type: NSInMemoryStoreType)
    try require(try stored(memory).objects.count, 0, .dirtyRead, "objects of a new store in memory")
    let writer = context(memory)
    try writer.performAndWait {
      populate(writer, items: 2)
      try save(writer)
    }
    try require(
      try stored(memory).withoutDerived, try picture(writer).withoutDerived, .unpersistedSave,
      "in a store in memory")
    for coordinator in [other, memory] { try close(coordinator) }
  }

  // MARK: Several stores

  /// The count of a page is the number of its objects, though several stores have them; in a block of the context.
  private func askForPage(_ entity: String, _ reader: NSManagedObjectContext) throws {
    let page = NSFetchRequest<NSManagedObject>(entityName: entity)
    (page.fetchLimit, page.fetchOffset) = (limit(below: 6), draw(3))
    try require(
      try reader.count(for: page), try reader.fetch(page).count, .wrongValue,
      "the count of a page of \(entity) in two stores, from \(page.fetchOffset), at most \(page.fetchLimit)")
  }

  /// A save to two stores changes a derived value in one: a context that merges it shows the new value.
  private func deriveBesideOtherStore() throws {
    let coordinator = try open(at: newURL())
    let second = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: newURL())
    let (writer, listener) = (context(coordinator), context(coordinator, merges: true))
    let (box, item) = try writer.performAndWait {
      let (box, item) = (insert("Box", writer), insert("Item", writer))
      item.setValue(box, forKey: "box")
      try save(writer)
      return (box, item)
    }
    let id = writer.performAndWait { item.objectID }
    let seen = try listener.performAndWait {
      let seen = try listener.existingObject(with: id)
      _ = seen.value(forKey: "boxTitle")
      return seen
    }
    let title = "title \(newNumber())"
    try writer.performAndWait {
      box.setValue(title, forKey: "title")
      if chance(3, of: 4) { writer.assign(insert("Tag", writer), to: second) }
      try save(writer)
    }
    let derived = listener.performAndWait { seen.value(forKey: "boxTitle") as? String }
    try require(derived, title, .staleRead, "a derived value after a merge of a save to two stores")
    try close(coordinator)
  }

  /// Each object is in the store that it was assigned to, else in the first.
  private func divide() throws {
    let coordinator = try open(at: newURL())
    let urls = [coordinator.persistentStores.first?.url, newURL()].compactMap { $0 }
    let second = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: urls[1])
    let stores = [coordinator.persistentStores.first, second].compactMap { $0 }
    precondition(urls.count == 2 && stores.count == 2, "objects are divided among the files of two stores")
    let writer = context(coordinator)
    var homes: [Int: Int] = [:]
    try writer.performAndWait {
      for _ in 0..<(3 + draw(6)) {
        let object = insert(pick(["Item", "Box", "SpecialItem"]) ?? "Item", writer)
        let home = draw(3)
        if home < 2 { writer.assign(object, to: stores[home]) }
        homes[RulePicture.number(object)] = home == 1 ? 1 : 0
      }
      try save(writer)
    }
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      // Beside unsaved changes a fetch is carried out in another way.
      let isDirty = chance(1, of: 2)
      defer { reader.rollback() }
      if isDirty { for box in try all("Box", reader) { box.setValue("unsaved", forKey: "title") } }
      for entity in ["Item", "Box"] {
        for object in try all(entity, reader) {
          let home = homes[RulePicture.number(object)] ?? 0
          try require(
            object.objectID.persistentStore === stores[home], true, .wrongValue,
            "whether \(RulePicture.number(object)) is in store \(home)")
        }
        try askForPage(entity, reader)
        for (index, store) in stores.enumerated() {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.affectedStores = [store]
          request.predicate = pick([nil, NSPredicate(format: "number >= 0")])?.flatMap { $0 }
          try require(
            try reader.count(for: request), try reader.fetch(request).count, .wrongValue,
            "the count of \(entity) in store \(index)")
          let found = try reader.fetch(request)
          try require(
            found.count, try all(entity, reader).filter { $0.objectID.persistentStore === store }.count, .wrongValue,
            "objects of \(entity) in store \(index)")
        }
      }
    }
    try refuseInOne(writer, stores)
    let numbers = try picture(reader).objects.keys.sorted()
    try require(numbers, homes.keys.sorted(), .lostRecord, "the objects of two stores")
    try close(coordinator)
    for (index, url) in urls.enumerated() {
      let alone = try open(at: url)
      try require(
        try stored(alone).objects.keys.sorted(), homes.filter { $0.value == index }.keys.sorted(),
        .lostRecord,
        "the objects of store \(index) alone")
      try close(alone)
    }
  }
}

/// The notifications of a coordinator that its stores have changed, in words.
final class StoreListener: Sendable {
  private let environment: StrategyEnvironment
  private let seen = Locked<[String]>([])
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  init(_ environment: StrategyEnvironment, _ coordinator: NSPersistentStoreCoordinator) {
    self.environment = environment
    token = environment.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator
    ) { [seen] notification in
      let names = [
        (NSAddedPersistentStoresKey, "added"), (NSUUIDChangedPersistentStoresKey, "moved"),
        (NSRemovedPersistentStoresKey, "removed"),
      ]
      for (key, name) in names {
        guard let stores = notification.userInfo?[key] as? [Any] else { continue }
        // The old ID of each object, and its new one.
        let ids = stores.last as? [NSManagedObjectID]
        seen.withLock { $0.append("\(name) \(ids.map { $0.count / 2 } ?? stores.count)") }
      }
    }
  }

  var posts: [String] { seen.withLock { $0 } }

  func end() { environment.removeObserver(token) }
}
