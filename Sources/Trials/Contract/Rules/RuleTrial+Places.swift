import Checking
import CoreData
import Scheduling

// S2.2, S3.2, S6.3: whatever is done with the stores of a coordinator and their files, each store is where it was put, in its order, with
// its own UUID, type, configuration, metadata and objects; notifications name the stores, and of a move the old ID and the new one of
// each object; URIs lead to objects of open stores and to no others.

extension RuleTrial {
  private enum PlacesStep: CaseIterable {
    case add, reopen, remove, move, replace, renew, give, giveFile, save, setPlace, refuse
  }

  func places() throws {
    let coordinator = try open(PlacesModel.shared, at: newURL())
    guard let first = coordinator.persistentStores.first else { return }
    let log = PlacesLog(session.environment, coordinator)
    defer { log.end() }
    var scene = PlacesScene(coordinator: coordinator, log: log)
    scene.open = [try opened(first, first.url, NSSQLiteStoreType, nil)]
    try saveSome(&scene)
    // Most stores have objects by the end, when one moves.
    let drawn = (0..<(6 + draw(5))).map { _ in pick(PlacesStep.allCases + [.give, .save]) ?? .save }
    for step in drawn + [.save, .move] {
      switch step {
      case .add: try addStore(&scene)
      case .reopen: try reopenStore(&scene)
      case .remove: try removeStore(&scene)
      case .move: try moveStore(&scene)
      case .replace: try replaceFile(&scene)
      case .renew: try renewFile(&scene)
      case .give: try giveMetadata(&scene)
      case .giveFile: try giveFile(&scene)
      case .save: try saveSome(&scene)
      case .setPlace: if !Simulation.isCurrent { try setPlace(&scene) }
      case .refuse: try refuseStep(&scene)
      }
      try requirePlaces(&scene)
    }
  }

  private func opened(
    _ store: NSPersistentStore, _ url: URL?, _ type: String, _ configuration: String?, isReadOnly: Bool = false
  ) throws -> PlacesScene.Open {
    try require(store.url, url, .wrongValue, "the URL of a store that was opened")
    return PlacesScene.Open(
      store: store, url: url ?? newURL(), type: type, configuration: configuration, isReadOnly: isReadOnly,
      uuid: store.identifier ?? "")
  }

  // MARK: Opening and closing

  private func addStore(_ scene: inout PlacesScene) throws {
    guard scene.open.count < 4 else { return }
    let (url, isFile) = (newURL(), chance(3, of: 4))
    let (type, configuration) = (
      isFile ? NSSQLiteStoreType : NSInMemoryStoreType, pick(PlacesModel.configurations)?.flatMap { $0 }
    )
    note("add \(type) \(url.lastPathComponent), configuration \(configuration ?? "none")")
    let store =
      chance(1, of: 2)
      ? try scene.coordinator.addPersistentStore(ofType: type, configurationName: configuration, at: url)
      : try scene.coordinator.addPersistentStore(
        type: isFile ? .sqlite : .inMemory, configuration: configuration, at: url)
    scene.open.append(try opened(store, url, type, configuration))
    scene.expect("did-change", NSAddedPersistentStoresKey, [store.identifier])
  }

  /// A file that was closed is open again; not where a store of its UUID is.
  private func reopenStore(_ scene: inout PlacesScene) throws {
    guard !scene.closed.isEmpty else { return }
    let index = draw(scene.closed.count)
    let file = scene.closed[index]
    let (isTaken, isReadOnly) = (scene.open.contains { $0.uuid == file.uuid }, chance(1, of: 4))
    note("open \(file.url.lastPathComponent) again\(isReadOnly ? " to read only" : "")")
    do {
      let store = try scene.coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: file.configuration, at: file.url,
        options: isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
      try require(isTaken, false, .wrongValue, "whether a store is opened beside one of its UUID")
      var place = try opened(store, file.url, NSSQLiteStoreType, file.configuration, isReadOnly: isReadOnly)
      try require(place.uuid, file.uuid, .wrongValue, "the UUID of a store that is open again")
      (place.metadata, place.written, place.objects) = (file.written, file.written, file.objects)
      scene.closed.remove(at: index)
      scene.open.append(place)
      scene.expect("did-change", NSAddedPersistentStoresKey, [file.uuid])
    } catch let error as NSError where isTaken && error.code == NSPersistentStoreOpenError {
      note("refused: a store of its UUID is open")
    }
  }

  private func removeStore(_ scene: inout PlacesScene) throws {
    guard !scene.open.isEmpty else { return }
    let place = scene.open.remove(at: draw(scene.open.count))
    note("remove \(place.url.lastPathComponent)")
    scene.expect("will-remove", nil, [place.uuid], count: scene.open.count + 1)
    let ids = ids(of: place, scene)
    try scene.coordinator.remove(place.store)
    try requireNowhere(ids, "a store that was removed")
    scene.expect("did-change", NSRemovedPersistentStoresKey, [place.uuid])
    try require(
      place.store.persistentStoreCoordinator == nil, true, .wrongValue, "whether a removed store has no coordinator")
    leave(place, &scene)
  }

  private func ids(of place: PlacesScene.Open, _ scene: PlacesScene) -> [NSManagedObjectID] {
    let ids = place.objects.keys.compactMap { scene.coordinator.managedObjectID(forURIRepresentation: $0) }
    precondition(ids.count == place.objects.count, "each object of a store that is open is found by its URI")
    return ids
  }

  /// IDs that are still held have no store once it is not open.
  private func requireNowhere(_ ids: [NSManagedObjectID], _ what: String) throws {
    try require(ids.filter { $0.persistentStore != nil }, [], .wrongValue, "the IDs that name \(what) as theirs")
  }

