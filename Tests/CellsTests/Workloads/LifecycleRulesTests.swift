import Checking
import CoreData
import Testing

@testable import Cells

/// Each rule on a case that keeps it and on one that breaks it.
@Suite struct LifecycleRulesTests {
  private typealias Row = LifecycleStore.Row
  private struct Refusal: Error {}

  @Test func aFailureIsReportedWithItsReason() {
    let locked = NSError(domain: NSCocoaErrorDomain, code: 134080, userInfo: [NSUnderlyingErrorKey: Refusal()])
    let violation = LifecycleRules.failure("opening", locked)
    #expect(violation.kind == .failedSave && violation.subject == "opening")
    #expect(violation.seen.contains("134080") && violation.seen.contains("Refusal"))
  }

  @Test func aClosedStoreLeavesNoDescriptor() {
    #expect(LifecycleRules.closed(leaving: []) == nil)
    let violation = LifecycleRules.closed(leaving: ["/a/own.sqlite-wal", "/a/own.sqlite"])
    #expect(violation?.kind == .contextLeak)
    #expect(violation?.seen == "2 are open: own.sqlite, own.sqlite-wal")
  }

  @Test func descriptorsOfAStoreAreFound() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/own.sqlite"
    #expect(LifecycleStore.descriptors(of: path).isEmpty)
    let descriptor = open(path + "-wal", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    #expect(LifecycleStore.descriptors(of: path) == [path + "-wal"])
    close(descriptor)
    #expect(LifecycleStore.descriptors(of: path).isEmpty)
  }

  @Test func whoSavedFindsItsRows() {
    #expect(LifecycleRules.saved(1..<4, found: [5, 1, 2, 3]) == nil)
    #expect(LifecycleRules.saved(1..<4, found: [1, 3])?.kind == .lostRecord)
  }

  @Test func aSaveToAnExchangedStoreFails() {
    #expect(LifecycleRules.refused(.update, by: Refusal()) == nil)
    #expect(LifecycleRules.refused(.update, by: nil)?.kind == .storeCorruption)
  }

  @Test func aStoreInAnothersPlaceHasOnlyItsMakersRow() {
    let row = Row(key: 1, value: 2)
    #expect(LifecycleRules.exchanged([row], has: row) == nil)
    for rows in [[], [Row(key: 1, value: 3)], [row, Row(key: 2, value: 3)]] {
      #expect(LifecycleRules.exchanged(rows, has: row)?.kind == .storeCorruption)
    }
  }

  @Test func aCopyIsWholeAndHasEveryAcknowledgedRow() throws {
    let store = try TestStore()
    let environment = try store.makeEnvironment(model: KeyedSchema.counter.model)
    let path = store.directory + "/own.sqlite"
    do {
      let own = try LifecycleStore(path, environment)
      try own.insert(1..<4, value: 1)
      try own.close()
    }
    #expect(LifecycleRules.copy(path, "file", has: [1, 2, 3]).isEmpty)
    #expect(LifecycleRules.copy(path, "file", has: [3, 4]).map(\.kind) == [.lostRecord])
    #expect(LifecycleRules.copy(store.directory + "/none.sqlite", "file", has: [1]).map(\.kind) == [.lostRecord])
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 4096)
    try handle.close()
    #expect(Set(LifecycleRules.copy(path, "file", has: [1]).map(\.kind)) == [.storeCorruption])
  }
}
