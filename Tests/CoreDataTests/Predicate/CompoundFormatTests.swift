import CoreData
import Testing

/// Foundation on Linux calls the property deprecated, and a use of it a warning.
private protocol Formatted {
  var predicateFormat: String { get }
}

extension NSPredicate: Formatted {}

extension Formatted {
  fileprivate var format: String { predicateFormat }
}

@Suite struct CompoundFormatTests {
  // S7.2: the class that a format was asked of is the class of the result.
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

  // S7.2: Foundation's initialisers make Foundation's objects.
  @Test func compoundsPrintThemselvesHoweverTheyAreMade() {
    let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])
    #expect(both.format == "a == 1 AND b == 2")
    #expect("\(both)" == "a == 1 AND b == 2" && both.debugDescription == both.description)
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [both, NSPredicate(value: true)])
    #expect(either.description == "(a == 1 AND b == 2) OR TRUEPREDICATE")
    #expect(NSCompoundPredicate(notPredicateWithSubpredicate: a).description == "NOT a == 1")
    #expect(NSCompoundPredicate(notPredicateWithSubpredicate: either).format == "NOT (\(either))")
    #expect(NSCompoundPredicate(type: .or, subpredicates: [a]).description == "a == 1")
    for parts in [[either], [NSCompoundPredicate(notPredicateWithSubpredicate: a)]] {
      #expect(NSCompoundPredicate(type: .and, subpredicates: parts).description == parts[0].description)
    }
    #expect(NSCompoundPredicate(type: .and, subpredicates: []).description == "TRUEPREDICATE")
    #expect(NSPredicate(value: false).description == "FALSEPREDICATE")
    #expect(NSPredicate(format: either.format).description == either.description, "it can be read again")
  }

  // S7.2: as without the parentheses.
  @Test func aCompoundInOneOfItsTypeIsAPartOfIt() {
    for format in ["(a == 1 AND b == 2) AND c == 3", "a == 1 AND (b == 2 AND c == 3)"] {
      #expect(NSPredicate(format: format).format == "a == 1 AND b == 2 AND c == 3")
    }
    #expect(NSPredicate(format: "a == 1 OR (b == 2 OR c == 3)").format == "a == 1 OR b == 2 OR c == 3")
    #expect(NSPredicate(format: "(a == 1 OR b == 2) AND c == 3").format == "(a == 1 OR b == 2) AND c == 3")
  }

  // S7.2
  @Test func compoundsOfEqualPartsAreEqual() {
    let (a, b) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
    func make(_ parts: NSPredicate...) -> NSCompoundPredicate { .init(andPredicateWithSubpredicates: parts) }
    #expect(make(a, b) == make(a, b) && make(a, b).hash == make(a, b).hash)
    #expect(make(a, b) != make(b, a))
    #expect(make(a) != NSCompoundPredicate(orPredicateWithSubpredicates: [a]))
    #expect(make(a, b) == NSPredicate(format: "a == 1 AND b == 2"))
    #expect(make(a) != NSPredicate(value: false) && NSPredicate(value: true) == NSPredicate(value: true))
  }

  // S7.2
  @Test func theOutermostOperatorIsTheCompoundsType() {
    #expect(NSCompoundPredicate(format: "number > 1 AND number < 3").compoundPredicateType == .and)
    #expect(NSCompoundPredicate(format: "a == 1 OR b == 2 OR c == 3").subpredicates.count == 3)
    #expect(NSCompoundPredicate(format: "NOT a == %d", argumentArray: [1]).compoundPredicateType == .not)
  }
}
