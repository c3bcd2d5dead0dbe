import CoreData
import Testing

/// The public classes are the tree of a predicate.
@Suite struct ExpressionTests {
  // S7.2
  @Test func aComparisonTellsItsParts() throws {
    let predicate = NSPredicate(format: "ANY words.term CONTAINS[cd] %@", "x")
    let comparison = try #require(predicate as? NSComparisonPredicate)
    #expect(comparison.leftExpression.expressionType == .keyPath)
    #expect(comparison.leftExpression.keyPath == "words.term")
    #expect(comparison.rightExpression.expressionType == .constantValue)
    #expect(comparison.rightExpression.constantValue as? String == "x")
    #expect(comparison.comparisonPredicateModifier == .any)
    #expect(comparison.predicateOperatorType == .contains)
    #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(predicate as? NSCompoundPredicate == nil)
    let made = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "words.term"), rightExpression: NSExpression(forConstantValue: "x"),
      modifier: .any, type: .contains, options: [.caseInsensitive, .diacriticInsensitive])
    #expect(made == predicate)
    #expect(made.predicateFormat == "ANY words.term CONTAINS[cd] \"x\"")
    #expect(NSComparisonPredicate(format: "a == 1").leftExpression.keyPath == "a")
  }

  // S7.2
  @Test func anExpressionMayFetch() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      for number in 1...3 as ClosedRange<Int64> { context.insertNote(number, title: number == 2 ? "a" : "b") }
      try context.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == 'b'")
      func expression(countOnly: Bool) -> NSExpression {
        NSFetchRequestExpression.expression(
          forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
          countOnly: countOnly)
      }
      let found = expression(countOnly: false)
      #expect(found.expressionType == NSFetchRequestExpressionType && found.expressionType.rawValue == 50)
      #expect((found as? NSFetchRequestExpression)?.isCountOnlyRequest == false)
      #expect((found.expressionValue(with: nil, context: nil) as? [Note]).map { Set($0.map(\.number)) } == [1, 3])
      #expect(expression(countOnly: true).expressionValue(with: nil, context: nil) as? Int == 2)
      #expect(found == expression(countOnly: false) && found != expression(countOnly: true))
      #expect(found.description.hasPrefix("FETCH(") && found.description.hasSuffix(", NO)"))
      let isAmong = NSComparisonPredicate(
        leftExpression: .expressionForEvaluatedObject(), rightExpression: found, modifier: .direct, type: .in)
      let all = NSFetchRequest<Note>(entityName: "Note")
      all.predicate = isAmong
      #expect(Set(try context.fetch(all).map(\.number)) == [1, 3])
      #expect(try context.notes().filter { isAmong.evaluate(with: $0) }.count == 2)
    }
  }

  // S7.2
  @Test func aCompoundTellsItsParts() throws {
    let predicate = try #require(NSPredicate(format: "a == 1 AND NOT (b == 2 OR c == 3)") as? NSCompoundPredicate)
    #expect(predicate.compoundPredicateType == .and)
    let negation = try #require(predicate.subpredicates[1] as? NSCompoundPredicate)
    #expect(negation.compoundPredicateType == .not)
    #expect((negation.subpredicates.first as? NSCompoundPredicate)?.compoundPredicateType == .or)
    #expect(NSPredicate(format: "TRUEPREDICATE") as? NSComparisonPredicate == nil)
    #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    #expect(NSPredicate(format: "TRUEPREDICATE") != NSPredicate(format: "FALSEPREDICATE"))
  }

  // S7.2: made by hand and by a format, an expression is the same.
  @Test(
    arguments: [
      (NSExpression(forConstantValue: 5), "5"), (NSExpression(forConstantValue: nil), "nil"),
      (NSExpression.expressionForEvaluatedObject(), "SELF"), (NSExpression(forVariable: "x"), "$x"),
      (NSExpression(forKeyPath: "a.b"), "a.b"), (NSExpression.expressionForAnyKey(), "ANYKEY"),
      (NSExpression(forFunction: "add:to:", arguments: [NSExpression(forKeyPath: "a"), 2]), "a + 2"),
      (NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "a")]), "max:(a)"),
      (NSExpression(forFunction: "now", arguments: []), "now()"),
      (NSExpression(forAggregate: [NSExpression(forKeyPath: "a"), 1]), "{a, 1}"),
      (NSExpression(forUnionSet: .init(forKeyPath: "a"), with: .init(forKeyPath: "b")), "a UNION b"),
      (NSExpression(forIntersectSet: .init(forKeyPath: "a"), with: .init(forKeyPath: "b")), "a INTERSECT b"),
      (NSExpression(forMinusSet: .init(forKeyPath: "a"), with: .init(forKeyPath: "b")), "a MINUS b"),
      (
        NSExpression(
          forSubquery: .init(forKeyPath: "a"), usingIteratorVariable: "x", predicate: NSPredicate(format: "$x.b == 1")),
        "SUBQUERY(a, $x, $x.b == 1)"
      ),
      (
        NSExpression(
          forConditional: NSPredicate(format: "a == 1"), trueExpression: .init(forKeyPath: "b"),
          falseExpression: .init(forConstantValue: "c")), "TERNARY(a == 1, b, \"c\")"
      ),
      (
        NSExpression(
          forFunction: .init(forVariable: "x"), selectorName: "valueForKeyPath:",
          arguments: [NSExpression(forKeyPath: "a")]), "$x.a"
      ),
    ])
  func anExpressionIsWhatItsFormatIs(expression: NSExpression, format: String) {
    #expect(expression.description == format)
    #expect(NSExpression(format: format) == expression)
    #expect(NSExpression(format: format).hash == expression.hash)
  }

  // S7.2
  @Test func theObjectAndNullArePrintedAsTheyAreGiven() {
    for path in ["self", "SELF", "self.b", "SELF.b"] {
      #expect(NSExpression(forKeyPath: path).description == path)
    }
    #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
    #expect("\(NSPredicate(format: "a == %@", argumentArray: [NSNull()]))" == "a == <null>")
  }

  // S7.2: equal sets give their elements in different orders.
  @Test func equalSetsMakeEqualPredicates() {
    let numbers = Array(0..<100)
    let (up, down) = (Set(numbers), numbers.reversed().reduce(into: Set<Int>(minimumCapacity: 1000)) { $0.insert($1) })
    let predicates = [up, down].map { NSPredicate(format: "number IN %@", argumentArray: [$0]) }
    #expect(predicates[0] == predicates[1] && predicates[0].hash == predicates[1].hash)
    #expect(predicates[0] != NSPredicate(format: "number IN %@", argumentArray: [up.union([100]).subtracting([0])]))
    #expect("\(NSPredicate(format: "a IN %@", argumentArray: [Set(["c", "a", "b"])]))" == "a IN {\"a\", \"b\", \"c\"}")
  }

  // S7.2
  @Test func anExpressionTellsItsParts() {
    let function = NSExpression(format: "modulus:by:(a, 2)")
    #expect(function.expressionType == .function)
    #expect(function.function == "modulus:by:")
    #expect(function.arguments == [NSExpression(forKeyPath: "a"), NSExpression(forConstantValue: 2)])
    let subquery = NSExpression(format: "SUBQUERY(a, $x, $x == 1)")
    #expect(subquery.collection as? NSExpression == NSExpression(forKeyPath: "a"))
    #expect(subquery.variable == "x")
    #expect(subquery.predicate == NSPredicate(format: "$x == 1"))
    let conditional = NSExpression(format: "TERNARY(a == 1, 2, 3)")
    #expect(conditional.true == NSExpression(forConstantValue: 2))
    #expect(conditional.false == NSExpression(forConstantValue: 3))
    let union = NSExpression(format: "a UNION b")
    #expect(union.left == NSExpression(forKeyPath: "a"))
    #expect(union.right == NSExpression(forKeyPath: "b"))
    #expect((NSExpression(format: "{1, 2}").collection as? [NSExpression])?.count == 2)
    #expect(NSExpression(format: "$x.a").operand == NSExpression(forVariable: "x"))
    #expect(NSExpression(format: "%K", "a.b").keyPath == "a.b")
    #expect(
      NSExpression(format: "%@ + %d", argumentArray: [1, 2]).expressionValue(with: nil, context: nil) as? Int == 3)
  }

  // S7.2: raw values are Apple's.
  @Test func rawValuesAreApples() {
    #expect(NSExpression.ExpressionType.subquery.rawValue == 13)
    #expect(NSExpression.ExpressionType.conditional.rawValue == 20)
    #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
    #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
    #expect(NSComparisonPredicate.Operator.in.rawValue == 10)
    #expect(NSComparisonPredicate.Modifier.any.rawValue == 2)
    #expect(NSComparisonPredicate.Options.normalized.rawValue == 4)
  }

  // S7.2
  @Test func aCustomSelectorIsRefusedByName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let one = NSExpression(forConstantValue: 1)
      _ = NSComparisonPredicate(
        leftExpression: one, rightExpression: one, modifier: .direct, type: .customSelector, options: [])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("by a custom selector are not"))
  }

  // S7.2: a subclass computes its own value.
  @Test func aSubclassIsAskedForItsValue() {
    final class Twice: NSExpression, @unchecked Sendable {
      // Sendable: nothing is stored.
      override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        (object as? Int).map { $0 * 2 }
      }
    }
    let predicate = NSComparisonPredicate(
      leftExpression: Twice(expressionType: .function), rightExpression: NSExpression(forConstantValue: 10),
      modifier: .direct, type: .equalTo)
    #expect(predicate.evaluate(with: 5))
    #expect(!predicate.evaluate(with: 6))
  }

  // S7.2
  @Test func variablesAreReplaced() throws {
    let predicate = NSPredicate(format: "a == $x AND SUBQUERY(b, $y, $y == $x).@count == $z.c")
    let bound = predicate.withSubstitutionVariables(["x": 5, "y": 7, "z": NSExpression(forKeyPath: "d")])
    #expect(bound == NSPredicate(format: "a == 5 AND SUBQUERY(b, $y, $y == 5).@count == d.c"))
    #expect(
      NSPredicate(format: "a == $x").withSubstitutionVariables(["x": NSNull()]) == NSPredicate(format: "a == nil"))
    let owner: [String: Any] = ["name": "n"]
    let following = NSPredicate(format: "a == $OWNER.name").withSubstitutionVariables(["OWNER": owner])
    #expect(following == NSPredicate(format: "a == 'n'"))
    #expect(NSPredicate(format: "SELF > $x").evaluate(with: 3, substitutionVariables: ["x": 2]))
    #expect(!NSPredicate(format: "NOT SELF > $x").evaluate(with: 3, substitutionVariables: ["x": 2]))
  }
}
