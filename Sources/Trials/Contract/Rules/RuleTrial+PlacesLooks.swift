import Checking
import CoreData

// S2.2, S3.2, S6.3: metadata, saves and refusals of a coordinator's stores, and what must be seen of them.

extension RuleTrial {
  // MARK: Metadata

  private func drawnMetadata() -> [String: Any] {
    let number = newNumber()
    let values: [Any] = [
      "value \(number)", "", "caf\u{e9} \u{1F600} \(number)", NSNumber(value: -number), NSNumber(value: Int64.max),
      NSNumber(value: Double(number) + 0.5), Data(repeating: UInt8(number % 256), count: draw(20)),
      Date(timeIntervalSinceReferenceDate: Double(number) + 0.25), ["a", "value \(number)"],
      ["inner": "value \(number)"],
    ]
    return Dictionary(
      uniqueKeysWithValues: some((0..<6).map { "key \($0)" }, atMost: 4).map { ($0, pick(values) ?? "") })
  }

  /// Keys are added, changed and left out, of the store only: its file has them with the next save.
  func giveMetadata(_ scene: inout PlacesScene) throws {
    guard let index = pick(scene.open.indices.filter { !scene.open[$0].isReadOnly }) else { return }
    let place = scene.open[index]
    var new = drawnMetadata()
    let form = draw(4)
    switch form {
    case 0: break
    case 1:
      let kept = scene.coordinator.metadata(for: place.store).filter { !$0.key.hasPrefix("key") || chance(2, of: 3) }
      new = kept.merging(new) { $1 }
    case 2: new.merge([NSStoreUUIDKey: "no UUID", NSStoreTypeKey: "no type"]) { $1 }
    default: new = chance(1, of: 3) ? [:] : new
    }
    let texts = PlacesScene.texts(new)
    note("metadata of \(place.url.lastPathComponent), form \(form): \(texts.sorted { $0.key < $1.key })")
    if chance(1, of: 3) {
      place.store.metadata = new
    } else {
      scene.coordinator.setMetadata(new.isEmpty && chance(1, of: 2) ? nil : new, for: place.store)
    }
    scene.open[index].metadata = texts
  }

  /// Keys of a file without an open store: at once, instead of those that it had.
  func giveFile(_ scene: inout PlacesScene) throws {
    guard !scene.closed.isEmpty else { return }
    let (index, new) = (draw(scene.closed.count), drawnMetadata())
    let url = scene.closed[index].url
    scene.closed[index].written = PlacesScene.texts(new)
    note("metadata of the file \(url.lastPathComponent): \(scene.closed[index].written.sorted { $0.key < $1.key })")
    switch draw(3) {
    case 0: try NSPersistentStoreCoordinator.setMetadata(new, ofType: NSSQLiteStoreType, at: url)
    case 1: try NSPersistentStoreCoordinator.setMetadata(new, type: .sqlite, at: url)
    default: try NSPersistentStoreCoordinator.setMetadata(new, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
    }
  }

  // MARK: Saves

  /// New objects of some stores, or none at all; perhaps refused once. All metadata that were set are in the files then.
  func saveSome(_ scene: inout PlacesScene) throws {
    guard scene.open.contains(where: { !$0.isReadOnly }) else { return }
    let writer = context(scene.coordinator)
    var homes: [(object: NSManagedObject, home: Int)] = []
    try writer.performAndWait {
      for _ in 0..<draw(5) {
        let entity = pick(PlacesModel.entities) ?? "Left"
        guard var home = scene.home(of: entity) else { continue }
        let object = insertNumbered(entity, writer)
        let takers = scene.open.indices.filter {
          PlacesModel.takes(entity, scene.open[$0].configuration) && !scene.open[$0].isReadOnly
        }
        if chance(2, of: 3), let taker = pick(takers) {
          home = taker
          writer.assign(object, to: scene.open[home].store)
        }
        note("\(RulePicture.number(object)) is to be in \(scene.open[home].url.lastPathComponent)")
        homes.append((object, home))
        try require(
          scene.coordinator.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()) == nil, true,
          .wrongValue, "whether a temporary URI leads nowhere")
      }
      if chance(1, of: 3), let (object, _) = homes.first {
        object.setValue("too long", forKey: "text")
        let error = AnythingClient.error { try writer.save() }
        try require(error?.code, NSValidationStringTooLongError, .wrongValue, "the error of a text that is too long")
        try requireWritten(scene, "after a save that was refused")
        object.setValue("short", forKey: "text")
      }
      try save(writer)
      for (object, home) in homes {
        let id = object.objectID
        try require(
          id.persistentStore === scene.open[home].store, true, .wrongValue,
          "whether \(RulePicture.number(object)) is in its store")
        scene.open[home].objects[id.uriRepresentation()] = RulePicture.number(object)
      }
    }
    for index in scene.open.indices where !scene.open[index].isReadOnly {
      scene.open[index].written = scene.open[index].metadata
    }
  }

