import Testing

@testable import Checking

struct OverlapCheckerTests {
  let checker = OverlapChecker()

  @Test(arguments: [
    // The read within the insert, the insert within the read, either's end in the other.
    "w1 invoke insert Note 1 \n w0 invoke fetch Note \n w0 ok fetch Note \n w1 ok insert Note 1",
    "w0 invoke fetch Note \n w1 invoke insert Note 1 \n w1 ok insert Note 1 \n w0 ok fetch Note",
    "w1 invoke insert Note 1 \n w0 invoke read Note \n w1 ok insert Note 1 \n w0 ok read Note",
    "w0 invoke read Note \n w1 invoke insert Note 1 \n w0 ok read Note \n w1 ok insert Note 1",
    "w1 invoke insert Note 1 @1 \n w1 ok insert Note 1 @2 \n w0 invoke read Note @2 \n w0 ok read Note @3",
  ])
  func aReadDuringAnotherProcessInsertIsExercised(history: String) throws {
    let result = checker.check(try .of(history))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test(arguments: [
    // One after the other, or of one process.
    "w1 invoke insert Note 1 \n w1 ok insert Note 1 \n w0 invoke fetch Note \n w0 ok fetch Note",
    "w0 invoke fetch Note \n w0 ok fetch Note \n w1 invoke insert Note 1 \n w1 ok insert Note 1",
    "w0 invoke insert Note 1 \n w0 invoke fetch Note \n w0 ok fetch Note \n w0 ok insert Note 1",
    "w0 invoke insert Note 1 \n w0 ok insert Note 1",
    "",
  ])
  func withoutAnOverlapNothingIsExercised(history: String) throws {
    #expect(checker.check(try .of(history)).verdict == .notExercised)
  }

  private let request = """
    w0 invoke request Note 1..<4 @100
    w0 ok request Note 1..<4 @110
    w0 invoke response Note 1..<4 @200
    w0 ok response Note 1..<4 @210

    """

  private func delete(_ key: Int, from start: Int, to end: Int) -> String {
    "w\(key) invoke delete Note \(key) @\(start)\nw\(key) ok delete Note \(key) @\(end)\n"
  }

  @Test func deletesBeforeDuringAndAfterTheRequestAreExercised() throws {
    let history = request + delete(1, from: 50, to: 60) + delete(2, from: 90, to: 150) + delete(3, from: 220, to: 230)
    let result = checker.check(try .of(history))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
    #expect(result.note == "deletes before the request: 1, during: 1, after: 1")
  }

  @Test func oneKindOfDeleteMissingIsNotExercised() throws {
    let history = request + delete(1, from: 50, to: 60) + delete(2, from: 205, to: 240) + delete(9, from: 220, to: 230)
    let result = checker.check(try .of(history))
    #expect(result.verdict == .notExercised)
    #expect(result.note == "deletes before the request: 1, during: 1, after: 0")
  }
}
