import Testing

@testable import Checking

struct AcknowledgedWritesCheckerTests {
  let checker = AcknowledgedWritesChecker()

  /// Evidence with a recorded property of notes: the file's values by key; and words with their notes.
  private func evidence(
    _ text: String, notes: [Int64: [Int64]] = [:], words: [Int64: Int64] = [:], policy: String? = nil,
    isUnique: Bool = false
  ) throws -> Evidence {
    var evidence = try Evidence.of(text)
    evidence.parameters.layout.entities[0].recordedColumns = ["ZTITLE"]
    evidence.parameters.layout.entities[0].hasUniqueKey = isUnique
    evidence.parameters.mergePolicy = policy
    var noteRows = EntityRows(keys: notes.flatMap { note in note.value.map { _ in note.key } })
    noteRows.recorded = notes.mapValues { $0.map { [$0] } }
    var wordRows = EntityRows(keys: Array(words.keys))
    wordRows.owners = words.mapValues { [$0] }
    evidence.store = .success(StoreContents(rows: [1: noteRows, 2: wordRows]))
    return evidence
  }

  private func kinds(_ evidence: Evidence) -> [ViolationKind] { checker.check(evidence).violations.map(\.kind) }

  // MARK: Values in the file

  private let twoUpdates = """
    w1 invoke update Note 7
    w1 ok update Note 7 says 5
    w2 invoke update Note 7
    w2 ok update Note 7 says 6
    """

