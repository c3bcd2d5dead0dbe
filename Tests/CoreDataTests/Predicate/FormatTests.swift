import CoreData
import Testing

/// The format language: its input, its printed form, and the place of each refusal.
@Suite(.oneThread) struct FormatTests {
  private static let now = Date(timeIntervalSinceReferenceDate: 700_000_000)

  // S7.2: each format with its arguments, and the canonical form that it is printed in.
  @Test(
    arguments: [
      ("a = 1", "a == 1"), ("a == 1", "a == 1"), ("a =< 1", "a <= 1"), ("a <= 1", "a <= 1"), ("a => 1", "a >= 1"),
      ("a >= 1", "a >= 1"), ("a <> 1", "a != 1"), ("a != 1", "a != 1"), ("a<1", "a < 1"), ("1>a", "1 > a"),
      ("a == 1 AND b == 2", "a == 1 AND b == 2"), ("a == 1 && b == 2", "a == 1 AND b == 2"),
      ("a == 1 or b == 2", "a == 1 OR b == 2"), ("a == 1 || b == 2", "a == 1 OR b == 2"),
      ("not a == 1", "NOT a == 1"), ("!(a == 1)", "NOT a == 1"), ("!a == 1", "NOT a == 1"),
      ("a == 1 AND (b == 2 OR c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
      ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
      ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"), ("((a == 1))", "a == 1"),
      ("truepredicate", "TRUEPREDICATE"), ("FALSEPREDICATE", "FALSEPREDICATE"),
      ("a in {1, 2}", "a IN {1, 2}"), ("a IN {}", "a IN {}"), ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
      ("a contains[cd] 'x'", "a CONTAINS[cd] \"x\""), ("a BEGINSWITH [c] 'x'", "a BEGINSWITH[c] \"x\""),
      ("a endswith[dc] \"x\"", "a ENDSWITH[cd] \"x\""), ("a LIKE[n] 'x*'", "a LIKE[n] \"x*\""),
      ("a MATCHES[l] '.*'", "a MATCHES[l] \".*\""), ("a ==[C] 'x'", "a ==[c] \"x\""),
      ("ANY a.b == 1", "ANY a.b == 1"), ("some a.b == 1", "ANY a.b == 1"), ("ALL a.b > 1", "ALL a.b > 1"),
      ("NONE a.b == 1", "NOT ANY a.b == 1"), ("a.@count > 0", "a.@count > 0"), ("a.@sum.b.c > 0", "a.@sum.b.c > 0"),
      ("a.@distinctUnionOfObjects.b CONTAINS 1", "a.@distinctUnionOfObjects.b CONTAINS 1"),
      ("a[0] == 1", "a[0] == 1"), ("a[first] == a[LAST]", "a[FIRST] == a[LAST]"), ("a[SIZE] == 1", "a[SIZE] == 1"),
      ("a['key'].b == 1", "a[\"key\"].b == 1"), ("a[#first.b] == a[#last]", "a[#first.b] == a[#last]"),
      ("a[#size - 1] == 1", "a[#size - 1] == 1"), ("a[firstly] == 1", "a[firstly] == 1"),
      ("SUBQUERY(a, $x, $x.b == 1 AND $x.c == 2).@count > 0", "SUBQUERY(a, $x, $x.b == 1 AND $x.c == 2).@count > 0"),
      ("a == nil", "a == nil"), ("a == NULL", "a == nil"), ("a == Nil", "a == nil"), ("a == YES", "a == 1"),
      ("a == true", "a == 1"), ("a == No", "a == 0"), ("a == FALSE", "a == 0"), ("SELF == 1", "SELF == 1"),
      ("self.a == 1", "a == 1"), ("a == $b", "a == $b"), ("$b.c == 1", "$b.c == 1"),
      ("a + b * 2 == c - -1", "a + b * 2 == c - -1"), ("(a + b) * 2 == 1", "(a + b) * 2 == 1"),
      ("a - (b - c) == 1", "a - (b - c) == 1"), ("a - b - c == 1", "a - b - c == 1"),
      ("a / b ** 2 == 1", "a / b ** 2 == 1"), ("-a == 1", "0 - a == 1"), ("(a & 4) != 0", "a & 4 != 0"),
      ("a | b ^ c & d << 1 >> 2 == 1", "a | b ^ c & d << 1 >> 2 == 1"), ("~a == 1", "onesComplement:(a) == 1"),
      ("TERNARY(a == 1, b, 'c') == 1", "TERNARY(a == 1, b, \"c\") == 1"), ("a == now()", "a == now()"),
      ("sum(a) > 1", "sum:(a) > 1"), ("average:({1, 2}) > 1", "average:({1, 2}) > 1"),
      ("modulus:by:(a, 2) == 1", "modulus:by:(a, 2) == 1"), ("modulus(a, 2) == 1", "modulus:by:(a, 2) == 1"),
      ("FUNCTION(a, 'add:', 1) == 2", "FUNCTION(a, \"add:\", 1) == 2"),
      ("CAST(a, 'NSDate') > b", "CAST(a, \"NSDate\") > b"),
      ("a UNION b CONTAINS 1", "a UNION b CONTAINS 1"),
      ("(a MINUS b) INTERSECT c CONTAINS 1", "a MINUS b INTERSECT c CONTAINS 1"),
      ("a MINUS (b INTERSECT c) CONTAINS 1", "a MINUS (b INTERSECT c) CONTAINS 1"),
      ("#and == #any.#in", "#and == #any.#in"), ("#a == 1", "a == 1"), ("first == last", "first == last"),
      ("a == 0x1F", "a == 31"), ("a == 0b101", "a == 5"), ("a == 0o17", "a == 15"), ("a == 1e3", "a == 1000.0"),
      ("a == 1.5E-2", "a == 0.015"), ("a == .5", "a == 0.5"), ("a == -3", "a == -3"),
      ("a == 'it\\'s'", "a == \"it's\""), ("a == \"x\\\"y\"", "a == \"x\\\"y\""),
      ("a == '\\n\\t\\\\'", "a == \"\\n\\t\\\\\""), ("a == '\\u00e9\\x41'", "a == \"éA\""),
      ("a == 'größe'", "a == \"größe\""),
      ("größe == 1", "größe == 1"), ("_a1 == 1", "_a1 == 1"), ("a == {{1, 2}, {b}}", "a == {{1, 2}, {b}}"),
    ])
  func aFormatIsReadAndPrintedAndReadAgain(format: String, printed: String) throws {
    let predicate = try NSPredicate.parsing(format, arguments: [])
    #expect("\(predicate)" == printed)
    let again = try NSPredicate.parsing(printed, arguments: [])
    #expect(again == predicate)
    #expect(again.hash == predicate.hash)
  }

  // S7.2: arguments of every kind, taken in order or by number.
  @Test(
    arguments: [
      ("%K == %@", ["a.b", "x"], "a.b == \"x\""), ("%K.%K == 1", ["a", "b"], "a.b == 1"),
      ("ANY a.%K.c == 1", ["b"], "ANY a.b.c == 1"), ("%K.@count == 0", ["a"], "a.@count == 0"),
      ("%K == 1", ["SELF"], "SELF == 1"), ("$x.%K == 1", ["a"], "$x.a == 1"),
      ("a == %d AND b == %i", [1, -2], "a == 1 AND b == -2"), ("a == %u", [UInt8(3)], "a == 3"),
      ("a == %ld", [Int.max], "a == 9223372036854775807"), ("a == %lu", [UInt(7)], "a == 7"),
      ("a == %lld", [Int64.min], "a == -9223372036854775808"), ("a == %llu", [UInt64(8)], "a == 8"),
      ("a == %qi", [Int32(9)], "a == 9"), ("a == %zd", [10], "a == 10"), ("a == %x", [255], "a == 255"),
      ("a == %hhd", [Int8(1)], "a == 1"), ("a == %d", [true], "a == 1"), ("a == %f", [1.5], "a == 1.5"),
      ("a == %lf", [Float(0.25)], "a == 0.25"), ("a == %g", [2], "a == 2.0"), ("a == %e", [1e10], "a == 10000000000.0"),
      ("a == %c", [Character("A")], "a == 65"), ("a == %s", ["x"], "a == \"x\""), ("a == %S", ["x"], "a == \"x\""),
      ("a == %2$@ AND b == %1$@", ["x", "y"], "a == \"y\" AND b == \"x\""), ("a == %@", [nil], "a == nil"),
      ("a IN %@", [[1, 2]], "a IN {1, 2}"), ("a == %@", [true], "a == 1"),
      ("a == '%@'", [], "a == \"%@\""), ("a BETWEEN %@", [[1, 5]], "a BETWEEN {1, 5}"),
      ("a == %@", [now], "a == CAST(700000000.0, \"NSDate\")"),
      (
        "a == %@", [UUID(uuidString: "00000000-0000-0000-0000-000000000001")],
        "a == CAST(\"00000000-0000-0000-0000-000000000001\", \"NSUUID\")"
      ),
      ("a == %@", [Data([1, 2])], "a == CAST(\"AQI=\", \"NSData\")"),
      ("a == %@", [URL(string: "https://example.org")], "a == CAST(\"https://example.org\", \"NSURL\")"),
      ("a == %@", [Decimal(string: "1.25")], "a == CAST(\"1.25\", \"NSDecimalNumber\")"),
      ("a == %f", [Double.infinity], "a == CAST(\"inf\", \"NSNumber\")"),
    ] as [(String, [(any Sendable)?], String)])
  func argumentsAreFilledIn(format: String, arguments: [(any Sendable)?], printed: String) throws {
    let predicate = try NSPredicate.parsing(format, arguments: arguments)
    #expect("\(predicate)" == printed)
    #expect(try NSPredicate.parsing(printed, arguments: []) == predicate)
  }

  // S7.2: the place and the reason.
  @Test(
    arguments: [
      ("", [], "at character 0: found the end, expected a key, a value or an argument"),
      ("a", [], "at character 1: found the end, expected a comparison"), ("a ==", [], "at character 4: found the end"),
      ("a == 1 b", [], "at character 7: found \"b\", expected the end of the format"),
      ("a == 'x", [], "at character 5: the string is not closed with '"),
      ("a ? b", [], "at character 2: \"?\" is no part"),
      ("(a == 1", [], "at character 7: found the end, expected \")\""), ("a == 1)", [], "at character 6: found \")\""),
      ("a CONTAINS[x] 'b'", [], "at character 11: found \"x\", expected the options c, d, n or l"),
      ("a IN {1, 2", [], "at character 10"), ("a == 3abc", [], "at character 5: 3abc is no number"),
      ("a == 0xZZ", [], "at character 5: 0xZZ is no number"),
      ("a == '\\u12'", [], "at character 6: \\u is followed by 4"),
      ("a == %y", [], "at character 5: % is followed by"),
      ("a == %1@", [], "at character 5: % and a number are followed"),
      ("a %% 2 == 1", [], "at character 2: %% is a percent sign"),
      ("and == 1", [], "at character 0: found \"and\", expected"),
      ("a == %@", [], "at character 5: there is no argument left for %@"),
      ("a == %@ AND b == %d", [1], "at character 17: there is no argument left for %d"),
      ("a == %@", [1, 2], "2 arguments were given, 1 are used by the format; argument 2 is not"),
      ("a == %2$@", [1, 2], "argument 1 is not"),
      ("a == %d", ["x"], "argument 1, for %d, is of type String; %d takes an integer"),
      ("a == %d", [1.5], "%d takes an integer"), ("a == %f", ["x"], "%f takes a number"), ("a == %d", [nil], "is nil"),
      ("%K == 1", [5], "%K takes a key path as a string"), ("%K == 1", [""], "%K takes a key path as a string"),
      ("a := 1", [], "at character 2: assignments are not supported"),
      ("FETCH(a, b, NO) == 1", [], "at character 0: FETCH is not supported"),
      ("nonsense(a) == 1", [], "at character 0: there is no function nonsense; there are abs:"),
      ("1 == modulus(a)", [], "at character 5: modulus:by: takes 2 arguments, not 1"),
      (
        "distanceToLocation:fromLocation:(a, b) < 1", [],
        "at character 0: the function distanceToLocation:fromLocation: is not supported"
      ),
      ("SUBQUERY(a, x, $x == 1).@count > 0", [], "at character 12: found \"x\", expected a variable such as $x"),
      ("FUNCTION(a) == 1", [], "at character 0: FUNCTION takes an object, the name of a method as a string"),
      ("a.1 == 2", [], "at character 2: found 1, expected a key"), ("a. == 2", [], "at character 3"),
      ("ANY ANY a == 1", [], "at character 4"),
      ("a NOT IN {1}", [], "at character 2: found \"NOT\", expected a comparison"),
      ("\\(x) == 1", [], "at character 0"),
    ] as [(String, [(any Sendable)?], String)])
  func whatCannotBeReadIsRefusedWithPlaceAndReason(format: String, arguments: [(any Sendable)?], message: String) {
    let error = #expect(throws: (any Error).self) { try NSPredicate.parsing(format, arguments: arguments) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(message), "\(text)")
  }

  // S7.2
  @Test(arguments: ["(", "NOT ", "-", "~", "abs(", "{", "a[", "1 + ", "2 ** ", "a.", "x == 1 AND (", "TERNARY(", "!"])
  func depthIsBounded(piece: String) throws {
    for count in [50, 5_000] {
      let format = String(repeating: piece, count: count)
      #expect(throws: (any Error).self) { try NSPredicate.parsing(format, arguments: []) }
    }
    let flat = Array(repeating: "a == 1", count: 5_000).joined(separator: " AND ")
    #expect(try (NSPredicate.parsing(flat, arguments: []) as? NSCompoundPredicate)?.subpredicates.count == 5_000)
  }

  // S7.2: arguments as C passes them.
  @Test func argumentsComeFromACList() {
    let values: [any CVarArg] = ["a.b", "x", 5, Int32(-6), 1.5, UInt64(8), Int8(7)]
    let format = "%K == %@ AND b == %ld AND c == %d AND d == %f AND e < %llu AND f == %d"
    let predicate = withVaList(values) { NSPredicate(format: format, arguments: $0) }
    #expect(
      "\(predicate)" == "a.b == \"x\" AND b == 5 AND c == -6 AND d == 1.5 AND e < 8 AND f == 7")
    let expression = withVaList([3, 4]) { NSExpression(format: "%2$ld - %1$ld", arguments: $0) }
    #expect(expression.expressionValue(with: nil, context: nil) as? Int == 1)
  }

  // S7.2: the public initialisers say the same and end the process.
  @Test func anUnsoundFormatIsFatal() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "a == %d", "x")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Unable to parse the format string \"a == %d\": at character 5: argument 1, for %d"))
  }
}
