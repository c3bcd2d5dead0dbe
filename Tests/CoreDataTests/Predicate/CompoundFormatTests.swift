import CoreData
import Testing

@Suite struct CompoundFormatTests {
  // S7.2: the class that a format was asked of is the class of what comes.
  @Test(
    arguments: [
      ("number > 1 AND number < 3", [2]), ("number < 2 OR number > 2", [1, 3]), ("NOT number == 1", [2, 3]),
      ("number == 3", [3]), ("TRUEPREDICATE", [1, 2, 3]),
    ] as [(String, [Int64])])
  func aCompoundPredicateComesFromAFormat(format: String, numbers: [Int64]) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let predicate = NSCompoundPredicate(format: format)
      #expect(try context.notes(predicate).map(\.number) == numbers)
      let all = try context.notes()
      #expect(all.filter { predicate.evaluate(with: $0) }.map(\.number) == numbers)
      let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
        predicate, NSPredicate(format: "number != %d", argumentArray: [3]),
      ])
      #expect(try context.notes(both).map(\.number) == numbers.filter { $0 != 3 })
    }
  }

  // S7.2
  @Test func theOutermostOperatorIsTheCompoundsType() {
    #expect(NSCompoundPredicate(format: "number > 1 AND number < 3").compoundPredicateType == .and)
    #expect(NSCompoundPredicate(format: "a == 1 OR b == 2 OR c == 3").subpredicates.count == 3)
    #expect(NSCompoundPredicate(format: "NOT a == %d", argumentArray: [1]).compoundPredicateType == .not)
  }
}