  /// The file of a store that is open no more.
  private func leave(_ place: PlacesScene.Open, _ scene: inout PlacesScene) {
    precondition(!scene.open.contains { $0.store === place.store }, "a store that is left is not open")
    guard place.isFile else { return }
    scene.closed.append(
      PlacesScene.Closed(
        url: place.url, configuration: place.configuration, uuid: place.uuid, written: place.written,
        objects: place.objects))
  }

  // MARK: Files

  /// A store moves to another file, or to memory: in its place among the stores there is the new one.
  private func moveStore(_ scene: inout PlacesScene) throws {
    guard let index = pick(scene.open.indices.filter({ !scene.open[$0].isReadOnly })) else { return }
    let (old, url, isFile) = (scene.open[index], newURL(), chance(3, of: 4))
    let type = isFile ? NSSQLiteStoreType : NSInMemoryStoreType
    note("move \(old.url.lastPathComponent) to \(type) \(url.lastPathComponent)")
    scene.expect("will-remove", nil, [old.uuid])
    let ids = ids(of: old, scene)
    let store = try scene.coordinator.migratePersistentStore(old.store, to: url, options: nil, withType: type)
    try requireNowhere(ids, "a store that moved")
    var new = try opened(store, url, type, old.configuration)
    try require(new.uuid == old.uuid, false, .wrongValue, "whether a store that moved has the old one's UUID")
    (new.metadata, new.written) = (old.metadata, old.metadata)
    scene.open[index] = new
    for (key, uuids) in [
      (NSAddedPersistentStoresKey, [new.uuid]), (NSUUIDChangedPersistentStoresKey, [old.uuid, new.uuid]),
      (NSRemovedPersistentStoresKey, [old.uuid]),
    ] { scene.expect("did-change", key, uuids) }
    let moved = scene.log.removeMoved()
    try require(moved.count, 2 * old.objects.count, .wrongNotification, "old and new IDs of a move")
    for number in stride(from: 0, to: moved.count, by: 2) {
      try require(
        old.objects[moved[number]] != nil && new.objects[moved[number + 1]] == nil, true, .wrongNotification,
        "whether a move names the old ID of each object once, and a new one behind it")
      new.objects[moved[number + 1]] = old.objects[moved[number]]
    }
    try require(
      new.objects.values.sorted(), old.objects.values.sorted(), .wrongNotification, "the objects that a move names")
    scene.open[index] = new
    leave(old, &scene)
  }

  /// A file is replaced by another one, of an open store or not: without what was set of the former and not saved.
  private func replaceFile(_ scene: inout PlacesScene) throws {
    let sources =
      scene.open.filter { $0.isFile && !$0.isReadOnly }.map {
        PlacesScene.Closed(
          url: $0.url, configuration: $0.configuration, uuid: $0.uuid, written: $0.written, objects: $0.objects)
      } + scene.closed
    guard let source = pick(sources) else { return }
    let others = scene.closed.filter { $0.url != source.url }
    let url = chance(1, of: 2) ? pick(others)?.url ?? newURL() : newURL()
    note("replace \(url.lastPathComponent) by \(source.url.lastPathComponent)")
    try scene.coordinator.replacePersistentStore(
      at: url, withPersistentStoreFrom: source.url, ofType: NSSQLiteStoreType)
    scene.closed.removeAll { $0.url == url }
    scene.closed.append(
      PlacesScene.Closed(
        url: url, configuration: source.configuration, uuid: source.uuid, written: source.written,
        objects: source.objects))
  }

  /// A file is destroyed, and a new store made in it.
  private func renewFile(_ scene: inout PlacesScene) throws {
    guard scene.open.count < 4, !scene.closed.isEmpty else { return }
    let file = scene.closed.remove(at: draw(scene.closed.count))
    note("destroy \(file.url.lastPathComponent), and make a new store there")
    try scene.coordinator.destroyPersistentStore(at: file.url, ofType: NSSQLiteStoreType)
    let error = AnythingClient.error {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file.url)
    }
    try require(
      error?.code, CocoaError.Code.fileReadCorruptFile.rawValue, .wrongValue,
      "the error of reading the metadata of a store that was destroyed")
    let store = try scene.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: file.configuration, at: file.url)
    let place = try opened(store, file.url, NSSQLiteStoreType, file.configuration)
    try require(
      place.uuid == file.uuid, false, .wrongValue, "whether a new store has the UUID of one that was destroyed")
    scene.open.append(place)
    scene.expect("did-change", NSAddedPersistentStoresKey, [place.uuid])
  }

  /// A store continues with a copy of its file; not with another store's, nor where there is none.
  private func setPlace(_ scene: inout PlacesScene) throws {
    // Metadata that were set and are in no file are not the subject here.
    let candidates = scene.open.indices.filter {
      scene.open[$0].isFile && !scene.open[$0].isReadOnly && scene.open[$0].metadata == scene.open[$0].written
    }
    guard let index = pick(candidates) else { return }
    let (place, url) = (scene.open[index], newURL())
    note("\(place.url.lastPathComponent) continues at \(url.lastPathComponent)")
    for other in [url] + scene.closed.filter({ $0.uuid != place.uuid }).map(\.url).prefix(1) {
      try require(
        scene.coordinator.setURL(other, for: place.store), false, .wrongValue,
        "whether a store continues with a file that has it not")
      try require(place.store.url, place.url, .wrongValue, "the URL of a store that does not continue elsewhere")
    }
    try scene.coordinator.replacePersistentStore(
      at: url, withPersistentStoreFrom: place.url, ofType: NSSQLiteStoreType)
    try require(
      scene.coordinator.setURL(url, for: place.store), true, .wrongValue, "whether a store continues with a copy")
    scene.open[index].url = url
  }
}
