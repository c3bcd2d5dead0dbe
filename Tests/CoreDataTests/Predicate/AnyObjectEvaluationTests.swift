import CoreData
import Testing

/// Evaluation with objects that no store knows.
@Suite struct AnyObjectEvaluationTests {
  private static var object: [String: Any] {
    [
      "a": 3, "part": 0.25, "name": "Zoé Müller", "when": Date(timeIntervalSinceReferenceDate: 5), "empty": NSNull(),
      "items": [["n": 1, "tag": "x"], ["n": 2.5, "tag": "y"], ["tag": "x"]] as [[String: Any]],
      "list": [1, 2, 3], "texts": Set(["p", "q"]), "nested": ["deep": ["key": "v"]],
      "page": URL(fileURLWithPath: "/a.html"), "mail": URL(string: "mailto:a@b.example")!,
    ]
  }

  // S7.2
  @Test(
    arguments: [
      ("a == 3 AND a != 4 AND a < 4 AND a <= 3 AND a > 2 AND a >= 3", true), ("a == 3.0", true), ("a == '3'", false),
      ("a IN {1, 3}", true), ("a IN list", true), ("a BETWEEN {1, 3}", true), ("a BETWEEN {4, 9}", false),
      ("name CONTAINS 'Mü'", true), ("name CONTAINS[cd] 'zoe mu'", true), ("name BEGINSWITH[d] 'Zoe'", true),
      ("name ENDSWITH[c] 'LLER'", true), ("name LIKE 'Z?? *'", true), ("name MATCHES 'Z.*r'", true),
      ("name MATCHES 'Z'", false), ("'Zo' IN name", true), ("missing == nil", true), ("empty == nil", true),
      ("empty != nil", false), ("missing > 1", false), ("missing.further == nil", true),
      ("nested.deep.key == 'v'", true), ("name.length == 10", true), ("name.uppercaseString BEGINSWITH 'ZOÉ'", true),
      ("page.pathExtension == 'html' AND mail.scheme == 'mailto' AND mail.host == nil", true),
      ("mail.host BEGINSWITH 'a'", false), ("part.boolValue == YES", true), ("a.boolValue == NO", false),
      ("items.@count == 3", true), ("items.@sum.n == 3.5", true),
      ("items.@max.n == 2.5", true),
      ("items.@min.n == 1", true), ("items.@avg.n > 1.1", true), ("list.@sum.self == 6", true),
      ("items.@distinctUnionOfObjects.tag == {'x', 'y'}", true), ("ANY items.n > 2", true),
      ("ALL items.tag == 'x'", false),
      ("NONE items.n > 3", true), ("ANY list == 2", true), ("ALL list > 0", true), ("ALL missing > 0", true),
      ("ANY missing > 0", false), ("list CONTAINS 2", true), ("texts CONTAINS 'p'", true), ("ANY texts IN {'q'}", true),
      ("list[0] == 1 AND list[FIRST] == 1 AND list[LAST] == 3 AND list[SIZE] == 3", true),
      ("items[1].n == 2.5", true), ("nested['deep'].key == 'v'", true),
      ("SUBQUERY(items, $i, $i.n > 1 AND $i.tag == 'y').@count == 1", true),
      ("SUBQUERY(items, $i, $i.tag == 'x')[0].n == 1", true), ("list UNION {9} == {1, 2, 3, 9}", true),
      ("list INTERSECT {3, 9} == {3}", true), ("list MINUS {1} == {2, 3}", true),
      ("TERNARY(a > 1, 'big', 'small') == 'big'", true), ("when > CAST(1, 'NSDate')", true),
      ("when < now()", true), ("CAST(when, 'NSNumber') == 5", true), ("CAST(a, 'NSString') == '3'", true),
      ("a + 1 == 4 AND a - 1 == 2 AND a * 2 == 6 AND a / 2 == 1 AND a ** 2 == 9", true), ("(a & 1) == 1", true),
      ("a << 2 == 12 AND a >> 1 == 1 AND (a | 4) == 7 AND a ^ 1 == 2 AND ~a == -4", true), ("-a == -3", true),
      ("a / 0 == nil", true), ("FUNCTION(nested, 'valueForKeyPath:', 'deep.key') == 'v'", true),
      ("SELF.a == 3", true), ("#a == 3", true), ("TRUEPREDICATE", true), ("NOT TRUEPREDICATE", false),
    ])
  func aDictionaryMeetsPredicates(format: String, holds: Bool) throws {
    #expect(try NSPredicate.parsing(format, arguments: []).evaluating(Self.object) == holds)
    #expect(NSPredicate(format: format).evaluate(with: Self.object) == holds)
  }

