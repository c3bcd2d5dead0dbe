import CoreData
import Scheduling
import Testing

@testable import RowStore

/// A fault that has its row at hand is filled from it without a look into the row cache, as long as no row near it was
/// replaced.
@Suite struct RowAtHandTests {
  /// A context with faults that have their rows at hand, of which it has filled the first.
  private func withFaults(_ body: (TestStack, NSManagedObjectContext, [Note]) throws -> Void) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes[0].title == "note 1")
      #expect(notes[1].isFault && notes[2].isFault)
      try body(stack, context, notes)
    }
  }

  @Test func whatAnotherContextSavedSinceIsSeen() throws {
    try withFaults { stack, _, notes in
      let other = stack.context("other")
      try other.performAndWait {
        for note in try other.notes() where note.number > 1 { note.title = "new" }
        try other.save()
      }
      #expect(notes[1].title == "new")
    }
  }

  @Test func aRowThatAnotherContextDeletedSinceIsGone() throws {
    try withFaults { stack, context, notes in
      let other = stack.context("other")
      try other.performAndWait {
        for note in try other.notes() where note.number == 2 { other.delete(note) }
        try other.save()
      }
      #expect(throws: (any Error).self) { try context.existingObject(with: notes[1].objectID) }
      #expect(notes[2].title == "note 3")
    }
  }

  @Test func aStoreThatWasRemovedIsNotReadFromMemory() throws {
    try withFaults { stack, context, notes in
      let coordinator = stack.container.persistentStoreCoordinator
      try coordinator.remove(#require(coordinator.persistentStores.first))
      #expect(throws: (any Error).self) { try context.existingObject(with: notes[1].objectID) }
    }
  }
}

@Suite struct ReplacementCountTests {
  /// Identities near and far, of two roots.
  private static let identities = [1, 2, 127, 128, 5_000, 1 << 40, .max].flatMap { key in
    [1, 2].map { RowIdentity(key: key, rootNumber: $0) }
  }

  /// Whether the counts tell the change of each identity.
  private func expectRaised(_ change: (ReplacementCounts) -> Void, _ isRaised: (RowIdentity) -> Bool) {
    let counts = ReplacementCounts()
    let before = Self.identities.map { counts[$0] }
    change(counts)
    for (identity, old) in zip(Self.identities, before) where isRaised(identity) { #expect(counts[identity] != old) }
  }

  @Test(arguments: identities) func aReplacedRowIsTold(identity: RowIdentity) {
    expectRaised({ $0.record(identity) }, { $0 == identity })
  }

  @Test func eachOfManyReplacedRowsIsTold() {
    expectRaised({ $0.record(Self.identities) }, { _ in true })
    expectRaised({ $0.recordAll() }, { _ in true })
  }

  @Test func rowsFarAwayAndOfOtherRootsAreAsTheyWere() {
    let counts = ReplacementCounts()
    let others = [(key: 1_000, root: 1), (key: 1, root: 2)].map {
      RowIdentity(key: $0.key, rootNumber: Int32($0.root))
    }
    let before = others.map { counts[$0] }
    counts.record(RowIdentity(key: 1, rootNumber: 1))
    #expect(others.map { counts[$0] } == before)
  }
}

@Suite struct WeakTableTests {
  private final class Listed {
    let key: Int64
    init(_ key: Int64) { self.key = key }
  }

  private func table(_ objects: [Listed]) -> WeakTable<Listed> {
    let table = WeakTable<Listed>()
    for object in objects { table.set(RowIdentity(key: object.key, rootNumber: 1), object) }
    return table
  }

  @Test(arguments: [0, -20_000, 1 << 60] as [Int64])
  func objectsWithNeighbouringKeysComeInTheirOrder(first: Int64) {
    let keys = (1...1_000).map { first + $0 }
    let objects = keys.map(Listed.init)
    #expect(table(objects.reversed()).objects.map(\.key) == keys)
  }

  @Test func everyObjectComesWhateverItsKey() {
    let keys: [Int64] = [.min + 1, -3, -2, 1, 2, 1 << 40, 1 << 62, .max]
    let objects = keys.map(Listed.init)
    let table = table(objects)
    #expect(Set(table.objects.map(\.key)) == Set(keys))
    #expect(Set(table.takeAll().map(\.key)) == Set(keys))
    #expect(table.count == 0 && table.objects.isEmpty && table.takeAll().isEmpty)
  }

  /// Keys that lie together, that lie apart, and pages that fill, empty and make room for others.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func aTableHoldsWhatADictionaryHolds(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let table = WeakTable<Listed>()
    var expected: [RowIdentity: Listed] = [:]
    for step in 0..<4_000 {
      let isNear = Bool.random(using: &random)
      let key = isNear ? Int64.random(in: -40...40, using: &random) : Int64.random(in: -9...9, using: &random) << 33
      let identity = RowIdentity(key: key, rootNumber: Int32.random(in: 1...3, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let object = Listed(key)
        table.set(identity, object)
        expected[identity] = object
      case 2:
        table.remove(identity)
        expected[identity] = nil
      case 3:
        table.remove(identity, ifItIs: expected[identity] ?? Listed(key))
        expected[identity] = nil
      default:
        let other = Listed(key)
        table.remove(identity, ifItIs: other)
        let replaces = step.isMultiple(of: 2)
        let isListed = table.edit { $0.set(identity, other) { _ in replaces } }
        if expected[identity] == nil || replaces { expected[identity] = other }
        #expect(isListed == (expected[identity] === other))
      }
      #expect(table.object(identity) === expected[identity])
      if step.isMultiple(of: 100) { try table.verifyInvariants() }
    }
    #expect(table.count == expected.count)
    for (identity, object) in expected { #expect(table.object(identity) === object) }
    #expect(Set(table.objects.map(ObjectIdentifier.init)) == Set(expected.values.map(ObjectIdentifier.init)))
    let byIdentity = expected.sorted { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }
    #expect(table.takeAll().map(\.key) == byIdentity.map(\.key.key))
    try table.verifyInvariants()
  }
}