  @Test func theLatestValueIsHeld() throws {
    let result = checker.check(try evidence(twoUpdates, notes: [7: [6]]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func anEarlierValueInTheFileIsWrong() throws {
    let result = checker.check(try evidence(twoUpdates, notes: [7: [5]]))
    #expect(result.violations.map(\.kind) == [.wrongValue])
    #expect(
      result.violations.map(\.seen) == [
        "in the file, ZTITLE of key 7 is what step 1 wrote (5); the latest write is step 4"
      ])
  }

  @Test func aValueThatWasNeverWrittenIsWrong() throws {
    #expect(kinds(try evidence(twoUpdates, notes: [7: [9]])) == [.wrongValue])
  }

  @Test(arguments: [Int64(5), 6]) func ofOverlappingWritesEitherMayBeTheLatest(value: Int64) throws {
    let text = """
      w1 invoke update Note 7
      w2 invoke update Note 7
      w1 ok update Note 7 says 5
      w2 ok update Note 7 says 6
      """
    #expect(checker.check(try evidence(text, notes: [7: [value]])).verdict == .held)
  }

  @Test func ofOverlappingWritesTheLaterVersionIsTheLatest() throws {
    let text = """
      w1 invoke update Note 7
      w2 invoke update Note 7
      w1 ok update Note 7 = 3 says 5
      w2 ok update Note 7 = 2 says 6
      """
    #expect(checker.check(try evidence(text, notes: [7: [5]])).verdict == .held)
    #expect(kinds(try evidence(text, notes: [7: [6]])) == [.wrongValue])
  }

  @Test func aWriteOfUnknownEndMayBeTheLatest() throws {
    let text = twoUpdates + "\nw3 invoke update Note 7\nw3 info update Note 7 says 8"
    for value: Int64 in [6, 8] { #expect(checker.check(try evidence(text, notes: [7: [value]])).verdict == .held) }
    #expect(kinds(try evidence(text, notes: [7: [5]])) == [.wrongValue])
  }

  @Test func aWriteWithoutValuesMakesItUnknown() throws {
    let text = twoUpdates + "\nw3 invoke update Note 7\nw3 ok update Note 7"
    #expect(checker.check(try evidence(text, notes: [7: [5]])).verdict == .notExercised)
  }

  @Test func ownersAreHeldAgainstTheFile() throws {
    let text = "w1 invoke insert Word 3\nw1 ok insert Word 3 = 7"
    #expect(checker.check(try evidence(text, words: [3: 7])).verdict == .held)
    let result = checker.check(try evidence(text, words: [3: 8]))
    #expect(result.violations.map(\.kind) == [.wrongValue])
    #expect(result.violations[0].seen.contains("the owner of key 3"))
  }

  // MARK: Reads

  private func read(_ value: Int, drains: Bool = true) -> String {
    twoUpdates + (drains ? "\nw0 invoke drained\nw0 ok drained" : "")
      + "\nw0 invoke read Note 7\nw0 ok read Note 7 says \(value)"
  }

  @Test func whoHasDrainedShowsTheLatestValue() throws {
    #expect(checker.check(try evidence(read(6), notes: [7: [6]])).verdict == .held)
    #expect(kinds(try evidence(read(5), notes: [7: [6]])) == [.staleRead])
    // Perhaps its value before the history began.
    #expect(kinds(try evidence(read(9), notes: [7: [6]])) == [.staleRead])
    let insert = "w1 invoke insert Note 7\nw1 ok insert Note 7 says 1\n"
    #expect(kinds(try evidence(insert + read(9), notes: [7: [6]])) == [.wrongValue])
    #expect(kinds(try evidence(insert + read(1), notes: [7: [6]])) == [.staleRead])
  }

  @Test func whoHasNotDrainedMayShowAnOldValue() throws {
    #expect(checker.check(try evidence(read(5, drains: false), notes: [7: [6]])).verdict == .held)
  }

  @Test func aRefusedValueIsADirtyRead() throws {
    let refused = "w3 invoke update Note 7\nw3 fail update Note 7 says 4\n"
    #expect(kinds(try evidence(refused + read(4), notes: [7: [6]])) == [.dirtyRead])
  }

  // MARK: Deletes

  private let deleted = """
    w1 invoke insert Note 7
    w1 ok insert Note 7
    w2 invoke delete Note 7
    w2 ok delete Note 7
    """

  @Test func whatWasDeletedIsGone() throws {
    #expect(checker.check(try evidence(deleted)).verdict == .held)
    #expect(kinds(try evidence(deleted, notes: [7: [1]])) == [.resurrectedRecord])
  }

  @Test(arguments: ["w3 info insert Note 7", "w3 ok insert Note 7", ""])
  func whatWasInsertedAgainMayBeThere(completion: String) throws {
    let text = deleted + "\nw3 invoke insert Note 7\n" + completion
    #expect(checker.check(try evidence(text, notes: [7: [1]])).verdict == .held)
  }

  @Test func aRefusedInsertBringsNothingBack() throws {
    let text = deleted + "\nw3 invoke insert Note 7\nw3 fail insert Note 7"
    #expect(kinds(try evidence(text, notes: [7: [1]])) == [.resurrectedRecord])
  }

  @Test func anIndeterminateDeletePromisesNothing() throws {
    let text = deleted.replacing("w2 ok", with: "w2 info")
    #expect(checker.check(try evidence(text, notes: [7: [1]])).verdict == .notExercised)
  }

  @Test func anUpdateAfterTheDeleteBringsItBack() throws {
    let text = deleted + "\nw3 invoke update Note 7\nw3 ok update Note 7 = 2"
    #expect(kinds(try evidence(text)) == [.resurrectedRecord])
    // Nothing says that it changed anything.
    #expect(checker.check(try evidence(deleted + "\nw3 invoke update Note 7\nw3 ok update Note 7")).verdict == .held)
  }

  @Test func anUpdateBesideTheDeleteMayBringItBackByItsPolicy() throws {
    let text = deleted.replacing("w2 ok", with: "w3 invoke update Note 7\nw2 ok") + "\nw3 ok update Note 7 = 2"
    #expect(checker.check(try evidence(text, notes: [7: [1]], policy: "object-trump")).verdict == .held)
    #expect(kinds(try evidence(text, notes: [7: [1]], policy: "error")) == [.resurrectedRecord])
  }

  @Test func whoHasDrainedDoesNotShowIt() throws {
    let drained = deleted + "\nw0 invoke drained\nw0 ok drained\n"
    #expect(kinds(try evidence(drained + "w0 invoke read Note 7\nw0 ok read Note 7")) == [.staleRead])
    #expect(
      checker.check(try evidence(deleted + "\nw0 invoke read Note 7\nw0 ok read Note 7")).verdict == .held)
  }

  // MARK: Inserts

  private func created(_ second: Int) -> String {
    """
    w1 invoke insert Note 7
    w2 invoke insert Note 7
    w1 ok insert Note 7 p3
    w2 ok insert Note 7 p\(second)
    """
  }

  @Test(arguments: [3, 4]) func twoInsertsOfOneKeyAreOneTooMany(second: Int) throws {
    let evidence = try evidence(created(second), policy: "error", isUnique: true)
    #expect(kinds(evidence) == [.duplicateRecord])
  }

  @Test func aPolicyMayMakeOneRowOfThem() throws {
    #expect(try kinds(evidence(created(4), policy: "object-trump", isUnique: true)).isEmpty)
    #expect(try kinds(evidence(created(4), policy: "object-trump")) == [.duplicateRecord])
  }

  @Test func anInsertAfterADeleteIsAnother() throws {
    #expect(try kinds(evidence(created(4) + "\nw1 invoke delete Note 7\nw1 ok delete Note 7")).isEmpty)
  }

  // MARK: Unknown verdicts
}