  // S7.2: functions, each with its arguments as constants.
  @Test(
    arguments: [
      ("sum({1, 2, 3})", 6), ("count:({1, 2, 3})", 3), ("min({3, 1})", 1), ("max(3, 1)", 3), ("average({1, 2})", 1.5),
      ("median({5, 1, 3})", 3), ("median({1, 2})", 1.5), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2), ("add:to:(1, 2)", 3),
      ("from:subtract:(5, 2)", 3), ("multiply:by:(5, 2)", 10), ("divide:by:(5.0, 2)", 2.5), ("modulus:by:(7, 4)", 3),
      ("sqrt:(9)", 3), ("log:(100)", 2), ("ln(exp(1))", 1), ("raise:toPower:(2, 10)", 1024), ("floor(1.5)", 1),
      ("ceiling:(1.5)", 2), ("abs(-3)", 3), ("trunc(-1.5)", -1), ("bitwiseAnd:with:(6, 3)", 2),
      ("bitwiseOr:with:(6, 3)", 7), ("bitwiseXor:with:(6, 3)", 5), ("leftshift:by:(1, 4)", 16),
      ("rightshift:by:(16, 4)", 1), ("onesComplement:(0)", -1), ("noindex:(5)", 5), ("length:('abc')", 3),
      ("2 ** 3 ** 2", 512), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 - 2 - 1", 4), ("CAST('12', 'NSNumber')", 12),
    ] as [(String, Double)])
  func functionsCompute(format: String, value: Double) throws {
    let result = NSExpression(format: format).expressionValue(with: nil, context: nil) as? NSNumber
    #expect(abs((result?.doubleValue ?? .nan) - value) < 1e-9)
  }

  // S7.2
  @Test func functionsOfOtherKinds() {
    func value(_ format: String) -> Any? { NSExpression(format: format).expressionValue(with: nil, context: nil) }
    #expect(value("uppercase:('aé')") as? String == "AÉ")
    #expect(value("lowercase('AÉ')") as? String == "aé")
    #expect(value("canonical:('Zoé')") as? String == "zoe")
    #expect(value("mode({1, 2, 2, 3, 3})") as? [Double] == [2, 3])
    #expect((value("now()") as? Date).map { $0.timeIntervalSinceNow <= 0 } == true)
    #expect((value("randomn:(3)") as? Int).map { (0..<3).contains($0) } == true)
    #expect((value("random()") as? Int).map { $0 >= 0 } == true)
    #expect((value("CAST(5, 'NSDate')") as? Date)?.timeIntervalSinceReferenceDate == 5)
    let context: NSMutableDictionary = ["x": 4]
    #expect(NSExpression(format: "$x * 2").expressionValue(with: nil, context: context) as? Int == 8)
    let block = NSExpression(
      block: { object, arguments, _ in "\(object ?? "")\(arguments)" }, arguments: [.init(forConstantValue: "b")])
    #expect(block.expressionValue(with: "a", context: nil) as? String == "a[\"b\"]")
  }

  // S7.2: an expression that cannot be evaluated says why.
  @Test(
    arguments: [
      ("a < 'x'", "< does not compare"), ("a CONTAINS 'x'", "CONTAINS is about a collection or a text"),
      ("a LIKE 'x'", "LIKE does not compare"), ("ANY a == 1", "gives no collection"),
      ("a BETWEEN {1}", "takes a list of two"),
      ("$x == 1", "the variable $x has no value"), ("list[9] == 1", "9 is no index of a list of 3"),
      ("uppercase(a) == 'x'", "uppercase: does not take"), ("sum(texts) == 1", "sum: does not take"),
      ("items.@nonsense.n == 1", "@nonsense is no collection operator"), ("items.@sum.tag == 1", "about numbers"),
      ("name.nonsense == 1", "not key value coding-compliant for the key \"nonsense\""),
      ("FUNCTION(a, 'fly') == 1", "the method fly cannot be called"), ("name MATCHES '['", "no regular expression"),
      ("CAST(list, 'NSDate') == 1", "cannot be cast to NSDate"), ("ANYKEY == 1", "ANYKEY has no value"),
    ])
  func whatCannotBeEvaluatedSaysWhy(format: String, message: String) throws {
    let predicate = try NSPredicate.parsing(format, arguments: [])
    let error = #expect(throws: (any Error).self) { try predicate.evaluating(Self.object) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(message), "\(text)")
  }

  private class Animal {
    let name: String
    let friend: Animal?

    init(_ name: String, friend: Animal? = nil) {
      self.name = name
      self.friend = friend
    }
  }

  private final class Dog: Animal {
    let legs = 4
  }

  // S7.2: Foundation's collections ask the predicate.
  @Test func collectionsAreFiltered() {
    let predicate = NSPredicate(format: "SELF BEGINSWITH[c] 'a'")
    #expect(NSArray(array: ["Abc", "bcd", "ace"]).filtered(using: predicate) as? [String] == ["Abc", "ace"])
    #expect(NSSet(array: ["Abc", "bcd"]).filtered(using: predicate) == ["Abc"])
    let numbers = NSMutableArray(array: [1, 2, 3, 4])
    numbers.filter(using: NSPredicate(format: "SELF > 2 AND modulus:by:(SELF, 2) == 0"))
    #expect(numbers as? [Int] == [4])
    let people = NSArray(array: [["age": 20], ["age": 40]])
    #expect(people.filtered(using: NSPredicate(format: "age > %d", 30)).count == 1)
    #expect(NSPredicate(format: "SELF IN %@", ["a", "b"]).evaluate(with: "a"))
    #expect(NSPredicate(format: "self == nil").evaluate(with: nil))
  }

  // S7.2: stored properties of classes and structures.
  @Test func objectsOfOnesOwnHaveTheirStoredProperties() throws {
    struct Place { let town: String? }
    let dog = Dog("Rex", friend: Animal("Tom"))
    #expect(
      NSPredicate(format: "name == 'Rex' AND legs == 4 AND friend.name == 'Tom' AND friend.friend == nil").evaluate(
        with: dog))
    #expect(NSPredicate(format: "town BEGINSWITH 'B'").evaluate(with: Place(town: "Bonn")))
    #expect(NSPredicate(format: "town == nil").evaluate(with: Place(town: nil)))
    #expect(NSPredicate(format: "self == %@", dog).evaluate(with: dog))
    #expect(!NSPredicate(format: "self == %@", dog).evaluate(with: Dog("Rex")))
    #expect(throws: (any Error).self) { try NSPredicate.parsing("wings == 2", arguments: []).evaluating(dog) }
  }

  // S7.2: managed objects, as fetches evaluate them and by key-value coding.
  @Test func managedObjectsMeetPredicates() throws {
    let stack = try TestStack()
    let context = stack.context()
    context.performAndWait {
      let note = context.insertNote(7)
      note.title = "Hallo"
      let word = Word(context: context)
      word.term = "eins"
      word.level = 2
      word.note = note
      let holding = [
        "number == 7", "title BEGINSWITH[c] 'h'", "ANY words.level == 2", "words.@count == 1",
        "words.term CONTAINS 'eins'",
        "SUBQUERY(words, $w, $w.level > 1).@count == 1", "objectID != nil", "hasChanges == YES",
        "entity.name == 'Note'", "title.length == 5", "number + 1 == 8", "$n == number", "words[SIZE] == 1",
        "words UNION {} == words", "self == $me",
      ]
      for format in holding {
        let predicate = NSPredicate(format: format)
        #expect(predicate.evaluate(with: note, substitutionVariables: ["n": 7, "me": note]), "\(format)")
        #expect(
          !NSPredicate(format: "NOT (\(format))").evaluate(with: note, substitutionVariables: ["n": 7, "me": note]),
          "\(format)")
      }
      #expect(NSArray(array: [note]).filtered(using: NSPredicate(format: "words.@sum.level == 2")).count == 1)
      #expect(NSPredicate(format: "note.number == 7").evaluate(with: word))
    }
  }
}
