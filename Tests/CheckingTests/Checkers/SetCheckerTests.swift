import Testing

@testable import Checking

struct SetCheckerTests {
  let checker = SetChecker()
  private let history = """
    w1 invoke insert Note 1..<4
    w1 ok insert Note 1..<4
    w2 invoke insert Note 4
    w2 fail insert Note 4
    w2 invoke insert Note 5
    w2 info insert Note 5
    """

  @Test(arguments: [[1, 2, 3], [1, 2, 3, 5]] as [[Int64]])
  func whatWasAcknowledgedIsHeldAndTheIndeterminateMayBeThere(keys: [Int64]) throws {
    let result = checker.check(try .of(history, notes: keys))
    #expect(result.verdict == .held)
    #expect(result.exercised == 3)
  }

  @Test(
    arguments: [
      ([1, 2], ViolationKind.lostRecord), ([1, 2, 2, 3], .duplicateRecord), ([1, 2, 3, 4], .dirtyRead),
    ] as [([Int64], ViolationKind)])
  func lostDoubledAndRefusedRowsAreFound(keys: [Int64], kind: ViolationKind) throws {
    #expect(checker.check(try .of(history, notes: keys)).violations.map(\.kind) == [kind])
  }

  @Test func aRefusedInsertThatSucceededLaterIsHeld() throws {
    let again = "\nw2 invoke insert Note 4\nw2 ok insert Note 4"
    #expect(checker.check(try .of(history + again, notes: [1, 2, 3, 4])).verdict == .held)
  }
}