  /// Calls that must be refused, and change nothing.
  func refuseStep(_ scene: inout PlacesScene) throws {
    let (coordinator, options) = (scene.coordinator, draw(3))
    guard let place = pick(scene.open), let file = scene.open.first(where: \.isFile) else { return }
    note("a call that is refused, \(options)")
    switch options {
    case 0:
      guard let target = pick(scene.closed) else { return }
      let code = AnythingClient.error {
        try coordinator.migratePersistentStore(place.store, to: target.url, options: nil, withType: NSSQLiteStoreType)
      }?.code
      try require(
        code, CocoaError.Code.fileWriteFileExists.rawValue, .wrongValue, "the error of a move to where a store is")
    case 1:
      guard let source = pick(scene.closed) else { return }
      let code = AnythingClient.error {
        try coordinator.replacePersistentStore(
          at: file.url, withPersistentStoreFrom: source.url, ofType: NSSQLiteStoreType)
      }?.code
      try require(code, NSPersistentStoreOperationError, .wrongValue, "the error of replacing a store that is open")
    default:
      let code = AnythingClient.error {
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: file.configuration, at: file.url)
      }?.code
      try require(code, NSPersistentStoreOpenError, .wrongValue, "the error of opening a store twice")
    }
  }

  // MARK: Looks

  func requirePlaces(_ scene: inout PlacesScene) throws {
    let coordinator = scene.coordinator
    let expected = scene.posts
    scene.posts = []
    try require(scene.log.removeAll(), expected, .wrongNotification, "the notifications of a coordinator's stores")
    let stores = coordinator.persistentStores
    try require(
      stores.map { ObjectIdentifier($0) }, scene.open.map { ObjectIdentifier($0.store) }, .wrongValue,
      "the stores of a coordinator, in their order")
    for place in scene.open {
      let (store, name) = (place.store, place.url.lastPathComponent)
      try require(
        [store.url, coordinator.url(for: store)], [place.url, place.url], .wrongValue, "the URLs of \(name)")
      try require(
        coordinator.persistentStore(for: place.url) === store, true, .wrongValue, "whether \(name) is found by its URL")
      try require(
        [store.type, store.identifier, store.configurationName],
        [place.type, place.uuid, place.configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"], .wrongValue,
        "type, UUID and configuration of \(name)")
      try require(
        [store.isReadOnly, store.persistentStoreCoordinator === coordinator], [place.isReadOnly, true], .wrongValue,
        "whether \(name) is only read, and the coordinator's")
      for metadata in [store.metadata ?? [:], coordinator.metadata(for: store)] {
        try require(PlacesScene.texts(metadata), place.metadata, .wrongValue, "the metadata of \(name)")
        try requireOwn(metadata, place.type, place.uuid, place.configuration, name)
      }
    }
    for file in scene.closed where !scene.open.contains(where: { $0.url == file.url }) {
      try require(
        coordinator.persistentStore(for: file.url) == nil, true, .wrongValue, "whether a closed file is no store's URL")
    }
    try requireWritten(scene, "after a step")
    try requireLeading(scene)
  }

  /// Metadata of each file, as they were last saved.
  private func requireWritten(_ scene: PlacesScene, _ what: String) throws {
    let open = scene.open.filter(\.isFile).map { ($0.url, $0.written, $0.uuid, $0.configuration) }
    let closed = scene.closed.map { ($0.url, $0.written, $0.uuid, $0.configuration) }
    for (url, written, uuid, configuration) in open + closed {
      let metadata =
        chance(1, of: 2)
        ? try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        : try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
      let name = "the file \(url.lastPathComponent)"
      try require(PlacesScene.texts(metadata), written, .unpersistedSave, "the metadata of \(name) \(what)")
      try requireOwn(metadata, NSSQLiteStoreType, uuid, configuration, name)
    }
  }

  /// The metadata that are the stack's own, and fit no other configuration.
  private func requireOwn(
    _ metadata: [String: Any], _ type: String, _ uuid: String, _ configuration: String?, _ name: String
  ) throws {
    try require(
      [metadata[NSStoreTypeKey] as? String, metadata[NSStoreUUIDKey] as? String], [type, uuid], .wrongValue,
      "type and UUID in the metadata of \(name)")
    let fitting = [nil, "Lefts", "Rights", "Nowhere"].filter {
      PlacesModel.shared.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    try require(fitting, [configuration], .wrongValue, "the configurations that the metadata of \(name) fit")
  }

  /// URIs lead to the objects of open stores, and nowhere else.
  private func requireLeading(_ scene: PlacesScene) throws {
    let (coordinator, reader) = (scene.coordinator, freshContext(scene.coordinator))
    try reader.performAndWait {
      for place in scene.open {
        for (uri, number) in place.objects.sorted(by: { $0.value < $1.value }) {
          guard let id = coordinator.managedObjectID(forURIRepresentation: uri) else {
            return try report(.lostRecord, "the ID of \(number) by its URI", expected: "\(uri)", seen: "none")
          }
          try require(id.uriRepresentation(), uri, .wrongValue, "the URI of an ID that a URI led to")
          try require(id.persistentStore === place.store, true, .wrongValue, "whether \(number) is in its store")
          let object = try reader.existingObject(with: id)
          try require(RulePicture.number(object), number, .wrongValue, "the number of the object at \(uri)")
          try require(object.objectID, id, .wrongValue, "the ID of an object that was found by its URI")
        }
      }
      let open = Set(scene.open.map(\.uuid))
      let stray = scene.open.flatMap { ["x-coredata://\($0.uuid)/Nowhere/p1", "x-coredata://\($0.uuid)/Left/t1"] }
      let gone = scene.closed.filter { !open.contains($0.uuid) }.flatMap(\.objects.keys)
      for uri in gone + stray.compactMap({ URL(string: $0) }) {
        try require(
          coordinator.managedObjectID(forURIRepresentation: uri) == nil, true, .resurrectedRecord,
          "whether \(uri) leads nowhere")
      }
    }
    let entities = PlacesModel.entities.filter { entity in
      scene.open.contains { PlacesModel.takes(entity, $0.configuration) }
    }
    // A moved file's copy has the same numbers, so that objects are counted, not numbers.
    let stored = try reader.performAndWait {
      reader.reset()
      return try entities.flatMap { try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)) }
        .map(RulePicture.number)
    }
    try require(
      stored.sorted(), scene.open.flatMap(\.objects.values).sorted(), .lostRecord,
      "the objects of all open stores")
  }
}
