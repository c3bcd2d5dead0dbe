import Foundation
import Testing

@testable import Checking

struct ListAppendCheckerTests {
  let checker = ListAppendChecker()

  /// A store with notes as the lists.
  private func evidence(_ history: String, file: [Int64: [Int64]] = [:]) throws -> Evidence {
    var layout = StoreLayout.notebook
    layout.entities[0].listColumn = "ZBODY"
    var rows = EntityRows(keys: file.keys.sorted())
    rows.lists = file
    return Evidence(
      history: .success(try HistoryText.history(history)), store: .success(StoreContents(rows: [1: rows])),
      reports: .success([]), parameters: CheckParameters(layout: layout))
  }

  /// Two appends to list 3, one after the other, of which the second saw `seen`.
  private func history(seen: String) -> String {
    """
    w1 invoke txn 1
    w1 info append Note 3 = 7
    w1 ok txn 1
    w2 invoke txn 1
    w2 info r Note 3 [\(seen)]
    w2 info append Note 3 = 8
    w2 ok txn 1
    """
  }

  @Test func aSerialHistoryIsHeld() throws {
    let result = checker.check(try evidence(history(seen: "7"), file: [3: [7, 8]]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 1)
  }

  @Test func anAppendThatIsNotInTheFileIsLost() throws {
    #expect(
      checker.check(try evidence(history(seen: ""), file: [3: [8]])).violations.first
        == Violation(
          kind: .lostUpdate, subject: "Note, lost update", expected: "as if the transactions ran one by one",
          seen: "T0 appended 7 to list 3 and was acknowledged; T1 began later and read [] "
            + "(T1: w2 from step 3; T0: w1 from step 0)", firstStep: 2))
    let lost = checker.check(try evidence(history(seen: "7"), file: [3: [7]]))
    #expect(lost.violations.map(\.kind) == [.lostUpdate])
    #expect(lost.violations.first?.seen.contains("T2: the file in the end") == true)
  }

  /// Every kind of anomaly becomes the violation that the catalogue names.
  @Test(arguments: [
    ("a1=1 a2=1|a1=2 a2=2|r1=[1 2]|r2=[2 1]", ViolationKind.incompatibleOrder),
    ("!a1=1|r1=[1]", .dirtyRead), ("a1=1 a1=2|r1=[1]", .dirtyRead), ("a1=1 r2=[2]|a2=2 r1=[1]", .dirtyRead),
    ("a1=1 a2=2|r1=[1] r2=[]|r2=[2]", .readSkew), ("a1=1|r1=[] r1=[1]", .readSkew),
    ("r1=[] a2=2|r2=[] a1=1|r1=[1] r2=[2]", .writeSkew), ("a1=1 r1=[]", .readYourWrites),
    ("a1=1|a2=1|r1=[1] r2=[]|r1=[] r2=[1]", .longFork),
  ])
  func everyAnomalyHasItsKind(transactions: String, kind: ViolationKind) throws {
    // All at the same time, so that real time tells nothing.
    var opening: [String] = []
    var rest: [String] = []
    for (process, text) in transactions.split(separator: "|").enumerated() {
      let transaction = [Transaction]("ok " + text.replacingOccurrences(of: "!", with: ""))[0]
      opening.append("w\(process) invoke txn 1")
      for operation in transaction.operations {
        switch operation {
        case .append(let key, let value): rest.append("w\(process) info append Note \(key) = \(value)")
        case .read(let key, let values):
          rest.append("w\(process) info r Note \(key) [\(values.map(String.init).joined(separator: " "))]")
        }
      }
      rest.append("w\(process) \(text.hasPrefix("!") ? "fail" : "ok") txn 1")
    }
    let result = checker.check(try evidence((opening + rest).joined(separator: "\n")))
    #expect(result.violations.first?.kind == kind)
    #expect(result.verdict == .violated)
  }

  @Test func listsThatOneAppendsToExerciseNothing() throws {
    let history = "w1 invoke txn 1\nw1 info append Note 3 = 7\nw1 ok txn 1"
    #expect(checker.check(try evidence(history, file: [3: [7]])).verdict == .notExercised)
    #expect(checker.check(try evidence("")).verdict == .notExercised)
  }

  @Test func anUnusableHistoryIsUnknown() throws {
    #expect(checker.check(try evidence(history(seen: "7")).withUnusableHistory()).verdict == .unknown)
    // An append outside of a transaction.
    #expect(checker.check(try evidence("w1 info append Note 3 = 7\nw1 invoke txn 1")).verdict == .unknown)
    // Two appends of one value.
    let doubled = history(seen: "7").replacingOccurrences(of: "= 8", with: "= 7")
    #expect(checker.check(try evidence(doubled)).verdict == .unknown)
  }
}
