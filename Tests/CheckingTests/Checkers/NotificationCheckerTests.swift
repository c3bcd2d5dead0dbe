import Testing

@testable import Checking

struct NotificationCheckerTests {
  let checker = NotificationChecker()

  private func evidence(_ history: String, _ versions: [Int64: Int64], notes: [Int64] = []) throws -> Evidence {
    var evidence = try Evidence.of(history)
    evidence.store = .success(
      StoreContents(rows: [1: EntityRows(keys: notes)], versions: [1: versions, 2: [:]]))
    return evidence
  }

  /// Notes 1 to 3 are inserted, 2 is updated, 3 is deleted; by two contexts.
  private static let exact = """
    w1 info will-save 100 c1
    w1 info did-save 100 c1
    w1 info notified Note 1..<4 = 1
    w1 info will-save 200 c2
    w1 info did-save 200 c2
    w1 info notified Note 2 = 2
    w1 info notified Note 3 = 3
    """

  @Test func notificationsThatAreTheDifferenceAreHeld() throws {
    let result = checker.check(try evidence(Self.exact, [1: 1, 2: 2]))
    #expect(result.violations == [])
    #expect(result.verdict == .held)
    #expect(result.exercised == 2)
  }

  @Test func aRowThatNoNotificationNamedIsMissed() throws {
    let result = checker.check(try evidence(Self.exact, [1: 1, 2: 2, 9: 1]))
    #expect(result.violations.map(\.kind) == [.missedNotification])
    #expect(result.violations.first?.seen == "row 9 of version 1 is there, and was never reported")
  }

  @Test func anUpdateThatNoNotificationNamedIsMissed() throws {
    let result = checker.check(try evidence(Self.exact, [1: 1, 2: 3]))
    #expect(result.violations.map(\.seen) == ["row 2 was updated 2 times, and reported 1 times"])
    #expect(result.violations.map(\.kind) == [.missedNotification])
  }

  @Test func aDeleteThatNoNotificationNamedIsMissed() throws {
    let result = checker.check(try evidence(Self.exact, [2: 2]))
    #expect(result.violations.map(\.seen) == ["row 1 is gone, and no notification reported its delete"])
  }

  @Test func aRowThatCameAndWentUntoldIsMissedByItsAcknowledgedDelete() throws {
    let history = Self.exact + "\nw2 invoke delete Note 30..<32\nw2 ok delete Note 30..<32"
    let result = checker.check(try evidence(history, [1: 1, 2: 2], notes: [10, 20]))
    #expect(result.violations.map(\.seen) == ["2 rows were deleted and acknowledged, 1 reported"])
    #expect(result.violations.map(\.kind) == [.missedNotification])
  }

  @Test func aNotificationThatComesTwiceIsADuplicate() throws {
    let history =
      Self.exact + "\nw1 info did-save 200 c2\nw1 info notified Note 2 = 2\nw1 info notified Note 3 = 3"
    let result = checker.check(try evidence(history, [1: 1, 2: 2]))
    #expect(result.violations.map(\.kind) == [.duplicateNotification])
    #expect(result.violations.first?.firstStep == 7)
    #expect(result.violations.first?.expected == "each save is reported once")
  }

  @Test func aNotificationWithoutASaveIsWrong() throws {
    let history = Self.exact + "\nw1 info did-save 200 c2\nw1 info notified Note 1 = 2"
    #expect(checker.check(try evidence(history, [1: 1, 2: 2])).violations.map(\.kind) == [.wrongNotification])
  }

  @Test(arguments: [
    ("w1 info notified Note 1 = 3", "row 1 was reported as deleted, and is there"),
    ("w1 info notified Note 8 = 2", "row 8 was reported, and is not there: update"),
    ("w1 info notified Note 1 = 1", "row 1 was reported out of order: insert, insert"),
    ("w1 info notified Note 3 = 3", "row 3 was reported out of order: insert, delete, delete"),
  ])
  func aNotificationOfWhatDidNotHappenIsWrong(item: String, seen: String) throws {
    let history = Self.exact + "\nw1 info will-save 100 c1\nw1 info did-save 100 c1\n" + item
    let result = checker.check(try evidence(history, [1: 1, 2: 2]))
    #expect(result.violations.map(\.seen) == [seen])
    #expect(result.violations.map(\.kind) == [.wrongNotification])
  }

  @Test func anObjectThatWasSetToWhatItHadIsNotifiedWithoutANewVersion() throws {
    let history = Self.exact + "\nw1 info will-save 100 c1\nw1 info did-save 100 c1\nw1 info notified Note 1 = 2"
    #expect(checker.check(try evidence(history, [1: 1, 2: 2])).verdict == .held)
  }

  /// A context that has not merged the delete gives a document a tag that it has.
  @Test func anEmptyUpdateMayFollowADelete() throws {
    let update = "\nw2 info will-save 100 c1\nw2 info did-save 100 c1\nw2 info notified Note 3 = 2"
    let delete = "\nw3 invoke delete Note 30\nw3 ok delete Note 30"
    #expect(checker.check(try evidence(Self.exact + delete + update, [1: 1, 2: 2])).verdict == .held)
    let back = checker.check(try evidence(Self.exact + delete + update, [1: 1, 2: 2, 3: 3]))
    #expect(back.violations.map(\.seen).contains("row 3 was reported as deleted, and is there"))
  }

  @Test func savesThatOverlapMayBeNotifiedInEitherOrder() throws {
    let history = """
      w1 info will-save 100 c1
      w1 info did-save 100 c1
      w1 info notified Note 1 = 1
      w1 info will-save 100 c1
      w1 info will-save 200 c2
      w1 info did-save 200 c2
      w1 info notified Note 1 = 3
      w1 info did-save 100 c1
      w1 info notified Note 1 = 2
      """
    #expect(checker.check(try evidence(history, [:])).verdict == .held)
  }

  @Test func aSaveThatFailedIsNotNotified() throws {
    let history = "w1 info will-save 200 c2\n" + Self.exact
    #expect(checker.check(try evidence(history, [1: 1, 2: 2])).verdict == .held)
  }

  @Test func whatCannotBeUsedGivesUnknown() throws {
    let evidence = try evidence(Self.exact, [1: 1, 2: 2])
    #expect(checker.check(evidence.withUnusableHistory()).verdict == .unknown)
    #expect(checker.check(evidence.withUnusableStore()).verdict == .unknown)
    #expect(checker.check(try Evidence.of(Self.exact)).verdict == .unknown)
    var cutShort = try self.evidence(Self.exact, [1: 1, 2: 3])
    cutShort.parameters.isComplete = false
    #expect(checker.check(cutShort).verdict == .unknown)
  }
}
