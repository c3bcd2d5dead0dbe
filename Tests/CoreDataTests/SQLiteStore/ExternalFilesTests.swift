import SQLite
import Testing

@testable import CoreData
@testable import RowStore

/// The files of large values where whole stores are copied, removed, moved and opened.
@Suite("S6.3 Files of external binary data") struct ExternalFilesTests {
  private let first = Album.value(1)
  private let second = Album.value(2)
  private let third = Album.value(3)

  private func coordinator() -> NSPersistentStoreCoordinator {
    NSPersistentStoreCoordinator(managedObjectModel: Album.model())
  }

  private func data(_ url: URL, _ name: String) throws -> Data? {
    try TestStack(model: Album.model(), url: url).storedData(name)
  }

  @Test func aCopyBesideItsSourceTakesNothingFromIt() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try stack.seedPicture("b", second)
    let copy = stack.folder.appendingPathComponent("store.copy")
    try coordinator().replacePersistentStore(at: copy, withPersistentStoreFrom: stack.url, type: .sqlite)
    #expect(try data(copy, "a") == first)
    #expect(try stack.storedData("a") == first)
    // Each continues without the other.
    try stack.change { try $0.named("Picture", "a").setValue(third, forKey: "data") }
    try TestStack(model: Album.model(), url: copy).change { $0.delete(try $0.named("Picture", "b")) }
    #expect(try data(copy, "a") == first)
    #expect(try stack.storedData("b") == second)
    for force in [false, true] {
      try coordinator().destroyPersistentStore(
        at: copy, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: force])
      #expect(try stack.storedData("a") == third)
      #expect(try stack.storedData("b") == second)
      try stack.expectFilesAreThoseOfRows(2, "the copy's own file went with it")
      try coordinator().replacePersistentStore(at: copy, withPersistentStoreFrom: stack.url, type: .sqlite)
    }
  }

  @Test func aStoreThatReplacesItselfStays() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try coordinator().replacePersistentStore(at: stack.url, withPersistentStoreFrom: stack.url, type: .sqlite)
    #expect(try stack.storedData("a") == first)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test func aStoreThatIsReplacedLosesItsOwnFiles() throws {
    let (source, target) = (try Album.stack(), try Album.stack())
    try source.seedPicture("a", first)
    try target.seedPicture("b", second)
    try coordinator().replacePersistentStore(at: target.url, withPersistentStoreFrom: source.url, type: .sqlite)
    #expect(try target.storedData("a") == first)
    try target.expectFilesAreThoseOfRows(1)
    try source.expectFilesAreThoseOfRows(1)
    let nothing = target.folder.appendingPathComponent("nothing.sqlite")
    #expect(throws: (any Error).self) {
      try coordinator().replacePersistentStore(at: target.url, withPersistentStoreFrom: nothing, type: .sqlite)
    }
    #expect(try target.storedData("a") == first)
  }

  @Test func aStoreMovesBesideItselfIntoMemoryAndBack() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try stack.seedPicture("b", Data([2, 65, 0]))
    let coordinator = stack.container.persistentStoreCoordinator
    let beside = stack.folder.appendingPathComponent("store.moved")
    let last = stack.folder.appendingPathComponent("last.sqlite")
    var store = try #require(coordinator.persistentStores.first)
    for (place, type) in [(beside, NSSQLiteStoreType), (beside, NSInMemoryStoreType), (last, NSSQLiteStoreType)] {
      store = try coordinator.migratePersistentStore(store, to: place, withType: type)
      let context = stack.context()
      try context.performAndWait {
        let (large, small) = (try context.named("Picture", "a"), try context.named("Picture", "b"))
        #expect(large.value(forKey: "data") as? Data == first)
        #expect(small.value(forKey: "data") as? Data == Data([2, 65, 0]))
      }
    }
    for url in [stack.url, beside, last] { #expect(try data(url, "a") == first) }
    let again = stack.folder.appendingPathComponent("again.sqlite")
    let other = try TestStack(model: Album.model(), url: beside)
    let moved = try #require(other.container.persistentStoreCoordinator.persistentStores.first)
    try other.container.persistentStoreCoordinator.migratePersistentStore(moved, to: again, type: .sqlite)
    #expect(try data(again, "a") == first)
    #expect(Album.files(again).count == 1)
  }

  // S6.3
  @Test func aStoreThatWasMovedByItsFilesContinues() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      _ = picture.value(forKey: "note")
      let place = stack.folder.appendingPathComponent("elsewhere.sqlite")
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.moveItem(atPath: stack.url.path + suffix, toPath: place.path + suffix)
      }
      try FileManager.default.moveItem(
        at: Album.folder(stack.url).deletingLastPathComponent(), to: Album.folder(place).deletingLastPathComponent())
      let coordinator = stack.container.persistentStoreCoordinator
      #expect(coordinator.setURL(place, for: try #require(coordinator.persistentStores.first)))
      #expect(picture.value(forKey: "data") as? Data == first)
      picture.setValue(second, forKey: "data")
      try context.save()
      context.reset()
      #expect(try data(place, "a") == second)
      #expect(Album.files(place).count == 1)
    }
  }

  // MARK: Sweeping

  /// Files as a save leaves them that is killed before its commit.
  private func leave(_ count: Int, beside url: URL) throws {
    try FileManager.default.createDirectory(at: Album.folder(url), withIntermediateDirectories: true)
    for _ in 0..<count { try Data([1]).write(to: Album.folder(url).appendingPathComponent(UUID().uuidString)) }
  }

  @Test("S6.5: what a save that was killed left goes when the store is opened, and nothing else")
  func whatIsNotReferredToGoes() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try leave(3, beside: stack.url)
    let strange = Album.folder(stack.url).appendingPathComponent("README")
    try Data("not ours".utf8).write(to: strange)
    #expect(try TestStack(model: Album.model(), url: stack.url, isReadOnly: true).sql("SELECT 1") == ["1"])
    #expect(Album.files(stack.url).count == 5, "a store that is only read is left alone")
    #expect(try stack.storedData("a") == first)
    #expect(Album.files(stack.url).count == 2)
    try FileManager.default.removeItem(at: strange)
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test("S6.1: files of a store that another process has open are not swept")
  func filesInUseElsewhereStay() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    try leave(1, beside: stack.url)
    let lock = FolderLock(Album.folder(stack.url).path)
    #expect(lock != nil)
    _ = try TestStack(model: Album.model(), url: stack.url)
    #expect(Album.files(stack.url).count == 2)
    withExtendedLifetime(lock) {}
  }

  @Test("S6.1: neither are those of a save under way, and of values that are held")
  func filesOfASaveUnderWayStay() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      _ = picture.value(forKey: "note")
      try stack.change { try $0.named("Picture", "a").setValue(second, forKey: "data") }
      try leave(1, beside: stack.url)
      try stack.withWriter { writer in
        try writer.connection.execute("BEGIN IMMEDIATE")
        defer { writer.rollBack() }
        _ = try TestStack(model: Album.model(), url: stack.url)
      }
      #expect(Album.files(stack.url).count == 3)
      _ = try TestStack(model: Album.model(), url: stack.url)
      #expect(Album.files(stack.url).count == 2)
      #expect(picture.value(forKey: "data") as? Data == first)
    }
  }

  @Test func filesOfAnotherStoreInTheFolderAreNotSwept() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    let other = try TestStack(model: Album.model(), url: stack.folder.appendingPathComponent("store.other"))
    try other.seedPicture("b", second)
    try Data("no database".utf8).write(to: stack.folder.appendingPathComponent("store.txt"))
    try leave(1, beside: stack.url)
    #expect(try stack.storedData("a") == first)
    #expect(try other.storedData("b") == second)
    #expect(Album.files(stack.url).count == 2)
  }
}
